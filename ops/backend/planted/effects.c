/* Effects of planted faults, by their words. */
#include "effects.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { WORDS = 4, WORD_BYTES = 48 };

typedef struct Words {
    int count;
    char word[WORDS][WORD_BYTES];
} Words;

static Words read_words(const char *effect)
{
    Words words = {0};
    while (*effect && words.count < WORDS) {
        size_t length = strcspn(effect, " ");
        (void)snprintf(words.word[words.count++], WORD_BYTES, "%.*s", (int)length, effect);
        effect += length + (effect[length] == ' ');
    }
    return words;
}

void effect_hang(void)
{
    for (;;)
        (void)pause();
}

void effect_crash(void)
{
    static volatile int *volatile nowhere = (volatile int *)(uintptr_t)8;
    *nowhere = 1;
}

/* The elements of an output that exist, in row-major order. */
typedef struct Places {
    DType dtype;
    int64_t count, columns;
    char **at;
    const char *start;           /* of the memory that holds them */
    const unsigned char *before; /* what it held before the call */
} Places;

static void note_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    Places *places = context;
    (void)first;
    for (int64_t i = 0; i < count; i++)
        places->at[places->count++] = at + i * stride * (int64_t)dtype_size(places->dtype);
}

static Places places_of(const PlantedCall *call, int output)
{
    const Operands *o = call->operands;
    const Tensor *view = &o->view[output];
    Places places = {.dtype = view->dtype,
                     .columns = view->rank > 0 ? view->extent[view->rank - 1] : 1,
                     .start = (const char *)o->block[output].data,
                     .before = o->pristine[output]};
    places.at = arena_take(call->arena, (size_t)tensor_count(view) + 1, sizeof *places.at);
    tensor_visit_runs(view, note_run, &places);
    return places;
}

/* Whether element i is meant by a word; a number may stand behind it. */
static bool is_chosen(const char *word, const Places *places, int64_t i)
{
    size_t letters = strcspn(word, "0123456789");
    int64_t number = word[letters] ? atoll(word + letters) : 1, count = places->count;
    if (!strncmp(word, "first", letters))
        return i == 0;
    if (!strncmp(word, "lastrow", letters) && letters > 4)
        return i >= count - places->columns;
    if (!strncmp(word, "last", letters))
        return i == count - 1;
    if (!strncmp(word, "half", letters))
        return i >= count / 2;
    if (!strncmp(word, "tail", letters))
        return i >= count - count % number;
    if (!strncmp(word, "every", letters))
        return i % number == number - 1;
    return !strcmp(word, "all");
}

static double one_up(DType dtype, double value)
{
    const Format *format = dtype_format(dtype);
    if (!isfinite(value) || format->unit == 0)
        return value + 1;
    double step = fmax(fabs(value) * 2 * format->unit, format->smallest_subnormal);
    double up = value;
    for (int tries = 0; up == value && tries < 4; tries++, step *= 2)
        up = dtype_round(dtype, value + step / 2 * (1 + 0x1p-20));
    return up;
}

/* A value of an element in place of the right one: old is what the memory held before the call,
 * previous the right value of the element in front. */
typedef double ChangeElement(DType dtype, double value, double old, double previous);

static double spoiled(DType dtype, double value, double old, double previous)
{
    (void)old;
    (void)previous;
    if (dtype == DT_BOOL)
        return value == 0;
    return dtype_is_integer(dtype) ? (value > 0 ? value - 1 : value + 1) : 2 * value + 1;
}

static double raised(DType dtype, double value, double old, double previous)
{
    (void)old;
    (void)previous;
    return one_up(dtype, value);
}

/* Half of the digits. */
static double coarse(DType dtype, double value, double old, double previous)
{
    (void)old;
    (void)previous;
    int exponent, bits = (dtype_format(dtype)->precision + 1) / 2;
    if (!isfinite(value) || dtype_is_integer(dtype))
        return value;
    double fraction = frexp(value, &exponent);
    return ldexp(trunc(ldexp(fraction, bits)), exponent - bits);
}

