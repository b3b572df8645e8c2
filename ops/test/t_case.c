/* Cases, lines and bytes: every conversion is an identity, decoding is total, and bad lines are
 * refused with a reason. */
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ops/case/case.h"
#include "ops/case/illegal.h"
#include "ops/case/transfer.h"
#include "ops/case/trigger.h"
#include "reference/random.h"
#include "tests/check.h"

/* Bytes that end at an inaccessible page, so that reading past them would crash. */
static uint8_t *bytes_before_guard(size_t size)
{
    static uint8_t *end;
    if (!end) {
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        uint8_t *base =
            mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        CHECK(base != MAP_FAILED && mprotect(base + page, page, PROT_NONE) == 0);
        end = base + page;
    }
    return end - size;
}

static void check_identities(const Case *c, const Scope *scope)
{
    Text line = {0}, again = {0}, bytes = {0}, error = {0};
    Case parsed, decoded;
    case_print(c, &line);
    CHECK(case_parse(&parsed, text_string(&line), &error));
    CHECK(case_equal(c, &parsed));
    case_encode(&parsed, &bytes);
    CHECK(bytes.length <= CASE_BYTES_MAX);
    case_decode(&decoded, scope, (const uint8_t *)bytes.data, bytes.length);
    CHECK(case_equal(c, &decoded));
    case_print(&decoded, &again);
    CHECK(!strcmp(text_string(&line), text_string(&again)));
    text_release(&line);
    text_release(&again);
    text_release(&bytes);
    text_release(&error);
}

/* Random bytes of random length, half of them marked as tagged records. */
static void test_random_bytes(void)
{
    Scope scope = scope_all();
    uint64_t state = 3;
    for (long round = 0; round < check_scaled(100000); round++) {
        size_t size = random_next(&state) % 200;
        uint8_t *bytes = bytes_before_guard(size);
        for (size_t i = 0; i < size; i++)
            bytes[i] = (uint8_t)random_next(&state);
        if (size > 3 && round % 2 == 0)
            bytes[0] = 0xC1;
        Case c, same;
        case_decode(&c, &scope, bytes, size);
        case_decode(&same, &scope, bytes, size);
        CHECK(case_equal(&c, &same));
        CHECK(case_components(&c) <= CASE_COMPONENTS_MAX);
        check_identities(&c, &scope);
    }
}

/* Equal inputs get equal pads, which may be large ones, and operands still have room. */
static void test_room(void)
{
    static const char *const names[] = {"gemm", "symm", "syr2k", "gemmt", "dot"};
    Scope scope = {.dtypes = ~0u};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        scope.ops[scope.op_count++] = op_find(names[i]);
    uint64_t state = 11;
    for (long round = 0; round < check_scaled(100000); round++) {
        uint8_t bytes[512];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_next(&state);
        Case c;
        case_draw(&c, &scope, (Choices){bytes, sizeof bytes, 0});
        CHECK(case_components(&c) <= CASE_COMPONENTS_MAX);
    }
}

/* A valid record, truncated at every length and with every byte changed once. */
static void test_damaged_records(void)
{
    Scope scope = scope_all();
    Case c, decoded;
    Text bytes = {0}, error = {0};
    CHECK(case_parse(&c,
                     "gemm/1 dtype=c128 ta=c m=9 n=8 k=7 lda=+3 alpha=(0x1p+1,-0x1p+0) beta=nan "
                     "| a=normal:5eed,special:nan,place:last b=list:0,values:1;-2 c=int "
                     "| exec=align:4,repeat:2",
                     &error));
    case_encode(&c, &bytes);
    for (size_t size = 0; size <= bytes.length; size++) {
        memcpy(bytes_before_guard(size), bytes.data, size);
        case_decode(&decoded, &scope, bytes_before_guard(size), size);
        check_identities(&decoded, &scope);
    }
    for (size_t i = 0; i < bytes.length; i++) {
        uint8_t *copy = bytes_before_guard(bytes.length);
        memcpy(copy, bytes.data, bytes.length);
        copy[i] ^= 0x41;
        case_decode(&decoded, &scope, copy, bytes.length);
        check_identities(&decoded, &scope);
    }
    text_release(&bytes);
}

