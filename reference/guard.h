/* Guarded memory: every operand lies between two inaccessible pages, flush against one of them,
 * with a recognisable pattern in every byte around it.  As elements the pattern is a
 * NaN, signalling where the width names one format, or a conspicuous integer: a kernel that
 * computes with it shows it, and any arithmetic on it changes its bits, so that an element which
 * still holds it was not written. */
#ifndef REFERENCE_GUARD_H
#define REFERENCE_GUARD_H

#include "base.h"

typedef enum GuardSide { GUARD_END, GUARD_START } GuardSide;

/* The pages for small operands at one side of a slot. */
typedef struct GuardWindow {
    bool locked;
    unsigned locks;        /* how often they were */
    unsigned char *second; /* another address of the same memory, which is always writable; NULL */
} GuardWindow;

/* One slot of address space with an inaccessible page before and after it, and what of it is
 * read-only. */
typedef struct GuardSlot {
    unsigned char *base;
    size_t size;
    GuardWindow window[2];                    /* by side */
    unsigned char *locked_begin, *locked_end; /* pages of an operand that takes none of them */
    uint64_t generation;                      /* of the process whose windows these are */
} GuardSlot;

/* Width of the elements that the pattern is for: 1, 2, 4 or 8 bytes. */
typedef size_t GuardWidth;

/* An operand inside a slot: bytes of data, and the margin bytes around it that hold the pattern. */
typedef struct GuardBlock {
    unsigned char *data, *margin_begin, *margin_end;
    unsigned char *pages_begin, *pages_end; /* that guard_lock protects */
    unsigned char *writable;                /* an address of the data that may be written to */
    size_t bytes;
    GuardWidth width;
} GuardBlock;

/* Bytes of pattern beside an operand, on each side that is not a guard page. */
enum { GUARD_MARGIN = 256 };

bool guard_init(GuardSlot *slot, size_t size);
void guard_release(GuardSlot *slot);

/* Places bytes flush against the chosen guard page, moved away from it by offset bytes, and writes
 * the pattern over the block and its margins.  Its pages are unlocked, or stay locked where
 * `writable` is another address than `data` of the same memory: to lock and unlock takes longer
 * than a small call. */
GuardBlock guard_place(GuardSlot *slot, size_t bytes, GuardSide side, size_t offset,
                       GuardWidth width);
/* Writes the pattern over the margins again. */
void guard_renew(const GuardBlock *block);
/* True while both margins hold the pattern. */
bool guard_margins_intact(const GuardBlock *block);
/* Writes the pattern over count bytes; which byte lies where follows from the address modulo 8. */
void guard_fill(unsigned char *at, size_t count, GuardWidth width);
/* True when count bytes at hold the pattern. */
bool guard_is_pattern(const unsigned char *at, size_t count, GuardWidth width);
/* The guard page of the slot that address lies in: GUARD_END, GUARD_START, or -1 for neither. */
int guard_page_of(const GuardSlot *slot, const void *address);

/* Makes the pages of the operand of a slot and of its margins read-only, which they stay until they
 * are unlocked; costs nothing where they are so already. */
void guard_lock(GuardSlot *slot, const GuardBlock *block);
/* The address at which the data of a block may be written: another one of the same memory where
 * its pages stay read-only, else its own, and they are unlocked. */
unsigned char *guard_writable(GuardSlot *slot, const GuardBlock *block);
/* Makes all pages of the slot writable again, as a signal handler may. */
void guard_unlock(GuardSlot *slot);
/* True when address lies in pages that are read-only. */
bool guard_is_locked_at(const GuardSlot *slot, const void *address);

/* Lets a guard page be read, or written as well, as a signal handler may; it holds the pattern.
 * Renewed and closed by guard_close. */
bool guard_open(const GuardSlot *slot, GuardSide side, bool writable);
void guard_close(const GuardSlot *slot, GuardSide side);

#endif
