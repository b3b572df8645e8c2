/* Catches the error handler of the BLAS: the libraries' calls of cblas_xerbla and xerbla_, under
 * their usual prefixes and suffixes, come here because the executable is searched first.  A library
 * that binds its handler to itself is not caught; it prints, or ends the process. */
#ifndef OPS_BACKEND_CBLAS_XERBLA_H
#define OPS_BACKEND_CBLAS_XERBLA_H

/* Forgets what was reported.  from_c, unless NULL, is the reference CBLAS's own mark of calls that
 * come from C: while it is set, the Fortran routines count one argument less. */
void xerbla_reset(const int *from_c);

/* The handler as mkl_set_xerbla wants it. */
void xerbla_of_mkl(const char *routine, const int *argument, int length);

/* Number of the first argument that was reported since, -1 when none was. */
int xerbla_reported(void);

#endif
