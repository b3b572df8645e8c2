/* worker_rates BACKEND [ROUNDS]: cases per second through a worker, one at a time and announced in
 * batches, and the time that this side takes for each: no reference, no judge. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "ops/backend/backend.h"
#include "ops/backend/trust.h"
#include "ops/case/operands.h"

enum { BATCH = 32 };

static const char *const lines[] = {
    "matmul/2 dtype=f32 m=8 n=8 k=8 | a=normal b=normal",
    "matmul_backward/2 dtype=f32 m=8 n=8 k=8 | dy=normal a=normal b=normal",
    "softmax/1 dtype=f32 shape=8x8 axis=1 | x=normal",
    "conv2d/2 dtype=f32 batch=1 in_channels_per_group=3 out_channels_per_group=4 input_size=8x8 "
    "kernel_size=3x3 pads_begin=1x1 pads_end=1x1 "
    "bias=no | x=normal w=normal",
    "conv2d_backward_weights/2 dtype=f32 batch=1 in_channels_per_group=3 out_channels_per_group=4 "
    "input_size=8x8 kernel_size=3x3 "
    "pads_begin=1x1 pads_end=1x1 | x=normal dy=normal",
};

static double processor_seconds(void)
{
    struct rusage usage;
    (void)getrusage(RUSAGE_SELF, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

/* Runs rounds of BATCH cases, each with data of its own; false when one is not computed. */
static bool run_rounds(Backend *backend, const Case *c, Workspace *workspaces, int rounds,
                       bool announced)
{
    static Operands o[BATCH];
    static Case cases[BATCH];
    for (int i = 0; i < BATCH; i++) {
        cases[i] = *c;
        cases[i].fill[0].seed = i;
        operands_build(&o[i], &workspaces[i], &cases[i]);
    }
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; announced && i < BATCH; i++)
            if (!backend->kind->expect(backend, &o[i]))
                return false;
        for (int i = 0; i < BATCH; i++)
            if (backend->kind->run(backend, &o[i]) != RUN_DONE)
                return false;
    }
    return true;
}

static void measure(Backend *backend, const char *line, Workspace *workspaces, int rounds)
{
    Text error = {0};
    Case c;
    if (!case_parse(&c, line, &error))
        BUG("%s", text_string(&error));
    case_normalise(&c, NULL);
    printf("%-26.*s", (int)strcspn(line, "/"), line);
    for (int announced = 0; announced < 2; announced++) {
        if (!run_rounds(backend, &c, workspaces, 4, announced)) {
            printf(" not offered: %s", backend->message);
            break;
        }
        double own = processor_seconds();
        uint64_t start = clock_nanoseconds();
        (void)run_rounds(backend, &c, workspaces, rounds, announced);
        double count = (double)rounds * BATCH,
               seconds = 1e-9 * (double)(clock_nanoseconds() - start);
        printf("  %8.0f/s %5.1f us here", count / seconds,
               1e6 * (processor_seconds() - own) / count);
    }
    printf("\n");
}

int main(int count, char **arguments)
{
    static Workspace workspaces[BATCH];
    Backend backend;
    Text error = {0};
    int rounds = count > 2 ? atoi(arguments[2]) : 200;
    if (count > 1)
        trust_name(arguments[1]);
    if (count < 2 || !backend_open(&backend, arguments[1], &error)) {
        (void)fprintf(stderr, "worker_rates: %s\n",
                      count < 2 ? "name a backend" : text_string(&error));
        return 3;
    }
    for (int i = 0; i < BATCH; i++)
        if (!workspace_init(&workspaces[i]))
            BUG("no address space");
    printf("%-26s  one at a time           in batches of %d\n", arguments[1], BATCH);
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        measure(&backend, lines[i], workspaces, rounds);
    backend_close(&backend);
    return 0;
}
