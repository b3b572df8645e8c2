/* The least that bounds of elements of a draft are, by rows.  Compiled once for each instruction
 * set; private to draft.c.
 *
 * Let S be at least `size` and Q = sum (a b)^2 at least `square`, of an element of value v with an
 * addend of magnitude a.  Of the formulas in bound.h and bound.c, in which all of these stand with
 * factors that are not negative, and divisors of at most 1,
 *     hard    >= leaf S + addend_leaf a + (m - 1) u (S + a + |v|) / 2
 *     signs   >= leaf S + addend_leaf a + (m - 1) u (sign_factor sqrt Q + a)
 *     typical >= 8 u sqrt (((leaf / u) Q + (addend_leaf / u) a^2 + m / 2 (Q + a^2) + m / 3 v^2) /
 * 3) or hard, where that is less, for m terms or more.  What is rounded here is less than
 * DRAFT_SLACK of it, which they are all lessened by. */
#ifndef ORACLE_DRAFT_ROWS_H
#define ORACLE_DRAFT_ROWS_H

#include <math.h>

#include "reference/draft.h"

/* What a value may be off by here, as a part of the sizes that it is the sum of. */
#define DRAFT_VALUE_SLACK 0x1p-46

/* The factors above: of hard, of signs, and of the square of typical. */
typedef struct DraftRule {
    double hard_size, hard_value, hard_addend;
    double signs_size, signs_root, signs_addend;
    double typical_square, typical_value, typical_addend;
    bool drawn, signs;         /* typical and signs are bounds */
    double alpha, beta, share; /* share S^2 is at most Q */
} DraftRule;

/* One element: of the last two what they are at least. */
typedef struct DraftElement {
    double distance, value, addend, size, square;
} DraftElement;

/* At least the ratio of error to bound; infinity where it is not known to be admitted. */
static inline double draft_ratio(const DraftRule *rule, const DraftElement *e)
{
    double d = e->distance, v = e->value, a = e->addend;
    double hard = rule->hard_size * e->size + rule->hard_value * v + rule->hard_addend * a;
    double variance = rule->typical_square * e->square + rule->typical_value * (v * v) +
                      rule->typical_addend * (a * a);
    double rest = d - rule->signs_size * e->size - rule->signs_addend * a;
    double reach = rule->signs_root * rule->signs_root * e->square;
    bool typical = !rule->drawn | (d * d <= variance);
    bool signs = !rule->signs | (rest <= 0) | (rest * rest <= reach);
    return ((d <= hard) & typical & signs) ? d / hard : (double)INFINITY;
}

/* A row: its products, and C or NULL; what came; sums and rests as RefDraft has them.  ratios are
 * those above, rounded up. */
typedef struct DraftRow {
    size_t count;
    const double *products, *addends, *got;
    double sum, rest;
    const double *sums, *rests;
    float *ratios;
} DraftRow;

/* The largest ratio that is finite. */
typedef double DraftRowKernel(const DraftRule *rule, const DraftRow *row);
/* Whether each element is alpha times the product and beta times C, which is exact. */
typedef bool DraftEqualKernel(const DraftRule *rule, const DraftRow *row);
/* The sums of |a b| and (a b)^2, to nearest. */
typedef void DraftSizesKernel(const DraftFactors *factors, double *size, double *square);

typedef struct DraftKernels {
    DraftRowKernel *row;
    DraftEqualKernel *equal;
    DraftSizesKernel *sizes;
} DraftKernels;

extern const DraftKernels draft_kernels_baseline, draft_kernels_avx2, draft_kernels_avx512;

#endif
