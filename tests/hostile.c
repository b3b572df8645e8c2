/* hostile ROWS FOLDER: writes texts that try to be more than text into a file of each language, by
 * the escapes and the programs of the tool.  tests/check-hostile reads them with parsers of others.
 *
 * texts has each text in hexadecimal, a line each; the other files have them in that order. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/backend.h"
#include "oracle/judge.h"
#include "reference/escape.h"
#include "reports/files.h"
#include "reports/json.h"
#include "reports/reproduce/reproduce.h"

/* Ends and begins of what text may stand in, and bytes that other readers take for something. */
static const char *const pieces[] = {"*/",
                                     "/*",
                                     "*\\\n/",
                                     "*?\?/\n/",
                                     "?\?/",
                                     "\\",
                                     "\n",
                                     "\r",
                                     "\t",
                                     "\"\"\"",
                                     "'''",
                                     "'",
                                     "\"",
                                     "`",
                                     "\n```\n",
                                     "<script>",
                                     "</pre>",
                                     "&lt;",
                                     "]]>",
                                     "-->",
                                     "=1+1",
                                     "+",
                                     "-",
                                     "@",
                                     ",",
                                     ";",
                                     "|",
                                     "$(false)",
                                     "`false`",
                                     "&&",
                                     "\033[2J",
                                     "\033]0;t\a",
                                     "\b",
                                     "\177",
                                     "\377",
                                     "\300\200",
                                     "\355\240\200",
                                     "\342\200\256",
                                     "\302\233",
                                     "\357\273\277",
                                     "\303\251",
                                     "\360\237\230\200",
                                     " _Static_assert(0, \"theirs\"); ",
                                     "\n#error theirs\n",
                                     " build: false ",
                                     "\n * build: false\n",
                                     "%s%n",
                                     "@TITLE@",
                                     "\nimport theirs\n",
                                     "\\\"\"\"",
                                     "\\N{x}",
                                     "\\u000a",
                                     "[a](b)",
                                     "<!--",
                                     "\v",
                                     "\f",
                                     "\x1c",
                                     "\xe2\x80\xa8"};

static uint64_t draw(uint64_t *state)
{
    *state += 0x9e3779b97f4a7c15u;
    uint64_t z = *state;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return z ^ z >> 31;
}

static void put_hostile(Text *text, uint64_t *state)
{
    enum { PIECES_MAX = 10 };
    for (uint64_t left = 1 + draw(state) % PIECES_MAX; left > 0; left--) {
        char byte = (char)(1 + draw(state) % 255);
        if (draw(state) % 3 == 0)
            text_append(text, &byte, 1);
        else
            text_put(text, pieces[draw(state) % COUNT_OF(pieces)]);
    }
}

/* The files, one for each language. */
enum { TEXTS, COMMENTS, PROGRAMS, MARKUP, CSV, JSON, SHELL, LINES, CODE, BLOCKS, FILE_COUNT };
static const char *const names[FILE_COUNT] = {"texts",     "comments.c", "programs.c", "markup",
                                              "table.csv", "rows.json",  "words",      "lines",
                                              "code",      "blocks"};

static void put_forms(Text files[FILE_COUNT], const char *text, int row)
{
    for (const char *byte = text; *byte; byte++)
        text_printf(&files[TEXTS], "%02x", (unsigned char)*byte);
    text_put(&files[TEXTS], "\n");
    text_put(&files[COMMENTS], row % 2 ? "/* " : "/*\n * a ");
    escape_put_c_comment(&files[COMMENTS], text);
    text_printf(&files[COMMENTS],
                row % 3 ? " */ extern int row_%d;\n" : "\n */ extern int row_%d;\n", row);
    text_put(&files[MARKUP], "<p title=\"");
    escape_put_markup(&files[MARKUP], text);
    text_put(&files[MARKUP], "\">");
    escape_put_markup(&files[MARKUP], text);
    text_put(&files[MARKUP], "</p>\n");
    escape_put_csv(&files[CSV], text, false);
    text_put(&files[CSV], ",end\r\n");
    json_put_string(&files[JSON], text);
    text_put(&files[JSON], "\n");
    escape_put_shell(&files[SHELL], text);
    text_put(&files[SHELL], "\n");
    escape_put_line(&files[LINES], text);
    text_put(&files[LINES], "\n");
    escape_put_markdown_code(&files[CODE], text);
    text_put(&files[CODE], "\n");
    escape_put_markdown_block(&files[BLOCKS], "", text);
    text_put(&files[BLOCKS], "\n");
}

/* A program about the case whose title, library and place are the text; false with *error. */
static bool put_program(Text *program, const Backend *backend, const Case *c, const char *text,
                        int row, Text *error)
{
    ReproduceProgram written = {0};
    Backend theirs = *backend;
    Judgement judgement = {.kind = VERDICT_DIVERGE, .got = 5, .total = 2, .bad = 1};
    (void)snprintf(theirs.facts.version, sizeof theirs.facts.version, "%s", text);
    (void)snprintf(theirs.facts.build, sizeof theirs.facts.build, "%s", text);
    (void)snprintf(theirs.facts.core, sizeof theirs.facts.core, "%s", text);
    (void)snprintf(theirs.facts.path, sizeof theirs.facts.path, "/%s/lib.so", text);
    const ReproduceInput input = {.title = text,
                                  .name = "finding-1",
                                  .c = c,
                                  .backend = &theirs,
                                  .output = 1,
                                  .judgement = &judgement,
                                  .detail = text,
                                  .harness = row % 50 == 0};
    bool ok = reproduce_write(&written, &input, error);
    /* Of the harness its head, whose names are the same in each. */
    size_t length = input.harness ? (size_t)(strstr(text_string(&written.source), "#define") -
                                             text_string(&written.source))
                                  : written.source.length;
    text_printf(program, "#define main main_%d\n", row);
    text_append(program, text_string(&written.source), length);
    text_put(program, "#undef main\n");
    reproduce_release(&written);
    return ok;
}

static bool write_all(Text files[FILE_COUNT], const char *folder, int rows, Text *error)
{
    Backend backend;
    Case c;
    Text text = {0};
    uint64_t state = 1;
    bool ok = backend_open(&backend, "libm", error) &&
              case_parse(&c, "exp/1 dtype=f64 shape=2 | x=ones", error);
    for (int row = 0; ok && row < rows; row++) {
        text_clear(&text);
        put_hostile(&text, &state);
        put_forms(files, text_string(&text), row);
        ok = row % 10 != 0 ||
             put_program(&files[PROGRAMS], &backend, &c, text_string(&text), row, error);
    }
    for (int i = 0; ok && i < FILE_COUNT; i++) {
        text_clear(&text);
        text_printf(&text, "%s/%s", folder, names[i]);
        ok = file_write(text_string(&text), &files[i], error);
        text_release(&files[i]);
    }
    text_release(&text);
    return ok;
}

int main(int count, char **arguments)
{
    Text files[FILE_COUNT] = {{0}}, error = {0};
    if (count != 3 || !write_all(files, arguments[2], atoi(arguments[1]), &error)) {
        (void)fprintf(stderr, "hostile ROWS FOLDER: %s\n", text_string(&error));
        return 2;
    }
    return 0;
}
