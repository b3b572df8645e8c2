/* Fuzzes our own parsers: bytes as a case line and as an encoded case; what parses must survive
 * every conversion. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/case/case.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Ends the process with the line that did not survive. */
static _Noreturn void complain(const Text *line, const Text *error)
{
    (void)fprintf(stderr, "%s\n%s\n", text_string(line), text_string(error));
    abort();
}

static void convert(const Case *c, const Scope *scope)
{
    Text line = {0}, bytes = {0}, error = {0};
    Case parsed, decoded;
    case_print(c, &line);
    if (!case_parse(&parsed, text_string(&line), &error) || !case_equal(c, &parsed))
        complain(&line, &error);
    case_encode(c, &bytes);
    case_decode(&decoded, scope, (const uint8_t *)text_string(&bytes), bytes.length);
    if (!case_equal(c, &decoded))
        complain(&line, &error);
    text_release(&line);
    text_release(&bytes);
    text_release(&error);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Scope scope = scope_all();
    Text line = {0}, error = {0};
    Case c;
    case_decode(&c, &scope, data, size);
    convert(&c, &scope);
    text_append(&line, (const char *)data, size);
    if (case_parse(&c, text_string(&line), &error))
        convert(&c, &scope);
    text_release(&line);
    text_release(&error);
    return 0;
}
