/* Random numbers: `y` of a seed, `again` of the same one, `other` of the one behind it.
 *
 * Each element must lie where the law has numbers; where documentation says that an end is not
 * among them, it is not.  `again` is `y` to the bit.  `other` is another sample, where chance would
 * make it the same with less than the level of a test.  y and other are held against the law by
 * the tests of reference/chance.h.
 *
 * Initialisers of weights are uniform up to gain sqrt(6 / (fan_in + fan_out)), or normal with the
 * deviation gain sqrt(2 / (fan_in + fan_out)) (Glorot and Bengio, AISTATS 2010); or up to
 * gain sqrt(3 / fan_in), with the deviation gain / sqrt(fan_in) (He et al., ICCV 2015).  A matrix
 * of weights has fan_out rows and fan_in columns. */
#include <math.h>

#include "nn_random.h"
#include "reference/chance.h"
#include "reference/random.h"

typedef struct Random {
    int64_t dtype, rows, columns, seed, low, high, trials, end_included, zero_included;
    Scalar place, scale, end, chance;
} Random;

/* What a row's parameters make of a case. */
typedef struct Setting {
    double p[CHANCE_PARAMETERS];
    double least, most; /* the numbers that there are */
    bool most_excluded, least_excluded;
} Setting;

typedef struct Row {
    const char *name, *summary;
    const Law *law;
    const Param *params;
    void (*set)(const Random *q, Setting *s);
    uint32_t dtypes;
} Row;

#define SIDES_FROM(least)                                                                          \
    NN_DTYPE(Random), P_DIM(Random, rows, least, 4096, "rows"),                                    \
        P_DIM(Random, columns, least, 4096, "columns"),                                            \
        P_INTEGER(Random, seed, 0, 65534, 0, "seed of the generator")
#define SIDES        SIDES_FROM(0)
#define PLACE        P_REAL(Random, place, 0, "where the middle lies")
#define SCALE        P_REAL(Random, scale, 1, "how wide it is spread")
#define END_INCLUDED P_CHOICE(Random, end_included, nn_yes_no, "the upper end may be drawn")

static const Param plain_params[] = {SIDES, P_END};
static const Param spread_params[] = {SIDES, PLACE, SCALE, P_END};
static const Param uniform_params[] = {SIDES, P_REAL(Random, place, 0, "lower end"),
                                       P_REAL(Random, end, 1, "upper end"), END_INCLUDED, P_END};
static const Param scale_params[] = {SIDES, SCALE, P_END};
static const Param rate_params[] = {SIDES, P_REAL(Random, scale, 1, "rate"),
                                    P_CHOICE(Random, zero_included, nn_yes_no, "0 may be drawn"),
                                    P_END};
static const Param mean_params[] = {SIDES, P_REAL(Random, scale, 1, "mean"), P_END};
static const Param chance_params[] = {SIDES, P_REAL(Random, chance, 0, "chance of a success"),
                                      P_END};
static const Param trials_params[] = {SIDES, P_REAL(Random, chance, 0, "chance of a success"),
                                      P_INTEGER(Random, trials, 0, 200, 1, "trials"), P_END};
static const Param whole_params[] = {
    SIDES, P_INTEGER(Random, low, -100000, 100000, 0, "least number"),
    P_INTEGER(Random, high, -100000, 100000, 1, "number behind the greatest"), P_END};
static const Param truncated_params[] = {
    SIDES, PLACE, SCALE, P_REAL(Random, end, 2, "upper end, in units of scale"), P_END};
static const Param fan_params[] = {SIDES_FROM(1), P_END};
static const Param gain_params[] = {SIDES_FROM(1), P_REAL(Random, scale, 1, "gain"), P_END};
static const char *const tensors[] = {"y", "again", "other", NULL};

static const Row *row_of(const OpDesc *op)
{
    return op->detail;
}

static void set_spread(const Random *q, Setting *s);

static double within(double value, double low, double high, double usual)
{
    return value >= low && value <= high ? value : usual;
}

static double short_number(double value)
{
    return dtype_round(DT_BF16, value);
}

/* Whole numbers that the type has all of. */
static void normalise_whole(Random *q)
{
    enum { GREATEST = 100000 };
    DType dtype = nn_dtype(q);
    const Format *f = dtype_format(dtype);
    bool is_byte = dtype == DT_I8 || dtype == DT_U8, is_half = f->unit > 1.0 / GREATEST;
    int64_t most = is_byte ? 127 : is_half ? (int64_t)(1 / f->unit) : GREATEST;
    int64_t least = dtype == DT_U8 ? 0 : -most;
    q->low = q->low < least || q->low >= most ? 0 : q->low;
    q->high = q->high > most ? most : q->high;
    q->high = q->high > q->low ? q->high : q->low + 1;
}

