/* Doubling. */
#include "list.h"

void *list_grow(void *list, size_t count, size_t *room, size_t size)
{
    enum { FIRST = 64 };
    if (count < *room)
        return list;
    *room = *room ? 2 * *room : FIRST;
    return memory_resize(list, *room, size);
}
