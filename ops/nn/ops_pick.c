/* Random picks: permutations, places by weights, ones by a chance each.
 *
 * permutations: `rows` of them, one after the other; each must have every number below `columns`
 * once.  multinomial: places 0 to columns - 1 by the weights in x, whole numbers of which the first
 * is 1, so that some are 0 and never drawn; without replacement the weights are x + 1, and a row
 * has no place twice.  bernoulli_each: 1 with the chance in x, else 0.
 *
 * The tests are those of reference/chance.h: of permutations how many elements stay, stay side by
 * side or cross the middle, and where each number comes in short ones; of places how often each is
 * drawn, where the running sums of weights are rounded in the type, and how often rows agree; of
 * ones how many there are (Hoeffding, JASA 58, 1963, of trials of unequal chances). */
#include <math.h>

#include "nn_random.h"
#include "reference/chance.h"
#include "reference/random.h"

typedef struct Pick {
    int64_t dtype, rows, columns, samples, replacement, seed;
} Pick;

#define SEED        P_INTEGER(Pick, seed, 0, 65534, 0, "seed of the generator")
#define COLUMNS_MAX 48

static const Param permutation_params[] = {
    NN_DTYPE(Pick), P_DIM(Pick, rows, 1, 1024, "permutations"),
    P_DIM(Pick, columns, 0, 4096, "elements of each"), SEED, P_END};
static const Param multinomial_params[] = {
    NN_DTYPE(Pick),
    P_DIM(Pick, rows, 0, 512, "rows"),
    P_DIM(Pick, columns, 1, COLUMNS_MAX, "places"),
    P_DIM(Pick, samples, 1, 1024, "draws of a row"),
    P_CHOICE(Pick, replacement, nn_yes_no, "a place may come again in a row"),
    SEED,
    P_END};
static const Param each_params[] = {NN_DTYPE(Pick), P_DIM(Pick, rows, 0, 4096, "rows"),
                                    P_DIM(Pick, columns, 0, 4096, "columns"), SEED, P_END};
static const char *const line_tensors[] = {"y", "again", "other", NULL};
static const char *const weighted_tensors[] = {"x", "y", "again", "other", NULL};

static double work(const void *params)
{
    enum { COST = 16 };
    const Pick *q = params;
    double samples = q->samples > 0 ? (double)q->samples : 1;
    return COST * ((double)q->rows * ((double)q->columns + samples) + 1);
}

static void permutation_shape(const void *params, Shapes *shapes)
{
    const Pick *q = params;
    Shape matrix = {2, {q->rows, q->columns}};
    *shapes = (Shapes){.depth = 1};
    nn_add_draws(shapes, nn_dtype(q), &matrix);
}

/* A case before a kernel ran; x is NULL for permutations. */
typedef struct Own {
    const Pick *q;
    const Tensor *x;
} Own;

/* Element i of a permutation of its row: how many keys are less than its own, a rank. */
static double own_rank(const void *context, uint64_t seed, int64_t i)
{
    const Pick *q = ((const Own *)context)->q;
    int64_t first = i - i % q->columns, rank = 0;
    uint64_t key = random_at(seed, (uint64_t)i);
    for (int64_t k = first; k < first + q->columns; k++) {
        uint64_t other = random_at(seed, (uint64_t)k);
        rank += other < key || (other == key && k < i);
    }
    return (double)rank;
}

/* Marks repeated and impossible elements of a row of places; true where there are none. */
static bool put_distinct(Ref *ref, const double *values, int64_t first, int64_t length,
                         int64_t below, Arena *arena)
{
    size_t used = arena->used;
    uint8_t *seen = arena_take_zeroed(arena, (size_t)below + 1, 1);
    bool right = true;
    int64_t unseen = 0;
    for (int64_t i = first; i < first + length; i++) {
        double value = values[i];
        bool fresh = value >= 0 && value < (double)below && !seen[(int64_t)value];
        if (fresh)
            seen[(int64_t)value] = 1;
        right = right && fresh;
    }
    for (int64_t i = first; i < first + length && !right; i++) {
        bool inside = values[i] >= 0 && values[i] < (double)below;
        if (inside && seen[(int64_t)values[i]] == 1) {
            seen[(int64_t)values[i]] = 2;
            continue;
        }
        while (unseen < below && seen[unseen])
            unseen++;
        ref_set_exact(ref, (size_t)i, (double)unseen++, MATCH_VALUE);
    }
    arena->used = used;
    return right;
}

