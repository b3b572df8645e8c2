/* Blocks of posix_memalign end before a page that must not be touched: libraries take their scratch
 * memory so, and one that writes behind it ends at once, by SIGSEGV, in the call that does it.  The
 * program that is linked with this has the functions posix_memalign, free and realloc of its own,
 * which libraries find before those of the C library; malloc_usable_size knows no such block.
 * Blocks that the C library gives stay with it, and so does everything under AddressSanitizer. */
#ifndef FUZZ_GUARDED_HEAP_H
#define FUZZ_GUARDED_HEAP_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes in blocks that were not given back. */
size_t guarded_heap_bytes(void);

/* True when the block ends before such a page. */
bool guarded_heap_has(const void *block);

#endif
