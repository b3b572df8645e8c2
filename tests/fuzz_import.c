/* Fuzzes the readers of logs and models: any line must be taken as a case that its own line gives
 * back, be refused with a reason, or be none of theirs; any file is a model or is refused. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/import/format.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process with the line that is not held. */
static _Noreturn void complain(const char *what, const char *line)
{
    (void)fprintf(stderr, "%s: %s\n", what, line);
    abort();
}

static void check_cases(const Import *import)
{
    Text error = {0};
    Case c;
    for (size_t i = 0; i < import->case_count; i++)
        if (!case_parse(&c, import->cases[i].line, &error))
            complain(text_string(&error), import->cases[i].line);
    text_release(&error);
}

static void read_line(const ImportFormat *format, const char *text)
{
    Import import = {0};
    Text why = {0};
    char *line = memory_duplicate(text);
    LineMeaning meaning = format->read(&import, line, &why);
    if ((meaning == LINE_BAD) != (why.length > 0) || (meaning == LINE_CALL && import.calls == 0) ||
        (meaning == LINE_OTHER && import.calls > 0))
        complain("a meaning without its reason", text);
    check_cases(&import);
    free(line);
    import_release(&import);
    text_release(&why);
}

static void count_bad(void *context, size_t number, const char *reason)
{
    if (number == 0 || !*reason)
        complain("a part without its number or reason", reason);
    ++*(size_t *)context;
}

static void read_whole(const ImportFormat *format, const uint8_t *data, size_t size)
{
    Import import = {0};
    Text file = {0}, error = {0};
    size_t bad = 0;
    text_append(&file, (const char *)data, size);
    bool ok = format->read_file(&import, &file, count_bad, &bad, &error);
    if (ok != (error.length == 0))
        complain("a file without its reason", text_string(&error));
    check_cases(&import);
    import_release(&import);
    text_release(&file);
    text_release(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = memory_allocate(size + 1, 1);
    if (size > 0)
        memcpy(text, data, size);
    for (const ImportFormat *format = import_formats; format->name; format++)
        if (format->read)
            read_line(format, text);
        else
            read_whole(format, data, size);
    free(text);
    return 0;
}