/* What a law asks for beyond numbers of moderate size. */
static void normalise_for(const Law *law, Random *q)
{
    static const double seldom = 0x1p-6, often = 1 - 0x1p-8;
    if (law == &law_uniform && !(q->end.re > q->place.re))
        q->end.re = short_number(q->place.re + 1);
    if (law == &law_truncated_normal)
        q->end.re = within(fabs(q->end.re), 0.5, 4, 2);
    if (law == &law_geometric)
        q->chance.re = fmin(fmax(q->chance.re, seldom), often);
    if (law == &law_log_normal) {
        q->place.re = within(q->place.re, -1, 1, 0);
        q->scale.re = fmin(q->scale.re, 1);
    }
}

/* Numbers that bf16 has, of moderate size, so that each type is given the same law. */
static void normalise(const OpDesc *op, void *params)
{
    Random *q = params;
    double chance = fabs(q->chance.re);
    bool is_constant = q->scale.re == 0;
    q->place.re = short_number(within(q->place.re, -64, 64, 0));
    q->scale.re = short_number(within(fabs(q->scale.re), 0x1p-6, 64, 1));
    q->end.re = short_number(within(q->end.re, -64, 64, 1));
    q->chance.re = short_number(chance <= 1 ? chance : within(1 / chance, 0, 1, 0.5));
    if (row_of(op)->set == set_spread && row_of(op)->law == &law_normal && is_constant)
        q->scale.re = 0;
    normalise_for(row_of(op)->law, q);
    normalise_whole(q);
}

static void shape(const void *params, Shapes *shapes)
{
    const Random *q = params;
    Shape matrix = {2, {q->rows, q->columns}};
    *shapes = (Shapes){.depth = 1};
    nn_add_draws(shapes, nn_dtype(q), &matrix);
}

static double work(const void *params)
{
    enum { COST = 8 };
    const Random *q = params;
    return COST * ((double)q->rows * (double)q->columns + 1);
}

static Setting setting_of(const Random *q, const Row *row)
{
    Setting s = {.least = -INFINITY, .most = INFINITY};
    row->set(q, &s);
    return s;
}

static void set_unit(const Random *q, Setting *s)
{
    (void)q;
    *s = (Setting){{0, 1}, 0, 1, true, false};
}

static void set_uniform(const Random *q, Setting *s)
{
    *s = (Setting){{q->place.re, q->end.re}, q->place.re, q->end.re, !q->end_included, false};
}

static void set_standard(const Random *q, Setting *s)
{
    (void)q;
    s->p[1] = 1;
}

static void set_spread(const Random *q, Setting *s)
{
    s->p[0] = q->place.re;
    s->p[1] = q->scale.re;
    if (q->scale.re == 0)
        s->least = s->most = q->place.re;
}

/* Of a law that the logarithm has. */
static void set_log_normal(const Random *q, Setting *s)
{
    *s = (Setting){{q->place.re, q->scale.re}, 0, INFINITY, false, false};
}

static void set_rate(const Random *q, Setting *s)
{
    *s = (Setting){{q->scale.re}, 0, INFINITY, false, !q->zero_included};
}

static void set_positive(const Random *q, Setting *s)
{
    *s = (Setting){{q->scale.re, 1.5}, 0, INFINITY, false, false};
}

static void set_chance(const Random *q, Setting *s)
{
    *s = (Setting){{q->chance.re}, 0, 1, false, false};
    if (q->chance.re == 0 || q->chance.re == 1)
        s->least = s->most = q->chance.re;
}

static void set_geometric(const Random *q, Setting *s)
{
    *s = (Setting){{q->chance.re}, 1, INFINITY, false, false};
}

static void set_trials(const Random *q, Setting *s)
{
    *s = (Setting){{(double)q->trials, q->chance.re}, 0, (double)q->trials, false, false};
}

static void set_whole(const Random *q, Setting *s)
{
    *s = (Setting){{(double)q->low, (double)q->high}, (double)q->low, (double)q->high, true, false};
}

/* An end may be rounded away from the middle. */
static void set_truncated(const Random *q, Setting *s)
{
    double reach = q->end.re * q->scale.re, u = 4 * dtype_format(nn_dtype(q))->unit;
    double low = q->place.re - reach, high = q->place.re + reach;
    *s = (Setting){{q->place.re, q->scale.re, low, high},
                   low - u * fabs(low),
                   high + u * fabs(high),
                   false,
                   false};
}

