/* What a worker knows of raw signatures ends with it; the supervisor keeps the cases. */
#include "later.h"

#include "ops/contract/policy.h"
#include "shared.h"

/* Messages of one signature before it has a minimal case, and after each one. */
enum { TOLD_BEFORE = 24, TOLD_AFTER = 4 };

typedef struct Memory {
    uint64_t key;
    Likeness common; /* of all cases so far */
    unsigned known, told;
} Memory;

bool later_may_hide(const Judgement *j)
{
    bool wrong =
        j->kind == VERDICT_DIVERGE || j->kind == VERDICT_INVARIANCE || j->kind == VERDICT_CONTRACT;
    return wrong && !(j->reading && policy_is_reading(j->reading));
}

/* NULL where there is no room. */
static Memory *memory_of(uint64_t key)
{
    static Memory memories[RAW_MAX];
    for (uint64_t probe = 0; probe < RAW_MAX; probe++) {
        Memory *memory = &memories[(key + probe) % RAW_MAX];
        if (memory->key == 0 || memory->key == key)
            return memory;
    }
    return NULL;
}

bool later_is_unlike(const LikenessList *known, uint64_t key, const Case *c)
{
    Memory *memory = memory_of(key);
    bool explained;
    Likeness own;
    if (!memory)
        return false;
    likeness_of(&own, c);
    if (memory->key == 0)
        *memory = (Memory){.key = key, .common = own};
    bool narrower = likeness_narrow(&memory->common, &own);
    unsigned rules = likeness_explains(known, key, &own, &explained);
    if (rules != memory->known) {
        memory->known = rules;
        memory->told = 0;
    }
    bool unlike = rules > 0 ? !explained : narrower;
    return unlike && memory->told++ < (rules > 0 ? TOLD_AFTER : TOLD_BEFORE);
}