static double zeroed(DType dtype, double value, double old, double previous)
{
    (void)dtype;
    (void)value;
    (void)old;
    (void)previous;
    return 0;
}

static double kept(DType dtype, double value, double old, double previous)
{
    (void)dtype;
    (void)value;
    (void)previous;
    return old;
}

static double copied(DType dtype, double value, double old, double previous)
{
    (void)dtype;
    (void)value;
    (void)old;
    return previous;
}

static double negated(DType dtype, double value, double old, double previous)
{
    (void)dtype;
    (void)old;
    (void)previous;
    return -value;
}

static double without_nan(DType dtype, double value, double old, double previous)
{
    (void)dtype;
    (void)old;
    (void)previous;
    return isnan(value) ? 0 : value;
}

static double without_infinity(DType dtype, double value, double old, double previous)
{
    (void)old;
    (void)previous;
    return isinf(value) ? copysign(dtype_format(dtype)->largest, value) : value;
}

static double infinite_as_nan(DType dtype, double value, double old, double previous)
{
    (void)dtype;
    (void)old;
    (void)previous;
    return isinf(value) ? NAN : value;
}

static double flushed(DType dtype, double value, double old, double previous)
{
    (void)old;
    (void)previous;
    return fabs(value) < dtype_format(dtype)->smallest_normal ? copysign(0, value) : value;
}

static double with_plus_zero(DType dtype, double value, double old, double previous)
{
    (void)dtype;
    (void)old;
    (void)previous;
    return value + 0.0;
}

static double doubled(DType dtype, double value, double old, double previous)
{
    (void)dtype;
    (void)old;
    (void)previous;
    return 2 * value;
}

static double with_turned_infinity(DType dtype, double value, double old, double previous)
{
    (void)dtype;
    (void)old;
    (void)previous;
    return isinf(value) ? -value : value;
}

static const struct Verb {
    const char *name;
    ChangeElement *change;
} verbs[] = {
    {"spoil", spoiled},             /* a wrong number */
    {"ulp", raised},                /* the next number */
    {"coarse", coarse},             /* half of the digits */
    {"zero", zeroed},               /* 0 */
    {"keep", kept},                 /* not written */
    {"copy", copied},               /* the element in front */
    {"negate", negated},            /* the other sign */
    {"double", doubled},            /* twice */
    {"lose-nan", without_nan},      /* 0 for NaN */
    {"saturate", without_infinity}, /* the largest number for an infinity */
    {"inf-as-nan", infinite_as_nan},
    {"turn-infinity", with_turned_infinity}, /* of the other sign */
    {"flush", flushed},                      /* 0 for a subnormal number */
    {"plus-zero", with_plus_zero}            /* +0 for -0 */
};

static const struct Verb *find_verb(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(verbs); i++)
        if (!strcmp(verbs[i].name, name))
            return &verbs[i];
    return NULL;
}

static void change_places(const Places *places, const char *which, ChangeElement *change)
{
    int components = dtype_components(places->dtype) == 2 ? 2 : 1;
    double previous[2] = {0, 0};
    for (int64_t i = 0; i < places->count; i++)
        for (int part = 0; part < components; part++) {
            double value = dtype_load(places->dtype, places->at[i], part);
            double old =
                dtype_load(places->dtype, places->before + (places->at[i] - places->start), part);
            if (is_chosen(which, places, i))
                dtype_store(places->dtype, places->at[i], part,
                            change(places->dtype, value, old, previous[part]));
            previous[part] = value;
        }
}

/* An operand as it is read: what each of its elements is taken for. */
typedef double ReadElement(DType dtype, double value, int64_t i, int64_t count);

static double nan_as_zero(DType dtype, double value, int64_t i, int64_t count)
{
    (void)dtype;
    (void)i;
    (void)count;
    return isnan(value) ? 0 : value;
}

static double nan_as_lowest(DType dtype, double value, int64_t i, int64_t count)
{
    (void)i;
    (void)count;
    return isnan(value) ? dtype_lowest(dtype) : value;
}

static double infinity_as_largest(DType dtype, double value, int64_t i, int64_t count)
{
    (void)i;
    (void)count;
    return without_infinity(dtype, value, 0, 0);
}

