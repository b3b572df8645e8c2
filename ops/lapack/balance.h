/* Balancing of a square matrix, as gebal and the drivers that call it give it (op_gebal.c has what
 * is demanded).  q->job says what is done, by lapack_balances. */
#ifndef OPS_LAPACK_BALANCE_H
#define OPS_LAPACK_BALANCE_H

#include "lapack.h"

/* References that are allocated; a: NULL where B is no result. */
typedef struct BalanceRefs {
    Ref *a, *ilo, *ihi, *scale;
} BalanceRefs;

/* What is demanded of a finite matrix given what was computed. */
void balance_judge(const BalanceRefs *refs, const Lapack *q, const Matrix *a,
                   const Tensor ilo_ihi_scale[3], Arena *arena);
/* One right result; A becomes B. */
void balance_compute(const BalanceRefs *refs, const Lapack *q, Matrix *a, Arena *arena);

/* What was computed as rows from 0 and factors; false where it is none. */
typedef struct Balancing {
    int64_t first, end;
    double *scale;
} Balancing;
bool balance_read(Balancing *to, int64_t n, const Tensor ilo_ihi_scale[3], Arena *arena);
/* The row that line j was exchanged with; itself where the number is none. */
int64_t balance_partner(const Balancing *b, int64_t n, int64_t j);
/* D^-1 P^T A P D. */
Matrix balance_matrix(const Balancing *b, const Matrix *a, Arena *arena);
/* D^-1 P^T Z, or D P^T Z: vectors of B, right or left, of those of A. */
void balance_vectors(const Balancing *b, bool left, Matrix *z);

#endif
