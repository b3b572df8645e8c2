/* Cases that were changed to meet conditions meet them, stay legal, and are not changed again. */
#include "ops/case/limit.h"

#include <string.h>

#include "ops/case/condition.h"
#include "reference/random.h"
#include "tests/check.h"

enum { DRAWS = 60 };

static Case draw(const OpDesc *op, const Scope *all, uint64_t seed)
{
    Scope scope = *all;
    Case c;
    scope.ops[0] = op;
    scope.op_count = 1;
    case_draw_seeded(&c, &scope, seed);
    return c;
}

static bool meets(const Case *c, const char *conditions)
{
    Text why = {0};
    int held;
    bool ok = conditions_hold(conditions, c, NULL, &held, &why);
    if (!ok) {
        Text line = {0};
        case_print(c, &line);
        fprintf(stderr, "%s: %s: %s\n", conditions, text_string(&line), text_string(&why));
        text_release(&line);
    }
    text_release(&why);
    return ok;
}

/* The operator's cases under the conditions, drawn and as records. */
static void test_conditions(const OpDesc *op, const Scope *all, const char *conditions)
{
    Scope limited = *all, *scope = &limited;
    Limits limits = {0};
    Text error = {0};
    scope->ops[0] = op;
    scope->op_count = 1;
    CHECK(limits_fix(&limits, conditions, scope, &error));
    scope->limit = limits_apply;
    scope->limits = &limits;
    for (long i = 0; i < check_scaled(DRAWS); i++) {
        Case c = draw(op, scope, random_at(7, (uint64_t)i)), again = c;
        CHECK(meets(&c, conditions));
        case_normalise(&again, NULL);
        CHECK(case_equal(&c, &again));
        case_normalise(&again, scope);
        CHECK(case_equal(&c, &again));
    }
    limits_release(&limits);
    text_release(&error);
}

/* Every condition that has a name, of every operator that can have it. */
static void test_named(void)
{
    Scope scope = scope_all();
    for (int i = 0; op_registry[i]; i++)
        for (const ConditionRow *row = condition_rows; row->name; row++)
            if (row->mend && op_has_params(op_registry[i], row->needs) &&
                op_registry[i]->any_layout)
                test_conditions(op_registry[i], &scope, row->name);
}

static void test_compared(void)
{
    static const struct {
        const char *op, *conditions;
    } rows[] = {
        {"gemm", "n=1..64"},
        {"gemm", "k%8=0,m=..5,ta=n|t,tb!=n,alpha=1"},
        {"gemm", "lda=0,ldb=3..,order=row,beta=0,a.kind=ones"},
        {"gemv", "incx=1,incy!=1"},
        {"softmax", "rank=2,axis=1"},
        {"softmax", "axis=last,cols%8=0,rows=1..7"},
        {"softmax", "rank=1..2,shape=1..64,x=normal|int"},
        {"exp", "cols%8=0"},
        {"softmax", "n=1..100,inner=1,layout=dense,repeat=1"},
        {"layer_norm", "epsilon=1e-5,cols%4=0,scale=ones,bias=zeros"},
        {"layer_norm", "epsilon=0x1p-10,rank=3"},
        {"sum", "inner-columns,some-axes,keepdims=no"},
        {"conv2d", "stride=1,dilation=1,bias=no,activation=none,in_channels=4..16,area=..64"},
        {"group_norm", "channels=8"},
        {"leaky_relu", "negative_slope=0.01"},
        {"add", "broadcast_a=0,broadcast_b=0,exec.align=0"},
        {"interpolate2d", "mode!=cubic"},
        {"cast", "to=f32|f64,dtype=i32|f16"},
    };
    Scope scope = scope_all();
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        test_conditions(op_find(rows[i].op), &scope, rows[i].conditions);
}

/* All words of a condition come about. */
static void test_sets(void)
{
    Scope scope = scope_all();
    Limits limits = {0};
    Text error = {0};
    int transposed = 0, tripled = 0, large = 0, draws = 400;
    scope.ops[0] = op_find("gemm");
    scope.op_count = 1;
    CHECK(limits_fix(&limits, "ta=n|t,alpha=2|3,m=4|16", &scope, &error));
    scope.limit = limits_apply;
    scope.limits = &limits;
    for (int i = 0; i < draws; i++) {
        Case c = draw(scope.ops[0], &scope, random_at(9, (uint64_t)i));
        transposed += case_int(&c, "ta") == 1;
        tripled += case_scalar(&c, "alpha").re == 3;
        large += case_int(&c, "m") == 16;
    }
    /* Most cases that are drawn have the plain flag. */
    CHECK(transposed > draws / 8 && transposed < draws / 2);
    CHECK(tripled > draws / 4 && tripled < draws - draws / 4);
    CHECK(large > draws / 4 && large < draws - draws / 4);
    limits_release(&limits);
    text_release(&error);
}