static double read_flushed(DType dtype, double value, int64_t i, int64_t count)
{
    (void)i;
    (void)count;
    return flushed(dtype, value, 0, 0);
}

static double last_as_zero(DType dtype, double value, int64_t i, int64_t count)
{
    (void)dtype;
    return i == count - 1 ? 0 : value;
}

static double minus_zero_as_zero(DType dtype, double value, int64_t i, int64_t count)
{
    (void)dtype;
    (void)i;
    (void)count;
    return value + 0.0;
}

static double magnitude(DType dtype, double value, int64_t i, int64_t count)
{
    (void)dtype;
    (void)i;
    (void)count;
    return fabs(value);
}

static double read_coarsely(DType dtype, double value, int64_t i, int64_t count)
{
    (void)i;
    (void)count;
    return coarse(dtype, value, 0, 0);
}

/* As bfloat16 and TensorFloat-32 keep 8 and 11 bits. */
static double with_bits(double value, int bits)
{
    int exponent;
    if (!isfinite(value))
        return value;
    double fraction = frexp(value, &exponent);
    return ldexp(rint(ldexp(fraction, bits)), exponent - bits);
}

static double as_bf16(DType dtype, double value, int64_t i, int64_t count)
{
    enum { BITS = 8 };
    (void)i;
    (void)count;
    return dtype_is_integer(dtype) ? value : with_bits(value, BITS);
}

static double as_tf32(DType dtype, double value, int64_t i, int64_t count)
{
    enum { BITS = 11 };
    (void)i;
    (void)count;
    return dtype_is_integer(dtype) ? value : with_bits(value, BITS);
}

static double as_f32(DType dtype, double value, int64_t i, int64_t count)
{
    (void)dtype;
    (void)i;
    (void)count;
    return (double)(float)value;
}

static const struct Reading {
    const char *name;
    ReadElement *read;
} readings[] = {
    {"nan-as-0", nan_as_zero},
    {"nan-as-lowest", nan_as_lowest},
    {"inf-as-max", infinity_as_largest},
    {"flushed", read_flushed},
    {"last-as-0", last_as_zero},
    {"minus-zero-as-0", minus_zero_as_zero},
    {"magnitudes", magnitude},
    {"coarse", read_coarsely},
    {"bf16", as_bf16},
    {"tf32", as_tf32},
    {"f32", as_f32},
};

static const struct Reading *find_reading(const char *name)
{
    for (size_t i = 0; i < COUNT_OF(readings); i++)
        if (!strcmp(readings[i].name, name))
            return &readings[i];
    return NULL;
}

typedef struct Reader {
    const struct Reading *reading;
    DType dtype;
    int64_t done, count;
} Reader;

static void read_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    Reader *reader = context;
    int components = dtype_components(reader->dtype);
    (void)first;
    for (int64_t i = 0; i < count; i++, reader->done++)
        for (int part = 0; part < components; part++) {
            int64_t index = i * stride * components + part;
            double value = dtype_load(reader->dtype, at, index);
            value = reader->reading->read(reader->dtype, value, reader->done, reader->count);
            dtype_store(reader->dtype, at, index, value);
        }
}

/* Puts a copy of an operand, gaps included, in the place of the view that the reference reads. */
static void read_otherwise(PlantedCall *call, int operand, const struct Reading *reading)
{
    Tensor *view = &call->view[operand];
    size_t size = dtype_size(view->dtype), bytes = (size_t)tensor_span(view) * size;
    size_t before = (size_t)tensor_origin_offset(view) * size;
    if (bytes == 0 || call->operands->shapes.tensor[operand].ignored)
        return;
    char *copy = arena_take(call->arena, bytes, 1);
    memcpy(copy, (const char *)view->origin - before, bytes);
    view->origin = copy + before;
    Reader reader = {reading, view->dtype, 0, tensor_count(view)};
    tensor_visit_runs(view, read_run, &reader);
}

