/* Bytes to cases and back.
 *
 * A tagged record is  0xC1, tag of the operator (2 bytes), then items of tag (2), length (1) and
 * payload.  Tags are hashes of names, former names included, so that a record survives a change of
 * the tables: unknown items are skipped, missing ones mean the simplest value, of duplicates the
 * last counts.  Anything
 * that does not begin like a record is read as choices of the generator. */
#include <math.h>
#include <stddef.h>
#include <string.h>

#include "case.h"
#include "drawn.h"
#include "illegal.h"
#include "large.h"
#include "reference/random.h"
#include "relation.h"
#include "tags.h"

enum { RECORD_MARK = 0xC1, ITEM_HEAD = 3 };

enum { CASE_EXTENTS_MAX = OP_PARAMS_MAX };

enum { DRAWN_CHOICES = 256, SWARM_BYTES = 2 };

/* Budgets in multiplications: most cases, one case in sixteen, one in a thousand or two of those
 * whose work grows faster than their operands, one in some thousands of those that libraries of the
 * BLAS have; and the most of any other. */
static const double work_usual = 1 << 19, work_large = 1 << 22, work_dear = 1 << 27,
                    work_huge = 3e8, work_most = 1 << 23;

static uint16_t read_tag(const uint8_t *at)
{
    return (uint16_t)(at[0] | at[1] << 8);
}

static void decode_former(const Param *param, const ParamGroup *group, uint16_t tag,
                          const uint8_t *payload, size_t size)
{
    Param former = param_former(param);
    if (name_tag(group->name, former.name) == tag)
        param_decode(&former, group->values, payload, size);
}

static void decode_item(const ParamGroup *groups, int count, const uint16_t *tags, uint16_t tag,
                        const uint8_t *payload, size_t size)
{
    for (int i = 0; i < count; i++)
        for (const Param *param = groups[i].params; param->name; param++, tags++)
            if (*tags == tag)
                param_decode(param, groups[i].values, payload, size);
            else if (param->formerly)
                decode_former(param, &groups[i], tag, payload, size);
}

/* Every extent of the case, in the order of the table. */
static int collect_extents(Case *c, int64_t *extents[CASE_EXTENTS_MAX])
{
    int count = 0;
    for (const Param *param = c->op->params; param->name; param++) {
        int64_t *of_param[TENSOR_RANK_MAX];
        int found = param_extents(param, c->params, of_param);
        for (int i = 0; i < found && count < CASE_EXTENTS_MAX; i++)
            extents[count++] = of_param[i];
    }
    return count;
}

/* Halves the largest extent but for one, -1: none. */
static bool halve_largest(int64_t *const *extents, int count, int held)
{
    int largest = held == 0;
    for (int i = largest + 1; i < count; i++)
        largest = i != held && *extents[i] > *extents[largest] ? i : largest;
    if (largest >= count || *extents[largest] < 2)
        return false;
    *extents[largest] /= 2;
    return true;
}

static double scale_of(const Scope *scope)
{
    return scope && scope->scale > 1 ? scope->scale : 1;
}

/* The work is at least the number of components, which has a limit of its own. */
static bool exceeds(const Case *c, double budget)
{
    return case_work(c) > budget ||
           (budget > CASE_COMPONENTS_MAX && case_components(c) > CASE_COMPONENTS_MAX);
}

/* Halves the largest extents until a case is within a budget, but for one that is held (NULL: none)
 * as long as the others are enough. */
static void halve_extents(Case *c, double budget, const int64_t *held)
{
    int64_t *extents[CASE_EXTENTS_MAX];
    int count = collect_extents(c, extents), place = -1;
    for (int i = 0; i < count; i++)
        place = held && extents[i] == held ? i : place;
    while (exceeds(c, budget) &&
           (halve_largest(extents, count, place) || halve_largest(extents, count, -1)))
        continue;
}

/* True for matrix products, factors and the like, whose work grows faster than their operands, by
 * more than 2^2.5 for twice the extents: others have no kernels for extents of several
 * hundred. */
static bool is_dense(const OpDesc *op)
{
    enum { EXTENT = 32 };
    double work[2];
    Case c;
    case_init(&c, op);
    for (int i = 0; i < 2; i++) {
        for (const Param *param = op->params; param->name; param++)
            if (param->kind == PARAM_DIM && param->maximum >= 2 * EXTENT)
                *param_integer(param, c.params) = EXTENT << i;
        work[i] = case_work(&c);
    }
    return work[1] > 5.66 * work[0];
}

