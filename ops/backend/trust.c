/* The names of the command line. */
#include "trust.h"

#include <string.h>

static Text named; /* each ended by a newline */

void trust_name(const char *backend)
{
    text_printf(&named, "%s\n", backend);
}

static bool is_trusted(const char *backend)
{
    size_t length = strlen(backend);
    for (const char *at = text_string(&named); *at; at += strcspn(at, "\n") + 1)
        if (strcspn(at, "\n") == length && !strncmp(at, backend, length))
            return true;
    return false;
}

bool trust_allows(const BackendKind *kind, const char *backend, Text *error)
{
    if (!kind->user_code || is_trusted(backend))
        return true;
    text_printf(error, "%s is not opened, since only a database names it: name it with --backend",
                backend);
    return false;
}
