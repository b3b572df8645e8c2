/* Values and bounds of operators against the same ones as they stand in books. */
#include "layers.h"
#include "ops/nn/nn_products.h"
#include "reference/ball.h"

static bool test_case(const Layer *layer, const Scope *scope, uint64_t *state, Arena *arena)
{
    uint8_t bytes[160];
    static Problem p;
    Ref refs[OP_TENSORS_MAX] = {0};
    Tensor tensors[OP_TENSORS_MAX];
    memset(&p, 0, sizeof p);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_next(state);
    case_decode(&p.c, scope, bytes, sizeof bytes);
    simplify(&p.c);
    case_normalise(&p.c, scope);
    arena_reset(arena);
    forget_numbers();
    if (!prepare(&p, arena, state))
        return false;
    put_tensors(&p, tensors, arena);
    ReferenceInput input = {.op = p.c.op, .params = p.c.params, .tensors = tensors};
    op_reference(refs, &input, arena);
    layer->compute(&p);
    check_results(&p.c, p.results, &refs[first_output(&p)], arena);
    if (p.next[0])
        check_results(&p.c, p.next, &refs[first_output(&p) + 1], arena);
    return true;
}

/* No chord of gelu by tanh is steeper than what its bound says, and some are nearly as steep. */
static void test_gelu_slope(void)
{
    const Function *gelu = function_named("gelu_tanh");
    const double step = 0x1p-10;
    double steepest = 0;
    for (int i = -12 * 1024; i < 12 * 1024; i++) {
        double x = i * step;
        long double rise = gelu->evaluate(x + step, NULL).value - gelu->evaluate(x, NULL).value;
        steepest = fmax(steepest, fabs((double)rise) / step);
    }
    CHECK(steepest < nn_gelu_slope && steepest > 0.999 * nn_gelu_slope);
}

int main(void)
{
    static const DType dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    Arena arena;
    uint64_t state = 5;
    CHECK(arena_init(&arena, (size_t)1 << 28));
    test_gelu_slope();
    dtype_set_narrow(true);
    for (size_t d = 0; d < COUNT_OF(dtypes); d++)
        for (size_t i = 0; i < COUNT_OF(layers); i++) {
            Scope scope = scope_all();
            int done = 0;
            dtype = dtypes[d];
            scope.ops[0] = op_find(layers[i].op);
            if (!(op_dtypes(scope.ops[0]) & 1u << dtype))
                continue;
            scope.op_count = 1;
            scope.dtypes = 1u << dtype;
            for (int draw = 0; draw < DRAWS && done < CASES; draw++)
                done += test_case(&layers[i], &scope, &state, &arena);
            if (done < 5)
                printf("%s: only %d cases\n", layers[i].op, done);
            CHECK(done >= 5);
        }
    arena_release(&arena);
    return check_end("ops/t_layers");
}
