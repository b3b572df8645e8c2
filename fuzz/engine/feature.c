#include "feature.h"

#include <string.h>

#include "edges.h"
#include "reference/random.h"

enum { PRESENT_MAX = 4096 };

/* One more than the domain it was first seen for; 0 for never. */
static uint8_t seen_here[FEATURE_SLOTS], *seen = seen_here;
static int fresh;
static bool silent;
/* Of the present case, whose number is noted at each of its slots: in a byte, so that what each
 * case reads stays in caches. */
static uint32_t present[PRESENT_MAX];
static int present_count;
static uint8_t noted[FEATURE_SLOTS], case_number;

const char *feature_domain_name(int domain)
{
    static const char *const names[FEATURE_DOMAINS] = {"always", "pairs", "outcomes", "ladder",
                                                       "raw"};
    return names[domain];
}

static size_t slot_of(FeatureDomain domain, uint64_t id)
{
    return domain == FEATURE_ALWAYS
               ? 0
               : 1 + random_mix(id * 8 + (uint64_t)domain) % (FEATURE_SLOTS - 1);
}

void feature(FeatureDomain domain, uint64_t id)
{
    size_t slot = slot_of(domain, id);
    if (!silent || slot == 0) /* engines end where no case has any */
        edges_tell(slot);
    fresh += !seen[slot];
    if (!seen[slot])
        seen[slot] = (uint8_t)(1 + domain);
    if (noted[slot] != case_number && present_count < PRESENT_MAX)
        present[present_count++] = (uint32_t)(slot + (size_t)domain * FEATURE_SLOTS);
    noted[slot] = case_number;
}

void feature_silence(void)
{
    silent = true;
}

void feature_remember(uint8_t where[FEATURE_SLOTS])
{
    seen = where;
}

int feature_slots(const uint32_t **features)
{
    *features = present;
    return present_count;
}

/* Small extents each, others by what they leave modulo 8 and by the power of four below them. */
static uint64_t class_of_extent(int64_t value)
{
    enum { SMALL = 6, REST_OTHER = 2 };
    uint64_t rest = (uint64_t)(value % 8), size = 0;
    if (value < SMALL)
        return (uint64_t)value;
    for (int64_t limit = 16; limit < value; limit *= 4)
        size++;
    return SMALL + size * 8 + (rest < REST_OTHER || rest == 7 ? rest : REST_OTHER);
}

/* Sign and power of two. */
static uint64_t class_of_integer(int64_t value)
{
    uint64_t power = 0, sign = value < 0;
    for (uint64_t size = sign ? -(uint64_t)value : (uint64_t)value; size; size /= 2)
        power++;
    return power * 2 + sign;
}

/* A class of values small enough that pairs of classes are worth covering. */
static uint64_t class_of_parameter(const Param *param, const void *values)
{
    const void *at = (const char *)values + param->offset;
    int64_t value;
    memcpy(&value, at, sizeof value);
    Text facet = {0};
    uint64_t class = 0;
    switch (param->kind) {
    case PARAM_DIM:
        return class_of_extent(value);
    case PARAM_PAD:
        return value == 0 ? 0 : value == 1 ? 1 : value <= 4096 ? 2 : 3;
    case PARAM_INCREMENT:
        return value == 1 ? 0 : value > 0 ? 1 : value < 0 ? 2 : 3;
    case PARAM_INTEGER:
        return class_of_integer(value);
    case PARAM_SCALAR:
        param_facet(param, values, &facet);
        for (size_t i = 0; i < facet.length; i++)
            class = class * 31 + (unsigned char)facet.data[i];
        text_release(&facet);
        return class;
    case PARAM_SEED:
    case PARAM_LIST:
    case PARAM_CODE:
        return 0;
    default:
        return (uint64_t)value;
    }
}

enum { CODE_NEAR = 3, CLASSES_NEAR = 12, CLASSES_MAX = CASE_GROUPS_MAX * OP_PARAMS_MAX };
enum { PAIRS_MAX = CLASSES_MAX * CLASSES_NEAR + CODE_MAX * (CODE_NEAR + 1) };

