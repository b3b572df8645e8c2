/* Which operator a primitive is follows from the rows by which oneDNN is asked for it. */
#include "onednn_primitive.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/onednn/bindings.h"

enum { SPATIAL_MAX = 3, NUMBER_MOST = 1 << 24 };

/* Element types of the operands, "src_f32::blocked:ab:f0 dst_f32..." or "src:f32:a:blocked...";
 * false where they are not one. */
static bool read_dtype(const char *descriptors, DType *dtype, Draft *draft)
{
    static const struct {
        const char *name;
        DType dtype;
    } types[] = {{"f32", DT_F32}, {"f64", DT_F64}, {"f16", DT_F16}, {"bf16", DT_BF16},
                 {"s32", DT_I32}, {"s8", DT_I8},   {"u8", DT_U8}};
    bool found = false;
    for (const char *at = descriptors; *at;) {
        size_t word = strcspn(at, " "), name = strcspn(at, ":_ ");
        const char *type = at + name + (name < word);
        size_t length = strcspn(type, ":_ ");
        for (size_t i = 0; i < COUNT_OF(types); i++) {
            if (strlen(types[i].name) != length || strncmp(types[i].name, type, length) != 0)
                continue;
            if (found && *dtype != types[i].dtype)
                return draft_refuse(draft, "operands of several element types are not read");
            *dtype = types[i].dtype;
            found = true;
        }
        at += word + strspn(at + word, " ");
    }
    return found || draft_refuse(draft, "no element type that is known: %s", descriptors);
}

/* The number behind a name and a colon in a list with spaces between; false if it is not there. */
static bool read_named(const char *list, const char *name, double *value)
{
    size_t length = strlen(name);
    for (const char *at = list; *at;) {
        size_t word = strcspn(at, " ");
        if (word > length + 1 && !strncmp(at, name, length) && at[length] == ':') {
            *value = strtod(at + length + 1, NULL);
            return true;
        }
        at += word + strspn(at + word, " ");
    }
    return false;
}

static bool read_algorithm(const char *list, char name[ROW_WORD_BYTES])
{
    const char *at = strstr(list, "alg:");
    name[0] = '\0';
    if (!at)
        return false;
    at += strlen("alg:");
    (void)snprintf(name, ROW_WORD_BYTES, "%.*s", (int)strcspn(at, " "), at);
    return true;
}

/* 2x3x4, up to a colon or the end. */
static bool read_shape(const char **at, Shape *shape)
{
    *shape = (Shape){0};
    for (;;) {
        char *end;
        errno = 0;
        long long extent = strtoll(*at, &end, 10);
        if (end == *at || extent < 0 || errno || shape->rank == TENSOR_RANK_MAX)
            return false;
        shape->extent[shape->rank++] = extent;
        *at = end + (*end == 'x' || *end == ':');
        if (*end != 'x')
            return *end == ':' || *end == '\0';
    }
}

/* The name of the call in rows: softmax_v2 and softmax are softmax_forward or softmax_backward. */
static void call_name(const Primitive *primitive, char name[ROW_WORD_BYTES])
{
    static const char *const alone[] = {"binary", "matmul", "reduction"};
    size_t length = strlen(primitive->kind);
    if (length > 3 && !strcmp(primitive->kind + length - 3, "_v2"))
        length -= 3;
    (void)snprintf(name, ROW_WORD_BYTES, "%.*s", (int)(length < 40 ? length : 40), primitive->kind);
    for (size_t i = 0; i < COUNT_OF(alone); i++)
        if (!strcmp(name, alone[i]))
            return;
    size_t used = strlen(name);
    const char *direction = !strncmp(primitive->direction, "forward", 7) ? "forward"
                            : !strncmp(name, "eltwise", 7) || !strncmp(name, "softmax", 7) ||
                                    !strncmp(name, "pooling", 7)
                                ? "backward"
                                : primitive->direction;
    (void)snprintf(name + used, ROW_WORD_BYTES - used, "_%.20s", direction);
}

static bool is_algorithm_of(const RowWords *words, const char *algorithm)
{
    for (int i = 0; i < words->count; i++) {
        size_t length = strlen(algorithm);
        if (!strcmp(words->word[i], algorithm) ||
            (words->word[i][0] == '[' && !strncmp(words->word[i] + 1, algorithm, length) &&
             words->word[i][length + 1] == ']'))
            return true;
    }
    return false;
}