static void test_scope_is_kept(void)
{
    Scope scope = scope_all();
    uint64_t state = 9;
    scope.ops[0] = op_find("gemv");
    scope.op_count = 1;
    scope.dtypes = 1u << DT_F64;
    for (int round = 0; round < 2000; round++) {
        uint8_t bytes[160];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_next(&state);
        Case c;
        case_decode(&c, &scope, bytes, sizeof bytes);
        CHECK(c.op == scope.ops[0] && case_dtype(&c) == DT_F64);
    }
}

static void test_bad_lines(void)
{
    static const char *const bad[] = {
        "",
        "   ",
        "gemm/7 m=1",
        "gem/1 m=1",
        "gemm/1 m",
        "gemm/1 m=",
        "gemm/1 m=-1",
        "gemm/1 m=4097",
        "gemm/1 m=99999999999999999999",
        "gemm/1 m=1x",
        "gemm/1 q=1",
        "gemm/1 dtype=f99",
        "gemm/1 alpha=",
        "gemm/1 alpha=(1",
        "gemm/1 alpha=(1,2",
        "gemm/1 alpha=abc",
        "gemm/1 | d=ones",
        "gemm/1 | a=",
        "gemm/1 | a=ones:zz",
        "gemm/1 | a=ones,scale",
        "gemm/1 | a=ones,scale:5000",
        "gemm/1 | a=list:0,values:1;;2",
        "gemm/1 | exec=align:1",
        "gemm/1 | a=ones | exec=align:99",
        "gemm/1 | a=ones | exec=speed:1",
        "gemm/1 | a=ones | exec=align:1 | more=1",
        "gemv/1 incx=0",
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        Case c;
        Text error = {0};
        CHECK(!case_parse(&c, bad[i], &error));
        CHECK(strstr(text_string(&error), "column") != NULL);
        CHECK(strchr(text_string(&error), '\n') == NULL);
        text_release(&error);
    }
}

/* Records survive a change of the tables only while their names do not collide. */
static void test_tags_are_distinct(void)
{
    for (const OpDesc *const *op = op_registry; *op; op++) {
        Case c;
        ParamGroup groups[CASE_GROUPS_MAX];
        uint16_t tags[256];
        int count = 0;
        case_init(&c, *op);
        int group_count = case_groups(&c, groups);
        for (int g = 0; g < group_count; g++)
            for (const Param *param = groups[g].params; param->name; param++) {
                tags[count] = name_tag(groups[g].name, param->name);
                for (int i = 0; i < count; i++)
                    CHECK(tags[i] != tags[count]);
                count++;
            }
        CHECK((*op)->size <= OP_PARAMS_BYTES_MAX);
    }
}

/* An empty operand leaves nothing to compute, and must not let another grow without limit:
 * not in lines, and less in records. */
static void test_operands_are_limited(void)
{
    static const struct {
        const char *line;
        bool room;
    } rows[] = {
        {"matmul/2 dtype=f64 batch_shape=0x512x512 broadcast_b=4 m=39 n=320 k=319 | a=ones b=ones",
         false},
        {"add/2 dtype=f32 shape=0x2048x1024 broadcast_a=4 | a=ones b=ones", true},
        {"index_select/2 dtype=f32 shape=1x2048x1024 axis=0 num_indices=4 | x=ones", true},
    };
    Scope scope = scope_all();
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Text error = {0}, bytes = {0};
        Case c, decoded;
        Shapes shapes;
        int64_t count = 0;
        CHECK(case_parse(&c, rows[i].line, &error) == rows[i].room);
        case_encode(&c, &bytes);
        case_decode(&decoded, &scope, (const uint8_t *)bytes.data, bytes.length);
        op_shape(decoded.op, decoded.params, &shapes);
        for (int t = 0; t < shapes.count; t++)
            count += tensor_count(&shapes.tensor[t].layout);
        CHECK(count <= 1 << 23);
        text_release(&bytes);
        text_release(&error);
    }
}

