/* Drawing as uniform tests, OneFlow's AutoTest and Hypothesis do it. */
#include "draw.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "reference/random.h"

/* The work that the tool allows most cases. */
static const double work_most = 1 << 19;

/* AutoTest: random_tensor has 1 to 5 axes of 1 to 7 elements, and random() is 1 to 5.  Hypothesis:
 * hnp.array_shapes has sides of 1 to 6; st.integers is uniform in ranges within 256. */
const Drawer drawers[] = {
    {"uniform", 128, 1, TENSOR_RANK_MAX, 32, INT64_MAX, 16, 4, VALUES_NORMAL},
    {"autotest", 7, 1, 5, 7, 5, 0, 1, VALUES_AUTOTEST},
    {"hypothesis", 128, 0, 5, 6, INT64_MAX, 16, 4, VALUES_HYPOTHESIS},
    {NULL, 0, 0, 0, 0, 0, 0, 0, VALUES_NORMAL},
};

const Drawer *drawer_find(const char *name)
{
    for (const Drawer *drawer = drawers; drawer->name; drawer++)
        if (!strcmp(drawer->name, name))
            return drawer;
    return NULL;
}

static int64_t clamp(int64_t value, int64_t low, int64_t high)
{
    return value < low ? low : value > high ? high : value;
}

static int64_t between(uint64_t *state, int64_t low, int64_t high)
{
    return low + (int64_t)(random_next(state) % ((uint64_t)(high - low) + 1));
}

/* Uniform in the part of a parameter's range that lies between low and high. */
static int64_t within(const Param *param, int64_t low, int64_t high, uint64_t *state)
{
    return between(state, clamp(low, param->minimum, param->maximum),
                   clamp(high, param->minimum, param->maximum));
}

static double normal(uint64_t *state)
{
    double radius = sqrt(-2 * log(1 - random_unit(random_next(state))));
    return radius * cos(6.283185307179586 * random_unit(random_next(state)));
}

/* The constants that Hypothesis draws floats from, and those that it weights beside them. */
static const double constants[] = {0.5,
                                   1.1,
                                   1.5,
                                   1.9,
                                   1.0 / 3,
                                   1e7,
                                   1e-5,
                                   0x1p-126,
                                   0x1p-1074,
                                   0x1p-1022,
                                   0x1.fffffffffffffp+1023,
                                   0x1.fffffep+127,
                                   0x1p+53,
                                   1 - 1e-5,
                                   2 + 1e-5,
                                   0x1p-23,
                                   0x1p-52,
                                   0x1p-24,
                                   0x1p-14,
                                   0x1p-149,
                                   0x1p-1023,
                                   0x1p-1025,
                                   0x1p-1032,
                                   0x1p-1039};
static const double weights[] = {0,   -0.0,      INFINITY, -INFINITY, NAN,      NAN,     NAN,
                                 NAN, -INFINITY, -DBL_MAX, -INFINITY, INFINITY, DBL_MAX, INFINITY};

/* Half of the numbers are whole ones of 56 bits, the others have any exponent; what the format does
 * not hold is drawn again. */
static double hypothesis_float(DType dtype, uint64_t *state)
{
    const Format *format = dtype_format(dtype);
    double share = random_unit(random_next(state)), value;
    do {
        uint64_t word = random_next(state);
        bool negative = random_next(state) & 1;
        if (share < 0.15)
            value = constants[random_next(state) % COUNT_OF(constants)];
        else if (share < 0.15 + 0.85 * 0.05)
            return weights[random_next(state) % COUNT_OF(weights)];
        else if (word >> 63)
            value = ldexp(1 + (double)(word & 0xfffffffffffff) * 0x1p-52,
                          (int)(word >> 52 & 0x7ff) % 2047 - 1023);
        else
            value = (double)(word & 0xffffffffffffff);
        value = negative ? -value : value;
    } while (fabs(value) > format->largest);
    return dtype_round(dtype, value);
}