static void set_up_to(const Random *q, Setting *s, double end)
{
    double most = end * (1 + 8 * dtype_format(nn_dtype(q))->unit);
    *s = (Setting){{-end, end}, -most, most, false, false};
}

static double fans(const Random *q)
{
    return (double)(q->rows + q->columns > 0 ? q->rows + q->columns : 1);
}

static double fan_in(const Random *q)
{
    return (double)(q->columns > 0 ? q->columns : 1);
}

static void set_xavier_uniform(const Random *q, Setting *s)
{
    set_up_to(q, s, q->scale.re * sqrt(6 / fans(q)));
}

static void set_xavier_normal(const Random *q, Setting *s)
{
    s->p[1] = q->scale.re * sqrt(2 / fans(q));
}

static void set_kaiming_uniform(const Random *q, Setting *s)
{
    set_up_to(q, s, sqrt(6 / fan_in(q)));
}

static void set_kaiming_normal(const Random *q, Setting *s)
{
    s->p[1] = sqrt(2 / fan_in(q));
}

static bool is_between(const Setting *s, double value)
{
    return (s->least_excluded ? value > s->least : value >= s->least) &&
           (s->most_excluded ? value < s->most : value <= s->most);
}

/* A case before a kernel ran. */
typedef struct Own {
    const Random *q;
    const Row *row;
    Setting setting;
} Own;

/* A rounded draw; one that lies outside is drawn again. */
static double own_draw(const void *context, uint64_t seed, int64_t i)
{
    enum { TRIES = 64 };
    const Own *own = context;
    double value = 0;
    for (uint64_t attempt = 0; attempt < TRIES; attempt++) {
        uint64_t stream = random_mix(seed * TRIES + attempt);
        value = own->row->law->draw(own->setting.p, chance_unit(stream, (uint64_t)i, 0),
                                    chance_unit(stream, (uint64_t)i, 1));
        value = dtype_round(nn_dtype(own->q), value);
        if (isfinite(value) && is_between(&own->setting, value))
            break;
    }
    return value;
}

static bool is_inside(const Setting *s, const Draws *sample, double value)
{
    enum { NEVER = 60 };
    if (isnan(value) || (sample->law->is_whole && value != floor(value)))
        return false;
    if (isinf(value))
        return chance_of_overflow(sample) > ldexp(1, -NEVER);
    return is_between(s, value);
}

/* A number of the law in place of one that is none. */
static double nearest_inside(const Setting *s, double value)
{
    return value <= s->least || isnan(value) ? fmax(s->least, 0) : s->p[0];
}

static void put_sample(Ref *ref, const Setting *s, const Draws *sample, bool is_judged,
                       Arena *arena)
{
    bool all_inside = true;
    for (int64_t i = 0; i < sample->count; i++) {
        double value = sample->values[i];
        bool inside = is_inside(s, sample, value);
        ref_set_exact(ref, (size_t)i, inside ? value : nearest_inside(s, value), MATCH_VALUE);
        if (!inside)
            ref->classes[i] = CLASS_FINITE;
        all_inside = all_inside && inside;
    }
    if (is_judged && all_inside)
        chance_judge(&ref->flaw, sample, arena);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { Y, AGAIN, OTHER };
    const Random *q = input->params;
    const Row *row = row_of(input->op);
    const Own own = {q, row, setting_of(q, row)};
    Setting s = own.setting;
    Draws samples[NN_DRAWS];
    int64_t count = q->rows * q->columns;
    for (int i = Y; i <= OTHER; i++) {
        uint64_t seed = (uint64_t)q->seed + (i == OTHER);
        const double *values = nn_draws_of(input, i, count, own_draw, &own, seed, arena);
        ref_allocate_exact(&refs[i], &input->tensors[i], arena);
        samples[i] = (Draws){row->law, s.p, values, count, q->columns, nn_dtype(q)};
    }
    bool is_random = s.least < s.most;
    put_sample(&refs[Y], &s, &samples[Y], is_random, arena);
    put_sample(&refs[OTHER], &s, &samples[OTHER], is_random, arena);
    nn_put_again(&refs[AGAIN], samples[Y].values, samples[Y].count);
    if (is_random && chance_tells_apart(&samples[Y]))
        nn_judge_other(&refs[OTHER].flaw, samples[Y].values, samples[OTHER].values,
                       samples[Y].count);
}