/* An extent of 0 makes room for any others, in lines and in records. */
static void test_empty_shapes_survive(void)
{
    static const char *const lines[] = {
        "where/2 dtype=bool shape=136x136x6x0x40 | condition=ones",
        "where/2 dtype=bool shape=65536x65536x65536x65536x0 | condition=ones"};
    Scope scope = scope_all();
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        Text error = {0}, bytes = {0};
        Case c, decoded;
        CHECK(case_parse(&c, lines[i], &error));
        case_encode(&c, &bytes);
        case_decode(&decoded, &scope, (const uint8_t *)bytes.data, bytes.length);
        CHECK(case_equal(&c, &decoded));
        text_release(&bytes);
        text_release(&error);
    }
    Case c;
    Text error = {0};
    CHECK(!case_parse(&c, "where/2 dtype=bool shape=65536x65536x65536x65536x65536", &error));
    text_release(&error);
    CHECK(case_parse(&c, "gemm/1 dtype=f32 m=2048 n=2048 k=2048", &error));
    CHECK(!case_parse(&c, "gemm/1 dtype=c64 m=4096 n=4096 k=4096", &error));
    CHECK(strstr(text_string(&error), "there is room for") != NULL);
    text_release(&error);
}

/* No bytes mean the simplest case of the first operator, whose line is short. */
static void test_nothing_is_simplest(void)
{
    Scope scope = scope_all();
    Case c, simplest;
    case_decode(&c, &scope, NULL, 0);
    CHECK(c.op == scope.ops[0]);
    uint8_t record[3] = {0xC1, 0, 0};
    case_decode(&c, &scope, record, sizeof record);
    case_init(&simplest, scope.ops[0]);
    CHECK(case_equal(&c, &simplest));
}

/* What normalising makes of a value that is not legal is as simple, and asks for nothing. */
static void test_simplest_is_legal(void)
{
    Case c;
    Trigger trigger = {0};
    case_init(&c, op_find("ctc_loss"));
    case_normalise(&c, NULL);
    const Param *classes = case_param(&c, "classes");
    CHECK(!param_is_simplest(classes, c.params));
    CHECK(case_is_simplest(&c, 0, classes));
    case_trigger(&c, "", &trigger);
    CHECK(trigger.meaning.length == 0);
    trigger_release(&trigger);
    trigger = (Trigger){0};
    case_init(&c, op_find("layer_norm"));
    const Param *epsilon = case_param(&c, "epsilon");
    CHECK(case_is_simplest(&c, 0, epsilon));
    param_scalar(epsilon, c.params)->re = 0;
    case_normalise(&c, NULL);
    CHECK(!case_is_simplest(&c, 0, epsilon));
    case_trigger(&c, "", &trigger);
    CHECK(!strcmp(text_string(&trigger.meaning), "epsilon=0 "));
    trigger_release(&trigger);
}

/* Windows go to operators of more axes, and of fewer where the last ones say nothing. */
static void test_axes_are_moved(void)
{
    Case flat, deep, back;
    case_init(&flat, op_find("conv2d"));
    *param_shape(case_param(&flat, "input_size"), flat.params) = (Shape){2, {3, 1}};
    case_normalise(&flat, NULL);
    CHECK(case_transfer(&deep, op_find("conv3d"), DT_F32, false, &flat));
    const Shape *size = case_shape(&deep, "input_size");
    CHECK(size->rank == 3 && size->extent[0] == 3 && size->extent[1] == 1 && size->extent[2] == 1);
    CHECK(case_transfer(&back, op_find("conv2d"), DT_F32, false, &deep));
    CHECK(case_equal(&back, &flat));
    *param_shape(case_param(&deep, "input_size"), deep.params) = (Shape){3, {3, 2, 2}};
    CHECK(!case_transfer(&back, op_find("conv2d"), DT_F32, false, &deep));
}

/* Cases of gemm whose extents lie within 2 of a multiple of `step` between 9 and `most`. */
static int count_beside(const Scope *scope, int64_t step, int64_t most)
{
    uint64_t state = 11;
    int count = 0;
    for (int round = 0; round < 12000; round++) {
        uint8_t bytes[256];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_next(&state);
        bytes[0] = 0;
        Case c;
        case_decode(&c, scope, bytes, sizeof bytes);
        int64_t k = case_int(&c, "k"), beside = (k + 2) / step * step;
        count += k > 9 && beside <= most && k >= beside - 2 && k <= beside + 2;
    }
    return count;
}