static double hypothesis_integer(DType dtype, uint64_t *state)
{
    double low = fmax(dtype_lowest(dtype), -0x1p+53), high = fmin(-low, 0x1p+53) - (low < 0);
    if (low == 0)
        high = fmin(dtype_format(dtype)->largest, 0x1p+53);
    return floor(low + random_unit(random_next(state)) * (high - low + 1));
}

static double draw_element(Values values, DType dtype, uint64_t *state)
{
    bool whole = dtype_is_integer(dtype) || dtype == DT_BOOL;
    if (values == VALUES_HYPOTHESIS)
        return whole ? hypothesis_integer(dtype, state) : hypothesis_float(dtype, state);
    if (dtype == DT_BOOL)
        return (double)(random_next(state) & 1);
    if (whole)
        return (double)between(state, dtype_lowest(dtype) == 0 ? 0 : -10, 10);
    if (values == VALUES_AUTOTEST)
        return dtype_round(dtype, 2 * random_unit(random_next(state)) - 1);
    return dtype_round(dtype, normal(state));
}

static Scalar draw_factor(Values values, DType dtype, bool real, uint64_t *state)
{
    bool narrow = dtype_is_integer(dtype) || dtype == DT_BOOL;
    Scalar factor = {0, 0};
    double *parts[] = {&factor.re, &factor.im};
    for (int i = 0; i < (real ? 1 : dtype_components(dtype)); i++)
        *parts[i] = values == VALUES_AUTOTEST
                        ? 1 + 5 * random_unit(random_next(state))
                        : draw_element(values, narrow ? DT_F32 : dtype, state);
    return factor;
}

static void draw_shape(const Drawer *d, const Param *param, Shape *shape, uint64_t *state)
{
    int64_t least = param->minimum < 1 ? 1 : param->minimum;
    *shape = (Shape){.rank = between(state, least, clamp(d->rank_most, least, param->maximum))};
    for (int64_t axis = 0; axis < shape->rank; axis++)
        shape->extent[axis] = between(state, 1, d->side_most);
}

static DType draw_dtype(const OpDesc *op, uint64_t *state)
{
    uint32_t dtypes = op_dtypes(op);
    int64_t left = between(state, 0, __builtin_popcount(dtypes) - 1);
    int dtype = 0;
    for (int i = 0; i < DT_COUNT; i++)
        if ((dtypes >> i & 1) && left-- == 0)
            dtype = i;
    return (DType)dtype;
}

static void draw_param(const Drawer *d, const Param *param, Case *c, uint64_t *state)
{
    int64_t *integer = param_integer(param, c->params);
    Shape *shape = param_shape(param, c->params);
    int64_t step = clamp(d->step_most, param->minimum, param->maximum);
    switch (param->kind) {
    case PARAM_DTYPE:
        *integer = param == c->op->params ? (int64_t)draw_dtype(c->op, state)
                                          : within(param, 0, DT_COUNT - 1, state);
        break;
    case PARAM_CHOICE:
        *integer = between(state, 0, param->maximum);
        break;
    case PARAM_DIM:
        *integer = within(param, d->dim_least, d->dim_most, state);
        break;
    case PARAM_PAD:
        *integer = within(param, 0, d->pad_most, state);
        break;
    case PARAM_INCREMENT:
        *integer = between(state, 1, d->increment_most) *
                   (d->increment_most > 1 && (random_next(state) & 1) ? -1 : 1);
        break;
    case PARAM_INTEGER:
        *integer = within(param, param->minimum, step, state);
        break;
    case PARAM_SEED:
        *integer = between(state, 0, UINT32_MAX);
        break;
    case PARAM_SCALAR:
        *param_scalar(param, c->params) =
            draw_factor(d->values, case_dtype(c), param->maximum == 1, state);
        break;
    case PARAM_SHAPE:
        draw_shape(d, param, shape, state);
        break;
    case PARAM_TUPLE:
        *shape = (Shape){.rank = param->rank};
        for (int64_t axis = 0; axis < param->rank; axis++)
            shape->extent[axis] = between(state, param->minimum, step);
        break;
    case PARAM_CODE: {
        uint8_t bytes[128];
        for (size_t i = 0; i < sizeof bytes; i++)
            bytes[i] = (uint8_t)random_next(state);
        param_draw(param, c->params, &(Draw){.choices = {bytes, sizeof bytes, 0}, .scale = 1});
        break;
    }
    case PARAM_LIST:
        break;
    }
}

