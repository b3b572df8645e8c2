/* Drawing and mutating: the generator's bias, by kind of parameter.
 *
 * The proportions are those measured best for matrix kernels: sizes at and beside the multiples of
 * vector widths and block sizes, few padded and few special values at a time. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "param.h"
#include "param_code.h"
#include "reference/random.h"

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static int64_t draw_log_uniform(Choices *choices, int64_t high)
{
    double position = (double)choice_bytes(choices, 2) / 65536;
    return (int64_t)exp(position * log((double)high + 1));
}

static int64_t draw_block(Draw *draw)
{
    static const int64_t common[] = {4,   8,   16,  24,  32,  48,  64, 96,
                                     128, 192, 256, 320, 384, 448, 512};
    enum { VECTORS_MOST = 12 };
    const Blocks *blocks = draw->blocks;
    Choices *choices = &draw->choices;
    bool vectors = blocks && blocks->vector_bytes > 0, told = blocks && blocks->count > 0;
    int64_t share = vectors || told ? choice_below(choices, 4) : 3;
    if (share == 0 && vectors)
        return (int64_t)(blocks->vector_bytes / dtype_component_size(draw->dtype)) *
               choice_between(choices, 1, VECTORS_MOST);
    if (share == 1 && told)
        return blocks->extents[choice_below(choices, blocks->count)];
    return common[choice_below(choices, COUNT_OF(common))];
}

static int64_t draw_beside_block(Draw *draw)
{
    int64_t block = draw_block(draw);
    return block + choice_between(&draw->choices, -2, 2);
}

/* Extents that cost their time only now and then: beyond the blocks of most kernels, and so large
 * that kernels split the work among threads, or index with other types. */
static int64_t draw_beyond_blocks(Draw *draw, int64_t most)
{
    enum { BLOCKS_END = 512 };
    double position = (double)choice_bytes(&draw->choices, 2) / 65536;
    return most <= BLOCKS_END ? most
                              : (int64_t)(BLOCKS_END * pow((double)most / BLOCKS_END, position));
}

static void note_extent(Draw *draw, int64_t extent)
{
    draw->extents[draw->extent_count++ % DRAW_EXTENTS_MAX] = extent;
}

static int64_t draw_dim(const Param *param, Draw *draw)
{
    enum { HUGE_LEAST = 300, HUGE_MOST = 720 };
    Choices *choices = &draw->choices;
    int64_t share = choice_below(choices, 100), value;
    if (draw->huge)
        value = choice_between(choices, HUGE_LEAST, HUGE_MOST);
    else if (draw->regime == REGIME_SMALL)
        value = share < 50 ? choice_between(choices, 0, 8) : choice_between(choices, 1, 40);
    else if (share < (draw->regime == REGIME_LARGE ? 5 : 20))
        value = choice_between(choices, 0, 5);
    else if (share < 60)
        value = draw_beside_block(draw);
    else if (share >= 81 && share < 85 && param->kind == PARAM_DIM)
        value = draw_beyond_blocks(draw, param->maximum);
    else if (share < 85)
        value = draw_log_uniform(choices, 512);
    else if (share < 95)
        value = choice_between(choices, 1, 300);
    else
        value = choice_between(choices, 1, 40);
    if (draw->regime == REGIME_LARGE && draw->scale > 1)
        value *= choice_between(choices, 1, 1 + (int64_t)cbrt(draw->scale));
    value = clamp(value, param->minimum, param->maximum);
    note_extent(draw, value);
    return value;
}

/* What many matrices of a batch show a few of them do, in a fraction of the time: now and then
 * there are some dozens, and seldom as many as other shapes have elements. */
static int64_t draw_most_of_batch(Draw *draw)
{
    enum { ONE_OF = 64, DOZENS_BELOW = 9, DOZENS = 40, FEW = 12 };
    int64_t share = choice_below(&draw->choices, ONE_OF);
    return share == 0 ? INT64_MAX : share < DOZENS_BELOW ? DOZENS : FEW;
}

/* The innermost extents are drawn first, so that they are the large ones; now and then all are
 * equal. */
