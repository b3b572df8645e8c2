/* sums_rates BACKEND LINE...: processor time of the check of a large case by sums over that of the
 * kernel on one thread: both sides, the bounds and the comparison, but neither data nor what holds
 * a call to its memory.  Medians of so many calls in one run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/rates.h"
#include "ops/backend/backend.h"
#include "ops/backend/trust.h"
#include "ops/case/operands.h"
#include "oracle/bound.h"
#include "reference/checksum.h"

enum { CALLS_MOST = 101 };

static const Model strict = {.name = "ieee"};

/* Sums of one block of the result; whether no row is named. */
static bool read_block(Checksum *s, const ProductBlock *block, const Tensor *whole, Arena *arena)
{
    Tensor view = block_view(block, whole);
    double *bounds = NULL;
    checksum_read(s, &view, arena);
    if (s->kind == CHECKSUM_BOUNDED) {
        BoundTable table = bound_table(&s->bound, &strict, arena);
        bounds = arena_take(arena, s->bound.count + 1, sizeof *bounds);
        for (size_t i = 0; i < s->bound.count; i++)
            bounds[i] = table.bounds[i].hard;
    }
    uint8_t *rows = arena_take(arena, s->rows + 1, 1);
    return checksum_compare(s, bounds, rows, arena) == 0;
}

/* Sums of what a call left as factors; whether no row is named. */
static bool read_factors(const Operands *o, Arena *arena)
{
    FactorChecks checks;
    bool right = true;
    operands_factors(o, &checks, arena);
    for (int i = 0; i < checks.count; i++) {
        FactorSums sums = factor_sums(&checks.equation[i], (uint64_t)i, arena);
        bool holds = sums.known && sums.named == 0;
        if (checks.either && holds)
            return true;
        right = right && holds;
    }
    if (checks.columns)
        return checks.columns->find(checks.columns, 1, &right, arena) < 0 && right;
    return right && checks.count > 0;
}

/* The same as below, of operators whose results are factors. */
static bool measure_factors(Backend *backend, Operands *o, Arena *arena, double *check,
                            double *kernel)
{
    double begin = processor_seconds();
    if (backend->kind->run(backend, o) != RUN_DONE)
        return false;
    double done = processor_seconds();
    bool right = read_factors(o, arena);
    *kernel = done - begin;
    *check = processor_seconds() - done;
    return right;
}

/* One call: the times of the check and of the kernel; false where it is declined, or not right. */
static bool measure_call(Backend *backend, const Case *c, Workspace *workspace, double *check,
                         double *kernel)
{
    Operands o;
    ProductBlocks product;
    Arena *arena = &workspace->arena;
    operands_build(&o, workspace, c);
    if (c->op->factors)
        return measure_factors(backend, &o, arena, check, kernel);
    double begin = processor_seconds();
    operands_product(&o, &product, arena);
    Checksum *sums = arena_take(arena, (size_t)product.count + 1, sizeof *sums);
    for (int64_t i = 0; i < product.count; i++)
        checksum_begin(&sums[i], &product.block[i].equation, (uint64_t)i, arena);
    double called = processor_seconds();
    if (backend->kind->run(backend, &o) != RUN_DONE)
        return false;
    double done = processor_seconds();
    bool right = true;
    for (int64_t i = 0; i < product.count; i++)
        right =
            read_block(&sums[i], &product.block[i], &o.view[o.shapes.count - 1], arena) && right;
    *kernel = done - called;
    *check = processor_seconds() - done + called - begin;
    return right;
}

static void measure(Backend *backend, const Case *c, const char *line, Workspace *workspace,
                    int calls)
{
    double check[CALLS_MOST], kernel[CALLS_MOST], ratio[CALLS_MOST];
    for (int i = -1; i < calls; i++) {
        int at = i < 0 ? 0 : i;
        if (!measure_call(backend, c, workspace, &check[at], &kernel[at])) {
            printf("%s: not computed, or not right: %s\n", line, backend->message);
            return;
        }
        ratio[at] = check[at] / kernel[at];
    }
    printf("%.4f  check %.4f s  kernel %.4f s  %s\n", median(ratio, calls), median(check, calls),
           median(kernel, calls), line);
}

int main(int count, char **arguments)
{
    enum { CALLS = 9 };
    return measure_lines(count, arguments, calls_wanted(CALLS, CALLS_MOST), measure);
}