static void put_permutations(Ref *ref, const Pick *q, const double *values, Arena *arena)
{
    bool right = true;
    for (int64_t i = 0; i < q->rows * q->columns; i++)
        ref_set_exact(ref, (size_t)i, values[i], MATCH_VALUE);
    for (int64_t row = 0; row < q->rows; row++)
        right &= put_distinct(ref, values, row * q->columns, q->columns, q->columns, arena);
    if (right)
        chance_judge_permutations(&ref->flaw, values, q->rows, q->columns, arena);
}

/* Two seeds give the same with the inverse of the number of permutations, for each row. */
static bool tells_orders_apart(const Pick *q)
{
    return (double)q->rows * lgamma((double)q->columns + 1) > chance_exponent();
}

static void permutation_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { Y, AGAIN, OTHER };
    const Pick *q = input->params;
    const Own own = {q, NULL};
    int64_t count = q->rows * q->columns;
    const double *draws[NN_DRAWS];
    for (int i = Y; i <= OTHER; i++) {
        uint64_t seed = (uint64_t)q->seed + (i == OTHER);
        ref_allocate_exact(&refs[i], &input->tensors[i], arena);
        draws[i] = nn_draws_of(input, i, count, own_rank, &own, seed, arena);
    }
    put_permutations(&refs[Y], q, draws[Y], arena);
    put_permutations(&refs[OTHER], q, draws[OTHER], arena);
    nn_put_again(&refs[AGAIN], draws[Y], count);
    if (tells_orders_apart(q))
        nn_judge_other(&refs[OTHER].flaw, draws[Y], draws[OTHER], count);
}

/* multinomial: the weights are the same for all rows. */
static void normalise_multinomial(void *params)
{
    Pick *q = params;
    if (!q->replacement && q->samples > q->columns)
        q->samples = q->columns;
}

static void multinomial_shape(const void *params, Shapes *shapes)
{
    enum { WEIGHTS_BELOW = 5 };
    const Pick *q = params;
    Shape line = {1, {q->columns}}, matrix = {2, {q->rows, q->samples}};
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, DT_I64, &line, ROLE_IN);
    shapes->tensor[0].index_below = WEIGHTS_BELOW;
    shapes->tensor[0].has_head = true;
    shapes->tensor[0].head = 1;
    nn_add_draws(shapes, DT_I64, &matrix);
}

static double weight_of(const Own *own, int64_t place)
{
    return tensor_value(own->x, place) + (own->q->replacement ? 0 : 1);
}

static double sum_of_weights(const Own *own)
{
    double sum = 0;
    for (int64_t k = 0; k < own->q->columns; k++)
        sum += weight_of(own, k);
    return sum;
}

/* The place with the greatest key u^(1 / weight) among those that are left (Efraimidis and
 * Spirakis, Information Processing Letters 97, 2006): draw i of a row has the i-th greatest. */
static double own_place(const void *context, uint64_t seed, int64_t i)
{
    const Own *own = context;
    const Pick *q = own->q;
    int64_t row = i / q->samples;
    double left = chance_unit(seed, (uint64_t)i, 0) * sum_of_weights(own);
    int64_t place = 0;
    if (q->replacement) {
        while (left >= weight_of(own, place))
            left -= weight_of(own, place++);
        return (double)place;
    }
    double keys[COLUMNS_MAX];
    for (int64_t k = 0; k < q->columns; k++)
        keys[k] =
            log(1 - chance_unit(seed, (uint64_t)(row * COLUMNS_MAX + k), 0)) / weight_of(own, k);
    for (int64_t k = 0; k < q->columns; k++) {
        int64_t greater = 0;
        for (int64_t other = 0; other < q->columns; other++)
            greater += other < k ? keys[other] >= keys[k] : keys[other] > keys[k];
        if (greater == i % q->samples)
            return (double)k;
    }
    return 0;
}