static void draw_shape(const Param *param, Shape *shape, Draw *draw)
{
    enum { EQUAL_ONE_IN = 16, FEW_EACH = 4 };
    int64_t most = draw->regime == REGIME_LARGE ? 65536 : draw->regime == REGIME_MIXED ? 4096 : 512;
    int64_t batch = param->few ? draw_most_of_batch(draw) : INT64_MAX;
    bool few = batch < FEW_EACH * FEW_EACH;
    const Param extent = {.kind = PARAM_DIM, .minimum = 0, .maximum = SHAPE_EXTENT_MAX};
    most = batch < most ? batch : most;
    *shape = (Shape){.rank = choice_between(&draw->choices, param->minimum, param->maximum)};
    for (int64_t axis = shape->rank - 1; axis >= 0; axis--) {
        bool long_axis = axis == shape->rank - 1 || choice_below(&draw->choices, 4) == 0;
        int64_t value = few         ? choice_between(&draw->choices, 0, FEW_EACH)
                        : long_axis ? draw_dim(&extent, draw)
                                    : choice_between(&draw->choices, 1, 6);
        if (value == 0 && choice_below(&draw->choices, 4) != 3)
            value = 1;
        shape->extent[axis] = value > most ? most : value;
        most /= value > 1 ? value : 1;
        most = most > 1 ? most : 1;
    }
    if (choice_below(&draw->choices, EQUAL_ONE_IN) == EQUAL_ONE_IN - 1)
        for (int64_t axis = 1; axis < shape->rank; axis++)
            shape->extent[axis] = shape->extent[0];
}

/* Mostly the simplest numbers or small ones, and often the same along all axes. */
static void draw_tuple(const Param *param, Shape *tuple, Draw *draw)
{
    Choices *choices = &draw->choices;
    bool same = choice_below(choices, 4) == 0;
    *tuple = (Shape){.rank = param->rank};
    for (int64_t axis = 0; axis < param->rank; axis++) {
        int64_t share = choice_below(choices, 100), value = param->simplest;
        if (share >= 50 && !(draw->swarm & SWARM_NO_PADS))
            value = choice_between(choices, param->minimum,
                                   share < 90
                                       ? clamp(param->simplest + 2, param->minimum, param->maximum)
                                       : param->maximum);
        tuple->extent[axis] = same && axis > 0 ? tuple->extent[0] : value;
    }
}

/* What takes the leading dimension of a drawn extent to a multiple of 256, as lines of a cache that
 * fall onto each other are, or beyond 2^15. */
static int64_t draw_round_pad(const Param *param, Draw *draw)
{
    enum { ROUND = 256, ROUNDS = 8, FAR = 1 << 15, FAR_BEYOND = 600 };
    Choices *choices = &draw->choices;
    int known = draw->extent_count < DRAW_EXTENTS_MAX ? draw->extent_count : DRAW_EXTENTS_MAX;
    if (choice_below(choices, 3) == 0)
        return clamp(FAR + choice_between(choices, -2, FAR_BEYOND), 0, param->maximum);
    int64_t extent = known > 0 ? draw->extents[choice_below(choices, known)] : 1;
    int64_t next = (extent + ROUND - 1) / ROUND * ROUND;
    int64_t more = choice_below(choices, 2) ? 0 : choice_between(choices, 0, ROUNDS) * ROUND;
    return clamp(next - extent + more, 0, param->maximum);
}

static int64_t draw_pad(const Param *param, Draw *draw)
{
    Choices *choices = &draw->choices;
    int64_t share = choice_below(choices, 100);
    if (share < 40 || (draw->swarm & SWARM_NO_PADS))
        return 0;
    if (share >= 97)
        return draw_round_pad(param, draw);
    int64_t value = share < 60 ? 1 : choice_between(choices, 1, share < 85 ? 8 : 130);
    return clamp(value, 0, param->maximum);
}

static int64_t draw_integer(const Param *param, Draw *draw)
{
    Choices *choices = &draw->choices;
    if (choice_below(choices, 4))
        return param->simplest;
    return param->blocked ? draw_dim(param, draw)
                          : choice_between(choices, param->minimum, param->maximum);
}

