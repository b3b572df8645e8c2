/* Removes, renames, empties and writes over the databases beside its library; dies where it can.
 * Needs: can write no files
 * Seen: nothing */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "evil.h"

static void misbehave(void)
{
    Dl_info facts;
    char folder[4096];
    if (!dladdr((void *)&evil_copy, &facts))
        abort();
    (void)snprintf(folder, sizeof folder, "%s", facts.dli_fname);
    const char *name = dirname(folder);
    DIR *list = opendir(name);
    int seen = 0;
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char path[8192];
        if (!strstr(entry->d_name, ".db"))
            continue;
        seen++;
        (void)snprintf(path, sizeof path, "%s/%s", name, entry->d_name);
        if (unlink(path) == 0 || rename(path, "/tmp/evil.db") == 0 || truncate(path, 0) == 0 ||
            open(path, O_WRONLY) >= 0 || open(path, O_RDWR | O_TRUNC) >= 0)
            abort();
    }
    if (list)
        (void)closedir(list);
    if (seen == 0)
        abort();
}
