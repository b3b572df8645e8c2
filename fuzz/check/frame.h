/* Names for the place in a library from which memory was touched. */
#ifndef FUZZ_FRAME_H
#define FUZZ_FRAME_H

#include <stddef.h>
#include <stdint.h>

/* The instruction that a signal interrupted, from the context that its handler gets; 0 where the
 * processor is not known.  May be called in a signal handler. */
uintptr_t frame_address(const void *context);

/* Puts the function at an address, or the library and the distance from its start where it names
 * none there; "" for 0, and for functions of the C library, which say nothing about their caller.
 */
void frame_name(char *name, size_t size, uintptr_t address);

#endif