/* How often each place comes: of all draws, or without replacement of the first ones of rows. */
static void judge_places(Flaw *flaw, const Own *own, const double *values, DType dtype)
{
    const Pick *q = own->q;
    int64_t step = q->replacement ? 1 : q->samples, count = q->rows * q->samples;
    int64_t draws = count / step;
    double counts[COLUMNS_MAX] = {0}, sum = sum_of_weights(own), trials = (double)draws;
    double error = 4 * (double)(q->columns + 4) * dtype_format(dtype)->unit, same = 0, agreed = 0;
    for (int64_t i = 0; i < count; i += step)
        counts[(int64_t)values[i]]++;
    for (int64_t k = 0; k < q->columns; k++) {
        double p = weight_of(own, k) / sum;
        same += p * p;
        chance_judge_count(flaw, "how often a place is drawn", counts[k], trials, p - error,
                           p + error);
    }
    int64_t pairs = q->rows / 2;
    pairs *= q->replacement ? q->samples : 1;
    for (int64_t row = 0; row + 1 < q->rows; row += 2)
        for (int64_t i = 0; i < (q->replacement ? q->samples : 1); i++)
            agreed += values[row * q->samples + i] == values[(row + 1) * q->samples + i];
    chance_judge_count(flaw, "rows of draws are not independent", agreed, (double)pairs,
                       same - error, same + 2 * error);
}

static void put_places(Ref *ref, const Own *own, const double *values, DType dtype, Arena *arena)
{
    const Pick *q = own->q;
    bool right = true;
    for (int64_t i = 0; i < q->rows * q->samples; i++) {
        double value = values[i];
        bool inside =
            value >= 0 && value < (double)q->columns && weight_of(own, (int64_t)value) > 0;
        ref_set_exact(ref, (size_t)i, inside ? value : 0, MATCH_VALUE);
        right = right && inside;
    }
    for (int64_t row = 0; row < q->rows && !q->replacement; row++)
        right &= put_distinct(ref, values, row * q->samples, q->samples, q->columns, arena);
    if (right)
        judge_places(&ref->flaw, own, values, dtype);
}

/* One place of two at least, and for each row another choice. */
static bool tells_places_apart(const Own *own)
{
    double sum = sum_of_weights(own), most = 0;
    for (int64_t k = 0; k < own->q->columns; k++)
        most = fmax(most, weight_of(own, k) / sum);
    double trials = (double)(own->q->rows * (own->q->replacement ? own->q->samples : 1));
    return -trials * log(fmin(most + 0.01, 1)) > chance_exponent();
}

static void multinomial_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { X, Y, AGAIN, OTHER };
    const Pick *q = input->params;
    const Own own = {q, &input->tensors[X]};
    int64_t count = q->rows * q->samples;
    const double *draws[OTHER + 1] = {NULL};
    for (int i = Y; i <= OTHER; i++) {
        uint64_t seed = (uint64_t)q->seed + (i == OTHER);
        ref_allocate_exact(&refs[i], &input->tensors[i], arena);
        draws[i] = nn_draws_of(input, i, count, own_place, &own, seed, arena);
    }
    put_places(&refs[Y], &own, draws[Y], nn_dtype(q), arena);
    put_places(&refs[OTHER], &own, draws[OTHER], nn_dtype(q), arena);
    nn_put_again(&refs[AGAIN], draws[Y], count);
    if (tells_places_apart(&own))
        nn_judge_other(&refs[OTHER].flaw, draws[Y], draws[OTHER], count);
}

