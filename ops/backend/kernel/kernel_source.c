/* Cuts kernel@WHERE into a library and rows. */
#include "kernel_source.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ops/backend/binding/row_lines.h"

void kernel_source_put_place(const KernelSource *source, const KernelRow *row, Text *error)
{
    if (row->line)
        text_printf(error, "%s, line %d: ", source->file, row->line);
    else
        text_printf(error, "%s = %s: ", row->binding.ops, row->binding.call);
}

/* OPERATORS | TYPES | CALL, or OPERATORS = CALL. */
bool kernel_source_add(KernelSource *source, char *text, int line, Text *error)
{
    KernelRow row = {.line = line};
    const char *unknown = "";
    char *ops = row_trim(text), *mark = ops + strcspn(ops, "|=");
    bool typed = *mark == '|';
    if (source->count == KERNEL_ROWS_MAX) {
        text_printf(error, "more than %d rows", KERNEL_ROWS_MAX);
        return false;
    }
    char *call = *mark ? mark + 1 : mark, *types = typed ? call : NULL;
    *mark = '\0';
    if (typed && (call = strchr(types, '|')))
        *call++ = '\0';
    row.binding.ops = row_trim(ops);
    row.binding.call = call ? row_trim(call) : "";
    bool whole = row.binding.ops[0] && row.binding.call[0];
    bool known = !whole || !typed || row_types_read(row_trim(types), &row.dtypes, &unknown);
    Text why = {0};
    if (!whole)
        text_printf(&why, "expected OPERATOR=FUNCTION(ARGUMENTS), as softmax=f(x, y, rows, cols)");
    else if (!known)
        text_printf(&why, "there is no element type %s", unknown);
    else if (row_check(row.binding.call, &why)) {
        source->rows[source->count++] = row;
        return true;
    }
    kernel_source_put_place(source, &row, error);
    text_put(error, text_string(&why));
    text_release(&why);
    return false;
}

static bool set_library(KernelSource *source, const char *path, Text *error)
{
    char *real = realpath(path, NULL);
    bool ok = real && strlen(real) < sizeof source->library;
    if (ok)
        (void)snprintf(source->library, sizeof source->library, "%s", real);
    else
        text_printf(error, "%s: %s", path, strerror(real ? ENAMETOOLONG : errno));
    free(real);
    return ok;
}

/* The library in the first line of a file of rows is found from the file's folder. */
static bool set_library_beside(KernelSource *source, const char *path, Text *error)
{
    const char *slash = strrchr(source->file, '/');
    Text whole = {0};
    if (path[0] != '/' && slash)
        text_append(&whole, source->file, (size_t)(slash - source->file) + 1);
    text_put(&whole, path);
    bool ok = set_library(source, text_string(&whole), error);
    text_release(&whole);
    return ok;
}

static bool read_file(KernelSource *source, Text *error)
{
    size_t capacity = 0;
    FILE *file = fopen(source->file, "re");
    errno = 0;
    ssize_t length = file ? getdelim(&source->text, &capacity, '\0', file) : -1;
    if (length < 0)
        text_printf(error, "%s: %s", source->file, errno ? strerror(errno) : "an empty file");
    if (file)
        (void)fclose(file);
    if (length >= 4 && !memcmp(source->text, "\177ELF", 4)) {
        text_printf(error, "name its functions: kernel@%s:'softmax=my_softmax(x, y, rows, cols)'",
                    source->file);
        return false;
    }
    return length >= 0;
}

static bool read_rows(KernelSource *source, Text *error)
{
    RowLines lines = row_lines_begin(source->text);
    char *row = row_lines_next(&lines);
    if (!row || strpbrk(row, "=|")) {
        text_printf(error, "%s: the first line names the library, rows come behind it",
                    source->file);
        return false;
    }
    if (!set_library_beside(source, row_trim(row), error))
        return false;
    while ((row = row_lines_next(&lines)))
        if (!kernel_source_add(source, row, lines.line, error))
            return false;
    if (source->count == 0)
        text_printf(error, "%s has no rows", source->file);
    return source->count > 0;
}

/* The colon behind a library that is there, else the first one; NULL where there is none. */
static char *find_colon(char *where)
{
    char *first = strchr(where, ':');
    for (char *colon = first; colon; colon = strchr(colon + 1, ':')) {
        *colon = '\0';
        bool is_there = access(where, F_OK) == 0;
        *colon = ':';
        if (is_there)
            return colon;
    }
    return first;
}

bool kernel_source_read(KernelSource *source, const char *where, Text *error)
{
    bool ok = true;
    memset(source, 0, sizeof *source);
    source->text = memory_duplicate(where);
    char *colon = find_colon(source->text);
    if (!colon) {
        (void)snprintf(source->file, sizeof source->file, "%s", where);
        free(source->text);
        source->text = NULL;
        ok = read_file(source, error) && read_rows(source, error);
    } else {
        char *rest = colon + 1;
        *colon = '\0';
        ok = set_library(source, source->text, error);
        for (char *row; ok && (row = strsep(&rest, ";"));)
            ok = *row_trim(row) == '\0' || kernel_source_add(source, row, 0, error);
        if (ok && source->count == 0)
            text_printf(error,
                        "no function is named: kernel@%s:'softmax=my_softmax(x, y, rows, cols)'",
                        source->text);
        ok = ok && source->count > 0;
    }
    if (!ok)
        kernel_source_release(source);
    return ok;
}

void kernel_source_release(KernelSource *source)
{
    free(source->text);
    source->text = NULL;
    source->count = 0;
}
