/* Gradients of operators as the chain rule gives them, operation by operation, from the operators
 * as they stand in books: with 300 bits, which the values of the references must agree with, and
 * rounded to the element type, which the oracle must leave alone. */
#include "layers.h"

static void give(Number *to, Number *gradient)
{
    to->gradient = to->gradient ? add(to->gradient, gradient) : gradient;
}

/* From the gradient of a number to those of what it was computed from; orders of powers are
 * constants. */
static void pass_back(Number *n)
{
    Number *g = n->gradient, *a = n->a, *b = n->b;
    switch (n->kind) {
    case NUMBER_LEAF:
        break;
    case NUMBER_SUM:
        give(a, g);
        give(b, g);
        break;
    case NUMBER_DIFFERENCE:
        give(a, g);
        give(b, minus(g));
        break;
    case NUMBER_PRODUCT:
        give(a, mul(g, b));
        give(b, mul(g, a));
        break;
    case NUMBER_QUOTIENT:
        give(a, quotient(g, b));
        give(b, minus(quotient(mul(g, n), b)));
        break;
    case NUMBER_POWER:
        give(a, mul(g, mul(b, power(a, sub(b, number(1))))));
        break;
    case NUMBER_EXPONENTIAL:
        give(a, mul(g, n));
        break;
    case NUMBER_LOGARITHM:
        give(a, quotient(g, a));
        break;
    case NUMBER_ROOT:
        give(a, quotient(g, mul(number(2), n)));
        break;
    case NUMBER_TANH:
        give(a, mul(g, sub(number(1), mul(n, n))));
        break;
    case NUMBER_SIZE:
        give(a, a->plain < 0 ? minus(g) : g);
        break;
    }
}

/* The chain rule from all numbers that have a gradient, the last one first. */
static void pass_all_back(void)
{
    for (int i = pool_used - 1; i >= 0; i--)
        if (pool[i].gradient)
            pass_back(&pool[i]);
}

static int find(const Problem *p, const char *name)
{
    for (int i = 0; i < p->shapes.count; i++)
        if (!strcmp(p->c.op->tensors[i], name))
            return i;
    return -1;
}

/* The operator with the parameters and the values of its gradient, zeros where the gradient does
 * not depend on an operand; false where it takes results of the operator, which are rounded. */
static bool put_forward(Problem *f, const Problem *b, const OpDesc *op)
{
    static double zeros[ELEMENTS_MAX];
    case_init(&f->c, op);
    copy_params(&f->c, &b->c);
    simplify(&f->c);
    if (!case_has(&b->c, "bias"))
        put(&f->c, "bias", find(b, "dbias") >= 0);
    case_normalise(&f->c, NULL);
    op_shape(op, f->c.params, &f->shapes);
    if (count_of(f, first_output(f)) > ELEMENTS_MAX || find(b, "y") >= 0 || find(b, "mean") >= 0)
        return false;
    for (int i = 0; i < f->shapes.count; i++) {
        int from = find(b, op->tensors[i]);
        if (f->shapes.tensor[i].role != ROLE_IN)
            continue;
        if (count_of(f, i) > ELEMENTS_MAX || (from >= 0 && count_of(f, i) != count_of(b, from)))
            return false;
        f->values[i] = from >= 0 ? b->values[from] : zeros;
    }
    return true;
}

/* Every gradient that the operator offers against the derivatives of the numbers. */
static void check_gradients(const Problem *f, const Problem *b, const Ref *refs, Arena *arena)
{
    for (int i = 0; i < f->shapes.count; i++) {
        char name[32];
        (void)snprintf(name, sizeof name, "d%s", f->c.op->tensors[i]);
        int output = find(b, name);
        if (output < 0 || b->shapes.tensor[output].role == ROLE_IN ||
            b->shapes.tensor[output].ignored)
            continue;
        Number *results[ELEMENTS_MAX];
        for (int64_t k = 0; k < count_of(f, i); k++) {
            Number *element = f->elements[i][k];
            results[k] = element && element->gradient ? element->gradient : number(0);
        }
        check_results(&b->c, results, &refs[output], arena);
    }
}

static bool test_case(const Layer *layer, const OpDesc *gradient, const Scope *scope,
                      uint64_t *state, Arena *arena)
{
    static Problem f, b;
    uint8_t bytes[160];
    Ref refs[OP_TENSORS_MAX] = {0};
    Tensor tensors[OP_TENSORS_MAX];
    memset(&f, 0, sizeof f);
    memset(&b, 0, sizeof b);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_next(state);
    case_decode(&b.c, scope, bytes, sizeof bytes);
    simplify(&b.c);
    case_normalise(&b.c, scope);
    arena_reset(arena);
    forget_numbers();
    if (!prepare(&b, arena, state) || !put_forward(&f, &b, op_find(layer->op)))
        return false;
    int y = first_output(&f), dy = find(&b, "dy");
    if (count_of(&f, y) != count_of(&b, dy))
        return false;
    put_tensors(&b, tensors, arena);
    ReferenceInput input = {.op = gradient, .params = b.c.params, .tensors = tensors};
    op_reference(refs, &input, arena);
    layer->compute(&f);
    for (int64_t i = 0; i < count_of(&f, y); i++)
        give(f.results[i], number(b.values[dy][i]));
    pass_all_back();
    check_gradients(&f, &b, refs, arena);
    return true;
}

static void test_layer(const Layer *layer, Arena *arena)
{
    static const char *const suffixes[] = {"", "_data", "_weights", "_a", "_b"};
    uint64_t state = 9;
    for (size_t i = 0; i < COUNT_OF(suffixes); i++) {
        char name[64];
        (void)snprintf(name, sizeof name, "%s_backward%s", layer->op, suffixes[i]);
        const OpDesc *gradient = op_find(name);
        Scope scope = scope_all();
        int done = 0;
        if (!gradient || !(op_dtypes(gradient) & 1u << dtype))
            continue;
        scope.ops[0] = gradient;
        scope.op_count = 1;
        scope.dtypes = 1u << dtype;
        for (int draw = 0; draw < DRAWS && done < CASES; draw++)
            done += test_case(layer, gradient, &scope, &state, arena);
        bool takes_results = !strcmp(name, "softmax_backward") ||
                             !strcmp(name, "log_softmax_backward") ||
                             !strcmp(name, "layer_norm_backward");
        CHECK(takes_results || done >= 5);
    }
}

int main(void)
{
    static const DType dtypes[] = {DT_F32, DT_F64, DT_F16, DT_BF16};
    Arena arena;
    CHECK(arena_init(&arena, (size_t)1 << 28));
    dtype_set_narrow(true);
    for (size_t d = 0; d < COUNT_OF(dtypes); d++) {
        dtype = dtypes[d];
        for (size_t i = 0; i < COUNT_OF(layers); i++)
            test_layer(&layers[i], &arena);
    }
    arena_release(&arena);
    return check_end("ops/t_layer_gradients");
}
