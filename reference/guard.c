/* Slots of address space between inaccessible pages. */
#include "guard.h"

#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "child.h"

/* Little-endian 7ff4a5a5a5a5a5a5 and 7fa5a5a5: signalling NaNs of binary64 and binary32; 7fa5: one
 * of bfloat16 and a NaN of binary16.  The byte at an address follows from the address alone.  So
 * many at once are written and compared. */
#define FOUR(...)  __VA_ARGS__, __VA_ARGS__, __VA_ARGS__, __VA_ARGS__
#define WORDS(...) FOUR(FOUR(FOUR(__VA_ARGS__)))
enum { WORD = 8, PATTERN_BYTES = 64 * WORD };
static const unsigned char pattern_8[] = {WORDS(0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xf4, 0x7f)};
static const unsigned char pattern_4[] = {WORDS(0xa5, 0xa5, 0xa5, 0x7f, 0xa5, 0xa5, 0xa5, 0x7f)};
static const unsigned char pattern_2[] = {WORDS(0xa5, 0x7f, 0xa5, 0x7f, 0xa5, 0x7f, 0xa5, 0x7f)};
static const unsigned char pattern_1[] = {WORDS(0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5, 0xa5)};

static const unsigned char *pattern_of_width(GuardWidth width)
{
    switch (width) {
    case 1:
        return pattern_1;
    case 2:
        return pattern_2;
    case 4:
        return pattern_4;
    default:
        return pattern_8;
    }
}

static bool is_width(GuardWidth width)
{
    return width == 1 || width == 2 || width == 4 || width == 8;
}

static size_t page_size(void)
{
    static size_t size;
    if (size == 0)
        size = (size_t)sysconf(_SC_PAGESIZE);
    return size;
}

/* The pattern for an address, and how many of count bytes it is long enough for. */
static const unsigned char *pattern_at(const unsigned char *pattern, const unsigned char *at,
                                       size_t count, size_t *length)
{
    size_t place = (uintptr_t)at % WORD;
    *length = count < PATTERN_BYTES - place ? count : PATTERN_BYTES - place;
    return pattern + place;
}

void guard_fill(unsigned char *at, size_t count, GuardWidth width)
{
    const unsigned char *pattern = pattern_of_width(width);
    for (size_t length; count > 0; at += length, count -= length)
        memcpy(at, pattern_at(pattern, at, count, &length), length);
}

bool guard_is_pattern(const unsigned char *at, size_t count, GuardWidth width)
{
    const unsigned char *pattern = pattern_of_width(width);
    for (size_t length; count > 0; at += length, count -= length)
        if (memcmp(at, pattern_at(pattern, at, count, &length), length) != 0)
            return false;
    return true;
}

/* Small operands lie in the first or last pages of a slot. */
static size_t window_bytes(const GuardSlot *slot)
{
    enum { WINDOW_PAGES = 16, LEAST_WINDOWS = 4 };
    size_t window = WINDOW_PAGES * page_size();
    return slot->size >= LEAST_WINDOWS * window ? window : 0;
}

static unsigned char *window_of(const GuardSlot *slot, GuardSide side)
{
    return side == GUARD_START ? slot->base : slot->base + slot->size - window_bytes(slot);
}

/* Makes the kernel keep a window as a mapping of its own, by an advice that the rest has not: to
 * protect it then splits and joins none, which took most of the time.  Without it locking is only
 * slower. */
static void part_window(const GuardSlot *slot, GuardSide side)
{
    if (window_bytes(slot) > 0)
        (void)madvise(window_of(slot, side), window_bytes(slot), MADV_DONTDUMP);
}

