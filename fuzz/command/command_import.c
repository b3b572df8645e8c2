/* opconform import */
#include <stdio.h>
#include <string.h>

#include "command.h"
#include "ops/import/format.h"
#include "reports/files.h"

static const OptionRow rows[] = {
    OPTION("out", TEXT, out, "FILE", "where the lines are written; stdout by default"),
    OPTION("scale", COUNT, scale, "N", "cases may be N times as large as usual"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

static const ImportFormat *find_format(const char *name)
{
    Nearest nearest = nearest_begin(name, strlen(name));
    Text hint = {0};
    const ImportFormat *format = import_formats;
    for (; format->name && strcmp(format->name, name) != 0; format++) {
        nearest_offer(&nearest, format->name);
        text_printf(&hint, "%s%s", hint.length ? ", " : "expected ", format->name);
    }
    if (!format->name)
        (void)complain_unknown("import: unknown format", name, text_string(&hint), &nearest);
    text_release(&hint);
    return format->name ? format : NULL;
}

/* What of a file is no case is told with its place and reason. */
typedef struct Telling {
    Import *import;
    const ImportFormat *format;
    const char *path;
    uint64_t bad;
} Telling;

static void tell_bad(void *context, size_t number, const char *reason)
{
    Telling *telling = context;
    telling->bad++;
    import_skip(telling->import, 1, reason);
    (void)complain(0, "%s, %s %zu: %s", telling->path, telling->format->part, number, reason);
}

static bool read_lines(Telling *telling, Text *text, Text *why)
{
    if (!file_is_text(telling->path, text, why))
        return false;
    char *rest = text->data;
    for (size_t number = 1; rest; number++) {
        char *line = strsep(&rest, "\n");
        text_clear(why);
        if (telling->format->read(telling->import, line, why) == LINE_BAD)
            tell_bad(telling, number, text_string(why));
    }
    return true;
}

static bool read_whole(Telling *telling, const Text *text, Text *why)
{
    Text error = {0};
    bool ok = telling->format->read_file(telling->import, text, tell_bad, telling, &error);
    if (!ok)
        text_printf(why, "%s: %s", telling->path, text_string(&error));
    text_release(&error);
    return ok;
}

static bool read_file(Import *import, const ImportFormat *format, const char *path)
{
    Text text = {0}, why = {0};
    Telling telling = {import, format, path, 0};
    bool ok = file_read(path, &text, &why) && (format->read ? read_lines(&telling, &text, &why)
                                                            : read_whole(&telling, &text, &why));
    if (!ok)
        (void)complain(0, "%s", text_string(&why));
    if (telling.bad > 0)
        (void)complain(0, "%s: %llu %ss were skipped", path, (unsigned long long)telling.bad,
                       format->part);
    text_release(&text);
    text_release(&why);
    return ok;
}

static int write_cases(const Options *options, const Import *import)
{
    Text lines = {0}, words = {0};
    text_put(&lines, "# imported of: ");
    escape_put_line(&lines, options->arguments[1]);
    text_put(&lines, "\n");
    import_put(import, &lines);
    int status = options_write_lines(options, &lines);
    import_tell(import, &words);
    (void)fputs(text_string(&words), stderr);
    text_release(&lines);
    text_release(&words);
    return status;
}

static int run_import(Options *options)
{
    Import import = {.scale = (double)options->scale};
    bool ok = true;
    int status = EXIT_USAGE;
    if (options->argument_count < 2)
        return complain(EXIT_USAGE, "import: give a format and at least one file");
    const ImportFormat *format = find_format(options->arguments[0]);
    for (int i = 1; format && ok && i < options->argument_count; i++)
        ok = read_file(&import, format, options->arguments[i]);
    if (format && ok && import.case_count == 0)
        (void)complain(0, "import: no %s of %s gives a case", format->part, format->name);
    else if (format && ok)
        status = write_cases(options, &import);
    import_release(&import);
    return status;
}

const Command command_import = {
    .name = "import",
    .arguments = "FORMAT FILE...",
    .summary =
        "Makes case lines of what libraries and their benchmarks write: mkl, rocblas, onednn, "
        "benchdnn; of the\n"
        "nodes of models: onnx; of traces of PyTorch's profiler: torch; and of its graphs: fx.  "
        "Lines, nodes\nand events that are no case are told with their number and the reason, and "
        "skipped.  Exit status 0\nwhen there are cases, 2 when there is none or a file cannot be "
        "read.",
    .example = "opconform import onednn verbose.log --out model.cases",
    .options = rows,
    .run = run_import,
};
