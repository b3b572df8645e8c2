/* Writes into blocks of the heap that it has freed, where the C library keeps what it needs to give
 * them out again.
 * Seen: dot FAULT SIG */
#include <stdlib.h>
#include <string.h>

#include "evil.h"

static void misbehave(void)
{
    enum { BLOCKS = 4, SIZE = 24 };
    char *volatile blocks[BLOCKS];
    for (int i = 0; i < BLOCKS; i++)
        blocks[i] = malloc(SIZE);
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
    for (int i = 0; i < BLOCKS; i++)
        (void)memset(blocks[i], 0x5a, SIZE);
}