void drawer_draw(const Drawer *drawer, const OpDesc *op, Case *c, uint64_t *state)
{
    case_init(c, op);
    for (const Param *param = op->params; param->name; param++)
        draw_param(drawer, param, c, state);
    for (int i = 0; i < op_tensor_count(op); i++) {
        c->fill[i].kind = FILL_NORMAL;
        c->fill[i].seed = (int64_t)(random_next(state) & UINT32_MAX);
    }
    case_normalise(c, NULL);
    case_limit(c, work_most);
}

typedef struct Writer {
    const Drawer *drawer;
    DType dtype;
    uint64_t *state;
    double rest;  /* what elements hold that were not drawn one by one */
    double share; /* of the elements that are */
} Writer;

static void write_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    Writer *w = context;
    int components = dtype_components(w->dtype);
    (void)first;
    for (int64_t i = 0; i < count; i++)
        for (int part = 0; part < components; part++) {
            bool own = w->share >= 1 || random_unit(random_next(w->state)) < w->share;
            double value = own ? draw_element(w->drawer->values, w->dtype, w->state) : w->rest;
            dtype_store(w->dtype, at, i * stride * components + part, value);
        }
}

/* hnp.arrays draws about as many elements one by one as the root of their number, 10 at least, and
 * gives all others one value. */
static double own_share(const Drawer *drawer, int64_t count, uint64_t *state)
{
    if (drawer->values != VALUES_HYPOTHESIS || count == 0)
        return 1;
    double mean = fmin(0.9 * (double)count, fmax(10, sqrt((double)count)));
    double drawn = -mean * log(1 - random_unit(random_next(state)));
    return fmin(drawn / (double)count, 1);
}

void drawer_fill(const Drawer *drawer, Operands *o, uint64_t *state)
{
    for (int i = 0; i < o->shapes.count; i++) {
        const TensorSpec *spec = &o->shapes.tensor[i];
        Tensor *view = &o->view[i];
        if (spec->role == ROLE_OUT || spec->ignored || spec->index_below || spec->positive ||
            spec->probability || spec->ascending || spec->has_head || spec->arrangement ||
            tensor_is_empty(view))
            continue;
        Writer writer = {.drawer = drawer, .dtype = view->dtype, .state = state};
        writer.share = own_share(drawer, tensor_count(view), state);
        writer.rest = draw_element(drawer->values, view->dtype, state);
        tensor_visit_runs(view, write_run, &writer);
        memcpy(o->pristine[i], o->block[i].data, o->block[i].bytes);
    }
}

static bool begins_with_any(const char *text, const char *const *beginnings)
{
    for (; *beginnings; beginnings++)
        if (!strncmp(text, *beginnings, strlen(*beginnings)))
            return true;
    return false;
}

bool drawer_never_meets(const Drawer *drawer, const char *when)
{
    static const char *const calls[] = {"threads=", "layout=", "overlap=", "same=", "call=", NULL};
    static const char *const data[] = {"=nan", "=inf", "=-0", "=huge", "=least", NULL};
    for (const char *one = when; one; one = strchr(one, ',') ? strchr(one, ',') + 1 : NULL)
        if (begins_with_any(one, calls) ||
            (drawer->values != VALUES_HYPOTHESIS && !strncmp(one, "has.", 4) &&
             begins_with_any(one + strcspn(one, "="), data)))
            return true;
    return false;
}
