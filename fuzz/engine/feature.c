#include "feature.h"

#include <string.h>

#include "edges.h"
#include "ops/case/tags.h"
#include "ops/param/facet.h"
#include "reference/random.h"

/* One more than the domain it was first seen for; 0 for never. */
static uint8_t seen_here[FEATURE_SLOTS], *seen = seen_here;
/* A bit for each slot that was seen and that the engine wants to hear of no more: by far most of
 * what a case shows, so that each case reads these alone, which stay in caches. */
static uint8_t settled[FEATURE_SLOTS / 8];
static bool silent;

const char *feature_domain_name(int domain)
{
    static const char *const names[FEATURE_DOMAINS] = {"always", "pairs", "outcomes", "ladder",
                                                       "raw"};
    return names[domain];
}

static bool is_settled(uint32_t slot)
{
    return settled[slot / 8] >> slot % 8 & 1;
}

/* A slot with its domain: feature_slot and feature_domain are the parts. */
static uint32_t feature_in(FeatureDomain domain, uint32_t slot)
{
    return slot + (uint32_t)domain * FEATURE_SLOTS;
}

static uint32_t feature_of(FeatureDomain domain, uint64_t id)
{
    uint32_t slot;
    random_slots(&id, 1, (uint64_t)domain, &slot);
    return feature_in(domain, slot);
}

/* Tells the engine; 1 where the feature had never been seen before, else 0. */
static int tell(uint32_t feature)
{
    uint32_t slot = feature_slot(feature);
    bool ends = silent && slot != 0; /* engines end where no case has any */
    if (ends || edges_tell(slot))
        settled[slot / 8] |= (uint8_t)(1u << slot % 8);
    if (seen[slot])
        return 0;
    seen[slot] = (uint8_t)(1 + feature_domain(feature));
    return 1;
}

void feature_silence(void)
{
    silent = true;
}

void feature_remember(uint8_t where[FEATURE_SLOTS])
{
    seen = where;
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

static uint64_t hash_text(uint64_t hash, const char *text)
{
    for (; *text; text++)
        hash = hash * 31 + (unsigned char)*text;
    return hash;
}

/* Of the facet of a signature, which is not written for it. */
static uint64_t class_of_scalar(const Param *param, const void *values)
{
    const char *const parts[] = {param->name, "=", facet_of_scalar(param, values), " "};
    uint64_t class = 0;
    if (param_is_simplest(param, values))
        return class;
    for (size_t i = 0; i < COUNT_OF(parts); i++)
        class = hash_text(class, parts[i]);
    return class;
}

/* A class of values small enough that pairs of classes are worth covering. */
static uint64_t class_of_parameter(const Param *param, const void *values)
{
    const void *at = (const char *)values + param->offset;
    int64_t value;
    memcpy(&value, at, sizeof value);
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
        return class_of_scalar(param, values);
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
/* One for all cases, and of each backend verdict, step of the ladder and signature. */
enum { FEATURES_MAX = 1 + PAIRS_MAX + 3 * BOX_BACKENDS_MAX };

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

/* Slots of the case itself: of the classes of two parameters that stand near each other. */
static size_t pairs_of_case(const Case *c, uint32_t slots[PAIRS_MAX])
{
    uint64_t classes[CLASSES_MAX], pairs[PAIRS_MAX];
    size_t count = 0, pair_count = 0;
    uint64_t op = op_tag(c->op);
    ParamGroup groups[CASE_GROUPS_MAX];
    int group_count = case_groups((Case *)(uintptr_t)c, groups);
    const uint16_t *tags = case_tags(c->op, groups, group_count);
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
    random_slots(pairs, pair_count, FEATURE_PAIR, slots);
    return pair_count;
}

int feature_unseen_pairs(const Case *c)
{
    uint32_t slots[PAIRS_MAX];
    size_t count = pairs_of_case(c, slots);
    int unseen = 0;
    for (size_t i = 0; i < count; i++)
        unseen += !is_settled(slots[i]) && !seen[slots[i]];
    return unseen;
}

/* All of a case, some more than once; returns how many. */
static size_t list_features(const Case *c, const CheckResult *results, int count,
                            uint32_t features[FEATURES_MAX])
{
    uint32_t slots[PAIRS_MAX];
    size_t pair_count = pairs_of_case(c, slots), length = 0;
    features[length++] = feature_in(FEATURE_ALWAYS, 0);
    for (size_t i = 0; i < pair_count; i++)
        features[length++] = feature_in(FEATURE_PAIR, slots[i]);
    for (int i = 0; i < count; i++) {
        const Judgement *j = &results[i].judgement;
        uint64_t where = ((uint64_t)op_tag(c->op) << 16) | ((uint64_t)case_dtype(c) << 8) |
                         (uint64_t)results[i].backend;
        features[length++] = feature_of(FEATURE_OUTCOME, where << 8 | (uint64_t)j->kind);
        features[length++] =
            feature_of(FEATURE_LADDER, where << 8 | (uint64_t)ladder_step(j->bound_ratio));
        if (verdict_is_finding(j->kind))
            features[length++] = feature_of(FEATURE_RAW, where << 16 | (uint64_t)j->defect << 8 |
                                                             (uint64_t)j->pattern);
    }
    return length;
}

int feature_report(const Case *c, const CheckResult *results, int count)
{
    uint32_t features[FEATURES_MAX];
    size_t length = list_features(c, results, count, features);
    int fresh = 0;
    for (size_t i = 0; i < length; i++) {
        uint32_t slot = feature_slot(features[i]);
        if (!is_settled(slot))
            fresh += tell(features[i]);
    }
    return fresh;
}

int feature_list(const Case *c, const CheckResult *results, int count,
                 uint32_t present[FEATURES_LISTED_MAX])
{
    static uint8_t noted[FEATURE_SLOTS / 8];
    uint32_t features[FEATURES_MAX];
    size_t length = list_features(c, results, count, features);
    int listed = 0;
    for (size_t i = 0; i < length && listed < FEATURES_LISTED_MAX; i++) {
        uint32_t slot = feature_slot(features[i]);
        if (noted[slot / 8] >> slot % 8 & 1)
            continue;
        noted[slot / 8] |= (uint8_t)(1u << slot % 8);
        present[listed++] = features[i];
    }
    for (int i = 0; i < listed; i++)
        noted[feature_slot(present[i]) / 8] = 0;
    return listed;
}
