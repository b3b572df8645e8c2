/* A library multiplies in this process; a device in the process of its backend, as a case of gemm.
 */
#include "dgemm_lender.h"

#include <stdio.h>
#include <string.h>

#include "cblas_library.h"
#include "reference/product.h"

/* Multiplications from which on a product is worth the way to a device and back, and the time that
 * it may take there. */
static const double device_work = 1 << 24;
static const uint64_t device_deadline = 60000000000u;

typedef void RealDgemm(int, int, int, int, int, int, double, const double *, int, const double *,
                       int, double, double *, int);
static RealDgemm *library_dgemm;

typedef struct DeviceLender {
    Backend backend;
    Workspace workspace;
    uint64_t products;
} DeviceLender;
static DeviceLender device;

/* By columns c^T = b^T a^T; false where the device does not answer, or declines. */
static bool multiply_on_device(size_t m, size_t n, size_t k, const double *a, const double *b,
                               double *c)
{
    const double *const factors[] = {b, a};
    Case gemm;
    Operands o;
    Text error = {0}, line = {0};
    text_printf(&line, "gemm/1 dtype=f64 order=col m=%zu n=%zu k=%zu | a=zeros b=zeros c=zeros", n,
                m, k);
    bool legal = case_parse(&gemm, text_string(&line), &error);
    text_release(&line);
    text_release(&error);
    if (!legal)
        return false;
    operands_build(&o, &device.workspace, &gemm);
    for (int i = 0; i < 2; i++)
        memcpy(o.block[i].data, factors[i], (i == 0 ? k * n : m * k) * sizeof **factors);
    device.backend.deadline = device_deadline;
    if (device.backend.kind->run(&device.backend, &o) != RUN_DONE)
        return false;
    memcpy(c, o.block[2].data, m * n * sizeof *c);
    device.products++;
    return true;
}

static bool lend(size_t m, size_t n, size_t k, const double *a, const double *b, double *c)
{
    enum { ROW_MAJOR = 101, NO_TRANS = 111 };
    if (device.backend.kind && (double)m * (double)n * (double)k >= device_work &&
        multiply_on_device(m, n, k, a, b, c))
        return true;
    if (library_dgemm)
        library_dgemm(ROW_MAJOR, NO_TRANS, NO_TRANS, (int)m, (int)n, (int)k, 1, a, (int)k, b,
                      (int)n, 0, c, (int)n);
    return library_dgemm != NULL;
}

static bool open_lender(Backend *lender, const char *name)
{
    Text error = {0};
    if (!backend_open(lender, name, &error))
        lender->kind = NULL;
    text_release(&error);
    return lender->kind != NULL;
}

static void open_device(const Backend *tested)
{
    char name[sizeof tested->name];
    if (!tested || !tested->kind->lender)
        return;
    (void)snprintf(name, sizeof name, "%s%s%s", tested->kind->lender, tested->where[0] ? "@" : "",
                   tested->where);
    if (open_lender(&device.backend, name) && !workspace_init(&device.workspace))
        BUG("no address space");
}

void dgemm_lend(const Backend *tested)
{
    static const char *const names[] = {"openblas", "blis"};
    static Backend lender;
    for (size_t i = 0; i < COUNT_OF(names) && !lender.kind; i++)
        (void)open_lender(&lender, names[i]);
    if (lender.kind)
        *(void **)&library_dgemm = cblas_function(&lender, "cblas_dgemm");
    open_device(tested);
    if (library_dgemm || device.backend.kind)
        product_use_dgemm(lend);
}

uint64_t dgemm_lent_products(void)
{
    return device.products;
}