/* The most work of a case that is not checked by sums; many elements are work by themselves. */
static double most_work(const Case *c)
{
    if (c->op->has_functions)
        return work_huge;
    return case_work(c) > work_most && case_components(c) <= work_most && is_dense(c->op)
               ? work_dear
               : work_most;
}

static void decode_record(Case *c, const Scope *scope, const uint8_t *bytes, size_t size)
{
    const OpDesc *op = scope->ops[0];
    for (int i = 0; i < scope->op_count; i++)
        if (op_tag(scope->ops[i]) == read_tag(bytes + 1))
            op = scope->ops[i];
    case_init(c, op);
    ParamGroup groups[CASE_GROUPS_MAX];
    int count = case_groups(c, groups);
    const uint16_t *tags = case_tags(op, groups, count);
    for (size_t at = CASE_RECORD_HEAD; at + ITEM_HEAD <= size;) {
        size_t length = bytes[at + 2];
        if (length > size - at - ITEM_HEAD)
            length = size - at - ITEM_HEAD;
        decode_item(groups, count, tags, read_tag(bytes + at), bytes + at + ITEM_HEAD, length);
        at += ITEM_HEAD + length;
    }
    /* Bytes may hold extents that no generator would draw together. */
    if (!large_is(c) || !case_has_room(c))
        halve_extents(c, most_work(c) * scale_of(scope), NULL);
    case_normalise(c, scope);
}

size_t case_item_size(const Text *record, size_t at)
{
    return at + ITEM_HEAD <= record->length ? ITEM_HEAD + (unsigned char)record->data[at + 2] : 0;
}

static void append_tag(Text *bytes, uint16_t tag)
{
    const char pair[2] = {(char)(tag & 0xff), (char)(tag >> 8)};
    text_append(bytes, pair, sizeof pair);
}

void case_encode(const Case *c, Text *bytes)
{
    Case copy = *c;
    ParamGroup groups[CASE_GROUPS_MAX];
    int count = case_groups(&copy, groups);
    const uint16_t *tags = case_tags(c->op, groups, count);
    const char mark = (char)RECORD_MARK;
    text_append(bytes, &mark, 1);
    append_tag(bytes, op_tag(c->op));
    for (int i = 0; i < count; i++) {
        for (const Param *param = groups[i].params; param->name; param++, tags++) {
            if (param_is_simplest(param, groups[i].values))
                continue;
            append_tag(bytes, *tags);
            size_t length_at = bytes->length;
            text_append(bytes, "", 1);
            param_encode(param, groups[i].values, bytes);
            bytes->data[length_at] = (char)(bytes->length - length_at - 1);
        }
    }
}

static void keep_range(const Param *param, void *values)
{
    int64_t *value = param_integer(param, values), *extents[TENSOR_RANK_MAX];
    if (param->kind == PARAM_SHAPE) {
        int count = param_extents(param, values, extents);
        while (shape_count(param_shape(param, values)) > SHAPE_COUNT_MAX &&
               halve_largest(extents, count, -1))
            continue;
    }
    if (param->kind == PARAM_DIM)
        *value = *value < param->minimum   ? param->minimum
                 : *value > param->maximum ? param->maximum
                                           : *value;
}

/* The largest extent, where it is one of those that are drawn beyond the blocks of kernels, and in
 * one case of four where it is beyond a few vectors: others pay for it; NULL where there is none.
 */
static int64_t *held_extent(int64_t *const *extents, int count, Choices *choices)
{
    enum { LARGE = 514, VECTORS = 32, ONE_IN = 4 };
    int64_t least = choice_below(choices, ONE_IN) == ONE_IN - 1 ? VECTORS : LARGE;
    int64_t *largest = NULL;
    for (int i = 0; i < count; i++)
        if (*extents[i] > least && (!largest || *extents[i] > *largest))
            largest = extents[i];
    return largest;
}

static bool holds_extent(const Param *param, Case *c, const int64_t *extent)
{
    int64_t *extents[TENSOR_RANK_MAX];
    int count = param_extents(param, c->params, extents);
    for (int i = 0; i < count; i++)
        if (extents[i] == extent)
            return true;
    return false;
}

