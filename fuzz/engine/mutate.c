/* Mutates decoded cases by the kinds of their parameters and encodes them again. */
#include "mutate.h"

#include <string.h>

#include "ops/case/large.h"
#include "reference/random.h"

enum {
    CANDIDATES = 3,
    SWARM_STRETCH = 64,
    CHOICE_BYTES = 64,
    EXTENTS_STREAM = 0xe7e,
    SEED_STREAM = 0x5eed
};

size_t fresh_bytes(uint8_t bytes[FRESH_BYTES], uint64_t seed, uint64_t number)
{
    uint64_t stream = random_mix(seed) ^ number * 0x9e3779b97f4a7c15u;
    for (size_t i = 0; i < FRESH_BYTES; i += 8) {
        uint64_t word = random_next(&stream);
        memcpy(bytes + i, &word, 8);
    }
    uint64_t swarm = random_at(seed ^ 0x5a5a, number / SWARM_STRETCH);
    memcpy(bytes, &swarm, 2);
    if (bytes[0] == 0xC1) /* would be read as a record */
        bytes[0] ^= 1;
    return FRESH_BYTES;
}

static size_t put_case(const Case *c, uint8_t *bytes, size_t capacity)
{
    Text record = {0};
    case_encode(c, &record);
    size_t size = record.length <= capacity ? record.length : 0;
    if (size > 0)
        memcpy(bytes, record.data, size);
    text_release(&record);
    return size;
}

/* Novelty for the time that a case takes: what any takes beside its own work is worth so many
 * operations. */
static double worth_of(const Schedule *schedule, const Case *c)
{
    const double beside = 1 << 14;
    return schedule->novelty(c) / (beside + case_work(c));
}

/* Large cases have their share of the draws, whatever they are worth: the first draw decides. */
size_t stratum_bytes(uint8_t *bytes, size_t capacity, const Schedule *schedule, uint64_t seed)
{
    uint8_t choices[FRESH_BYTES];
    Scope narrowed;
    Case best;
    schedule_pick(schedule, seed, &narrowed);
    narrowed.drawn = NULL; /* these choices mean other cases elsewhere */
    case_decode(&best, &narrowed, choices, fresh_bytes(choices, seed, 0));
    bool compares = schedule->novelty && !large_is(&best);
    double most = compares ? worth_of(schedule, &best) : 0;
    for (uint64_t draw = 1; compares && draw < CANDIDATES; draw++) {
        Case c;
        case_decode(&c, &narrowed, choices, fresh_bytes(choices, seed, draw));
        double worth = large_is(&c) ? 0 : worth_of(schedule, &c);
        if (worth > most)
            case_copy(&best, &c);
        most = worth > most ? worth : most;
    }
    return put_case(&best, bytes, capacity);
}

/* size: of the choices, a multiple of 8. */
static Draw start_draw(const Case *c, const Scope *scope, uint8_t *choices, size_t size,
                       uint64_t seed)
{
    for (size_t i = 0; i < size; i += 8) {
        uint64_t word = random_next(&seed);
        memcpy(choices + i, &word, 8);
    }
    Draw draw = {.choices = {choices, size, 0}, .dtypes = scope_dtypes(scope, c->op)};
    draw.dtype = case_dtype(c);
    draw.unbiased = scope->unbiased;
    draw.blocks = &scope->blocks;
    draw.regime = (SizeRegime)choice_below(&draw.choices, 3);
    return draw;
}

/* Cases that grew beyond what the generator would make are not worth their time, and neither are
 * many children of the few large ones that it makes. */
static const double work_most = 1 << 22;

static bool affordable(const Case *c)
{
    return case_work(c) <= work_most;
}