static int64_t draw_increment(const Param *param, Draw *draw)
{
    Choices *choices = &draw->choices;
    int64_t share = choice_below(choices, 100);
    if (share < 50 || (draw->swarm & SWARM_NO_PADS))
        return 1;
    if (share >= 98 && param->may_be_zero)
        return 0;
    int64_t value = share < 65 ? 2 : choice_between(choices, 1, share < 90 ? 5 : param->maximum);
    return choice_below(choices, 2) ? -value : value;
}

static double draw_normal(Choices *choices)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += (double)choice_bytes(choices, 2) / 65536 - 0.5;
    return sum * 1.7320508075688772;
}

/* One component of a scalar, of the size that the element type can hold. */
static double draw_component(Draw *draw)
{
    Choices *choices = &draw->choices;
    const Format *format = dtype_format(draw->dtype);
    int64_t share = choice_below(choices, 100);
    static const double plain[] = {1, 0, -1, 2, 0.5};
    static const uint8_t limits[] = {25, 37, 49, 56, 62};
    for (int i = 0; i < 5; i++)
        if (share < limits[i])
            return plain[i];
    if (share < 84 || (draw->swarm & SWARM_PLAIN_SCALARS))
        return draw_normal(choices);
    if (share < 89)
        return ldexp(1, (int)choice_between(choices, -20, 20));
    double random = draw_normal(choices);
    switch (share) {
    case 89:
        return -0.0;
    case 90:
        return NAN;
    case 91:
        return INFINITY;
    case 92:
        return -INFINITY;
    case 93:
        return format->smallest_subnormal * (double)choice_between(choices, 1, 200);
    case 94:
        return format->largest * random / 4;
    case 95:
        return format->smallest_normal * random;
    default:
        return ldexp(random, (int)choice_between(choices, -30, 30));
    }
}

static Scalar draw_scalar(const Param *param, Draw *draw)
{
    Scalar scalar = {draw_component(draw), 0};
    if (param->maximum == 0 && dtype_components(draw->dtype) == 2 &&
        choice_below(&draw->choices, 2))
        scalar.im = draw_component(draw);
    return scalar;
}

static int64_t draw_choice(const Param *param, Draw *draw)
{
    int64_t choice = choice_below(&draw->choices, param->maximum + 1);
    return draw->swarm & SWARM_NO_CHOICES ? 0 : choice;
}

/* Each allowed element type is as likely as the others. */
static int64_t draw_dtype(const Param *param, Draw *draw)
{
    int64_t allowed = 0;
    for (int64_t i = param->minimum; i <= param->maximum; i++)
        allowed += draw->dtypes >> i & 1;
    int64_t left = choice_below(&draw->choices, allowed > 0 ? allowed : 1), choice = 0;
    for (int64_t i = param->minimum; i <= param->maximum; i++)
        if ((draw->dtypes >> i & 1) && left-- == 0)
            choice = i;
    draw->dtype = (DType)choice;
    return choice;
}

/* Without any bias: false for kinds that have none. */
static bool draw_unbiased(const Param *param, void *values, Draw *draw)
{
    enum { WIDEST = 512 };
    Choices *choices = &draw->choices;
    int64_t *integer = param_integer(param, values);
    Shape *shape = param_shape(param, values);
    switch (param->kind) {
    case PARAM_DIM:
    case PARAM_PAD:
    case PARAM_INCREMENT:
    case PARAM_INTEGER:
        *integer = choice_between(choices, clamp(param->minimum, -WIDEST, WIDEST),
                                  clamp(param->maximum, -WIDEST, WIDEST));
        if (*integer == 0 && param_excludes_zero(param))
            *integer = param->simplest;
        return true;
    case PARAM_SCALAR:
        *param_scalar(param, values) = (Scalar){draw_normal(choices), 0};
        return true;
    case PARAM_SHAPE:
        *shape = (Shape){.rank = choice_between(choices, param->minimum, param->maximum)};
        for (int64_t axis = 0, most = WIDEST; axis < shape->rank; axis++) {
            shape->extent[axis] = choice_between(choices, 0, most);
            most = clamp(most / clamp(shape->extent[axis], 1, WIDEST), 1, WIDEST);
        }
        return true;
    case PARAM_TUPLE:
        *shape = (Shape){.rank = param->rank};
        for (int64_t axis = 0; axis < param->rank; axis++)
            shape->extent[axis] = choice_between(choices, param->minimum, param->maximum);
        return true;
    default:
        return false;
    }
}