/* Meets the budget by redrawing extents as small ones, then by halving them. */
static void limit_work(Case *c, Draw *draw, double budget)
{
    const Param *sized[OP_PARAMS_MAX];
    int64_t *extents[CASE_EXTENTS_MAX];
    int count = 0, all = collect_extents(c, extents);
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_DIM || param->kind == PARAM_SHAPE)
            sized[count++] = param;
    if (count == 0)
        return;
    if (all >= 2 && choice_below(&draw->choices, 16) == 15)
        *extents[1] = *extents[0];
    for (int i = 0; i < count; i++)
        keep_range(sized[i], c->params);
    SizeRegime regime = draw->regime;
    const int64_t *held = draw->huge ? NULL : held_extent(extents, all, &draw->choices);
    draw->regime = REGIME_SMALL;
    for (int tries = 0; tries < 4 && case_work(c) > budget && !draw->huge; tries++) {
        const Param *param = sized[choice_below(&draw->choices, count)];
        if (!holds_extent(param, c, held))
            param_draw(param, c->params, draw);
    }
    draw->regime = regime;
    halve_extents(c, budget, held);
}

void case_limit(Case *c, double budget)
{
    halve_extents(c, budget, NULL);
    case_normalise(c, NULL);
}

/* The value that parameters of one kind are to share: the first one, or of extents the smallest
 * that is not 0, so that the work does not grow. */
static int64_t common_value(Case *c, ParamKind kind)
{
    int64_t common = 0;
    for (const Param *param = c->op->params; param->name; param++) {
        int64_t value = param->kind == kind ? *param_integer(param, c->params) : 0;
        if (value != 0 && (common == 0 || (kind == PARAM_DIM && value < common)))
            common = value;
    }
    return common;
}

/* Makes parameters of one kind equal, as kernels take for granted or pay special attention to. */
static void make_equal(Case *c, ParamKind kind)
{
    int64_t common = common_value(c, kind);
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == kind && common >= param->minimum && common <= param->maximum &&
            !(common == 0 && param_excludes_zero(param)))
            *param_integer(param, c->params) = common;
}

static void draw_coincidences(Case *c, Draw *draw)
{
    static const ParamKind kinds[] = {PARAM_DIM, PARAM_INCREMENT, PARAM_PAD};
    int64_t one_in = c->op->has_functions ? 4 : 16;
    if (draw->unbiased || choice_below(&draw->choices, one_in) != one_in - 1)
        return;
    for (size_t i = 0; i < COUNT_OF(kinds); i++)
        if (choice_below(&draw->choices, 2))
            make_equal(c, kinds[i]);
}

/* Which function is called.  Fortran stores matrices by columns only. */
static void draw_function(Case *c, Draw *draw)
{
    const Param *order = op_param(c->op, "order", strlen("order"));
    int64_t odds = c->op->has_functions ? 8 : 4;
    if (choice_below(&draw->choices, odds) == odds - 1)
        c->exec.function = choice_between(&draw->choices, 1, EXEC_FUNCTIONS - 1);
    if (!c->op->has_functions)
        return;
    bool fortran = c->exec.function || c->exec.relation == RELATION_FUNCTION;
    if (fortran && order)
        param_set_simplest(order, c->params);
}

/* A form of a mask, of an empty one any: each as often, and those of integers together as often as
 * another. */
static int64_t form_among(Choices *choices, uint32_t forms)
{
    int64_t among[FORM_COUNT], integers[FORM_COUNT], count = 0, kinds = 0;
    for (int64_t form = FORM_PLAIN + 1; form < FORM_COUNT; form++) {
        if (forms != 0 && !(forms >> form & 1))
            continue;
        if (form_integer((FormKind)form).bits > 0)
            integers[kinds++] = form;
        else
            among[count++] = form;
    }
    if (count + kinds == 0)
        return FORM_PLAIN;
    int64_t chosen = choice_below(choices, count + (kinds > 0));
    return chosen < count ? among[chosen] : integers[choice_below(choices, kinds)];
}

/* A whole number of a type of integers: small, or beside a power of two, the ends among them. */
static double draw_integer(FormInteger type, Choices *choices)
{
    enum { SMALL = 4, SIDES = 3 };
    int bits = type.bits - type.is_signed;
    int64_t power = choice_below(choices, 2 * (int64_t)bits);
    double number = power < bits ? (double)choice_below(choices, bits > 1 ? SMALL : 2)
                                 : ldexp(1, (int)(power - bits + 1)) -
                                       (double)choice_below(choices, power < bits + SIDES ? 1 : 2);
    double largest = ldexp(1, bits) - 1;
    bool negative = type.is_signed && choice_below(choices, 2);
    return negative ? -fmin(number, largest + 1) : fmin(number, largest);
}