/* Whether conditions of gemm are refused with a sentence that has this part. */
static bool refuses(const char *conditions, const char *part)
{
    Scope scope = scope_all();
    Limits limits = {0};
    Text error = {0};
    scope.ops[0] = op_find("gemm");
    scope.op_count = 1;
    bool ok = limits_fix(&limits, conditions, &scope, &error);
    bool says = strstr(text_string(&error), part);
    limits_release(&limits);
    text_release(&error);
    return !ok && says;
}

/* What a name is stands in one condition; it may be kept from other words and held to a remainder.
 */
static void test_twice(void)
{
    CHECK(refuses("ta=n,m=3,ta=t|c",
                  "ta is given twice: cases draw from several words of one, ta=n|t|c"));
    CHECK(refuses("m=1..8,m=4", "m=1..8|4"));
    CHECK(refuses("ta=n,t", "no operator here has 't'"));
    const Scope scope = scope_all();
    test_conditions(op_find("gemm"), &scope, "m=4..64,m%8=0,ta!=n,tb!=n");
}

/* Of several limits a case meets one, and each has its share. */
static void test_several(void)
{
    const OpDesc *op = op_find("softmax");
    Scope scope = scope_all();
    Limits limits = {0};
    int first = 0, second = 0;
    limits_add(&limits, op, 1u << DT_F32, "axis=last,rank=2");
    limits_add(&limits, op, ~0u, "axis=0,rank=3");
    scope.limit = limits_apply;
    scope.limits = &limits;
    for (uint64_t i = 0; i < 400; i++) {
        Case c = draw(op, &scope, random_at(8, i));
        bool is_second = case_shape(&c, "shape")->rank == 3 && case_int(&c, "axis") == 0;
        first += !is_second;
        second += is_second && case_dtype(&c) == DT_F32;
        CHECK(is_second || (case_dtype(&c) == DT_F32 && case_shape(&c, "shape")->rank == 2 &&
                            case_int(&c, "axis") == 1));
    }
    CHECK(first > 20 && second > 20);
    limits_release(&limits);
}

static bool takes_matrices(const Case *c, uint64_t turn, bool again, const void *taker)
{
    (void)turn;
    (void)again;
    return strcmp(c->op->name, taker) != 0 && case_shape(c, "shape")->rank == 2;
}

/* What is not taken is drawn again, of the same operator and element type; where an operator is
 * never taken, of another. */
static void test_taken(void)
{
    Scope scope = scope_all();
    int others = 0;
    scope.ops[0] = op_find("softmax");
    scope.ops[1] = op_find("exp");
    scope.op_count = 2;
    scope.taker = "";
    for (uint64_t i = 0; i < 400; i++) {
        uint8_t bytes[64];
        Case first, taken;
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)(k ? random_at(9, i << 8 | k) : 1);
        scope.takes = NULL;
        case_decode(&first, &scope, bytes, sizeof bytes);
        scope.takes = takes_matrices;
        case_decode(&taken, &scope, bytes, sizeof bytes);
        CHECK(taken.op == first.op && case_dtype(&taken) == case_dtype(&first));
        CHECK(takes_matrices(&taken, 0, false, scope.taker));
        if (takes_matrices(&first, 0, false, scope.taker))
            CHECK(case_equal(&taken, &first));
        else
            others++;
    }
    CHECK(others > 100);
    scope.taker = "exp";
    for (uint64_t i = 0; i < 40; i++) {
        uint8_t bytes[4] = {1, 2, (uint8_t)i, (uint8_t)(7 * i)};
        Case taken;
        case_decode(&taken, &scope, bytes, sizeof bytes);
        CHECK(takes_matrices(&taken, 0, false, scope.taker));
    }
}

static void test_refused(void)
{
    static const struct {
        const char *conditions, *words;
    } rows[] = {
        {"aixs=1", "no operator here has 'aixs'; did you mean axis?"},
        {"axis=x", "'x' is no number and no range for axis"},
        {"n=4..1", "'4..1' is no number and no range for n"},
        {"n=..", "'..' is no number and no range for n"},
        {"ta=q", "ta of gbmv is never q"},
        {"ta=n|q", "ta of gbmv is never q"},
        {"x=noraml", "is never noraml; did you mean normal?"},
        {"even-pading", "no operator here has 'even-pading'"},
        {"n%0=1", "'n%0=1' is no condition"},
        {"code=1", "code of program cannot be compared"},
        {"dtype=c64", "; --dtype leaves out operators that lack a type"},
    };
    Scope scope = scope_all();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Limits limits = {0};
        Text error = {0};
        CHECK(!limits_fix(&limits, rows[i].conditions, &scope, &error));
        CHECK(strstr(text_string(&error), rows[i].words));
        if (!strstr(text_string(&error), rows[i].words))
            fprintf(stderr, "of %s it says \"%s\"\n", rows[i].conditions, text_string(&error));
        limits_release(&limits);
        text_release(&error);
    }
}

int main(void)
{
    test_named();
    test_compared();
    test_sets();
    test_twice();
    test_several();
    test_taken();
    test_refused();
    return check_end("ops/t_limit");
}
