/* Frees a block twice with another one between, which puts it into the free list twice.
 * Seen: dot FAULT SIG */
#include <stdlib.h>

#include "evil.h"

static void misbehave(void)
{
    char *volatile first = malloc(100), *volatile second = malloc(100);
    free(first);
    free(second);
    free(first);
}