/* Data of whole numbers that the type of the form has. */
static void draw_integers(Case *c, Draw *draw)
{
    FormInteger type = form_integer((FormKind)c->exec.form);
    if (type.bits == 0)
        return;
    for (int i = 0; i < op_tensor_count(c->op); i++) {
        Fill *fill = &c->fill[i];
        *fill = (Fill){.kind = FILL_LIST,
                       .values.count = choice_between(&draw->choices, 1, PARAM_LIST_MAX)};
        for (int64_t k = 0; k < fill->values.count; k++)
            fill->values.values[k] = draw_integer(type, &draw->choices);
    }
}

/* How the call is written.  Numbers in place of tensors need an operand of one element. */
static void draw_form(Case *c, Draw *draw, uint32_t forms)
{
    enum { ONE_IN = 4, ALL_AXES = 31 };
    if (!c->op->any_layout || choice_below(&draw->choices, ONE_IN) != ONE_IN - 1)
        return;
    c->exec.form = form_among(&draw->choices, forms);
    draw_integers(c, draw);
    if (c->exec.form != FORM_NUMBER && c->exec.form != FORM_ZERO_DIM)
        return;
    const Param *a = op_param(c->op, "broadcast_a", strlen("broadcast_a")),
                *b = op_param(c->op, "broadcast_b", strlen("broadcast_b"));
    bool first = a && choice_below(&draw->choices, ONE_IN) == ONE_IN - 1;
    if (!b || !op_param(c->op, "shape", strlen("shape")))
        return;
    *param_integer(b, c->params) = first ? 0 : ALL_AXES;
    if (a)
        *param_integer(a, c->params) = first ? ALL_AXES : 0;
}

/* What is written or laid out in another way is held against the plain call now and then. */
static void draw_plain_relation(Case *c, Draw *draw)
{
    enum { ONE_IN = 4 };
    bool written = c->exec.form != FORM_PLAIN, laid_out = c->exec.layout != LAYOUT_DENSE;
    if ((written || laid_out) && choice_below(&draw->choices, ONE_IN) == ONE_IN - 1)
        c->exec.relation = written ? RELATION_PLAIN : RELATION_DENSE;
}

/* One of the rules. */
static void draw_illegal(const Param *param, Case *c, Draw *draw)
{
    Param rules = *param;
    rules.maximum = ILLEGAL_RULES_MAX;
    param_draw(&rules, &c->exec, draw);
}

/* Of operators that frameworks have. */
static void draw_stray(Case *c, Draw *draw)
{
    enum { ONE_IN = 8 };
    if (!c->op->any_layout || choice_below(&draw->choices, ONE_IN) != ONE_IN - 1)
        return;
    c->exec.illegal = choice_between(&draw->choices, ILLEGAL_RULES_MAX + 1, ILLEGAL_NUMBERS_MAX);
}

static void draw_exec(Case *c, Draw *draw, uint32_t forms)
{
    if (choice_below(&draw->choices, 2) == 0)
        return;
    for (const Param *param = exec_params; param->name; param++)
        if (param->offset == offsetof(Exec, illegal))
            draw_illegal(param, c, draw);
        else if (param->offset != offsetof(Exec, function) && param->offset != offsetof(Exec, form))
            param_draw(param, &c->exec, draw);
    /* Libraries that wait for their threads by spinning make such cases a hundred times dearer
     * where workers share cores. */
    if (choice_below(&draw->choices, 8) != 7)
        c->exec.threads = 1;
    if (choice_below(&draw->choices, 16) != 15)
        c->exec.illegal = 0;
    if (choice_below(&draw->choices, 4) != 3)
        c->exec.relation = 0;
    if (choice_below(&draw->choices, 8) != 7)
        c->exec.overlap = 0;
    if (choice_below(&draw->choices, 4) != 3)
        c->exec.layout = 0;
    draw_function(c, draw);
    draw_form(c, draw, forms);
    draw_plain_relation(c, draw);
    draw_stray(c, draw);
    /* Inputs of one extent and stride can be the same memory. */
    if (c->op->has_functions && c->exec.overlap == OVERLAP_INPUTS) {
        make_equal(c, PARAM_DIM);
        make_equal(c, PARAM_PAD);
        make_equal(c, PARAM_INCREMENT);
    }
}

