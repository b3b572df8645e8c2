/* The radii of Wide numbers beside the bounds that were made by hand for the same operators, on the
 * same data: values agree, radii are no idle ones, and kernels stay within both.  Prints how many
 * times the hand-made bounds the radii are. */
#include <dlfcn.h>
#include <libgen.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ops/case/operands.h"
#include "ops/plugin/plugin.h"
#include "oracle/bound.h"
#include "oracle/model.h"
#include "reference/list.h"
#include "reference/random.h"
#include "tests/check.h"

enum { DRAWS = 120 };

/* An operator of examples/plugin/formulas.c, the case of ours that is the same, whose extents are
 * the parameters in their order, and how many times the hand-made bound the radius may be at the
 * median. */
typedef struct Pair {
    const char *own, *line;
    double most;
} Pair;

static const Pair pairs[] = {
    {"wide_softmax", "softmax/1 dtype=%s shape=%lldx%lld axis=1", 3},
    {"wide_logsumexp", "logsumexp/1 dtype=%s shape=%lldx%lld axes=1 keepdims=no", 3},
    {"wide_layer_norm", "layer_norm/1 dtype=%s shape=%lldx%lld axis=1 epsilon=0x1.4f8b58p-17", 3},
    {"wide_variance", "var/1 dtype=%s shape=%lldx%lld axes=1 keepdims=no correction=0", 3},
    {"wide_mean", "mean/1 dtype=%s shape=%lldx%lld axes=1 keepdims=no", 3},
    {"wide_gelu", "gelu/1 dtype=%s shape=%lld", 3},
    {"wide_sigmoid", "sigmoid/1 dtype=%s shape=%lld", 3},
    {"wide_matmul",
     "matmul/2 dtype=%s batch_shape=scalar broadcast_a=0 broadcast_b=0 m=%lld n=%lld k=%lld "
     "activation=none",
     3},
};

static const Plugin *load(void)
{
    char program[4096] = "";
    Text path = {0}, error = {0};
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0)
        return NULL;
    text_printf(&path, "%s/../../tests/formulas.so", dirname(program));
    const Plugin *plugin = plugin_load(text_string(&path), &error);
    if (!plugin)
        fprintf(stderr, "%s\n", text_string(&error));
    text_release(&path);
    text_release(&error);
    return plugin;
}

static void draw(Case *c, const OpDesc *op, DType dtype, uint64_t seed)
{
    Scope scope = scope_all();
    scope.ops[0] = op;
    scope.op_count = 1;
    scope.dtypes = 1u << dtype;
    case_draw_seeded(c, &scope, seed);
    c->exec = (Exec){.threads = 1, .repeat = 1};
}

/* The case of ours with the extents of one of the plug-in. */
static bool translate(const Pair *pair, const Case *own, Case *ours)
{
    char line[256];
    long long n[3] = {0};
    Text error = {0};
    for (int i = 0; i < 3 && own->op->params[i + 1].name; i++)
        n[i] = *(const int64_t *)(const void *)(own->params + own->op->params[i + 1].offset);
    (void)snprintf(line, sizeof line, pair->line, dtype_names[case_dtype(own)], n[0], n[1], n[2]);
    bool ok = case_parse(ours, line, &error);
    if (!ok)
        fprintf(stderr, "%s: %s\n", line, text_string(&error));
    text_release(&error);
    return ok;
}

/* Both sides of a pair: operands, references of the output, bounds. */
typedef struct Side {
    Workspace workspace;
    Operands operands;
    Ref refs[OP_TENSORS_MAX];
    BoundTable bounds;
    int output;
} Side;

static const Model model = {.name = "ieee"};

static void refer(Side *side)
{
    Arena *arena = &side->workspace.arena;
    side->output = side->operands.shapes.count - 1;
    operands_reference(&side->operands, side->refs, arena);
    side->bounds = bound_table(&side->refs[side->output], &model, arena);
}

/* The data of one side's inputs for the other. */
static void copy_inputs(const Side *from, Side *to)
{
    for (int i = 0; i < from->output; i++) {
        CHECK(from->operands.block[i].bytes == to->operands.block[i].bytes);
        memcpy(to->operands.block[i].data, from->operands.block[i].data,
               from->operands.block[i].bytes);
    }
}

/* What was seen of the elements of a pair. */
typedef struct Seen {
    double *ratios;
    size_t count, room;
    size_t known, both; /* elements that the radius, and that both bound */
} Seen;

static void note(Seen *seen, double ratio)
{
    seen->ratios = list_grow(seen->ratios, seen->count, &seen->room, sizeof *seen->ratios);
    seen->ratios[seen->count++] = ratio;
}

static double value_of(const Ref *ref, size_t i)
{
    return ldexp(ref->high[i] + ref->low[i], ref->exponent);
}

