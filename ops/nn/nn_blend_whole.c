#include "nn_blend_whole.h"

#include "nn_split.h"
#include "reference/whole.h"

bool nn_is_whole(const Tensor *t)
{
    return dtype_is_integer(t->dtype);
}

static Whole at(const Tensor *t, int64_t i)
{
    return whole_of(tensor_value(t, i));
}

static void put(Ref *ref, int64_t i, Whole w)
{
    ref_put_whole(ref, (size_t)i, w.bits, w.value, w.error);
}

void nn_whole_addcmul(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Whole value = whole_of(q->value.re);
    nn_allocate_candidates(&refs[3], arena);
    for (int64_t i = 0; i < tensor_count(&t[0]); i++) {
        Whole product = whole_multiply(at(&t[1], i), at(&t[2], i));
        put(&refs[3], i, whole_add(at(&t[0], i), whole_multiply(value, product)));
    }
}

void nn_whole_cross(const Exact *q, const Tensor *t, Ref *refs, Arena *arena)
{
    Lines lines = nn_lines(&t[0], q->axis);
    nn_allocate_candidates(&refs[2], arena);
    for (int64_t i = 0; i < lines.count; i++) {
        nn_find_line(&lines, i);
        for (int64_t k = 0; k < 3; k++) {
            int64_t next = nn_line_place(&lines, (k + 1) % 3);
            int64_t last = nn_line_place(&lines, (k + 2) % 3);
            put(&refs[2], nn_line_place(&lines, k),
                whole_subtract(whole_multiply(at(&t[0], next), at(&t[1], last)),
                               whole_multiply(at(&t[0], last), at(&t[1], next))));
        }
    }
}
