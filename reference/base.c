/* Memory, text buffers, arenas, the monotonic clock, and the ends of the program. */
#include "base.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>

enum { ARENA_ALIGNMENT = 64 };

void bug_stop(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)fprintf(stderr, "opconform: broken invariant at %s:%d: ", file, line);
    (void)vfprintf(stderr, format, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    abort();
}

static __attribute__((noreturn)) void memory_exhausted(size_t count, size_t size)
{
    (void)fprintf(stderr, "opconform: out of memory for %zu objects of %zu bytes\n", count, size);
    abort();
}

void *memory_allocate(size_t count, size_t size)
{
    void *memory = calloc(count ? count : 1, size ? size : 1);
    if (!memory)
        memory_exhausted(count, size);
    return memory;
}

void *memory_resize(void *memory, size_t count, size_t size)
{
    void *resized = reallocarray(memory, count ? count : 1, size ? size : 1);
    if (!resized)
        memory_exhausted(count, size);
    return resized;
}

char *memory_duplicate(const char *text)
{
    REQUIRE(text);
    size_t bytes = strlen(text) + 1;
    return memcpy(memory_allocate(bytes, 1), text, bytes);
}

void *memory_align(size_t alignment, size_t bytes)
{
    REQUIRE((alignment & (alignment - 1)) == 0 && alignment % sizeof(void *) == 0);
    void *memory = aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (!memory)
        memory_exhausted(1, bytes);
    return memory;
}

const char *text_string(const Text *text)
{
    return text->data ? text->data : "";
}

static void text_reserve(Text *text, size_t more)
{
    size_t needed = text->length + more + 1;
    if (needed <= text->capacity)
        return;
    size_t capacity = text->capacity ? text->capacity : 128;
    while (capacity < needed)
        capacity *= 2;
    text->data = memory_resize(text->data, capacity, 1);
    text->capacity = capacity;
}

void text_append(Text *text, const char *bytes, size_t length)
{
    REQUIRE(bytes || length == 0);
    text_reserve(text, length);
    memcpy(text->data + text->length, bytes, length);
    text->length += length;
    text->data[text->length] = '\0';
}

void text_put(Text *text, const char *string)
{
    text_append(text, string, strlen(string));
}

void text_put_integer(Text *text, long long value)
{
    enum { DIGITS_MAX = 20 };
    char digits[DIGITS_MAX];
    int at = DIGITS_MAX;
    unsigned long long rest = value < 0 ? -(unsigned long long)value : (unsigned long long)value;
    for (; rest > 9; rest /= 10)
        digits[--at] = (char)('0' + rest % 10);
    digits[--at] = (char)('0' + rest);
    if (value < 0)
        digits[--at] = '-';
    text_append(text, digits + at, (size_t)(DIGITS_MAX - at));
}

void text_printf(Text *text, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(text, format, arguments);
    va_end(arguments);
}

void text_vprintf(Text *text, const char *format, va_list arguments)
{
    enum { USUAL = 62 }; /* bytes that most calls append at most */
    va_list again;
    va_copy(again, arguments);
    text_reserve(text, USUAL);
    int length = vsnprintf(text->data + text->length, USUAL + 1, format, arguments);
    if (length < 0)
        BUG("bad format '%s'", format);
    if (length > USUAL) {
        text_reserve(text, (size_t)length);
        (void)vsnprintf(text->data + text->length, (size_t)length + 1, format, again);
    }
    va_end(again);
    text->length += (size_t)length;
}

void text_clear(Text *text)
{
    text->length = 0;
    if (text->data)
        text->data[0] = '\0';
}

void text_release(Text *text)
{
    free(text->data);
    *text = (Text){0};
}

void text_put_double(Text *text, double value)
{
    if (isnan(value))
        text_printf(text, "nan");
    else if (isinf(value))
        text_printf(text, value < 0 ? "-inf" : "inf");
    else
        text_printf(text, "%a", value);
}

static size_t round_up(size_t bytes)
{
    return (bytes + ARENA_ALIGNMENT - 1) / ARENA_ALIGNMENT * ARENA_ALIGNMENT;
}

bool arena_init(Arena *arena, size_t reserve)
{
    REQUIRE(reserve > 0);
    reserve = round_up(reserve);
    void *base = mmap(NULL, reserve, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (base == MAP_FAILED)
        return false;
    *arena = (Arena){.base = base, .reserved = reserve};
    return true;
}

void arena_reset(Arena *arena)
{
    arena->used = 0;
}

void arena_release(Arena *arena)
{
    if (arena->base)
        (void)munmap(arena->base, arena->reserved);
    *arena = (Arena){0};
}

void *arena_take(Arena *arena, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > arena->reserved - arena->used)
        BUG("arena of %zu bytes exhausted by %zu objects of %zu", arena->reserved, count, size);
    void *taken = arena->base + arena->used;
    arena->used += round_up(bytes);
    return taken;
}

void *arena_take_zeroed(Arena *arena, size_t count, size_t size)
{
    return memset(arena_take(arena, count, size), 0, count * size);
}

void text_put_end(Text *text, int status)
{
    if (WIFSIGNALED(status))
        text_printf(text, "SIG%s", sigabbrev_np(WTERMSIG(status)));
    else
        text_printf(text, "ended the process with status %d", WEXITSTATUS(status));
}

static uint64_t nanoseconds_of(clockid_t clock)
{
    struct timespec now;
    (void)clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t clock_nanoseconds(void)
{
    return nanoseconds_of(CLOCK_MONOTONIC);
}

uint64_t processor_nanoseconds(void)
{
    return nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
}
