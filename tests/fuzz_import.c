/* Fuzzes the readers of logs: any line must be taken as a case that its own line gives back, be
 * refused with a reason, or be none of theirs. */
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

static void read_line(const ImportFormat *format, const char *text)
{
    Import import = {0};
    Text why = {0}, error = {0};
    Case c;
    char *line = memory_duplicate(text);
    LineMeaning meaning = format->read(&import, line, &why);
    if ((meaning == LINE_BAD) != (why.length > 0) || (meaning == LINE_CALL) != (import.calls > 0))
        complain("a meaning without its reason", text);
    for (size_t i = 0; i < import.case_count; i++)
        if (!case_parse(&c, import.cases[i].line, &error))
            complain(text_string(&error), import.cases[i].line);
    free(line);
    import_release(&import);
    text_release(&why);
    text_release(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = memory_allocate(size + 1, 1);
    if (size > 0)
        memcpy(text, data, size);
    for (const ImportFormat *format = import_formats; format->name; format++)
        read_line(format, text);
    free(text);
    return 0;
}
