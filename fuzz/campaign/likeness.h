/* Which cases of a raw signature its minimal cases explain: those that lack nothing that one of
 * these needs.  A case that lacks something may have a cause of its own, though it diverges alike.
 * Compared are parameters, as they tell causes apart when findings are grouped
 * (ops/case/trigger.h). Extents and places of operands are not, nor are data: a result leaves the
 * range, or a NaN appears, by many data for one cause. */
#ifndef FUZZ_LIKENESS_H
#define FUZZ_LIKENESS_H

#include <stdatomic.h>

#include "ops/case/case.h"

enum {
    LIKENESS_EXEC_MAX = 16,
    LIKENESS_WORDS = OP_PARAMS_MAX + LIKENESS_EXEC_MAX,
    LIKENESS_RULES = 1024
};

/* What a case has that a divergence may need, as bits: a word for each parameter. */
typedef struct Likeness {
    uint64_t word[LIKENESS_WORDS];
} Likeness;

/* Total: the bytes of a case of a known operator may be any. */
void likeness_of(Likeness *likeness, const Case *c);

/* What the divergence of a minimal case needs; `needed` as in ShrinkResult. */
void likeness_needed(Likeness *likeness, const Case *minimal, const char *needed);

/* Takes from *common what the other lacks; true where that is something. */
bool likeness_narrow(Likeness *common, const Likeness *other);

/* What minimal cases need, by their raw signatures.  It grows only; one writer, and readers that
 * see whole entries. */
typedef struct LikenessList {
    atomic_uint count;
    uint64_t keys[LIKENESS_RULES];
    Likeness needed[LIKENESS_RULES];
} LikenessList;

/* False where there is no room. */
bool likeness_add(LikenessList *list, uint64_t key, const Likeness *needed);

/* Makes a list for readers of another process what the writer's own is. */
void likeness_share(LikenessList *readers, const LikenessList *own);

/* How many minimal cases of the signature there are; *explained: one of them explains the case. */
unsigned likeness_explains(const LikenessList *list, uint64_t key, const Likeness *c,
                           bool *explained);

#endif
