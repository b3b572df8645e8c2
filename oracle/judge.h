/* Compares one output with its reference under the admitted models. */
#ifndef ORACLE_JUDGE_H
#define ORACLE_JUDGE_H

#include "bound.h"
#include "reference/base.h"

typedef enum VerdictKind {
    VERDICT_AGREE,
    VERDICT_DIVERGE,    /* a value outside its bound or of a class that is not admitted */
    VERDICT_POLICY,     /* right only under a reading that is admitted, though not promised */
    VERDICT_SUSPECT,    /* inside the hard bound, outside a probabilistic one */
    VERDICT_INVARIANCE, /* two ways of driving one kernel differ more than they may */
    VERDICT_CONTRACT,   /* wrote outside an output, changed an input, wrote nothing */
    VERDICT_STATUS,     /* refused a valid case or accepted an invalid one */
    VERDICT_FAULT,      /* crash, abort, hang, out of memory */
    VERDICT_VACUOUS,    /* agreement proved nothing */
    VERDICT_UNDECIDED,  /* the reference is not accurate enough to tell */
    VERDICT_DECLINED,   /* the backend does not offer this case */
    VERDICT_COUNT
} VerdictKind;

typedef enum Tier {
    TIER_NONE,
    TIER_CONTRACT,
    TIER_SPECIAL,    /* class of value */
    TIER_EXACT,      /* every order of evaluation is exact */
    TIER_VIOLATION,  /* outside the hard bound */
    TIER_PROBABLE,   /* outside the bound that holds with probability 1 - 1e-9 */
    TIER_SUSPICIOUS, /* outside 8 standard deviations */
    TIER_COUNT
} Tier;

/* The shape in which the bad elements lie; it tells findings apart as a stack trace does for
 * crashes. */
typedef enum Pattern {
    PATTERN_NONE,
    PATTERN_ONE,
    PATTERN_WHOLE,
    PATTERN_LAST_ROWS,
    PATTERN_LAST_COLUMNS,
    PATTERN_ROW,
    PATTERN_COLUMN,
    PATTERN_DIAGONAL,
    PATTERN_PERIODIC,
    PATTERN_SCATTERED,
    PATTERN_COUNT
} Pattern;

/* The kind of error of the worst element: finer than the tier, coarser than its value. */
typedef enum Defect {
    DEFECT_NONE,
    DEFECT_VALUE,     /* finite but outside the bound */
    DEFECT_LOST,      /* finite where NaN or an infinity was due */
    DEFECT_NAN,       /* NaN was not admitted */
    DEFECT_INFINITY,  /* an infinity that was not admitted */
    DEFECT_ZERO_SIGN, /* the sign of zero */
    DEFECT_UNWRITTEN, /* an element still holds the canary */
    DEFECT_COUNT
} Defect;

/* Bad elements at a glance: cell (r, c) of at most PICTURE_ROWS x PICTURE_COLUMNS stands for a
 * block of the output and is set where one element of it is bad.  ulps counts bad elements by the
 * power of two of their distance in ulps; the last also holds those without a distance. */
enum { PICTURE_ROWS = 16, PICTURE_COLUMNS = 32, PICTURE_ULPS = 14 };
typedef struct Picture {
    uint8_t rows, columns;
    uint16_t ulps[PICTURE_ULPS];
    uint32_t bad[PICTURE_ROWS]; /* bit c is column c */
} Picture;

/* How a verdict was come to: by comparing every element with its reference; or by sums of whole
 * rows (reference/checksum.h), of exact data or of others. */
typedef enum JudgeMethod {
    METHOD_WHOLE,
    METHOD_SUMS_EXACT,
    METHOD_SUMS_BOUNDED,
    METHOD_COUNT
} JudgeMethod;

/* ratio is |got - expected| / bound of the worst element, 0 when every element is exact, infinity
 * for classes and exact mismatches; it is set for agreement as well.  bound_ratio leaves exact and
 * class mismatches out: the ladder that feeds the search.  expected is high + low. */
typedef struct Judgement {
    VerdictKind kind;
    Tier tier;
    Defect defect;
    Pattern pattern;
    const char *model;   /* the strictest model or reading that passed; the first when none did */
    const char *reading; /* the reading, not promised, under which it is right; NULL: under none */
    size_t worst, bad, total;
    JudgeMethod method;
    double share;  /* of the elements that are known to be right or wrong; 1 also by exact sums, but
                    * with a probability of 2^-30; of METHOD_WHOLE not set */
    bool anything; /* any value is admitted for the worst element: there is no expected one */
    double got, expected_high, expected_low, bound, ratio, bound_ratio;
    uint64_t ulps;
    Picture picture; /* of what the strictest model rejects */
} Judgement;

const char *verdict_name(VerdictKind kind);
/* The kind of a name; false where there is none. */
bool verdict_find(const char *name, VerdictKind *kind);
const char *tier_name(Tier tier);
const char *pattern_name(Pattern pattern);
const char *defect_name(Defect defect);

const char *method_name(JudgeMethod method);

/* True for kinds that are filed as findings. */
bool verdict_is_finding(VerdictKind kind);

/* Which readings are admitted, by name: those that somebody documents. */
typedef struct Admission {
    bool (*admits)(const void *context, const char *reading);
    const void *context;
} Admission;

/* got holds ref->count components, row-major, in the element type.  canary, unless NULL, marks
 * components that still hold the canary.  arena is scratch.  known, unless NULL, is the table of
 * ref under one of the promised models.  What no model admits is tried under the readings of the
 * promise and the alternatives of ref: one that the models name as well is agreement, one that is
 * admitted makes the verdict VERDICT_POLICY, and any other leaves it as it is, with the reading
 * named.  An output of which each element is right under an admitted reading of its own is
 * VERDICT_POLICY too.  Where there is none, what an admitted reading explains is not blamed: the
 * judgement is that under the one that leaves the fewest bad elements. */
Judgement judge_output(const Ref *ref, const Promise *promise, const Admission *admission,
                       const BoundTable *known, const double *got, const uint8_t *canary,
                       Arena *arena);

/* As judge_output, of the components that no model admits by another reference: each of the others
 * is right by either. */
Judgement judge_rest(const Ref *ref, const Promise *promise, const Admission *admission,
                     const Ref *other, const double *got, const uint8_t *canary, Arena *arena);

/* The same judgement of a draft (reference/draft.h) under the first promised model, whose worst
 * element is that by exact magnitudes; columns of some elements are put.  False where it does not
 * admit all of the output, or too much would have to be computed to tell: then nothing is said. */
bool judge_draft(Judgement *judgement, Ref *ref, const Promise *promise, const double *got,
                 Arena *arena);

/* Puts the worse of two judgements of one case first: a finding before none, then a better proof.
 */
bool judge_is_worse(const Judgement *j, const Judgement *than);

/* Takes the judgement of the same output by another reference, which somebody documents, where that
 * leaves fewer bad elements: what it explains is not blamed. */
void judge_blame_rest(const Judgement *again, Judgement *judgement);

/* True where the models of a promise name the reading. */
bool judge_is_promised(const Promise *promise, const char *reading);

/* The pattern of a mask of rows x columns entries of which `bad` are set. */
Pattern pattern_of(const uint8_t *mask, size_t rows, size_t columns, size_t bad);

/* Sets the cells of a mask of rows x columns entries. */
void picture_draw(Picture *picture, const uint8_t *mask, size_t rows, size_t columns);
/* Counts one bad element; UINT64_MAX where there is no distance. */
void picture_count(Picture *picture, uint64_t ulps);

#endif