/* The word of a parameter of the operator is that parameter; a number must be the line's. */
static bool put_number(Draft *draft, const char *word, double value)
{
    char *end;
    double number = strtod(word, &end), divisor = *end == '/' ? strtod(end + 1, &end) : 1;
    if (*end == '\0')
        return fabs(number / divisor - value) <= 1e-6 * fabs(value) ||
               draft_refuse(draft, "alpha or beta is of another function");
    return draft_scalar(draft, word, value, 0);
}

typedef bool PutProblem(Draft *draft, const Primitive *primitive, const RowWords *words, int rank);

static bool put_shape(Draft *draft, const char *problem)
{
    Shape shape;
    return read_shape(&problem, &shape) ? draft_shape(draft, "shape", &shape)
                                        : draft_refuse(draft, "the shape is not read");
}

static bool put_eltwise(Draft *draft, const Primitive *primitive, const RowWords *words, int rank)
{
    double alpha = 0, beta = 0;
    (void)rank;
    (void)read_named(primitive->more, "alpha", &alpha);
    (void)read_named(primitive->more, "beta", &beta);
    return words->count >= 2 && put_number(draft, words->word[words->count - 2], alpha) &&
           put_number(draft, words->word[words->count - 1], beta) &&
           put_shape(draft, primitive->problem);
}

static bool put_softmax(Draft *draft, const Primitive *primitive, const RowWords *words, int rank)
{
    double axis = 0;
    (void)words;
    (void)rank;
    return ((read_named(primitive->more, "axis", &axis) && axis >= 0 && axis < TENSOR_RANK_MAX) ||
            draft_refuse(draft, "no axis that a shape has")) &&
           put_shape(draft, primitive->problem) && draft_integer(draft, "axis", (int64_t)axis);
}

/* The extents of a result and the axes, as bits from the innermost on, along which each of two
 * operands is broadcast. */
static bool join_shapes(Draft *draft, const Shape *a, const Shape *b, Shape *joined,
                        int64_t masks[2])
{
    if (a->rank != b->rank)
        return draft_refuse(draft, "the shapes have not as many axes");
    *joined = *a;
    masks[0] = masks[1] = 0;
    for (int i = 0; i < a->rank; i++) {
        int64_t bit = 1 << (a->rank - 1 - i), x = a->extent[i], y = b->extent[i];
        if (x != y && x != 1 && y != 1)
            return draft_refuse(draft, "the shapes do not go together");
        joined->extent[i] = x == 1 ? y : x;
        masks[0] |= x == 1 && y != 1 ? bit : 0;
        masks[1] |= y == 1 && x != 1 ? bit : 0;
    }
    return true;
}

static bool put_broadcast(Draft *draft, const char *name, const Shape *a, const Shape *b)
{
    Shape joined = {0};
    int64_t masks[2] = {0};
    return join_shapes(draft, a, b, &joined, masks) && draft_shape(draft, name, &joined) &&
           draft_integer(draft, "broadcast_a", masks[0]) &&
           draft_integer(draft, "broadcast_b", masks[1]);
}

static bool read_two(Draft *draft, const char *problem, Shape *a, Shape *b)
{
    return (read_shape(&problem, a) && read_shape(&problem, b)) ||
           draft_refuse(draft, "the shapes are not read");
}

static bool put_binary(Draft *draft, const Primitive *primitive, const RowWords *words, int rank)
{
    Shape a = {0}, b = {0};
    (void)words;
    (void)rank;
    return read_two(draft, primitive->problem, &a, &b) && put_broadcast(draft, "shape", &a, &b);
}

static bool put_reduction(Draft *draft, const Primitive *primitive, const RowWords *words, int rank)
{
    Shape x = {0}, y = {0}, joined = {0};
    int64_t masks[2] = {0};
    (void)words;
    (void)rank;
    return read_two(draft, primitive->problem, &x, &y) &&
           join_shapes(draft, &x, &y, &joined, masks) &&
           (masks[0] == 0 || draft_refuse(draft, "the result is larger")) &&
           draft_shape(draft, "shape", &x) && draft_integer(draft, "axes", masks[1]) &&
           draft_choice(draft, "keepdims", "yes");
}

