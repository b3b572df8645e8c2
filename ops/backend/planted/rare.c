/* Faults that few cases meet: of large or far operands, of coincidences, and one that hides in the
 * bound.  All but the last spoil the last element of the output. */
#include <math.h>

#include "oracle/bound.h"
#include "planted.h"

static const Tensor *last_operand(const PlantedCall *call)
{
    return &call->operands->view[call->operands->shapes.count - 1];
}

static char *element_of(const Tensor *out, int64_t i, int64_t j)
{
    return (char *)out->origin + tensor_offset(out, i, j) * (int64_t)dtype_size(out->dtype);
}

static void spoil_if(const PlantedCall *call, bool condition)
{
    const Tensor *out = last_operand(call);
    if (!condition || tensor_is_empty(out))
        return;
    char *at = element_of(out, out->extent[0] - 1, out->extent[1] - 1);
    dtype_store(out->dtype, at, 0, 2 * dtype_load(out->dtype, at, 0) + 1);
}

static int64_t value_of(const PlantedCall *call, const char *name)
{
    return case_int(call->operands->source, name);
}

static int64_t leading_of_first(const PlantedCall *call)
{
    return call->operands->shapes.tensor[0].leading;
}

static void finish_large_extent(PlantedCall *call)
{
    enum { LARGE = 700 };
    spoil_if(call, value_of(call, "m") > LARGE || value_of(call, "n") > LARGE ||
                       value_of(call, "k") > LARGE);
}

static void finish_much_work(PlantedCall *call)
{
    double work = (double)value_of(call, "m") * (double)value_of(call, "n");
    spoil_if(call, work * (double)value_of(call, "k") > 4e7);
}

static void finish_far_leading(PlantedCall *call)
{
    spoil_if(call, leading_of_first(call) > 1 << 15);
}

static void finish_round_leading(PlantedCall *call)
{
    enum { ROUND = 256, DEEP = 256 };
    spoil_if(call, leading_of_first(call) % ROUND == 0 && value_of(call, "k") > DEEP);
}

static void finish_same_pointer(PlantedCall *call)
{
    spoil_if(call, call->operands->block[0].data == call->operands->block[1].data);
}

static void finish_equal_increments(PlantedCall *call)
{
    enum { SPECIAL_INCREMENT = 3 };
    spoil_if(call, value_of(call, "incx") == SPECIAL_INCREMENT &&
                       value_of(call, "incy") == SPECIAL_INCREMENT);
}

static void finish_repeated_element(PlantedCall *call)
{
    spoil_if(call, value_of(call, "incx") == 0 && value_of(call, "n") > 1);
}

/* Moves the first element by a twentieth of its bound where the data are full significands. */
static void finish_share_of_bound(PlantedCall *call)
{
    Ref refs[OP_TENSORS_MAX] = {0};
    const Case *c = call->operands->source;
    const Tensor *out = last_operand(call);
    if (tensor_is_empty(out) || !fill_is_exchangeable(&c->fill[0]) ||
        !fill_is_exchangeable(&c->fill[1]))
        return;
    Tensor before[] = {call->view[0], call->view[1], *out};
    before[2].origin =
        call->operands->pristine[2] + (size_t)tensor_origin_offset(out) * dtype_size(out->dtype);
    op_reference(refs, &(ReferenceInput){.op = c->op, .params = c->params, .tensors = before},
                 call->arena);
    const Ref *ref = &refs[2];
    BoundTable table = bound_table(ref, models_ieee, call->arena);
    double moved = ref->high[0] + table.bounds[0].hard / 20;
    dtype_store(out->dtype, element_of(out, 0, 0), 0, ldexp(moved, ref->exponent));
}

const PlantedFault planted_rare_faults[] = {
    {"rare-extent", "gemm", "an extent above 700", NULL, finish_large_extent},
    {"rare-work", "gemm", "m n k above 4e7", NULL, finish_much_work},
    {"rare-leading", "gemm", "lda above 2^15", NULL, finish_far_leading},
    {"rare-round-leading", "gemm", "lda a multiple of 256 and k above 256", NULL,
     finish_round_leading},
    {"rare-pointer", "gemm", "A and B begin at the same address", NULL, finish_same_pointer},
    {"rare-increments", "dot", "incx = incy = 3", NULL, finish_equal_increments},
    {"rare-repeated", "asum", "incx = 0 and n above 1", NULL, finish_repeated_element},
    {"rare-share", "gemm", "a twentieth of the bound, first element of full significands", NULL,
     finish_share_of_bound},
    {NULL, NULL, NULL, NULL, NULL},
};