/* Of a relation that does not hold of the case one of those that do, each as often; none where no
 * one does. */
static void settle_relation(Case *c)
{
    int64_t drawn = c->exec.relation, holding[RELATION_COUNT], count = 0;
    Related related;
    if (drawn == RELATION_NONE)
        return;
    Case legal = *c;
    case_normalise(&legal, NULL);
    if (relation_apply(&legal, &related))
        return;
    for (int64_t kind = RELATION_NONE + 1; kind < RELATION_COUNT; kind++) {
        legal.exec.relation = kind;
        if (relation_apply(&legal, &related))
            holding[count++] = kind;
    }
    c->exec.relation = count > 0 ? holding[drawn % count] : RELATION_NONE;
}

/* Until the operands have room, and no call takes longer than one on 4096 x 4096 real matrices. */
static void draw_large(Case *c, Draw *draw, const Scope *scope)
{
    const double work_largest = 0x1p36 * 1.01;
    int64_t *extents[CASE_EXTENTS_MAX];
    large_draw(c, draw);
    int count = collect_extents(c, extents);
    while ((!case_has_room(c) || case_work(c) > work_largest) && halve_largest(extents, count, -1))
        continue;
    case_normalise(c, scope);
}

static bool is_turn_of_large(const Scope *scope, const Case *c, Draw *draw)
{
    return scope->large > 0 && op_has_sums(c->op, c->params) &&
           (int64_t)(choice_bytes(&draw->choices, 4) % (uint64_t)scope->large) == scope->large - 1;
}

/* Algorithms by blocks begin at extents that the usual budgets do not reach where work grows faster
 * than the operands: now and then such cases are drawn large. */
static double draw_dear(Case *c, Draw *draw)
{
    SizeRegime regime = draw->regime;
    draw->regime = REGIME_LARGE;
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_DIM)
            param_draw(param, c->params, draw);
    draw->regime = regime;
    return fmax(work_large * draw->scale, work_dear);
}

static double draw_budget(Case *c, Draw *draw)
{
    enum { LARGE_ONE_IN = 16, DEAR_ONE_IN = 96 };
    if (choice_below(&draw->choices, LARGE_ONE_IN) != LARGE_ONE_IN - 1)
        return work_usual * draw->scale;
    bool dear = is_dense(c->op) && choice_below(&draw->choices, DEAR_ONE_IN) == DEAR_ONE_IN - 1;
    return dear ? draw_dear(c, draw) : work_large * draw->scale;
}

void case_draw(Case *c, const Scope *scope, Choices choices)
{
    enum { HUGE_ONE_IN = 4096 };
    Draw draw = {.choices = choices,
                 .unbiased = scope->unbiased,
                 .scale = scale_of(scope),
                 .blocks = &scope->blocks};
    unsigned swarm = (unsigned)choice_bytes(&draw.choices, SWARM_BYTES);
    draw.swarm = (swarm & 0x80) && !scope->no_swarm ? swarm >> 8 & 15 : 0;
    case_init(c, scope->ops[choice_below(&draw.choices, scope->op_count)]);
    draw.dtypes = scope_dtypes(scope, c->op);
    int64_t share = choice_below(&draw.choices, 100);
    draw.regime = share < 50 ? REGIME_SMALL : share < 92 ? REGIME_MIXED : REGIME_LARGE;
    if (draw.scale > 1 && share >= 25)
        draw.regime = REGIME_LARGE;
    draw.huge = c->op->has_functions &&
                choice_below(&draw.choices, HUGE_ONE_IN) == HUGE_ONE_IN - 1 && is_dense(c->op);
    for (const Param *param = c->op->params; param->name; param++)
        param_draw(param, c->params, &draw);
    if (is_turn_of_large(scope, c, &draw)) {
        draw_large(c, &draw, scope);
        return;
    }
    draw_coincidences(c, &draw);
    double budget = draw.huge ? work_huge : draw_budget(c, &draw);
    limit_work(c, &draw, budget);
    fill_draw_all(c->fill, op_tensor_count(c->op), c->op->fills, &draw);
    draw_exec(c, &draw, scope->forms);
    /* Equal pads and another order of matrices can make an operand larger. */
    halve_extents(c, budget, NULL);
    settle_relation(c);
    case_normalise(c, scope);
    illegal_settle(c);
}

