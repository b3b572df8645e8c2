/* Many cases behind one fork give what each gives alone, in their order, whatever kernels do. */
#include "fuzz/check/batch.h"

#include <stdlib.h>
#include <string.h>

#include "fuzz/check/isolate.h"
#include "fuzz/engine/mutate.h"
#include "tests/check.h"

enum { CASES = 160, OTHERS = 5, PLACES = CASES + OTHERS };

static const uint64_t deadline = 60000000;

/* `drawn` cases, and behind them some that ask for threads or have an illegal argument. */
static void draw_cases(Case *cases, size_t drawn)
{
    static const char *const others[OTHERS] = {
        "gemm/1 dtype=f32 m=4 n=4 k=4 | a=normal b=normal c=normal | exec=threads:2",
        "gemm/1 dtype=f32 m=4 n=4 k=4 | a=normal b=normal c=normal | exec=illegal:4",
        "gemm/1 dtype=f64 m=5 n=4 k=4 | a=normal b=normal c=normal",
        "gemm/1 dtype=f32 m=13 n=4 k=4 | a=normal b=normal c=normal | exec=threads:2",
        "gemm/1 dtype=f64 m=13 n=4 k=4 | a=normal b=normal c=normal"};
    Scope scope = scope_all();
    Text error = {0};
    for (size_t i = 0; i < OTHERS; i++)
        CHECK(case_parse(&cases[drawn + i], others[i], &error));
    scope.ops[0] = cases[drawn].op;
    scope.op_count = 1;
    for (size_t i = 0; i < drawn; i++) {
        uint8_t bytes[CASE_BYTES_MAX];
        size_t size = drawn_bytes(bytes, &scope, 11, i);
        case_decode(&cases[i], &scope, bytes, size);
    }
    text_release(&error);
}

typedef struct Held {
    Checker *checker;
    const Case *cases;
    size_t next;
    int kinds[VERDICT_COUNT]; /* how often each verdict was given */
} Held;

static void compare(void *context, size_t number, const CheckResult *results)
{
    Held *held = context;
    CHECK(number == held->next++);
    for (int b = 0; b < held->checker->backend_count; b++) {
        CheckResult alone;
        const Judgement *one = &results[b].judgement, *other = &alone.judgement;
        isolated_run(held->checker, &held->cases[number], b, deadline, &alone);
        CHECK(results[b].backend == b && one->kind == other->kind && one->tier == other->tier);
        CHECK(one->bad == other->bad && one->total == other->total && one->worst == other->worst);
        CHECK(memcmp(&one->ratio, &other->ratio, sizeof one->ratio) == 0);
        CHECK(!strcmp(results[b].detail, alone.detail));
        held->kinds[one->kind]++;
    }
}

static void check_backends(const Case *cases, const char *const *names, size_t count, int faults,
                           int findings)
{
    const Case *pointers[PLACES];
    Checker checker;
    Text error = {0};
    Held held = {.checker = &checker, .cases = cases};
    for (size_t i = 0; i < count; i++)
        pointers[i] = &cases[i];
    CHECK(checker_open(&checker, blackbox_create(), names, &error));
    batch_run(&checker, pointers, count, deadline, compare, &held);
    CHECK(held.next == count && held.kinds[VERDICT_AGREE] > 0);
    CHECK((held.kinds[VERDICT_FAULT] > 0) == (faults > 0) && held.kinds[VERDICT_FAULT] >= faults);
    CHECK(held.kinds[VERDICT_DIVERGE] >= findings);
    checker_close(&checker);
    text_release(&error);
}

int main(void)
{
    Case *cases = memory_allocate(PLACES, sizeof *cases);
    /* Forty are enough for each kind of verdict. */
    const size_t scaled = (size_t)check_scaled(CASES);
    const size_t drawn = scaled < 40 ? 40 : scaled > CASES ? CASES : scaled;
    draw_cases(cases, drawn);
    check_backends(cases, (const char *const[]){"planted:ok-reference", NULL}, drawn + OTHERS, 0,
                   0);
    check_backends(cases,
                   (const char *const[]){"planted:segfault", "planted:drop-last-k",
                                         "planted:ok-reference", NULL},
                   drawn + OTHERS, (int)drawn / 32, (int)drawn / 16);
    check_backends(cases, (const char *const[]){"planted:storm", "planted:ok-reference", NULL}, 40,
                   20, 0);
    check_backends(cases, (const char *const[]){"planted:hang", "planted:ok-reference", NULL}, 40,
                   1, 0);
    free(cases);
    return check_end("batch");
}
