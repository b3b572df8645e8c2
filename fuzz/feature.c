/* Features as libFuzzer's extra counters: the array must lie in the executable itself, and is
 * cleared by the engine before each case. */
#include "feature.h"

#include <string.h>

#include "reference/random.h"

enum { COUNTERS = 1 << 15 };

/* Volatile, since only the engine reads it. */
__attribute__((section("__libfuzzer_extra_counters"),
               aligned(8))) static volatile uint8_t counters[COUNTERS];
static uint8_t seen[COUNTERS];
static int fresh;

void feature(FeatureDomain domain, uint64_t id)
{
    size_t slot =
        domain == FEATURE_ALWAYS ? 0 : 1 + random_mix(id * 8 + (uint64_t)domain) % (COUNTERS - 1);
    counters[slot] = 1;
    fresh += !seen[slot];
    seen[slot] = 1;
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
        class = value < 6 ? (uint64_t)value : 8 + (uint64_t)(value % 8);
        return class + 32 * (uint64_t)((value > 16) + (value > 64) + (value > 256));
    case PARAM_PAD:
        return value == 0 ? 0 : value == 1 ? 1 : 2;
    case PARAM_INCREMENT:
        return value == 1 ? 0 : value > 0 ? 1 : 2;
    case PARAM_SCALAR:
        param_facet(param, values, &facet);
        for (size_t i = 0; i < facet.length; i++)
            class = class * 31 + (unsigned char)facet.data[i];
        text_release(&facet);
        return class;
    case PARAM_SEED:
    case PARAM_LIST:
        return 0;
    default:
        return (uint64_t)value;
    }
}

static void report_pairs(const Case *c)
{
    uint64_t classes[CASE_GROUPS_MAX * OP_PARAMS_MAX];
    size_t count = 0;
    Case copy = *c;
    ParamGroup groups[CASE_GROUPS_MAX];
    int group_count = case_groups(&copy, groups);
    for (int g = 0; g < group_count; g++)
        for (const Param *param = groups[g].params; param->name; param++)
            classes[count++] = random_mix(((uint64_t)name_tag(groups[g].name, param->name) << 40) ^
                                          class_of_parameter(param, groups[g].values));
    uint64_t op = op_tag(c->op);
    for (size_t i = 0; i < count; i++)
        for (size_t j = i + 1; j < count && j < i + 12; j++)
            feature(FEATURE_PAIR, op ^ classes[i] ^ random_mix(classes[j]));
}

int feature_report(const Case *c, const CheckResult *results, int count)
{
    fresh = 0;
    feature(FEATURE_ALWAYS, 0);
    report_pairs(c);
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
