/* Eigenvalues of hermitian matrices that a caller chooses: all, by their numbers, or by an interval
 * (vl, vu].  Where an end lies nearer to a value than that is off by, either count is right: what
 * is found must be right for ends that are moved by p(n) u |A| (spectrum.h). */
#ifndef OPS_LAPACK_CHOSEN_H
#define OPS_LAPACK_CHOSEN_H

#include "lapack.h"
#include "spectrum.h"

extern const char *const chosen_ranges[4];
enum { RANGE_ALL, RANGE_INDICES, RANGE_INTERVAL };
#define LAPACK_CHOSEN                                                                              \
    P_CHOICE_AS("range", Lapack, compz, chosen_ranges, "which eigenvalues", .terse = true),        \
        P_ROW("first", PARAM_DIM, Lapack, ilo, int64_t, "number of the least one, from 1",         \
              .minimum = 1, .maximum = 4096, .simplest = 1, .terse = true),                        \
        P_ROW("last", PARAM_DIM, Lapack, ihi, int64_t, "number of the greatest; 0: that of A",     \
              .maximum = 4096, .terse = true)
/* Makes the numbers legal for n values. */
void chosen_normalise(Lapack *q, int64_t n);

/* The lower triangle of rows first to end - 1 of a tridiagonal matrix. */
Matrix chosen_tridiagonal(const Matrix *d, const Matrix *e, int64_t first, int64_t end,
                          Arena *arena);

/* Puts the numbers of the case. */
void chosen_put_numbers(const Tensor *il, const Tensor *iu, const Lapack *q);

/* Puts ends of an interval that has the values, of n, of the numbers of the case; none is below 0
 * where that is the least value that there is. */
void chosen_put_ends(const Tensor *vl, const Tensor *vu, const Spectrum *s, int64_t n,
                     const Lapack *q, bool from_zero);
/* How many values are at most `end`. */
int64_t chosen_up_to(const Spectrum *s, int64_t n, double end);
/* How far a value may be from the exact one. */
double chosen_distance(const Spectrum *s, const Lapack *q);

/* Whether bisection needs no scaling (dstebz.f), or |T| is 0: |T| is below overflow^(1/2)
 * underflow^(1/4), and above sqrt safmin / (25 u). */
bool chosen_is_scaled(const Spectrum *s, DType dtype);

/* Which of the exact values were found. */
typedef struct Chosen {
    int64_t first, count;
    bool known;
} Chosen;
/* Judges how many of n were found in an interval, w, which ascends, each of which may be `off` from
 * its value. */
Chosen chosen_of_interval(Ref *found_ref, const Spectrum *s, int64_t n, double off,
                          const Tensor *vl, const Tensor *vu, const double *w, int64_t found);

#endif