static bool put_matmul(Draft *draft, const Primitive *primitive, const RowWords *words, int rank)
{
    Shape a = {0}, b = {0};
    (void)words;
    (void)rank;
    if (!read_two(draft, primitive->problem, &a, &b))
        return false;
    if (a.rank < 2 || b.rank != a.rank || a.extent[a.rank - 1] != b.extent[b.rank - 2])
        return draft_refuse(draft, "the shapes do not go together");
    int64_t m = a.extent[a.rank - 2], k = a.extent[a.rank - 1], n = b.extent[b.rank - 1];
    a.rank -= 2;
    b.rank -= 2;
    a.extent[a.rank] = a.extent[a.rank + 1] = b.extent[b.rank] = b.extent[b.rank + 1] = 0;
    return put_broadcast(draft, "batch_shape", &a, &b) && draft_integer(draft, "m", m) &&
           draft_integer(draft, "n", n) && draft_integer(draft, "k", k);
}

bool onednn_read_number(const char *problem, const char *name, int64_t *value)
{
    size_t length = strlen(name);
    for (const char *at = problem; *at;) {
        size_t letters = strcspn(at, "0123456789");
        const char *word = at + (*at == '_');
        letters -= *at == '_';
        if (letters == length && !strncmp(word, name, length)) {
            long long number = strtoll(word + length, NULL, 10);
            *value = number < NUMBER_MOST ? number : NUMBER_MOST;
            return true;
        }
        at = word + letters;
        at += strspn(at, "0123456789");
    }
    return false;
}

bool onednn_read_axis(const char *problem, char letter, OnednnAxis *axis)
{
    const struct {
        char kind;
        int64_t *value;
    } numbers[] = {{'i', &axis->input},  {'o', &axis->output},   {'k', &axis->kernel},
                   {'s', &axis->stride}, {'d', &axis->dilation}, {'p', &axis->padding}};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const char name[] = {numbers[i].kind, letter, '\0'};
        found = onednn_read_number(problem, name, numbers[i].value) || found;
    }
    return found;
}

/* The window of the last `rank` of the axes d, h and w; an axis that is left out is like the next
 * one. */
static bool put_window(Draft *draft, const Primitive *primitive, int rank, bool transposed)
{
    static const char letters[] = "dhw";
    Shape tuples[5] = {{0}};
    static const char *const names[] = {"input_size", "kernel_size", "dilation", "stride",
                                        "pads_begin"};
    Shape ends = {.rank = rank};
    for (int axis = 0; axis < rank; axis++) {
        OnednnAxis at = {.input = 1, .output = 1, .kernel = 1, .stride = 1};
        if (!onednn_read_axis(primitive->problem, letters[SPATIAL_MAX - rank + axis], &at))
            return draft_refuse(draft, "the window has not as many axes as the image");
        int64_t given[] = {at.input, at.kernel, at.dilation + 1, at.stride, at.padding};
        for (int i = 0; i < 5; i++) {
            tuples[i].rank = rank;
            tuples[i].extent[axis] = given[i];
        }
        int64_t span = (at.kernel - 1) * (at.dilation + 1) + 1;
        int64_t small = transposed ? at.input : at.output,
                large = transposed ? at.output : at.input;
        int64_t end = (small - 1) * at.stride + span - large - at.padding;
        /* The last windows of a strided image need not reach its end. */
        ends.extent[axis] = !transposed && end < 0 && end > -at.stride ? 0 : end;
    }
    for (int i = 0; i < 5; i++)
        if (!draft_shape(draft, names[i], &tuples[i]))
            return false;
    return draft_shape(draft, "pads_end", &ends);
}

static bool put_channels(Draft *draft, const char *problem)
{
    int64_t batch = 1, groups = 1, inputs = 0, outputs = 0;
    (void)onednn_read_number(problem, "g", &groups);
    if (!onednn_read_number(problem, "mb", &batch) || !onednn_read_number(problem, "ic", &inputs) ||
        groups < 1)
        return draft_refuse(draft, "no mb, ic or g");
    if (!onednn_read_number(problem, "oc", &outputs))
        return draft_integer(draft, "batch", batch) && draft_integer(draft, "channels", inputs);
    return draft_integer(draft, "batch", batch) && draft_integer(draft, "groups", groups) &&
           draft_integer(draft, "in_channels_per_group", inputs / groups) &&
           draft_integer(draft, "out_channels_per_group", outputs / groups);
}