static void compare(const Side *own, const Side *ours, Seen *seen)
{
    const Ref *a = &own->refs[own->output], *b = &ours->refs[ours->output];
    CHECK(a->count == b->count);
    for (size_t i = 0; i < a->count && i < b->count; i++) {
        bool known = a->classes[i] == CLASS_FINITE && own->bounds.bounds[i].hard < INFINITY;
        bool hand = b->classes[i] == CLASS_FINITE && ours->bounds.bounds[i].hard < INFINITY;
        seen->known += known;
        seen->both += known && hand;
        if (!known || !hand)
            continue;
        double radius = own->bounds.exact[i] ? 0 : own->bounds.bounds[i].hard;
        double bound = ours->bounds.exact[i] ? 0 : ldexp(ours->bounds.bounds[i].hard, b->exponent);
        double apart = fabs(value_of(a, i) - value_of(b, i));
        /* Both hold the exact value, each within its own error. */
        CHECK(apart <= a->error[i] + ldexp(b->error[i], b->exponent) +
                           0x1p-48 * fabs(value_of(b, i)) + 0x1p-8 * radius + 0x1p-1060);
        if (radius > 0 && bound > 0)
            note(seen, radius / bound);
    }
}

/* Kernels of both ways stay within the radius. */
static void run_kernels(const Plugin *plugin, Side *own)
{
    DType dtype = case_dtype(own->operands.source);
    const char *name = strchr(own->operands.source->op->name, '_') + 1;
    const Ref *ref = &own->refs[own->output];
    for (int way = 1; way <= 8; way += 7) {
        char symbol[64];
        (void)snprintf(symbol, sizeof symbol, "%c%d_%s", dtype == DT_F32 ? 's' : 'd', way, name);
        void *function = dlsym(plugin->handle, symbol), *at[4] = {NULL};
        long n[3] = {0};
        CHECK(function);
        if (!function)
            return;
        for (int i = 0; i <= own->output; i++)
            at[i] = own->operands.block[i].data;
        for (int i = 0; i < 3 && own->operands.source->op->params[i + 1].name; i++)
            n[i] = (long)*(
                const int64_t *)(const void *)(own->operands.source->params +
                                               own->operands.source->op->params[i + 1].offset);
        if (own->output == 1)
            (*(void (**)(void *, void *, long, long)) & function)(at[0], at[1], n[0], n[1]);
        else if (own->output == 2)
            (*(void (**)(void *, void *, void *, long, long, long)) & function)(at[0], at[1], at[2],
                                                                                n[0], n[1], n[2]);
        else
            (*(void (**)(void *, void *, void *, void *, long, long)) &
             function)(at[0], at[1], at[2], at[3], n[0], n[1]);
        for (size_t i = 0; i < ref->count; i++) {
            double got = dtype_load(dtype, at[own->output], (int64_t)i);
            if (ref->classes[i] != CLASS_FINITE)
                continue;
            double scaled = ldexp(got, -ref->exponent);
            double off = fabs((scaled - ref->high[i]) - ref->low[i]);
            CHECK(off <= own->bounds.bounds[i].hard + ref->error[i]);
        }
    }
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void test_pair(const Plugin *plugin, const Pair *pair, DType dtype, Side *own, Side *ours)
{
    const OpDesc *op = op_find(pair->own);
    Seen seen = {0};
    long cases = 0;
    CHECK(op);
    for (long i = 0; op && i < check_scaled(DRAWS); i++) {
        Case c, other;
        draw(&c, op, dtype, random_at((uint64_t)dtype, (uint64_t)i));
        if (!translate(pair, &c, &other)) {
            CHECK(false);
            continue;
        }
        operands_build(&own->operands, &own->workspace, &c);
        operands_build(&ours->operands, &ours->workspace, &other);
        own->output = own->operands.shapes.count - 1;
        copy_inputs(own, ours);
        refer(own);
        refer(ours);
        compare(own, ours, &seen);
        run_kernels(plugin, own);
        cases++;
    }
    CHECK(seen.count > 0);
    if (!seen.ratios || seen.count == 0)
        return;
    qsort(seen.ratios, seen.count, sizeof *seen.ratios, by_size);
    double median = seen.ratios[seen.count / 2];
    printf("%-16s %s  %6ld cases %8zu elements  radius / bound: least %.2f  median %.2f  "
           "99 %% below %.2f  most %.3g\n",
           pair->own, dtype_names[dtype], cases, seen.known, seen.ratios[0], median,
           seen.ratios[seen.count - 1 - seen.count / 100], seen.ratios[seen.count - 1]);
    CHECK(median <= pair->most);
    free(seen.ratios);
}

static bool is_named(const Pair *pair, char **names)
{
    while (*names && strcmp(*names, pair->own) != 0)
        names++;
    return *names != NULL;
}

/* Of all operators, or of those that are named. */
int main(int argc, char **argv)
{
    static Side own, ours;
    const Plugin *plugin = load();
    CHECK(plugin);
    if (!plugin || !workspace_init(&own.workspace) || !workspace_init(&ours.workspace))
        return check_end("t_wide") || 1;
    for (size_t i = 0; i < COUNT_OF(pairs); i++)
        for (DType dtype = DT_F32; dtype <= DT_F64; dtype++)
            if (argc < 2 || is_named(&pairs[i], argv + 1))
                test_pair(plugin, &pairs[i], dtype, &own, &ours);
    return check_end("t_wide");
}