/* Choices that follow from a seed. */
static void seed_choices(uint8_t choices[DRAWN_CHOICES], uint64_t seed)
{
    for (size_t i = 0; i < DRAWN_CHOICES; i += sizeof(uint64_t)) {
        uint64_t word = random_next(&seed);
        memcpy(choices + i, &word, sizeof word);
    }
}

void case_draw_seeded(Case *c, const Scope *scope, uint64_t seed)
{
    uint8_t choices[DRAWN_CHOICES];
    seed_choices(choices, seed);
    case_draw(c, scope, (Choices){choices, DRAWN_CHOICES, 0});
}

/* Whether nothing is likely to be taken of the case's operator and element type: one in so many is
 * tried all the same, since that was found out by a sample. */
static bool is_hopeless(const Scope *scope, const Case *c, uint64_t turn)
{
    enum { TRIED_ONE_IN = 4 };
    const Drawn *drawn = scope->drawn;
    return drawn && drawn->takes_none && random_mix(turn) % TRIED_ONE_IN != 0 &&
           drawn->takes_none(scope, c->op, case_dtype(c), turn);
}

/* Draws cases of a scope until one is taken; false, with *c as it was, where none of so many is, or
 * of eight times as many that are hopeless. */
static bool draw_others(Case *c, const Scope *scope, int tries, const uint8_t *bytes, size_t size,
                        uint64_t turn, bool again)
{
    enum { HOPELESS = 8 };
    uint64_t state = turn;
    for (int asked = 0, drawn = 0; asked < tries && drawn < HOPELESS * tries; drawn++) {
        uint8_t choices[DRAWN_CHOICES];
        Case other;
        seed_choices(choices, random_next(&state));
        memcpy(choices, bytes, size < SWARM_BYTES ? size : SWARM_BYTES);
        case_draw(&other, scope, (Choices){choices, DRAWN_CHOICES, 0});
        if (is_hopeless(scope, &other, turn))
            continue;
        asked++;
        if (!scope_takes(scope, &other, turn, again))
            continue;
        case_copy(c, &other);
        return true;
    }
    return false;
}

/* A case that is not taken gives way to one of the same operator and element type, so that each
 * keeps its share; where all of these are refused, to any. */
static void draw_taken(Case *c, const Scope *scope, const uint8_t *bytes, size_t size,
                       uint64_t turn, bool again)
{
    enum { ALIKE = 64, OTHERS = 8 };
    case_draw(c, scope, (Choices){bytes, size, 0});
    if (scope_takes(scope, c, turn, again))
        return;
    Scope narrowed = *scope;
    narrowed.ops[0] = c->op;
    narrowed.op_count = 1;
    narrowed.dtypes = 1u << case_dtype(c);
    if (is_hopeless(scope, c, turn) || !draw_others(c, &narrowed, ALIKE, bytes, size, turn, again))
        (void)draw_others(c, scope, OTHERS, bytes, size, random_mix(turn), again);
}

/* By words: the seed of what is drawn again takes much longer than to find what was drawn. */
static uint64_t key_of_choices(const uint8_t *bytes, size_t size)
{
    uint64_t key = random_mix(size), word = 0;
    for (; size >= sizeof word; bytes += sizeof word, size -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        key = random_mix(key ^ word);
    }
    return random_fold(key, bytes, size);
}

static void decode(Case *c, const Scope *scope, const uint8_t *bytes, size_t size, bool again)
{
    if (size >= CASE_RECORD_HEAD && bytes[0] == RECORD_MARK) {
        decode_record(c, scope, bytes, size);
        return;
    }
    uint64_t key = key_of_choices(bytes, size);
    if (scope->drawn && drawn_find(scope->drawn, key, c))
        return;
    draw_taken(c, scope, bytes, size, random_fold(size, bytes, size), again);
    if (scope->drawn)
        drawn_keep(scope->drawn, key, c);
}

void case_decode(Case *c, const Scope *scope, const uint8_t *bytes, size_t size)
{
    decode(c, scope, bytes, size, false);
}

void case_decode_again(Case *c, const Scope *scope, const uint8_t *bytes, size_t size)
{
    decode(c, scope, bytes, size, true);
}
