/* Bits depend on the kind of a parameter only. */
#include "likeness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ops/case/trigger.h"

/* Bits of all kinds: at its simplest; an extent of 0. */
#define SIMPLEST (UINT64_C(1) << 63)
#define EMPTY    (UINT64_C(1) << 62)
enum { BITS = 62 };
enum { LESS = 1, MORE = 2 };
enum { NEGATIVE = 1, REPEATED = 2, STRIDED = 4 };
enum { GAP = 1, FAR_GAP = 2, FAR = 4096 };
enum { FACTOR = 1, IMAGINARY = 2, SPECIAL_FACTOR = 4, ZERO = 8 };
enum { EXEC_WORDS = OP_PARAMS_MAX };

static uint64_t bits_of_choice(int64_t number)
{
    return UINT64_C(1) << ((uint64_t)number % BITS);
}

static uint64_t bits_of_scalar(const Scalar *scalar)
{
    uint64_t imaginary = scalar->im != 0 ? IMAGINARY : 0;
    if (!isfinite(scalar->re) || !isfinite(scalar->im))
        return FACTOR | SPECIAL_FACTOR | imaginary;
    return scalar->re == 0 && !imaginary ? ZERO : FACTOR | imaginary;
}

static uint64_t bits_of_difference(int64_t number, int64_t simplest)
{
    return number < simplest ? LESS : number > simplest ? MORE : 0;
}

static uint64_t bits_of_tuple(const Param *param, const Shape *tuple)
{
    uint64_t bits = 0;
    for (int64_t i = 0; i < param->rank && i < TENSOR_RANK_MAX; i++)
        bits |= bits_of_difference(tuple->extent[i], param->simplest);
    return bits;
}

static uint64_t bits_of_code(const Code *code)
{
    uint64_t bits = 0;
    for (int64_t i = 0; i < code->count && i < CODE_MAX; i++)
        bits |= bits_of_choice(code->statements[i].name);
    return bits;
}

static uint64_t bits_of_shape(const Shape *shape)
{
    uint64_t bits = 0;
    for (int64_t i = 0; i < shape->rank && i < TENSOR_RANK_MAX; i++)
        bits |= shape->extent[i] == 0 ? EMPTY : 0;
    return bits;
}

static uint64_t bits_of(const Param *param, const void *values)
{
    const void *at = (const char *)values + param->offset;
    int64_t number = param->kind == PARAM_SCALAR ? 0 : *(const int64_t *)at;
    if (trigger_is_placement(param, values))
        return 0;
    if (param_is_simplest(param, values))
        return SIMPLEST;
    switch (param->kind) {
    case PARAM_CHOICE:
        return bits_of_choice(number);
    case PARAM_DIM:
        return number == 0 ? EMPTY : 0;
    case PARAM_SHAPE:
        return bits_of_shape(at);
    case PARAM_PAD:
        return GAP | (number > FAR ? FAR_GAP : 0u);
    case PARAM_INCREMENT:
        return number == 0
                   ? REPEATED
                   : (number < 0 ? NEGATIVE : 0u) | (number < -1 || number > 1 ? STRIDED : 0u);
    case PARAM_INTEGER:
        return bits_of_difference(number, param->simplest);
    case PARAM_SCALAR:
        return bits_of_scalar(at);
    case PARAM_TUPLE:
        return bits_of_tuple(param, at);
    case PARAM_CODE:
        return bits_of_code(at);
    case PARAM_DTYPE:
    case PARAM_SEED:
    case PARAM_LIST:
        break;
    }
    return 0;
}

void likeness_of(Likeness *likeness, const Case *c)
{
    const Param *params = c->op->params;
    *likeness = (Likeness){0};
    for (int i = 0; i < OP_PARAMS_MAX && params[i].name; i++)
        likeness->word[i] = bits_of(&params[i], c->params);
    for (int i = 0; i < LIKENESS_EXEC_MAX && exec_params[i].name; i++)
        likeness->word[EXEC_WORDS + i] = bits_of(&exec_params[i], &c->exec);
}

/* Whether a text such as "alpha=0 beta=0 " has the name. */
static bool is_named(const char *needed, const char *name)
{
    char wanted[64];
    (void)snprintf(wanted, sizeof wanted, "%s=0 ", name);
    const char *at = strstr(needed, wanted);
    return at && (at == needed || at[-1] == ' ');
}

void likeness_needed(Likeness *likeness, const Case *minimal, const char *needed)
{
    const Param *params = minimal->op->params;
    likeness_of(likeness, minimal);
    for (int i = 0; i < OP_PARAMS_MAX && params[i].name; i++)
        if (!is_named(needed, params[i].name) &&
            (likeness->word[i] == SIMPLEST || case_is_simplest(minimal, 0, &params[i])))
            likeness->word[i] = 0;
    for (int i = 0; i < LIKENESS_EXEC_MAX; i++)
        if (likeness->word[EXEC_WORDS + i] == SIMPLEST)
            likeness->word[EXEC_WORDS + i] = 0;
}

bool likeness_narrow(Likeness *common, const Likeness *other)
{
    uint64_t lost = 0;
    for (int i = 0; i < LIKENESS_WORDS; i++) {
        lost |= common->word[i] & ~other->word[i];
        common->word[i] &= other->word[i];
    }
    return lost != 0;
}

bool likeness_add(LikenessList *list, uint64_t key, const Likeness *needed)
{
    unsigned count = list->count;
    if (count >= LIKENESS_RULES)
        return false;
    list->keys[count] = key;
    list->needed[count] = *needed;
    list->count = count + 1;
    return true;
}

void likeness_share(LikenessList *readers, const LikenessList *own)
{
    unsigned count = own->count;
    memcpy(readers->keys, own->keys, count * sizeof *own->keys);
    memcpy(readers->needed, own->needed, count * sizeof *own->needed);
    readers->count = count;
}

static bool lacks_nothing(const Likeness *c, const Likeness *needed)
{
    uint64_t lacking = 0;
    for (int i = 0; i < LIKENESS_WORDS; i++)
        lacking |= needed->word[i] & ~c->word[i];
    return lacking == 0;
}

unsigned likeness_explains(const LikenessList *list, uint64_t key, const Likeness *c,
                           bool *explained)
{
    unsigned count = list->count, known = 0;
    *explained = false;
    for (unsigned i = 0; i < count && i < LIKENESS_RULES; i++) {
        if (list->keys[i] != key)
            continue;
        known++;
        *explained = *explained || lacks_nothing(c, &list->needed[i]);
    }
    return known;
}
