/* The handlers.  Reference BLAS ends the process in its own; the standard lets the user replace it
 * (BLAS Technical Forum Standard, section 1.8), and every library returns after the call. */
#include "cblas_xerbla.h"

#include <stddef.h>
#include <stdint.h>

static int reported = -1;
static const int *called_from_c;

void xerbla_reset(const int *from_c)
{
    reported = -1;
    called_from_c = from_c;
}

int xerbla_reported(void)
{
    return reported;
}

static void report(int argument)
{
    if (reported < 0)
        reported = argument;
}

#define EXPORTED __attribute__((visibility("default")))

EXPORTED void cblas_xerbla(int argument, const char *routine, const char *form, ...);
EXPORTED void cblas_xerbla(int argument, const char *routine, const char *form, ...)
{
    (void)routine;
    (void)form;
    report(argument);
}

EXPORTED void scipy_cblas_xerbla(int argument, const char *routine, const char *form, ...);
EXPORTED void scipy_cblas_xerbla(int argument, const char *routine, const char *form, ...)
{
    (void)routine;
    (void)form;
    report(argument);
}

/* The Fortran handler gets the address of the number; numbers are small, so that its low half is
 * enough for 64-bit integers on little-endian machines. */
EXPORTED int xerbla_(const char *routine, const int *argument, size_t length);
EXPORTED int xerbla_(const char *routine, const int *argument, size_t length)
{
    (void)routine;
    (void)length;
    report(*argument + (called_from_c && *called_from_c));
    return 0;
}

EXPORTED int scipy_xerbla_(const char *routine, const int *argument, size_t length);
EXPORTED int scipy_xerbla_(const char *routine, const int *argument, size_t length)
{
    return xerbla_(routine, argument, length);
}

EXPORTED int scipy_xerbla_64_(const char *routine, const int64_t *argument, size_t length);
EXPORTED int scipy_xerbla_64_(const char *routine, const int64_t *argument, size_t length)
{
    int number = (int)*argument;
    return xerbla_(routine, &number, length);
}

void xerbla_of_mkl(const char *routine, const int *argument, int length)
{
    (void)routine;
    (void)length;
    report(*argument);
}
