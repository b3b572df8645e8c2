/* Lists on the heap that grow one by one. */
#ifndef REFERENCE_LIST_H
#define REFERENCE_LIST_H

#include "base.h"

/* The list, NULL at first, with room for one more than `count` entries of `size` bytes each: *room,
 * 0 at first, is doubled where it is taken. */
void *list_grow(void *list, size_t count, size_t *room, size_t size);

#endif