/* Extents of the same ranks, where a library takes them. */
static void draw_extents(Case *c, const Scope *scope, uint64_t seed)
{
    const Case drawn = *c;
    uint8_t choices[FRESH_BYTES];
    Draw draw = start_draw(c, scope, choices, sizeof choices, seed);
    for (const Param *param = c->op->params; param->name; param++) {
        Param of_rank = *param;
        if (param->kind == PARAM_SHAPE)
            of_rank.minimum = of_rank.maximum = param_shape(param, c->params)->rank;
        if (param->kind == PARAM_SHAPE || param->kind == PARAM_DIM)
            param_draw(&of_rank, c->params, &draw);
    }
    case_normalise(c, scope);
    if (!affordable(c))
        case_limit(c, work_most);
    if (!scope_takes(scope, c, seed, false))
        *c = drawn;
}

/* The case with other data, which the seed decides from so many bytes of choices. */
static size_t redrawn_bytes(uint8_t *bytes, size_t capacity, Case *c, const Scope *scope,
                            uint64_t seed, size_t choice_bytes)
{
    uint8_t choices[FRESH_BYTES];
    Draw draw = start_draw(c, scope, choices, choice_bytes, seed);
    fill_draw_all(c->fill, op_tensor_count(c->op), c->op->fills, &draw);
    case_normalise(c, scope);
    return put_case(c, bytes, capacity);
}

/* One call with other data, and from time to time with other extents.  An illegal argument is
 * refused whatever the data are: only the first case has it. */
static size_t alike_bytes(uint8_t bytes[CASE_BYTES_MAX], Case *c, const Scope *scope, uint64_t seed,
                          uint64_t number)
{
    uint64_t alike = (uint64_t)scope->draws_alike, place = number % (uint64_t)scope->draws;
    c->exec.illegal = 0;
    if (place >= alike)
        draw_extents(c, scope, random_at(seed ^ EXTENTS_STREAM, number - place % alike));
    return redrawn_bytes(bytes, CASE_BYTES_MAX, c, scope, random_at(seed, number), FRESH_BYTES);
}

/* again: as in Scope.takes. */
static size_t mutated_bytes(uint8_t *bytes, size_t size, size_t capacity, const Scope *scope,
                            uint64_t seed, bool again)
{
    uint64_t state = seed;
    Case c, original;
    case_decode(&c, scope, bytes, size);
    original = c;
    uint8_t choices[CHOICE_BYTES];
    Draw draw = start_draw(&c, scope, choices, sizeof choices, random_next(&state));
    ParamGroup groups[CASE_GROUPS_MAX];
    int count = case_groups(&c, groups);
    for (int64_t steps = 1 + choice_below(&draw.choices, 4); steps > 0; steps--) {
        int64_t pick = choice_below(&draw.choices, 16);
        if (pick == 15) {
            fill_draw_all(c.fill, op_tensor_count(c.op), c.op->fills, &draw);
            continue;
        }
        const ParamGroup *group = &groups[pick < 8 ? 0 : choice_below(&draw.choices, count)];
        int64_t rows = 0;
        while (group->params[rows].name)
            rows++;
        param_mutate(&group->params[choice_below(&draw.choices, rows)], group->values, &draw);
    }
    if (!affordable(&original))
        case_limit(&c, work_most);
    case_normalise(&c, scope);
    bool kept = affordable(&c) && scope_takes(scope, &c, seed, again);
    return put_case(kept ? &c : &original, bytes, capacity);
}

size_t mutate_bytes(uint8_t *bytes, size_t size, size_t capacity, const Scope *scope, uint64_t seed)
{
    return mutated_bytes(bytes, size, capacity, scope, seed, false);
}

static size_t bytes_of_seed(uint8_t *bytes, size_t capacity, const Scope *scope, uint64_t seed,
                            bool again)
{
    if (scope->seed_count == 0 || random_at(seed, 4) % SEED_SHARE != 0)
        return 0;
    Case c = *scope->seeds[random_at(seed, 5) % scope->seed_count];
    if (random_at(seed, 6) % 2 == 0)
        return redrawn_bytes(bytes, capacity, &c, scope, random_at(seed, 7), FRESH_BYTES);
    size_t size = put_case(&c, bytes, capacity);
    return size ? mutated_bytes(bytes, size, capacity, scope, random_at(seed, 7), again) : 0;
}