static const Row rows[] = {
    {"rand", "uniform numbers from 0 up to 1", &law_uniform, plain_params, set_unit, DTYPES_FLOAT},
    {"uniform", "uniform numbers between two", &law_uniform, uniform_params, set_uniform,
     DTYPES_FLOAT},
    {"randn", "normal numbers of mean 0 and deviation 1", &law_normal, plain_params, set_standard,
     DTYPES_FLOAT},
    {"normal", "normal numbers", &law_normal, spread_params, set_spread, DTYPES_FLOAT},
    {"log_normal", "powers of e with normal exponents", &law_log_normal, spread_params,
     set_log_normal, DTYPES_FLOAT},
    {"exponential", "waiting times of a rate", &law_exponential, rate_params, set_rate,
     DTYPES_FLOAT},
    {"cauchy", "numbers of Cauchy's distribution", &law_cauchy, spread_params, set_spread,
     DTYPES_FLOAT},
    {"laplace", "numbers of Laplace's distribution", &law_laplace, spread_params, set_spread,
     DTYPES_FLOAT},
    {"gumbel", "numbers of Gumbel's distribution", &law_gumbel, spread_params, set_spread,
     DTYPES_FLOAT},
    {"logistic", "numbers of the logistic distribution", &law_logistic, spread_params, set_spread,
     DTYPES_FLOAT},
    {"rayleigh", "numbers of Rayleigh's distribution", &law_rayleigh, scale_params, set_positive,
     DTYPES_FLOAT},
    {"weibull", "numbers of Weibull's distribution of shape 1.5", &law_weibull, scale_params,
     set_positive, DTYPES_FLOAT},
    {"geometric", "trials up to the first success", &law_geometric, chance_params, set_geometric,
     DTYPES_REAL | 1u << DT_I64},
    {"poisson", "counts of a mean", &law_poisson, mean_params, set_positive,
     DTYPES_REAL | 1u << DT_I64},
    {"binomial", "successes among trials", &law_binomial, trials_params, set_trials,
     DTYPES_REAL | 1u << DT_I64},
    {"bernoulli", "ones with a chance, else zeros", &law_bernoulli, chance_params, set_chance,
     DTYPES_FLOAT | DTYPES_INTEGER | DTYPES_BOOLEAN},
    {"randint", "whole numbers from low up to high", &law_whole, whole_params, set_whole,
     DTYPES_FLOAT | DTYPES_INTEGER},
    {"trunc_normal", "normal numbers within some deviations", &law_truncated_normal,
     truncated_params, set_truncated, DTYPES_FLOAT},
    {"xavier_uniform", "uniform weights by the fans of a matrix", &law_uniform, gain_params,
     set_xavier_uniform, DTYPES_FLOAT},
    {"xavier_normal", "normal weights by the fans of a matrix", &law_normal, gain_params,
     set_xavier_normal, DTYPES_FLOAT},
    {"kaiming_uniform", "uniform weights by the fan-in of a matrix before relu", &law_uniform,
     fan_params, set_kaiming_uniform, DTYPES_FLOAT},
    {"kaiming_normal", "normal weights by the fan-in of a matrix before relu", &law_normal,
     fan_params, set_kaiming_normal, DTYPES_FLOAT},
};

static const IllegalRule illegal[] = {{ILLEGAL_INTEGER, "rows", -1},
                                      {ILLEGAL_NUMBER, "scale", -1},
                                      {ILLEGAL_NUMBER, "chance", -1},
                                      {ILLEGAL_NUMBER, "chance", 2},
                                      {0}},
                         illegal_ends[] = {{ILLEGAL_INTEGER, "rows", -1},
                                           {ILLEGAL_ENDS, "end", 0},
                                           {ILLEGAL_ENDS, "high", 0},
                                           {0}},
                         illegal_sides[] = {{ILLEGAL_INTEGER, "rows", -1}, {0}};

static const IllegalRule *illegal_of(const Row *row)
{
    bool has_ends = row->params == uniform_params || row->params == whole_params;
    return has_ends ? illegal_ends : row->params == gain_params ? illegal_sides : illegal;
}

OP_TABLE(ops_random)
{
    static OpDesc table[COUNT_OF(rows) + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        table[i] = (OpDesc){
            NN_OP(Random, 1),
            .name = rows[i].name,
            .summary = rows[i].summary,
            .params = rows[i].params,
            .tensors = tensors,
            .dtypes = rows[i].dtypes,
            .judged_by_residual = true,
            .only_by_residual = true,
            .random = true,
            .normalise_of_row = normalise,
            .shape = shape,
            .work = work,
            .reference = reference,
            .illegal = illegal_of(&rows[i]),
            .detail = &rows[i],
        };
    return table;
}