/* Statements and those that follow them soon. */
static size_t pairs_of_code(uint64_t op, const Code *code, uint64_t *pairs)
{
    size_t count = 0;
    for (int64_t i = 0; i < code->count; i++)
        for (int64_t j = i; j < code->count && j <= i + CODE_NEAR; j++)
            pairs[count++] =
                op ^ random_mix((uint64_t)code->statements[i].name << 16 |
                                (uint64_t)code->statements[j].name << 1 | (uint64_t)(i == j));
    return count;
}

/* Tags of the names of all parameters, which are the same in each case of an operator. */
static const uint16_t *tags_of(const OpDesc *op, const ParamGroup *groups, int group_count)
{
    static uint16_t *known[OP_MAX];
    size_t count = 0, number = op_number(op);
    uint16_t *tags = known[number];
    if (tags)
        return tags;
    tags = known[number] = memory_allocate(CLASSES_MAX, sizeof *tags);
    for (int g = 0; g < group_count; g++)
        for (const Param *param = groups[g].params; param->name; param++)
            tags[count++] = name_tag(groups[g].name, param->name);
    return tags;
}

/* Features of the case itself: classes of two parameters that stand near each other. */
static size_t pairs_of_case(const Case *c, uint64_t pairs[PAIRS_MAX])
{
    uint64_t classes[CLASSES_MAX];
    size_t count = 0, pair_count = 0;
    uint64_t op = op_tag(c->op);
    Case copy = *c;
    ParamGroup groups[CASE_GROUPS_MAX];
    int group_count = case_groups(&copy, groups);
    const uint16_t *tags = tags_of(c->op, groups, group_count);
    for (int g = 0; g < group_count; g++)
        for (const Param *param = groups[g].params; param->name; param++) {
            if (param->kind == PARAM_CODE)
                pair_count += pairs_of_code(
                    op, (const Code *)((const char *)groups[g].values + param->offset),
                    pairs + pair_count);
            classes[count] = random_mix(((uint64_t)tags[count] << 40) ^
                                        class_of_parameter(param, groups[g].values));
            count++;
        }
    for (size_t j = 1; j < count; j++) {
        uint64_t mixed = op ^ random_mix(classes[j]);
        for (size_t i = j < CLASSES_NEAR ? 0 : j + 1 - CLASSES_NEAR; i < j; i++)
            pairs[pair_count++] = classes[i] ^ mixed;
    }
    return pair_count;
}

int feature_unseen_pairs(const Case *c)
{
    uint64_t pairs[PAIRS_MAX];
    size_t count = pairs_of_case(c, pairs);
    int unseen = 0;
    for (size_t i = 0; i < count; i++)
        unseen += !seen[slot_of(FEATURE_PAIR, pairs[i])];
    return unseen;
}

/* Numbers of cases are used again when all notes are gone. */
static void begin_case(void)
{
    fresh = 0;
    present_count = 0;
    if (++case_number != 0)
        return;
    memset(noted, 0, sizeof noted);
    case_number = 1;
}

int feature_report(const Case *c, const CheckResult *results, int count)
{
    uint64_t pairs[PAIRS_MAX];
    size_t pair_count = pairs_of_case(c, pairs);
    begin_case();
    feature(FEATURE_ALWAYS, 0);
    for (size_t i = 0; i < pair_count; i++)
        feature(FEATURE_PAIR, pairs[i]);
    for (int i = 0; i < count; i++) {
        const Judgement *j = &results[i].judgement;
        uint64_t where = ((uint64_t)op_tag(c->op) << 16) | ((uint64_t)case_dtype(c) << 8) |
                         (uint64_t)results[i].backend;
        feature(FEATURE_OUTCOME, where << 8 | (uint64_t)j->kind);
        feature(FEATURE_LADDER, where << 8 | (uint64_t)ladder_step(j->bound_ratio));
        if (verdict_is_finding(j->kind))
            feature(FEATURE_RAW, where << 16 | (uint64_t)j->defect << 8 | (uint64_t)j->pattern);
    }
    return fresh;
}