size_t seeded_bytes(uint8_t *bytes, size_t capacity, const Scope *scope, uint64_t seed)
{
    return bytes_of_seed(bytes, capacity, scope, seed, false);
}

/* Choices for the generator, or a case that is made of a seed. */
static size_t first_bytes(uint8_t bytes[CASE_BYTES_MAX], const Scope *scope, uint64_t seed,
                          uint64_t number, bool again)
{
    uint64_t drawn = random_at(seed ^ SEED_STREAM, number);
    size_t size = bytes_of_seed(bytes, CASE_BYTES_MAX, scope, drawn, again);
    return size ? size : fresh_bytes(bytes, seed, number);
}

uint64_t mutate_stretch(const Scope *scope)
{
    return (uint64_t)(scope->draws * (scope->together > 1 ? scope->together : 1));
}

/* The number of a case among those that have one call after the other, of one where they come by
 * turns. */
static uint64_t number_in_lane(const Scope *scope, uint64_t number)
{
    uint64_t stretch = mutate_stretch(scope), draws = (uint64_t)scope->draws;
    uint64_t place = number % stretch, lanes = stretch / draws;
    return number - place + place % lanes * draws + place / lanes;
}

size_t drawn_bytes(uint8_t bytes[CASE_BYTES_MAX], const Scope *scope, uint64_t seed,
                   uint64_t number)
{
    Case c;
    if (scope->draws > 0) {
        number = number_in_lane(scope, number);
        uint64_t place = number % (uint64_t)scope->draws;
        size_t first = first_bytes(bytes, scope, seed, number - place, place > 0);
        if (place > 0)
            case_decode_again(&c, scope, bytes, first);
        else
            case_decode(&c, scope, bytes, first);
        if (!c.op->source)
            return place == 0 ? first : alike_bytes(bytes, &c, scope, seed, number);
    }
    uint64_t place = number % DATA_DRAWS;
    size_t size = first_bytes(bytes, scope, seed, number - place, place > 0);
    if (place == 0)
        return size;
    case_decode_again(&c, scope, bytes, size);
    if (!c.op->source)
        return first_bytes(bytes, scope, seed, number, false);
    return redrawn_bytes(bytes, CASE_BYTES_MAX, &c, scope, random_at(seed, number), CHOICE_BYTES);
}

static void cross_groups(ParamGroup *to, const ParamGroup *from, uint64_t *state)
{
    for (const Param *param = to->params; param->name; param++)
        if (random_next(state) & 1)
            param_copy(param, to->values, from->values);
}

size_t cross_bytes(const uint8_t *a, size_t a_size, const uint8_t *b, size_t b_size, uint8_t *out,
                   size_t capacity, const Scope *scope, uint64_t seed)
{
    Case first, second;
    case_decode(&first, scope, a, a_size);
    case_decode(&second, scope, b, b_size);
    Case child = first;
    uint64_t state = seed;
    ParamGroup to[CASE_GROUPS_MAX], from[CASE_GROUPS_MAX];
    int count = case_groups(&child, to), others = case_groups(&second, from);
    /* The groups are the operator's own, one for each tensor, and how to drive it: between
     * operators those of tensors are spliced in any places. */
    if (first.op == second.op)
        cross_groups(&to[0], &from[0], &state);
    for (int g = 1; g < count - 1; g++)
        cross_groups(
            &to[g],
            &from[first.op == second.op ? (uint64_t)g
                                        : 1 + random_next(&state) % (uint64_t)(others - 2)],
            &state);
    cross_groups(&to[count - 1], &from[others - 1], &state);
    if (!affordable(&first))
        case_limit(&child, work_most);
    case_normalise(&child, scope);
    if (!affordable(&child) || !scope_takes(scope, &child, seed, false))
        child = first;
    size_t size = put_case(&child, out, capacity);
    return case_equal(&child, &first) ? mutate_bytes(out, size, capacity, scope, seed) : size;
}