void param_draw(const Param *param, void *values, Draw *draw)
{
    int64_t *integer = param_integer(param, values);
    if (draw->unbiased && draw_unbiased(param, values, draw))
        return;
    switch (param->kind) {
    case PARAM_DTYPE:
        *integer = draw_dtype(param, draw);
        break;
    case PARAM_CHOICE:
        *integer = draw_choice(param, draw);
        break;
    case PARAM_DIM:
        *integer = draw_dim(param, draw);
        break;
    case PARAM_PAD:
        *integer = draw_pad(param, draw);
        break;
    case PARAM_INCREMENT:
        *integer = draw_increment(param, draw);
        break;
    case PARAM_INTEGER:
        *integer = draw_integer(param, draw);
        break;
    case PARAM_SEED:
        *integer = (int64_t)choice_bytes(&draw->choices, 2);
        break;
    case PARAM_SCALAR:
        *param_scalar(param, values) = draw_scalar(param, draw);
        break;
    case PARAM_SHAPE:
        draw_shape(param, param_shape(param, values), draw);
        break;
    case PARAM_TUPLE:
        draw_tuple(param, param_shape(param, values), draw);
        break;
    case PARAM_CODE:
        code_draw(param, param_code(param, values), draw);
        break;
    case PARAM_LIST:
        param_set_simplest(param, values);
        break;
    }
}

static int64_t step_integer(const Param *param, int64_t value, Choices *choices)
{
    switch (choice_below(choices, 6)) {
    case 0:
        value += 1;
        break;
    case 1:
        value -= 1;
        break;
    case 2:
        value *= 2;
        break;
    case 3:
        value /= 2;
        break;
    case 4:
        value += 8;
        break;
    default:
        value = (value + 7) / 8 * 8 + 1;
    }
    value = clamp(value, param->minimum, param->maximum);
    return value == 0 && param_excludes_zero(param) ? param->simplest : value;
}

static double step_component(double value, Choices *choices)
{
    switch (choice_below(choices, 5)) {
    case 0:
        return -value;
    case 1:
        return value * 2;
    case 2:
        return value / 2;
    case 3:
        return value + 1;
    default:
        return nearbyint(value);
    }
}

void param_mutate(const Param *param, void *values, Draw *draw)
{
    bool fresh = choice_below(&draw->choices, 2) == 0;
    switch (param->kind) {
    case PARAM_DIM:
    case PARAM_PAD:
    case PARAM_INCREMENT:
    case PARAM_INTEGER:
        if (fresh)
            param_draw(param, values, draw);
        else
            *param_integer(param, values) =
                step_integer(param, *param_integer(param, values), &draw->choices);
        break;
    case PARAM_SHAPE: {
        int64_t *extents[TENSOR_RANK_MAX];
        int count = param_extents(param, values, extents);
        const Param extent = {.kind = PARAM_DIM, .minimum = 0, .maximum = SHAPE_EXTENT_MAX};
        if (fresh || count == 0 || shape_count(param_shape(param, values)) > SHAPE_COUNT_MAX / 16) {
            param_draw(param, values, draw);
            break;
        }
        int64_t *one = extents[choice_below(&draw->choices, count)];
        *one = clamp(step_integer(&extent, *one, &draw->choices), 0, 4 * *one + 8);
        break;
    }
    case PARAM_SCALAR: {
        Scalar *scalar = param_scalar(param, values);
        if (fresh)
            *scalar = draw_scalar(param, draw);
        else
            scalar->re = step_component(scalar->re, &draw->choices);
        break;
    }
    case PARAM_CODE:
        code_mutate(param, param_code(param, values), draw);
        break;
    default:
        param_draw(param, values, draw);
    }
}
