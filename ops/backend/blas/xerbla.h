/* Catches the error handler of the BLAS.  Most libraries look cblas_xerbla or xerbla_ up in the
 * executable first, and find ours.  One that binds its handler to itself gets a jump to ours
 * written over it, in this process's private copy of the code; x86-64 only. */
#ifndef OPS_BACKEND_CBLAS_XERBLA_H
#define OPS_BACKEND_CBLAS_XERBLA_H

#include <stdbool.h>

/* Forgets what was reported.  from_c, unless NULL, is the reference CBLAS's own mark of calls that
 * come from C: while it is set, the Fortran routines count one argument less. */
void xerbla_reset(const int *from_c);

/* The functions of a library from which reports of illegal arguments are caught: its cblas_sgemm
 * and sgemm_, which are called with an illegal extent to see whether a report arrives; its function
 * that sets a handler (OpenBLAS from 0.3.31 on); its own xerbla_. The last three may be NULL. */
typedef struct ReportSource {
    void *sgemm, *fortran_sgemm, *set_handler, *handler;
    bool wide_integers;
} ReportSource;

/* Arranges that reports of a library come here; false where they cannot be caught. */
bool xerbla_catch(const ReportSource *source);
/* False where those of its Fortran routines, or these, cannot be. */
bool xerbla_catches_fortran(const ReportSource *source);

/* Number of the first argument that was reported since, -1 when none was. */
int xerbla_reported(void);

#endif
