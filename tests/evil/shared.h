/* Writes one value over all memory that this process shares with others. */
#ifndef TESTS_EVIL_SHARED_H
#define TESTS_EVIL_SHARED_H

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

static void each_shared(void (*change)(void *start, size_t size, int value), int value)
{
    char line[512], rights[8];
    unsigned long start, end;
    FILE *maps = fopen("/proc/self/maps", "r");
    while (maps && fgets(line, sizeof line, maps))
        if (sscanf(line, "%lx-%lx %7s", &start, &end, rights) == 3 && rights[3] == 's')
            change((void *)start, end - start, value);
    if (maps)
        (void)fclose(maps);
}

static void fill(void *start, size_t size, int value)
{
    (void)memset(start, value, size);
}

static void drop(void *start, size_t size, int value)
{
    (void)value;
    (void)munmap(start, size);
}
#endif
