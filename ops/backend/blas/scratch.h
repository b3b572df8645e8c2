/* Arrays that routines of LAPACK work in, and what a routine says of how long they should be.
 *
 * A row has a word for each array: work of the element type, rwork of real numbers, iwork of
 * integers, bwork of logical values, with its length behind it in parentheses; or without, where
 * an argument such as lwork says how long it is, which has the least length that is documented.
 * Lengths are formulas of parameters and integers with + - *, and of two the smaller & or the
 * larger |, which bind least: lwork(3*n-1|1).  Behind < stands a length of which some calls need
 * less.
 *
 * The case's parameter `lwork` chooses between that least length and the one that the routine gives
 * in the first elements of the arrays when it is asked with lengths of -1.  Arrays lie flush
 * against a guard page, and hold the pattern of reference/guard.h. */
#ifndef OPS_BACKEND_BLAS_SCRATCH_H
#define OPS_BACKEND_BLAS_SCRATCH_H

#include "entry.h"

/* Memory for the arrays of one call at a time. */
typedef struct CblasScratch {
    GuardSlot slot[CBLAS_SCRATCH_MAX];
    GuardBlock block[CBLAS_SCRATCH_MAX];
    int count;
} CblasScratch;

/* The value of a formula for a case. */
int64_t scratch_formula(const char *formula, const Case *c);

/* Bytes of one element of an array; its type in C. */
size_t scratch_element(const CblasEntry *entry, const CblasArgument *argument, DType dtype);
const char *scratch_type(const CblasEntry *entry, const CblasArgument *argument, DType dtype);

/* True where the routine is asked for its lengths first. */
bool scratch_is_queried(const CblasEntry *entry, const Case *c);

/* An array of so many elements; NULL where there is no memory. */
void *scratch_take(CblasScratch *scratch, size_t count, size_t size);
/* Takes all arrays back; false where memory around one of them was written. */
bool scratch_reset(CblasScratch *scratch);
void scratch_release(CblasScratch *scratch);

/* The least lengths of the arrays of a case, by arguments: those of arrays and of their length
 * arguments alike. */
void scratch_least(const CblasEntry *entry, const Case *c, int64_t lengths[CBLAS_ARGUMENTS_MAX]);
/* What a query left in the first elements of the arrays, in place of those lengths. */
void scratch_read(const CblasEntry *entry, DType dtype, void *const arrays[CBLAS_ARGUMENTS_MAX],
                  int64_t lengths[CBLAS_ARGUMENTS_MAX]);

#endif
