/* Systems as expert drivers solve them: scaled where that helps, factored or given with factors.
 *
 * With FACT = 'E' rows and columns are scaled as geequ or poequ say (equilibrate.h) where the ratio
 * of their factors is below 0.1, of rows also where the largest element is below the least normal
 * number over 2 u or above its reciprocal (dlaqge.f, dlaqsy.f); where one of these is within its
 * rounding of that, either is right.  EQUED says what was done.  A becomes diag(R) A diag(C), each
 * element by two products of which one may be that of the factors, and B becomes diag(R) B, or of
 * systems with the transpose diag(C) B.  With FACT = 'F' A, R and C are given scaled, with factors
 * of A, and B is scaled.
 *
 * X is that of the scaled system times C, or R; berr is that system's, and ferr divided by the
 * ratio of the least factor of X to the largest one (dgesvx.f).  A column of X with parts next to
 * or below the range of normal numbers says nothing of the scaled one. */
#ifndef OPS_LAPACK_EXPERT_H
#define OPS_LAPACK_EXPERT_H

#include "lapack.h"

typedef enum Fact { FACT_NOTHING, FACT_EQUILIBRATE, FACT_FACTORED } Fact;
typedef enum Equed { EQUED_NONE, EQUED_ROWS, EQUED_COLUMNS, EQUED_BOTH } Equed;

extern const char *const expert_facts[4], *const expert_short_facts[3];
extern const char *const expert_equeds[5], *const expert_definite_equeds[3];
#define EXPERT_FACT                                                                                \
    P_CHOICE(Lapack, fact, expert_facts, "A is taken as it is, scaled, or given with its factors")
#define EXPERT_SHORT_FACT                                                                          \
    P_CHOICE(Lapack, fact, expert_short_facts, "A is taken as it is, or given with its factors")
#define EXPERT_EQUED                                                                               \
    P_CHOICE(Lapack, equed, expert_equeds, "of A with its factors: what is scaled already")
#define EXPERT_DEFINITE_EQUED                                                                      \
    P_CHOICE(Lapack, equed, expert_definite_equeds,                                                \
             "of A with its factors: whether it is scaled already")

/* What `equed` of a case is. */
Equed expert_equed(const Lapack *q, bool definite);
/* Its letter. */
char expert_letter(Equed equed, bool definite);

/* The operands that take part: views before the call and after it (NULL: there was none), whose
 * places are -1 where the routine has none. */
typedef struct ExpertScaling {
    const Lapack *q;
    const Tensor *given, *computed;
    Ref *refs;
    bool definite, hermitian;
    int a, equed, r, c, b; /* r and c of a definite matrix are one operand */
} ExpertScaling;

/* The system that is solved, and how X comes of its solution. */
typedef struct ExpertSystem {
    Matrix a, b;          /* A as it is stored */
    double *factors_of_x; /* NULL: they are 1 */
    double ratio;
} ExpertSystem;

/* Puts EQUED, R and C, A and B, whose references are allocated here, of those that the routine has.
 */
ExpertSystem expert_scale(const ExpertScaling *scaling, Arena *arena);

/* X of the scaled system of what came out: columns that say nothing of it are NaN. */
Matrix expert_unscaled(const ExpertSystem *system, const Matrix *x, DType dtype, Arena *arena);

#endif
