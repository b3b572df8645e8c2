/* The features of a case, of which a search wants new ones: small integers in domains. */
#ifndef FUZZ_FEATURE_H
#define FUZZ_FEATURE_H

#include "fuzz/check/check.h"
#include "reference/random_loops.h"

/* Features share slots by a hash. */
enum { FEATURE_SLOTS = RANDOM_SLOTS };

/* Domains keep features of different meaning apart. */
typedef enum FeatureDomain {
    FEATURE_ALWAYS,
    FEATURE_PAIR,    /* two parameter classes together */
    FEATURE_OUTCOME, /* verdict of a backend on an operator and element type */
    FEATURE_LADDER,  /* log2(error / bound) of it */
    FEATURE_RAW,     /* raw signature */
    FEATURE_DOMAINS
} FeatureDomain;
const char *feature_domain_name(int domain);

/* Makes what was seen before outlive this process: seen belongs to the caller and is all 0 at the
 * very beginning. */
void feature_remember(uint8_t seen[FEATURE_SLOTS]);

/* From now on nothing is told to the engine, and features are counted only. */
void feature_silence(void);

/* How many pairs of parameter classes of the case were never reported. */
int feature_unseen_pairs(const Case *c);

/* All features of a case and of its results.  Returns how many had never been seen before. */
int feature_report(const Case *c, const CheckResult *results, int count);

/* Lists the features of a case, each once, as numbers of which feature_slot and feature_domain are
 * the parts, and tells nobody.  Returns how many there are. */
enum { FEATURES_LISTED_MAX = 4096 };
int feature_list(const Case *c, const CheckResult *results, int count,
                 uint32_t present[FEATURES_LISTED_MAX]);
static inline uint32_t feature_slot(uint32_t feature)
{
    return feature % FEATURE_SLOTS;
}
static inline FeatureDomain feature_domain(uint32_t feature)
{
    return (FeatureDomain)(feature / FEATURE_SLOTS);
}

#endif
