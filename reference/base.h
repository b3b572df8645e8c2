/* Text buffers, arenas and the one way to stop on a broken invariant of our own. */
#ifndef REFERENCE_BASE_H
#define REFERENCE_BASE_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PRINTF_LIKE(template, first) __attribute__((format(printf, template, first)))
#define MUST_USE                     __attribute__((warn_unused_result))
#define COUNT_OF(array)              (sizeof(array) / sizeof((array)[0]))
/* offsetof for rows of tables; does not compile where the field is of another type. */
#define FIELD_OFFSET(type, field, field_type)                                                      \
    _Generic(((type *)0)->field, field_type : offsetof(type, field))

/* Prints file, line and message, then aborts: only for states that our own code must exclude. */
#define BUG(...) bug_stop(__FILE__, __LINE__, __VA_ARGS__)
void bug_stop(const char *file, int line, const char *format, ...) PRINTF_LIKE(3, 4)
    __attribute__((noreturn));

/* A pre-condition that a header states: a call that breaks it ends the program as BUG does.  It is
 * checked in every build; all of them together take about one part in a hundred of a case's time.
 */
#define REQUIRE(condition) ((condition) ? (void)0 : BUG("required: %s", #condition))

/* Memory of the heap, for free() to take back.  Where there is none the program ends, with one line
 * on standard error; no caller checks for NULL.  Nothing else in the tree allocates. */
void *memory_allocate(size_t count, size_t size); /* zeroed; for 0 bytes too it is not NULL */
void *memory_resize(void *memory, size_t count, size_t size);
char *memory_duplicate(const char *text);
/* alignment is a power of two and a multiple of the size of a pointer; contents unspecified. */
void *memory_align(size_t alignment, size_t bytes);

/* A growing, always NUL-terminated string on the heap.  Zero-initialised is empty; release frees
 * and leaves it empty and reusable. */
typedef struct Text {
    char *data;
    size_t length, capacity;
} Text;

const char *text_string(const Text *text);
void text_printf(Text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_vprintf(Text *text, const char *format, va_list arguments);
void text_append(Text *text, const char *bytes, size_t length);
/* A string, and a whole number in decimals: what text_printf gives, several times faster. */
void text_put(Text *text, const char *string);
void text_put_integer(Text *text, long long value);
void text_clear(Text *text);
void text_release(Text *text);

/* Appends value so that strtod reads back the same bits: a hexadecimal float, inf, -inf or nan. */
void text_put_double(Text *text, double value);

/* A bump allocator over reserved address space; memory is zero only where said.  An arena belongs
 * to one thread.  Exhaustion is a BUG: sizes are bounded by the operators' tables. */
typedef struct Arena {
    unsigned char *base;
    size_t used, reserved;
} Arena;

bool arena_init(Arena *arena, size_t reserve);
void arena_reset(Arena *arena);
void arena_release(Arena *arena);

/* count objects of size bytes each, aligned to 64 bytes, contents unspecified. */
void *arena_take(Arena *arena, size_t count, size_t size);
void *arena_take_zeroed(Arena *arena, size_t count, size_t size);

/* How a process ended, by its wait status: SIGNAME, or "ended the process with status N". */
void text_put_end(Text *text, int status);

/* Monotonic time in nanoseconds, for measuring and deadlines only. */
uint64_t clock_nanoseconds(void);
/* Processor time that this process has taken. */
uint64_t processor_nanoseconds(void);

#endif