/* bernoulli_each */
static void each_shape(const void *params, Shapes *shapes)
{
    const Pick *q = params;
    Shape matrix = {2, {q->rows, q->columns}};
    *shapes = (Shapes){.depth = 1};
    nn_add_operand(shapes, nn_dtype(q), &matrix, ROLE_IN);
    shapes->tensor[0].probability = true;
    nn_add_draws(shapes, nn_dtype(q), &matrix);
}

static double own_one(const void *context, uint64_t seed, int64_t i)
{
    const Own *own = context;
    double p = tensor_value(own->x, i);
    return p >= 0 && p <= 1 ? chance_unit(seed, (uint64_t)i, 0) < p : NAN;
}

/* Elements whose chance is between 0 and 1 are trials; what chance is NaN may give anything. */
static void put_ones(Ref *ref, const Own *own, const double *values)
{
    double trials = 0, ones = 0, sum = 0, error = 4 * dtype_format(ref->dtype)->unit;
    for (size_t i = 0; i < ref->count; i++) {
        double p = tensor_value(own->x, (int64_t)i), value = values[i];
        bool certain = p == 0 || p == 1, right = certain ? value == p : value == 0 || value == 1;
        ref_set_exact(ref, i, right ? value : certain ? p : value >= 1, MATCH_VALUE);
        if (!(p >= 0 && p <= 1)) {
            ref_admit_anything(ref, i);
        } else if (!certain) {
            trials++;
            sum += p;
            ones += value;
        }
    }
    if (trials > 0)
        chance_judge_count(&ref->flaw, "how many ones are drawn", ones, trials,
                           sum / trials - error, sum / trials + error);
}

static bool tells_ones_apart(const Own *own, int64_t count)
{
    double exponent = 0;
    for (int64_t i = 0; i < count; i++) {
        double p = tensor_value(own->x, i);
        if (p > 0 && p < 1)
            exponent -= log(fmin(1, p * p + (1 - p) * (1 - p) + 0.01));
    }
    return exponent > chance_exponent();
}

static void each_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    enum { X, Y, AGAIN, OTHER };
    const Pick *q = input->params;
    const Own own = {q, &input->tensors[X]};
    int64_t count = q->rows * q->columns;
    const double *draws[OTHER + 1] = {NULL};
    for (int i = Y; i <= OTHER; i++) {
        uint64_t seed = (uint64_t)q->seed + (i == OTHER);
        ref_allocate_exact(&refs[i], &input->tensors[i], arena);
        draws[i] = nn_draws_of(input, i, count, own_one, &own, seed, arena);
    }
    put_ones(&refs[Y], &own, draws[Y]);
    put_ones(&refs[OTHER], &own, draws[OTHER]);
    nn_put_again(&refs[AGAIN], draws[Y], count);
    if (tells_ones_apart(&own, count))
        nn_judge_other(&refs[OTHER].flaw, draws[Y], draws[OTHER], count);
}

#define RANDOM                                                                                     \
    NN_OP(Pick, 1), .judged_by_residual = true, .only_by_residual = true, .random = true,          \
                    .work = work

static const IllegalRule illegal_samples[] = {{ILLEGAL_INTEGER, "samples", 0}, {0}};

static const OpDesc table[] = {
    {RANDOM, .name = "permutations", .summary = "whole numbers in random order",
     .params = permutation_params, .tensors = line_tensors, .dtypes = 1u << DT_I32 | 1u << DT_I64,
     .shape = permutation_shape, .reference = permutation_reference},
    {RANDOM, .name = "multinomial", .summary = "places drawn by weights",
     .params = multinomial_params, .tensors = weighted_tensors, .dtypes = DTYPES_FLOAT,
     .normalise = normalise_multinomial, .shape = multinomial_shape,
     .reference = multinomial_reference, .illegal = illegal_samples},
    {RANDOM, .name = "bernoulli_each", .summary = "ones with a chance each, else zeros",
     .params = each_params, .tensors = weighted_tensors, .dtypes = DTYPES_FLOAT,
     .shape = each_shape, .reference = each_reference},
    {.name = NULL},
};

OP_TABLE(ops_pick)
{
    return table;
}