/* Extents are drawn beside the block sizes of a library or of the CPU; cases without them stay. */
static void test_blocks_are_met(void)
{
    Scope scope = scope_all();
    scope.ops[0] = op_find("gemm");
    scope.op_count = 1;
    scope.dtypes = 1u << DT_F32;
    int without = count_beside(&scope, 223, 223);
    scope.blocks = (Blocks){.count = 1, .extents = {223}};
    CHECK(without < 120);
    CHECK(count_beside(&scope, 223, 223) > 5 * without);
    scope.blocks = (Blocks){0};
    without = count_beside(&scope, 37, 12 * 37);
    scope.blocks.vector_bytes = 4 * 37;
    CHECK(count_beside(&scope, 37, 12 * 37) > without * 3 / 2);
}

/* Whether some illegal call of a case has an operand that is too short. */
static bool may_be_short(const char *line)
{
    enum { RULES_MAX = 16 };
    Case c;
    Shapes shapes;
    Illegal illegal;
    Text error = {0};
    bool found = false;
    CHECK(case_parse(&c, line, &error));
    text_release(&error);
    op_shape(c.op, c.params, &shapes);
    for (c.exec.illegal = 1; c.exec.illegal <= RULES_MAX; c.exec.illegal++)
        found = found || (illegal_make(&c, &shapes, &illegal) && illegal.reshaped >= 0);
    return found;
}

static void test_nothing_is_too_short(void)
{
    CHECK(
        may_be_short("attention/2 dtype=f32 q_sequence_length=3 kv_sequence_length=4 head_size=5"));
    CHECK(!may_be_short(
        "attention/2 dtype=f32 q_sequence_length=0 kv_sequence_length=4 head_size=5"));
}

static bool has_empty(const Param *param, const Case *c)
{
    Case copy = *c;
    int64_t *extents[TENSOR_RANK_MAX];
    int count = param_extents(param, copy.params, extents);
    for (int i = 0; i < count; i++)
        if (*extents[i] == 0)
            return true;
    return false;
}

static bool may_be_empty(const Param *param)
{
    return !param->full &&
           (param->kind == PARAM_SHAPE || (param->kind == PARAM_DIM && param->minimum == 0));
}

/* Those that normalisers keep from 0 as others are, by a text or because no text says what holds.
 */
static bool follows_from_others(const OpDesc *op, const Param *param)
{
    static const char *const kept[][2] = {
        {"g*", "ilo"}, /* LAPACK, dgebal.f and dgehrd.f: 1 <= ILO */
        {"or*", "ilo"},
        {"hseqr", "ilo"},
        {"gb*", "kl"},                 /* a band without a diagonal below has nothing to exchange */
        {"co*", "steps"},              /* a covariance of one observation divides 0 by 0 */
        {"batch_norm_train", "batch"}, /* no text says what statistics of no samples are */
        {"batch_norm_train", "input_size"},
    };
    for (size_t i = 0; i < COUNT_OF(kept); i++)
        if (op_matches(op, kept[i][0]) && !strcmp(param->name, kept[i][1]))
            return true;
    return false;
}

/* Draws until each of the extents was 0 that may be; the number of the first that was not, or -1.
 */
static int draw_empty_extents(const OpDesc *op, bool seen[OP_PARAMS_MAX])
{
    enum { DRAWS = 8000 };
    Scope scope = scope_all();
    scope.ops[0] = op;
    scope.op_count = 1;
    int missing = 0;
    for (uint64_t n = 0; n < DRAWS && missing >= 0; n++) {
        Case c;
        case_draw_seeded(&c, &scope, random_at(17, n));
        missing = -1;
        for (int i = 0; op->params[i].name; i++) {
            seen[i] = seen[i] || has_empty(&op->params[i], &c);
            bool lacks = may_be_empty(&op->params[i]) && !seen[i];
            if (missing < 0 && lacks && !follows_from_others(op, &op->params[i]))
                missing = i;
        }
    }
    return missing;
}

/* An extent that its table does not keep from 0 is drawn at 0: no normaliser cuts it. */
static void check_empty_extents(const OpDesc *op)
{
    bool seen[OP_PARAMS_MAX] = {false};
    int missing = draw_empty_extents(op, seen);
    if (missing >= 0)
        printf("%s: %s is never 0\n", op->name, op->params[missing].name);
    CHECK(missing < 0);
    for (int i = 0; op->params[i].name; i++)
        CHECK(!op->params[i].full || (!seen[i] && strlen(op->params[i].full) > 3));
}