/* Gives a parameter the value that stands behind =. */
static bool set_parameter(Case *c, const char *assignment, Text *error)
{
    size_t length = strcspn(assignment, "=");
    const Param *param = op_param(c->op, assignment, length);
    if (!param || assignment[length] != '=') {
        text_printf(error, "%s has no parameter for '%s'", c->op->name, assignment);
        return false;
    }
    return param_parse(param, c->params, assignment + length + 1, error);
}

void effect_prepare(const char *effect, PlantedCall *call)
{
    const Words words = read_words(effect);
    const char *verb = words.word[0], *object = words.word[1];
    const OpDesc *op = call->operands->source->op;
    Text error = {0};
    if (!strcmp(verb, "crash"))
        effect_crash();
    else if (!strcmp(verb, "hang"))
        effect_hang();
    else if (!strcmp(verb, "as"))
        call->altered.op = op_find(object);
    else if (!strcmp(verb, "read"))
        read_otherwise(call, op_operand(op, object), find_reading(words.word[2]));
    else if (!strcmp(verb, "set") && !set_parameter(&call->altered, object, &error))
        BUG("%s", text_string(&error));
    if (!strcmp(verb, "overread")) {
        const GuardBlock *block = &call->operands->block[op_operand(op, object)];
        volatile unsigned char beyond = block->data[block->bytes];
        (void)beyond;
    }
}

/* The output that the words name, else the last one. */
static int output_of(const Words *words, const PlantedCall *call)
{
    const Operands *o = call->operands;
    int output = words->count == 4 ? op_operand(o->source->op, words->word[3]) : -1;
    for (int i = o->shapes.count - 1; output < 0 && i >= 0; i--)
        if (operands_is_output(o, i))
            output = i;
    return output;
}

void effect_finish(const char *effect, PlantedCall *call)
{
    const Words words = read_words(effect);
    const Operands *o = call->operands;
    const struct Verb *verb = find_verb(words.word[0]);
    int output = output_of(&words, call);
    if (output < 0 || !operands_is_output(o, output))
        return;
    const GuardBlock *block = &o->block[output];
    if (verb) {
        Places places = places_of(call, output);
        change_places(&places, words.word[1], verb->change);
    } else if (!strcmp(words.word[0], "overrun") && block->bytes > 0) {
        memcpy(block->data + block->bytes, block->data, dtype_size(o->view[output].dtype));
    } else if (!strcmp(words.word[0], "write")) {
        const GuardBlock *input = &o->block[op_operand(o->source->op, words.word[1])];
        if (input->bytes > 0)
            input->data[input->bytes - 1] ^= 1;
    }
}

static bool is_selector(const char *word)
{
    static const char *const selectors[] = {"first", "last", "all", "half", "lastrow"};
    for (size_t i = 0; i < COUNT_OF(selectors); i++)
        if (!strcmp(word, selectors[i]))
            return true;
    return (!strncmp(word, "tail", 4) && atoi(word + 4) > 1) ||
           (!strncmp(word, "every", 5) && atoi(word + 5) > 1);
}

static bool words_fit(const Words *words, const OpDesc *op, Text *error)
{
    const char *verb = words->word[0], *object = words->word[1];
    Case c;
    case_init(&c, op);
    if (find_verb(verb))
        return is_selector(object) &&
               (words->count == 2 || (words->count == 4 && !strcmp(words->word[2], "of") &&
                                      op_operand(op, words->word[3]) >= 0));
    if (!strcmp(verb, "crash") || !strcmp(verb, "hang") || !strcmp(verb, "overrun"))
        return words->count == 1;
    if (!strcmp(verb, "as"))
        return op_find(object) && op_find(object)->size == op->size;
    if (!strcmp(verb, "set"))
        return set_parameter(&c, object, error);
    bool is_operand = op_operand(op, object) >= 0;
    if (!strcmp(verb, "read"))
        return is_operand && find_reading(words->word[2]);
    return is_operand && (!strcmp(verb, "write") || !strcmp(verb, "overread"));
}

bool effect_fits(const char *effect, const OpDesc *op, Text *error)
{
    const Words words = read_words(effect);
    if (words_fit(&words, op, error))
        return true;
    if (error->length == 0)
        text_printf(error, "%s cannot be given the effect '%s'", op->name, effect);
    return false;
}
