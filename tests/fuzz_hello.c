/* Fuzzes what a server of a library says of itself: taken or refused in words, whatever it is. */
#include <stdlib.h>
#include <string.h>

#include "ops/backend/process/server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool is_text(const char *text, size_t room)
{
    return memchr(text, '\0', room) != NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const starts[] = {"version: ", "op gemm ", "sample ",
                                         "error: ",   "path: ",   ""};
    Server server = {.name = "fuzz"};
    Text hello = {0}, error = {0};
    if (size > 0)
        text_put(&hello, starts[data[0] % COUNT_OF(starts)]);
    for (size_t i = 1; i < size; i++)
        text_append(&hello, data[i] ? (const char *)&data[i] : "\n", 1);
    char *copy = strdup(text_string(&hello));
    const ProcessSource source = {0};
    const BackendKind kind = {.source = &source};
    const Backend backend = {.kind = &kind};
    if (!copy ||
        server_introduce(&server, &backend, "make frameworks", copy, &error) != (error.length == 0))
        abort();
    const BackendFacts *facts = &server.facts;
    if (!is_text(facts->version, sizeof facts->version) ||
        !is_text(facts->path, sizeof facts->path) || !is_text(facts->build, sizeof facts->build) ||
        !is_text(facts->core, sizeof facts->core))
        abort();
    free(copy);
    text_release(&hello);
    text_release(&error);
    return 0;
}
