/* The number of an illegal argument arrives, whichever way a library passes it to its handler. */
#include "ops/backend/blas/xerbla.h"

#include <stddef.h>
#include <stdint.h>

#include "tests/check.h"

/* The handlers as libraries declare them. */
typedef void ReferenceForm(int argument, const char *routine, const char *form, ...);
typedef void MklForm(const char *routine, int argument);
typedef void WideMklForm(const char *routine, int64_t argument);

void cblas_xerbla(intptr_t first, intptr_t second, ...);
int xerbla_(const char *routine, const int *argument, size_t length);

static void test_forms(void)
{
    void *handler = NULL;
    *(void (**)(intptr_t, intptr_t, ...)) & handler = cblas_xerbla;
    for (int argument = 0; argument < 30; argument++) {
        xerbla_reset(NULL);
        CHECK(xerbla_reported() < 0);
        (*(ReferenceForm **)&handler)(argument, "cblas_sgemm", "%s", "");
        CHECK(xerbla_reported() == argument);
        xerbla_reset(NULL);
        (*(MklForm **)&handler)("cblas_sgemm", argument);
        CHECK(xerbla_reported() == argument);
        xerbla_reset(NULL);
        (*(WideMklForm **)&handler)("cblas_sgemm", argument);
        CHECK(xerbla_reported() == argument);
        xerbla_reset(NULL);
        (void)xerbla_("SGEMM ", &argument, 6);
        CHECK(xerbla_reported() == argument);
    }
}

int main(void)
{
    test_forms();
    return check_end("ops/t_xerbla");
}
