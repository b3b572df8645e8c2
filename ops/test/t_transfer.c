/* Cases carried over to other operators: what comes out is a case of theirs, and the same question.
 */
#include "ops/case/transfer.h"

#include <string.h>

#include "reference/random.h"
#include "tests/check.h"

static bool is_case(const Case *c)
{
    Text line = {0}, error = {0};
    Case parsed;
    case_print(c, &line);
    bool ok = case_parse(&parsed, text_string(&line), &error) && case_equal(c, &parsed);
    if (!ok)
        (void)fprintf(stderr, "%s: %s\n", text_string(&line), text_string(&error));
    text_release(&line);
    text_release(&error);
    return ok;
}

/* Whatever is drawn, for pairs of all operators, and larger. */
static void test_any(void)
{
    Scope scope = scope_all();
    uint64_t state = 7;
    for (long round = 0; round < check_scaled(60000); round++) {
        uint8_t bytes[160];
        Case from, to;
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_next(&state);
        case_decode(&from, &scope, bytes, sizeof bytes);
        const OpDesc *op = scope.ops[random_next(&state) % (uint64_t)scope.op_count];
        bool whole = case_transfer(&to, op, case_dtype(&from), round % 2, &from);
        CHECK(!whole || is_case(&to));
        CHECK(!whole || (to.op == op && case_dtype(&to) == case_dtype(&from)));
        if (whole && case_grow(&to, 4))
            CHECK(is_case(&to));
    }
}

typedef struct Carried {
    const char *from, *op, *to; /* to: what the line has, or NULL where it is another question */
} Carried;

static const Carried carried[] = {
    {"adaptive_avg_pool2d_backward/2 dtype=f64 input_size=3x1 output_size=1x1 | dy=ones",
     "adaptive_avg_pool1d_backward", " input_size=3 output_size=1 "},
    {"adaptive_avg_pool2d_backward/2 dtype=f64 input_size=1x5 output_size=1x2 | dy=ones",
     "adaptive_avg_pool1d_backward", " input_size=5 output_size=2 "},
    {"adaptive_avg_pool2d_backward/2 dtype=f64 input_size=3x5 output_size=1x1 | dy=ones",
     "adaptive_avg_pool1d_backward", NULL},
    {"max_pool1d/2 dtype=f32 input_size=4 kernel_size=3 stride=2 pads_begin=1 | x=ones",
     "max_pool3d",
     " input_size=4x1x1 kernel_size=3x1x1 stride=2x1x1 dilation=1x1x1 pads_begin=1x0x0 "},
    {"max_pool3d/2 dtype=f32 input_size=1x1x4 kernel_size=1x1x3 stride=1x1x2 pads_begin=0x0x1 | "
     "x=ones",
     "max_pool2d", " input_size=4x1 kernel_size=3x1 stride=2x1 dilation=1x1 pads_begin=1x0 "},
    {"scal/1 dtype=f32 n=3 alpha=nan incx=1 | x=ones", "gemv", " m=1 n=3 "},
    {"scal/1 dtype=f32 n=3 alpha=nan incx=1 | x=ones", "gemv", " alpha=0x1p+0 beta=nan "},
    {"gemv/1 dtype=f32 order=col ta=n m=1 n=1 lda=0 incx=1 incy=1 alpha=0x1p+0 beta=nan | a=ones "
     "x=ones y=ones",
     "scal", " alpha=nan "},
    {"gemv/1 dtype=f32 order=col ta=n m=1 n=1 lda=0 incx=1 incy=1 alpha=nan beta=0x0p+0 | a=ones "
     "x=ones y=ones",
     "scal", NULL},
    {"exp/1 dtype=f32 shape=2x3 | x=ones,special:nan", "tanh", " shape=2x3 | x=ones,special:nan"},
    {"elu/1 dtype=f32 shape=2 alpha=0x1p+1 | x=ones", "relu", NULL},
};

static void test_axes(void)
{
    for (size_t i = 0; i < COUNT_OF(carried); i++) {
        const Carried *row = &carried[i];
        Text line = {0}, error = {0};
        Case from, to;
        CHECK(case_parse(&from, row->from, &error));
        bool whole = case_transfer(&to, op_find(row->op), case_dtype(&from), false, &from);
        case_print(&to, &line);
        bool right = row->to ? whole && strstr(text_string(&line), row->to) : !whole;
        if (!right)
            (void)fprintf(stderr, "%s\n  gave %s\n", row->from, text_string(&line));
        CHECK(right);
        text_release(&line);
        text_release(&error);
    }
}

int main(void)
{
    test_any();
    test_axes();
    return check_end("ops/t_transfer");
}
