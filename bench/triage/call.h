/* A call of the CBLAS as causes see it: every routine in one form.  make-routines writes the
 * routines, which hand each call to call_begin, to the right library, and to call_end. */
#ifndef BENCH_TRIAGE_CALL_H
#define BENCH_TRIAGE_CALL_H

#include <stddef.h>

enum { ROW_MAJOR = 101, COL_MAJOR, NO_TRANS = 111, TRANS, CONJ_TRANS };
enum { UPPER = 121, LOWER, NON_UNIT = 131, UNIT, LEFT = 141, RIGHT };

typedef struct Number {
    double re, im;
} Number;

typedef struct Call {
    const char *op;        /* the routine without its letters: gemm */
    const char *arguments; /* their names, each with a space before and behind it */
    int is_double, is_complex;
    int order, ta, tb, uplo, side, diag;
    int m, n, k, kl, ku;
    int lda, ldb, ldc, incx, incy;
    Number alpha, beta, c_factor, s_factor;
    /* Inputs and outputs; a cause must not write through the pointer of an input. */
    void *a, *b, *c, *ap, *x, *y;
    void *result;
    int result_is_double, result_is_index;
    /* Of call.c: what the output held before the call. */
    void *saved;
    struct Call *before;
} Call;

/* Lets the causes that are switched on change the arguments; 0 when the library is not called. */
int call_begin(Call *call);

/* Lets them change the results. */
void call_end(Call *call);

/* The function of the right library. */
void *call_find(const char *name);

#endif