bool guard_init(GuardSlot *slot, size_t size)
{
    REQUIRE(size > 0);
    size_t page = page_size(), usable = (size + page - 1) / page * page;
    unsigned char *base = mmap(NULL, usable + 2 * page, PROT_READ | PROT_WRITE,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return false;
    guard_fill(base, page, 8);
    guard_fill(base + page + usable, page, 8);
    if (mprotect(base, page, PROT_NONE) != 0 ||
        mprotect(base + page + usable, page, PROT_NONE) != 0) {
        (void)munmap(base, usable + 2 * page);
        return false;
    }
    *slot = (GuardSlot){.base = base + page, .size = usable, .generation = child_generation()};
    part_window(slot, GUARD_START);
    part_window(slot, GUARD_END);
    return true;
}

/* What is mapped twice is one memory for all processes that descend from the one that did it. */
static void share_window(GuardSlot *slot, GuardSide side)
{
    size_t bytes = window_bytes(slot);
    unsigned char *window = window_of(slot, side);
    void *second = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (second == MAP_FAILED)
        return;
    memcpy(second, window, bytes);
    if (mremap(second, 0, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, window) != window)
        BUG("the pages of an operand could not be mapped twice");
    slot->window[side].second = second;
}

static void release_second(GuardSlot *slot, GuardSide side)
{
    if (slot->window[side].second)
        (void)munmap(slot->window[side].second, window_bytes(slot));
    slot->window[side] = (GuardWindow){0};
}

/* Behind a fork: memory of its own in the place of what it shares. */
static void part_from_parent(GuardSlot *slot)
{
    for (int i = GUARD_END; i <= GUARD_START; i++) {
        GuardSide side = (GuardSide)i;
        unsigned char *window = window_of(slot, side);
        if (!slot->window[side].second)
            continue;
        if (mmap(window, window_bytes(slot), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) != window)
            BUG("the pages of an operand could not be renewed");
        part_window(slot, side);
        release_second(slot, side);
    }
    slot->generation = child_generation();
}

void guard_release(GuardSlot *slot)
{
    release_second(slot, GUARD_END);
    release_second(slot, GUARD_START);
    if (slot->base)
        (void)munmap(slot->base - page_size(), slot->size + 2 * page_size());
    *slot = (GuardSlot){0};
}

/* A window where the block and its margins lie in it, else just their pages. */
static void choose_pages(const GuardSlot *slot, GuardSide side, GuardBlock *block)
{
    size_t page = page_size(), begin = (size_t)(block->margin_begin - slot->base) / page * page;
    size_t end = ((size_t)(block->margin_end - slot->base) + page - 1) / page * page;
    unsigned char *window = window_of(slot, side);
    bool within = block->margin_begin >= window && block->margin_end <= window + window_bytes(slot);
    block->pages_begin = within ? window : slot->base + begin;
    block->pages_end = within ? window + window_bytes(slot) : slot->base + end;
}

/* The window that is the pages of a block, or NULL. */
static GuardWindow *window_that_holds(GuardSlot *slot, const GuardBlock *block)
{
    for (int side = GUARD_END; side <= GUARD_START; side++) {
        const unsigned char *window = window_of(slot, (GuardSide)side);
        if (block->pages_begin == window && block->pages_end == window + window_bytes(slot))
            return &slot->window[side];
    }
    return NULL;
}

static void protect(unsigned char *begin, unsigned char *end, int rights)
{
    if (end > begin && mprotect(begin, (size_t)(end - begin), rights) != 0)
        BUG("the pages of an operand could not be protected");
}

static void unlock_window(GuardSlot *slot, GuardSide side)
{
    unsigned char *window = window_of(slot, side);
    if (slot->window[side].locked)
        protect(window, window + window_bytes(slot), PROT_READ | PROT_WRITE);
    slot->window[side].locked = false;
}

static void unlock_pages(GuardSlot *slot)
{
    protect(slot->locked_begin, slot->locked_end, PROT_READ | PROT_WRITE);
    slot->locked_begin = slot->locked_end = NULL;
}

void guard_unlock(GuardSlot *slot)
{
    unlock_window(slot, GUARD_END);
    unlock_window(slot, GUARD_START);
    unlock_pages(slot);
}

/* Windows that a larger block does not reach stay locked. */
static void unlock_beneath(GuardSlot *slot, const GuardBlock *block)
{
    for (int i = GUARD_END; i <= GUARD_START; i++) {
        const unsigned char *window = window_of(slot, (GuardSide)i);
        if (block->pages_begin < window + window_bytes(slot) && block->pages_end > window)
            unlock_window(slot, (GuardSide)i);
    }
    unlock_pages(slot);
}

unsigned char *guard_writable(GuardSlot *slot, const GuardBlock *block)
{
    const GuardWindow *window = window_that_holds(slot, block);
    if (!window) {
        unlock_beneath(slot, block);
        return block->data;
    }
    unlock_pages(slot);
    if (window->locked && window->second)
        return window->second + (block->data - block->pages_begin);
    unlock_window(slot, (GuardSide)(window - slot->window));
    return block->data;
}

GuardBlock guard_place(GuardSlot *slot, size_t bytes, GuardSide side, size_t offset,
                       GuardWidth width)
{
    REQUIRE(slot->base && is_width(width));
    if (bytes + offset + 64 > slot->size)
        BUG("an operand of %zu bytes does not fit its guarded slot of %zu", bytes, slot->size);
    if (slot->generation != child_generation())
        part_from_parent(slot);
    unsigned char *end = slot->base + slot->size;
    GuardBlock block = {.bytes = bytes, .width = width};
    block.data = side == GUARD_START ? slot->base + offset : end - bytes - offset;
    size_t before = (size_t)(block.data - slot->base);
    size_t after = (size_t)(end - (block.data + bytes));
    block.margin_begin = block.data - (before < GUARD_MARGIN ? before : GUARD_MARGIN);
    block.margin_end = block.data + bytes + (after < GUARD_MARGIN ? after : GUARD_MARGIN);
    choose_pages(slot, side, &block);
    block.writable = guard_writable(slot, &block);
    guard_fill(block.margin_begin + (block.writable - block.data),
               (size_t)(block.margin_end - block.margin_begin), width);
    return block;
}

void guard_renew(const GuardBlock *block)
{
    unsigned char *end = block->data + block->bytes;
    guard_fill(block->margin_begin, (size_t)(block->data - block->margin_begin), block->width);
    guard_fill(end, (size_t)(block->margin_end - end), block->width);
}

bool guard_margins_intact(const GuardBlock *block)
{
    const unsigned char *end = block->data + block->bytes;
    return guard_is_pattern(block->margin_begin, (size_t)(block->data - block->margin_begin),
                            block->width) &&
           guard_is_pattern(end, (size_t)(block->margin_end - end), block->width);
}

static unsigned char *guard_page(const GuardSlot *slot, GuardSide side, size_t page)
{
    return side == GUARD_END ? slot->base + slot->size : slot->base - page;
}

int guard_page_of(const GuardSlot *slot, const void *address)
{
    size_t page = page_size();
    for (int side = GUARD_END; side <= GUARD_START; side++) {
        const unsigned char *base = guard_page(slot, (GuardSide)side, page);
        if ((const unsigned char *)address >= base && (const unsigned char *)address < base + page)
            return side;
    }
    return -1;
}

void guard_lock(GuardSlot *slot, const GuardBlock *block)
{
    enum { OFTEN = 3 };
    GuardWindow *window = window_that_holds(slot, block);
    if (window ? window->locked
               : slot->locked_begin == block->pages_begin && slot->locked_end == block->pages_end)
        return;
    bool own = slot->generation > 0 && slot->generation == child_generation();
    if (!window)
        unlock_beneath(slot, block);
    else if (own && ++window->locks == OFTEN)
        share_window(slot, (GuardSide)(window - slot->window));
    protect(block->pages_begin, block->pages_end, PROT_READ);
    if (window) {
        window->locked = true;
        return;
    }
    slot->locked_begin = block->pages_begin;
    slot->locked_end = block->pages_end;
}

bool guard_is_locked_at(const GuardSlot *slot, const void *address)
{
    const unsigned char *at = address;
    bool locked = at >= slot->locked_begin && at < slot->locked_end;
    for (int side = GUARD_END; side <= GUARD_START; side++) {
        const unsigned char *window = window_of(slot, (GuardSide)side);
        locked = locked ||
                 (slot->window[side].locked && at >= window && at < window + window_bytes(slot));
    }
    return locked;
}

bool guard_open(const GuardSlot *slot, GuardSide side, bool writable)
{
    size_t page = page_size();
    return mprotect(guard_page(slot, side, page), page,
                    writable ? PROT_READ | PROT_WRITE : PROT_READ) == 0;
}

void guard_close(const GuardSlot *slot, GuardSide side)
{
    size_t page = page_size();
    unsigned char *base = guard_page(slot, side, page);
    if (mprotect(base, page, PROT_READ | PROT_WRITE) != 0)
        BUG("a guard page could not be renewed");
    guard_fill(base, page, 8);
    if (mprotect(base, page, PROT_NONE) != 0)
        BUG("a guard page could not be closed");
}