static bool has_bias(const char *descriptors)
{
    const char *bias = strstr(descriptors, "bia");
    return bias && strncmp(bias, "bia_undef", 9) != 0 && strncmp(bias, "bia:undef", 9) != 0;
}

static bool put_convolution(Draft *draft, const Primitive *primitive, const RowWords *words,
                            int rank)
{
    bool transposed = !strncmp(primitive->kind, "deconvolution", 13);
    (void)words;
    return put_channels(draft, primitive->problem) &&
           put_window(draft, primitive, rank, transposed) &&
           (!case_has(&draft->c, "bias") ||
            draft_choice(draft, "bias", has_bias(primitive->descriptors) ? "yes" : "no"));
}

static bool put_pooling(Draft *draft, const Primitive *primitive, const RowWords *words, int rank)
{
    const char *include = strstr(primitive->more, "include_padding") ? "yes" : "no";
    (void)words;
    return put_channels(draft, primitive->problem) && put_window(draft, primitive, rank, false) &&
           (!case_has(&draft->c, "count_include_pad") ||
            draft_choice(draft, "count_include_pad", include));
}

static const struct {
    const char *kind;
    PutProblem *put;
    bool spatial;
} problems[] = {
    {"eltwise", put_eltwise, false},
    {"softmax", put_softmax, false},
    {"binary", put_binary, false},
    {"reduction", put_reduction, false},
    {"matmul", put_matmul, false},
    {"convolution", put_convolution, true},
    {"deconvolution", put_convolution, true},
    {"pooling", put_pooling, true},
};

/* The number of axes of the image: 3 with a depth, 2 with a height, else 1. */
static int image_rank(const char *problem)
{
    int64_t ignored;
    return onednn_read_number(problem, "id", &ignored)   ? 3
           : onednn_read_number(problem, "ih", &ignored) ? 2
                                                         : 1;
}

/* The operator of a row, of several the one of that rank. */
static void row_operator(const BindingRow *row, int rank, char name[ROW_WORD_BYTES])
{
    const char *at = row->ops;
    for (int i = 1; i < rank && strchr(at, ' '); i++)
        at = strchr(at, ' ') + 1;
    (void)snprintf(name, ROW_WORD_BYTES, "%.*s", (int)strcspn(at, " "), at);
}

/* Tries the rows that ask oneDNN for the primitive, until one gives a case. */
static bool try_rows(Import *import, const Primitive *primitive, DType dtype, int problem,
                     Draft *draft)
{
    char wanted[ROW_WORD_BYTES], algorithm[ROW_WORD_BYTES], name[ROW_WORD_BYTES];
    const BindingRow *row;
    int rank = problems[problem].spatial ? image_rank(primitive->problem) : 0;
    bool has_algorithm = read_algorithm(primitive->more, algorithm);
    Text of = {0};
    bool taken = false;
    call_name(primitive, wanted);
    text_printf(&of, "%s%s%s", wanted, has_algorithm ? " " : "", algorithm);
    (void)draft_refuse(draft, "no operator is %s", text_string(&of));
    if (*primitive->attributes)
        text_printf(&of, " without %s", primitive->attributes);
    for (int i = 0; !taken && (row = dnnl_row_number(i)); i++) {
        RowWords words;
        row_name(row, name);
        row_words(row, &words);
        if (strcmp(name, wanted) != 0 || (has_algorithm && !is_algorithm_of(&words, algorithm)))
            continue;
        row_operator(row, rank, name);
        taken = draft_begin(draft, name, dtype) &&
                problems[problem].put(draft, primitive, &words, rank) &&
                import_draft(import, draft, 1, text_string(&of));
    }
    text_release(&of);
    return taken;
}

static bool is_kind(const char *name, const char *kind)
{
    size_t length = strlen(kind);
    return !strncmp(name, kind, length) && (!name[length] || !strcmp(name + length, "_v2"));
}

bool onednn_import(Import *import, const Primitive *primitive, Draft *draft)
{
    DType dtype = DT_F32;
    size_t problem = 0;
    while (problem < COUNT_OF(problems) && !is_kind(primitive->kind, problems[problem].kind))
        problem++;
    return problem < COUNT_OF(problems)
               ? read_dtype(primitive->descriptors, &dtype, draft) &&
                     try_rows(import, primitive, dtype, (int)problem, draft)
               : draft_refuse(draft, "primitives %s are not read", primitive->kind);
}