static void test_empty_extents_are_drawn(void)
{
    for (int i = 0; op_registry[i]; i++)
        check_empty_extents(op_registry[i]);
}

/* What becomes of the operands of a case by all its stray calls: that of each operand once. */
static void test_stray_shapes(void)
{
    static const char *const shapes[] = {"4", "",    "1 3 4", "0 4", "3 0", /* x */
                                         "",  "1 2", "0" /* indices */};
    enum { SHAPES = COUNT_OF(shapes) };
    Case c;
    Shapes operands;
    Illegal illegal;
    Text error = {0};
    CHECK(case_parse(&c, "index_select/2 dtype=f32 shape=3x4 axis=0 num_indices=2", &error));
    text_release(&error);
    op_shape(c.op, c.params, &operands);
    int made = 0, indices = 0, numbers = 0;
    for (c.exec.illegal = ILLEGAL_RULES_MAX + 1; c.exec.illegal <= ILLEGAL_NUMBERS_MAX;
         c.exec.illegal++) {
        CHECK(illegal_make(&c, &operands, &illegal) && illegal.is_stray);
        indices += illegal.indexed == 1;
        numbers += illegal.attribute >= 0;
        if (illegal.reshaped < 0)
            continue;
        Tensor t = operands.tensor[illegal.reshaped].layout;
        illegal_reshape(&illegal, &t.rank, t.extent, t.stride);
        Text text = {0};
        for (int axis = 0; axis < t.rank; axis++)
            text_printf(&text, "%s%lld", axis ? " " : "", (long long)t.extent[axis]);
        CHECK(made < SHAPES && !strcmp(text_string(&text), shapes[made]));
        made++;
        text_release(&text);
    }
    CHECK(made == SHAPES && indices == 1);
    CHECK(numbers == ILLEGAL_STRAYS_MAX - SHAPES - 1);
}

static int64_t settled(const char *line)
{
    Case c;
    Text error = {0};
    CHECK(case_parse(&c, line, &error));
    text_release(&error);
    illegal_settle(&c);
    return c.exec.illegal;
}

/* A drawn number asks for one of the arguments that can be illegal, if there are any. */
static void test_illegal_numbers_are_settled(void)
{
    static const char softmax[] =
        "softmax/1 dtype=f32 shape=3 axis=0 | x=ones y=ones | exec=illegal:";
    char line[128];
    for (int number = 1; number <= 7; number++) {
        (void)snprintf(line, sizeof line, "%s%d", softmax, number);
        CHECK(settled(line) == 1 + (number - 1) % 3);
    }
    CHECK(settled("gemm/1 dtype=f32 m=1 n=1 k=1 | a=ones b=ones c=ones | exec=illegal:9") == 9);
    CHECK(settled("softmax/1 dtype=f32 shape=3 axis=0") == 0);
}

/* Numbers that a type rounds to 0, to infinity or to an end of what an operator takes. */
static void test_factors_are_rounded(void)
{
    static const double factors[] = {0x1p-30,  -0x1p-160,  0x1p-1074, 0x1p1023, 0x1.fffffep15,
                                     -0x1p-25, 0.99999999, -0.0,      INFINITY, NAN};
    for (int i = 0; op_registry[i]; i++) {
        const OpDesc *op = op_registry[i];
        Scope scope = {.op_count = 1, .ops = {op}, .dtypes = ~0u};
        for (const Param *param = op->params; param->name; param++)
            for (uint64_t seed = 0; param->kind == PARAM_SCALAR && seed < 40; seed++) {
                Case c;
                case_draw_seeded(&c, &scope, seed);
                *param_scalar(param, c.params) = (Scalar){factors[seed % COUNT_OF(factors)], 0};
                case_normalise(&c, &scope);
                check_identities(&c, &scope);
            }
    }
}

int main(void)
{
    test_random_bytes();
    test_factors_are_rounded();
    test_room();
    test_damaged_records();
    test_scope_is_kept();
    test_bad_lines();
    test_tags_are_distinct();
    test_empty_shapes_survive();
    test_empty_extents_are_drawn();
    test_nothing_is_simplest();
    test_simplest_is_legal();
    test_axes_are_moved();
    test_operands_are_limited();
    test_blocks_are_met();
    test_nothing_is_too_short();
    test_illegal_numbers_are_settled();
    test_stray_shapes();
    return check_end("ops/t_case");
}
