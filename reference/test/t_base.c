/* Memory that there is none of and pre-conditions that do not hold end the program. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/ball.h"
#include "reference/conv.h"
#include "reference/guard.h"
#include "reference/list.h"
#include "reference/product.h"
#include "reference/reduce.h"
#include "tests/check.h"

enum { ARENA_BYTES = 1 << 16 };

static void take_too_much(Arena *arena)
{
    (void)arena;
    (void)memory_allocate((size_t)1 << 40, (size_t)1 << 20);
}

static void overflow_the_size(Arena *arena)
{
    (void)arena;
    (void)memory_resize(NULL, SIZE_MAX / 2, 4);
}

static void exhaust_an_arena(Arena *arena)
{
    (void)arena_take(arena, ARENA_BYTES / sizeof(double) + 1, sizeof(double));
}

static void overflow_an_arena(Arena *arena)
{
    (void)arena_take(arena, SIZE_MAX / 8 + 2, 8);
}

/* How a process that makes the call ends, by its wait status; what it says of it is not shown. */
static int status_after(void (*call)(Arena *arena))
{
    Arena arena;
    int status = 0;
    CHECK(arena_init(&arena, ARENA_BYTES));
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        (void)dup2(nowhere, STDERR_FILENO);
        call(&arena);
        _exit(0);
    }
    CHECK(waitpid(child, &status, 0) == child);
    arena_release(&arena);
    return status;
}

static bool ends_the_program(void (*call)(Arena *arena))
{
    return status_after(call) != 0;
}

/* As REQUIRE and BUG do it: a crash is none. */
static bool is_refused(void (*call)(Arena *arena))
{
    int status = status_after(call);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

static void return_at_once(Arena *arena)
{
    (void)arena;
}

static void test_memory(void)
{
    char *copy = memory_duplicate("case");
    CHECK(!strcmp(copy, "case"));
    free(copy);
    int *numbers = memory_allocate(3, sizeof *numbers);
    CHECK(numbers[0] == 0 && numbers[2] == 0);
    numbers = memory_resize(numbers, 5, sizeof *numbers);
    numbers[4] = 1;
    CHECK(numbers[2] == 0);
    free(numbers);
    void *aligned = memory_align(4096, 100);
    CHECK((uintptr_t)aligned % 4096 == 0);
    free(aligned);
    CHECK(!ends_the_program(return_at_once));
    CHECK(ends_the_program(take_too_much));
    CHECK(ends_the_program(overflow_the_size));
    CHECK(is_refused(exhaust_an_arena));
    CHECK(is_refused(overflow_an_arena));
}

static void test_list(void)
{
    enum { COUNT = 1000 };
    int *numbers = NULL, kept = 0, resized = 0;
    size_t room = 0;
    for (int i = 0; i < COUNT; i++) {
        size_t before = room;
        numbers = list_grow(numbers, (size_t)i, &room, sizeof *numbers);
        CHECK(room > (size_t)i);
        resized += room != before;
        numbers[i] = i;
    }
    for (int i = 0; i < COUNT; i++)
        kept += numbers[i] == i;
    CHECK(kept == COUNT && resized < 10);
    free(numbers);
}

static const Format *format(void)
{
    return dtype_format(DT_F32);
}

static void take_exponentials_of_nothing(Arena *arena)
{
    (void)arena;
    Ball none = ball_exact(0);
    (void)ball_exponentials(format(), &none, 0);
}

static void take_a_power_of_a_negative(Arena *arena)
{
    (void)arena;
    (void)ball_power(format(), ball_exact(-1), ball_exact(0.5));
}

static void name_no_function(Arena *arena)
{
    (void)arena;
    (void)function_named("no such function");
}

static void take_moments_of_nothing(Arena *arena)
{
    (void)arena;
    (void)moments_of(NULL, 0, &(MomentsOptions){.correction = 0}, format());
}

static void index_an_empty_axis(Arena *arena)
{
    (void)arena;
    int64_t number = 0;
    (void)tensor_take_index(&number, 0);
}

static void place_elements_of_three_bytes(Arena *arena)
{
    (void)arena;
    GuardSlot slot;
    if (guard_init(&slot, 1 << 16))
        (void)guard_place(&slot, 30, GUARD_END, 0, 3);
}

static void multiply_odd_columns(Arena *arena)
{
    Product product;
    double numbers[PRODUCT_LANES] = {0};
    ProductInput input = {.rows = 1, .depth = 1, .stride = 3, .left = numbers, .right = numbers};
    product_compute(&product, &input, arena);
}

static void multiply_infinity(Arena *arena)
{
    Product product;
    double one = 1, numbers[PRODUCT_LANES] = {INFINITY};
    ProductInput input = {
        .rows = 1, .depth = 1, .stride = PRODUCT_LANES, .left = &one, .right = numbers};
    product_compute(&product, &input, arena);
}

static void convolve_no_groups(Arena *arena)
{
    Ref ref;
    Tensor image = {.dtype = DT_F32, .rank = 3, .extent = {1, 1, 1}, .stride = {1, 1, 1}};
    conv_reference(&ref, &(ConvInput){.x = image, .w = image, .y = image}, arena);
}

static void put_beyond_the_end(Arena *arena)
{
    Ref ref;
    ref_allocate(&ref, DT_F32, 2, 2, arena);
    ref_set_classes(&ref, 4, CLASS_NAN);
}

static void join_too_much(Arena *arena)
{
    Ref to, block;
    ref_allocate(&to, DT_F32, 2, 2, arena);
    ref_allocate(&block, DT_F32, 3, 2, arena);
    ref_join(&to, &block, 1, 0);
}

static void put_a_negative_radius(Arena *arena)
{
    Ref ref;
    ref_allocate(&ref, DT_F32, 1, 1, arena);
    ref_put_ball(&ref, 0, (Ball){1, -1, 0});
}

/* One call for each kind of pre-condition: a count, a sign, a name, an extent, a shape, an index.
 */
static void test_requirements(void)
{
    void (*const calls[])(Arena *) = {
        take_exponentials_of_nothing,
        take_a_power_of_a_negative,
        name_no_function,
        take_moments_of_nothing,
        index_an_empty_axis,
        place_elements_of_three_bytes,
        convolve_no_groups,
        multiply_odd_columns,
        multiply_infinity,
        put_beyond_the_end,
        join_too_much,
        put_a_negative_radius,
    };
    for (size_t i = 0; i < COUNT_OF(calls); i++)
        CHECK(is_refused(calls[i]));
}

int main(void)
{
    test_memory();
    test_list();
    test_requirements();
    return check_end("reference/t_base");
}
