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
        Case grown = to, matched = to, turned = to;
        if (whole && case_grow(&grown, 4))
            CHECK(is_case(&grown));
        if (whole && case_match_written(&matched, &from))
            CHECK(is_case(&matched));
        if (whole && case_turn(&turned, &from))
            CHECK(is_case(&turned));
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
    {"tbsv/1 dtype=f32 n=3 k=2 | a=ones x=ones", "gbmv", " m=1 n=3 kl=2 ku=2 "},
    {"gbmv/1 dtype=f32 m=3 n=1 kl=1 ku=2 | a=ones x=ones y=ones", "tbsv", " n=1 k=2 "},
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

/* A case carried over, and then changed by one of the functions for it. */
typedef struct Changed {
    const char *from, *op;
    bool (*change)(Case *c, const Case *from);
    const char *to; /* what the line has, or NULL where there is nothing to change */
} Changed;

static const Changed changed[] = {
    {"flip/1 dtype=f32 shape=5 axis=0 | x=ones", "concat", case_match_written,
     " shape=4 axis=0 extent_b=1 "},
    {"concat/2 dtype=f32 shape=5 axis=0 extent_b=8 | a=ones b=ones", "flip", case_match_written,
     " shape=13 "},
    {"gbmv/1 dtype=f32 m=3 n=1 kl=2 ku=1 | a=ones x=ones y=ones", "tbsv", case_match_written,
     " n=3 k=2 "},
    {"exp/1 dtype=f32 shape=2x3 | x=ones", "tanh", case_match_written, NULL},
    {"exp/1 dtype=f32 shape=0 | x=ones", "concat", case_match_written, NULL},
    {"gbmv/1 dtype=f32 m=3 n=1 kl=2 ku=1 | a=ones x=ones y=ones", "sbmv", case_turn,
     " uplo=lower "},
    {"spmv/1 dtype=f32 n=3 | ap=ones x=ones y=ones", "sbmv", case_turn, NULL},
};

static void test_changes(void)
{
    for (size_t i = 0; i < COUNT_OF(changed); i++) {
        const Changed *row = &changed[i];
        Text line = {0}, error = {0};
        Case from, to;
        CHECK(case_parse(&from, row->from, &error));
        CHECK(case_transfer(&to, op_find(row->op), case_dtype(&from), false, &from));
        CHECK(row->change(&to, &from) == (row->to != NULL));
        case_print(&to, &line);
        CHECK(is_case(&to));
        if (row->to && !strstr(text_string(&line), row->to)) {
            (void)fprintf(stderr, "%s\n  gave %s\n", row->from, text_string(&line));
            CHECK(!"the line has it");
        }
        text_release(&line);
        text_release(&error);
    }
}

static void test_factors(void)
{
    Case c;
    Text error = {0};
    CHECK(case_parse(&c, "gemv/1 dtype=f32 m=2 alpha=0x0p+0 beta=nan | a=ones x=ones", &error));
    CHECK(case_set_factors(&c) && is_case(&c));
    CHECK(case_scalar(&c, "alpha").re == 1 && case_scalar(&c, "beta").re == 0);
    CHECK(!case_set_factors(&c));
    text_release(&error);
}

int main(void)
{
    test_any();
    test_axes();
    test_changes();
    test_factors();
    return check_end("ops/t_transfer");
}
