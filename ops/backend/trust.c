/* The places of the command line. */
#include "trust.h"

#include <string.h>

#include "reference/escape.h"

static Text named; /* each place ended by a newline */

/* What a name has behind its first @, or NULL. */
static const char *place_of(const char *backend)
{
    const char *at = strchr(backend, '@');
    return at ? at + 1 : NULL;
}

void trust_name(const char *backend)
{
    if (place_of(backend))
        text_printf(&named, "%s\n", place_of(backend));
}

static bool is_named(const char *place)
{
    size_t length = strlen(place);
    for (const char *at = text_string(&named); *at; at += strcspn(at, "\n") + 1)
        if (strcspn(at, "\n") == length && !strncmp(at, place, length))
            return true;
    return false;
}

bool trust_allows(const char *backend, Text *error)
{
    const char *place = place_of(backend);
    if (!place || is_named(place))
        return true;
    text_printf(error, "not opened: %s: only a database names it; use", backend);
    trust_put_option(backend, error);
    return false;
}

void trust_put_option(const char *backend, Text *words)
{
    if (!place_of(backend))
        return;
    text_put(words, " --backend ");
    escape_put_shell(words, backend);
}
