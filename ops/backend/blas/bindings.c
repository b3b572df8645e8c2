/* The routines of the CBLAS and of LAPACK, and what the words of their rows mean. */
#include "bindings.h"

#include <stdio.h>
#include <string.h>

#include "ops/case/case.h"

static const CblasRoutine routines[] = {
    {"asum", "result = {f32=s f64=d c64=sc c128=dz}asum(n, x, incx)"},
    {"axpby", "?axpby(n, alpha, x, incx, beta, y, incy) extension"},
    {"axpy", "?axpy(n, alpha, x, incx, y, incy)"},
    {"copy", "?copy(n, x, incx, y, incy)"},
    {"dot", "result = ?dot(n, x, incx, y, incy)"},
    {"dotc", "?dotc_sub(n, x, incx, y, incy, result)"},
    {"dotc", "result = ?dotc(n, x, incx, y, incy) extension"},
    {"dotu", "?dotu_sub(n, x, incx, y, incy, result)"},
    {"dotu", "result = ?dotu(n, x, incx, y, incy) extension"},
    {"dsdot", "result = dsdot(n, x, incx, y, incy)"},
    {"gbmv", "?gbmv(order, ta, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy)"},
    {"gbsv", "?gbsv(n, kl, ku, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"gbtrf", "?gbtrf(m, n, kl, ku, a, lda, ipiv, info) Fortran"},
    {"gbtrs", "?gbtrs(trans, n, kl, ku, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"geadd", "?geadd(order, m, n, alpha, a, lda, beta, c, ldc) extension until OpenBLAS 0.3.31"},
    {"gebal", "?gebal(job, n, a, lda, ilo, ihi, scale, info) Fortran balanced"},
    {"gecon", "{f32=s f64=d}gecon(norm, n, a, lda, =anorm, rcond, work(4*n), iwork(n), info) "
              "Fortran"},
    {"gecon", "{c64=c c128=z}gecon(norm, n, a, lda, =anorm, rcond, work(2*n), rwork(2*n), info) "
              "Fortran"},
    {"geev", "{f32=s f64=d}geev(jobvl, jobvr, n, a, lda, w, wi, vl, ldvl, vr, ldvr, work, "
             "lwork(1|3*n+(jobvl|jobvr)*n), info) Fortran balanced"},
    {"geev", "{c64=c c128=z}geev(jobvl, jobvr, n, a, lda, w, vl, ldvl, vr, ldvr, work, "
             "lwork(2*n|1), rwork(2*n), info) Fortran balanced"},
    {"gehrd", "?gehrd(n, ilo, ihi, a, lda, tau, work, lwork(n|1), info) Fortran"},
    {"gelqf", "?gelqf(m, n, a, lda, tau, work, lwork(m|1), info) Fortran"},
    {"gels", "?gels(trans, m, n, nrhs, a, lda, b, ldb, work, lwork(1|(m&n)+(m&n|nrhs)), info) "
             "Fortran"},
    {"gemm", "?gemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)"},
    {"gemm3m", "?gemm3m(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) extension"},
    {"gemm_batch", "?gemm_batch_strided(order, ta, tb, m, n, k, alpha, a, lda, stridea, b, ldb, "
                   "strideb, beta, c, ldc, stridec, batch) extension"},
    {"gemm_groups", "?gemm_batch(order, *ta, *tb, *m, *n, *k, *alpha, *a, *lda, *b, *ldb, *beta, "
                    "*c, *ldc, groups, *batch) extension"},
    {"gemm_half",
     "{f16=h bf16=b}gemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) extension"},
    {"gemm_wide", "gemm_{f16=f16f16f32 bf16=bf16bf16f32 e4m3=e4m3e4m3f32}(order, "
                  "ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) extension"},
    {"gemm_wide",
     "{f16=sh bf16=sb}gemm(order, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc) extension"},
    {"gemmt", "?gemmt(order, uplo, ta, tb, n, k, alpha, a, lda, b, ldb, beta, c, ldc) extension"},
    {"gemmt", "?gemmtr(order, uplo, ta, tb, n, k, alpha, a, lda, b, ldb, beta, c, ldc) extension"},
    {"gemv", "?gemv(order, ta, m, n, alpha, a, lda, x, incx, beta, y, incy)"},
    {"geqlf", "?geqlf(m, n, a, lda, tau, work, lwork(n|1), info) Fortran"},
    {"geqrf", "?geqrf(m, n, a, lda, tau, work, lwork(n|1), info) Fortran"},
    {"ger", "?ger(order, m, n, alpha, x, incx, y, incy, a, lda)"},
    {"gerc", "?gerc(order, m, n, alpha, x, incx, y, incy, a, lda)"},
    {"gerqf", "?gerqf(m, n, a, lda, tau, work, lwork(m|1), info) Fortran"},
    {"geru", "?geru(order, m, n, alpha, x, incx, y, incy, a, lda)"},
    {"gesdd", "{f32=s f64=d}gesdd(job, m, n, a, lda, s, u, ldu, v, ldv, work, "
              "lwork(<1|3*(m&n)+(m|n|7*(m&n))|(job&1)*(4*(m&n)*(m&n)+7*(m&n)+(m|n))), "
              "iwork(8*(m&n)), info) Fortran"},
    {"gesdd", "{c64=c c128=z}gesdd(job, m, n, a, lda, s, u, ldu, v, ldv, work, "
              "lwork(<1|2*(m&n)+(m|n)|(job&1)*((m&n)*(m&n)+3*(m&n)+(m|n))), "
              "rwork(7*(m&n)|(job&1)*(5*(m&n)*(m&n)+5*(m&n)|2*(m|n)*(m&n)+2*(m&n)*(m&n)+(m&n))), "
              "iwork(8*(m&n)), info) Fortran"},
    {"gesv", "?gesv(n, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"gesvd", "{f32=s f64=d}gesvd(job, job, m, n, a, lda, s, u, ldu, v, ldv, work, "
              "lwork(<1|3*(m&n)+(m|n)|5*(m&n)), info) Fortran"},
    {"gesvd", "{c64=c c128=z}gesvd(job, job, m, n, a, lda, s, u, ldu, v, ldv, work, "
              "lwork(<1|2*(m&n)+(m|n)), rwork(5*(m&n)), info) Fortran"},
    {"gesvd", "?gesvd(job, job, m, n, a, lda, s, u, ldu, v, ldv, rwork((m&n)-1|1)) LAPACKE"},
    {"getrf", "?getrf(m, n, a, lda, ipiv, info) Fortran"},
    {"getri", "?getri(n, a, lda, ipiv, work, lwork(n|1), info) Fortran"},
    {"getrs", "?getrs(trans, n, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"gtsv", "?gtsv(n, nrhs, dl, d, du, b, ldb, info) Fortran"},
    {"gttrf", "?gttrf(n, dl, d, du, du2, ipiv, info) Fortran"},
    {"gttrs", "?gttrs(trans, n, nrhs, dl, d, du, du2, ipiv, b, ldb, info) Fortran"},
    {"hbmv", "?hbmv(order, uplo, n, k, alpha, a, lda, x, incx, beta, y, incy)"},
    {"hemm", "?hemm(order, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)"},
    {"hemv", "?hemv(order, uplo, n, alpha, a, lda, x, incx, beta, y, incy)"},
    {"her", "?her(order, uplo, n, alpha, x, incx, a, lda)"},
    {"her2", "?her2(order, uplo, n, alpha, x, incx, y, incy, a, lda)"},
    {"her2k", "?her2k(order, uplo, ta, n, k, alpha, a, lda, b, ldb, beta, c, ldc)"},
    {"herk", "?herk(order, uplo, ta, n, k, alpha, a, lda, beta, c, ldc)"},
    {"hesv", "{c64=c c128=z}hesv(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork(1), info) "
             "Fortran"},
    {"hetrf", "{c64=c c128=z}hetrf(uplo, n, a, lda, ipiv, work, lwork(1), info) Fortran"},
    {"hetrs", "{c64=c c128=z}hetrs(uplo, n, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"hpmv", "?hpmv(order, uplo, n, alpha, ap, x, incx, beta, y, incy)"},
    {"hpr", "?hpr(order, uplo, n, alpha, x, incx, ap)"},
    {"hpr2", "?hpr2(order, uplo, n, alpha, x, incx, y, incy, ap)"},
    {"hseqr", "{f32=s f64=d}hseqr(job, compz, n, ilo, ihi, h, ldh, w, wi, z, ldz, work, "
              "lwork(n|1), info) Fortran"},
    {"hseqr", "{c64=c c128=z}hseqr(job, compz, n, ilo, ihi, h, ldh, w, z, ldz, work, "
              "lwork(n|1), info) Fortran"},
    {"iamax", "result = i?amax(n, x, incx)"},
    {"iamin", "result = i?amin(n, x, incx) extension"},
    {"imatcopy", "?imatcopy(order, ta, m, m, alpha, a, lda, lda) extension ordered"},
    {"lange", "result = ?lange(norm, m, n, a, lda, rwork(m)) Fortran"},
    {"lansy", "result = {f32=slansy f64=dlansy c64=clanhe c128=zlanhe}(norm, uplo, n, a, lda, "
              "rwork(n)) Fortran"},
    {"lantr", "result = ?lantr(norm, uplo, diag, m, n, a, lda, rwork(m)) Fortran"},
    {"nrm2", "result = {f32=s f64=d c64=sc c128=dz}nrm2(n, x, incx)"},
    {"omatcopy", "?omatcopy(order, ta, m, n, alpha, a, lda, b, ldb) extension ordered"},
    {"orghr", "{f32=sorg f64=dorg c64=cung c128=zung}hr(n, ilo, ihi, a, lda, tau, work, "
              "lwork(ihi-ilo|1), info) Fortran"},
    {"orglq", "{f32=sorg f64=dorg c64=cung c128=zung}lq(m, n, k, a, lda, tau, work, lwork(m|1), "
              "info) Fortran"},
    {"orgqr", "{f32=sorg f64=dorg c64=cung c128=zung}qr(m, n, k, a, lda, tau, work, lwork(n|1), "
              "info) Fortran"},
    {"ormhr", "{f32=sorm f64=dorm c64=cunm c128=zunm}hr(side, trans, m, n, ilo, ihi, a, lda, tau, "
              "c, ldc, work, lwork(1|n+side*(m-n)), info) Fortran"},
    {"ormlq", "{f32=sorm f64=dorm c64=cunm c128=zunm}lq(side, trans, m, n, k, a, lda, tau, c, ldc, "
              "work, lwork(1|n+side*(m-n)), info) Fortran"},
    {"ormqr", "{f32=sorm f64=dorm c64=cunm c128=zunm}qr(side, trans, m, n, k, a, lda, tau, c, ldc, "
              "work, lwork(1|n+side*(m-n)), info) Fortran"},
    {"pbsv", "?pbsv(uplo, n, k, nrhs, a, lda, b, ldb, info) Fortran"},
    {"pbtrf", "?pbtrf(uplo, n, k, a, lda, info) Fortran"},
    {"pbtrs", "?pbtrs(uplo, n, k, nrhs, a, lda, b, ldb, info) Fortran"},
    {"pocon", "{f32=s f64=d}pocon(uplo, n, a, lda, =anorm, rcond, work(3*n), iwork(n), info) "
              "Fortran"},
    {"pocon", "{c64=c c128=z}pocon(uplo, n, a, lda, =anorm, rcond, work(2*n), rwork(n), info) "
              "Fortran"},
    {"posv", "?posv(uplo, n, nrhs, a, lda, b, ldb, info) Fortran"},
    {"potrf", "?potrf(uplo, n, a, lda, info) Fortran"},
    {"potri", "?potri(uplo, n, a, lda, info) Fortran"},
    {"potrs", "?potrs(uplo, n, nrhs, a, lda, b, ldb, info) Fortran"},
    {"ppsv", "?ppsv(uplo, n, nrhs, a, b, ldb, info) Fortran"},
    {"pptrf", "?pptrf(uplo, n, a, info) Fortran"},
    {"pptri", "?pptri(uplo, n, a, info) Fortran"},
    {"pptrs", "?pptrs(uplo, n, nrhs, a, b, ldb, info) Fortran"},
    {"ptsv", "?ptsv(n, nrhs, d, e, b, ldb, info) Fortran"},
    {"pttrf", "?pttrf(n, d, e, info) Fortran"},
    {"pttrs", "{f32=s f64=d}pttrs(n, nrhs, d, e, b, ldb, info) Fortran"},
    {"pttrs", "{c64=c c128=z}pttrs(uplo, n, nrhs, d, e, b, ldb, info) Fortran"},
    {"rot", "{f32=s f64=d c64=cs c128=zd}rot(n, x, incx, y, incy, c, s)"},
    {"rotg", "?rotg(a, b, c, s)"},
    {"rotm", "?rotm(n, x, incx, y, incy, param)"},
    {"rotmg", "?rotmg(d1, d2, x1, y1, param)"},
    {"rscal", "{c64=cs c128=zd}scal(n, alpha, x, incx)"},
    {"sbmv", "?sbmv(order, uplo, n, k, alpha, a, lda, x, incx, beta, y, incy)"},
    {"scal", "?scal(n, alpha, x, incx)"},
    {"sdsdot", "result = sdsdot(n, alpha, x, incx, y, incy)"},
    {"spmv", "?spmv(order, uplo, n, alpha, ap, x, incx, beta, y, incy)"},
    {"spr", "?spr(order, uplo, n, alpha, x, incx, ap)"},
    {"spr2", "?spr2(order, uplo, n, alpha, x, incx, y, incy, ap)"},
    {"swap", "?swap(n, x, incx, y, incy)"},
    {"symm", "?symm(order, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)"},
    {"symv", "?symv(order, uplo, n, alpha, a, lda, x, incx, beta, y, incy)"},
    {"syev", "{f32=s f64=d}syev(job, uplo, n, a, lda, w, work, lwork(3*n-1|1), info) Fortran"},
    {"syev", "{c64=c c128=z}heev(job, uplo, n, a, lda, w, work, lwork(2*n-1|1), rwork(3*n-2|1), "
             "info) Fortran"},
    {"syevd", "{f32=s f64=d}syevd(job, uplo, n, a, lda, w, work, "
              "lwork(1+((n-1)&1|0)*(2*n+job*(4*n+2*n*n))), iwork, "
              "liwork(1+((n-1)&1|0)*job*(2+5*n)), info) Fortran"},
    {"syevd", "{c64=c c128=z}heevd(job, uplo, n, a, lda, w, work, "
              "lwork(1+((n-1)&1|0)*(n+job*(n-1+n*n))), rwork, "
              "lrwork(1|n+((n-1)&1|0)*job*(1+4*n+2*n*n)), iwork, "
              "liwork(1+((n-1)&1|0)*job*(2+5*n)), info) Fortran"},
    {"syevr",
     "{f32=s f64=d}syevr(job, 'A', uplo, n, a, lda, =vl, =vu, =il, =iu, =abstol, m, w, z, ldz, "
     "isuppz, work, lwork(26*n|1), iwork, liwork(10*n|1), info) Fortran"},
    {"syevr",
     "{c64=c c128=z}heevr(job, 'A', uplo, n, a, lda, =vl, =vu, =il, =iu, =abstol, m, w, z, "
     "ldz, isuppz, work, lwork(2*n|1), rwork, lrwork(24*n|1), iwork, liwork(10*n|1), "
     "info) Fortran"},
    {"syr", "?syr(order, uplo, n, alpha, x, incx, a, lda)"},
    {"syr2", "?syr2(order, uplo, n, alpha, x, incx, y, incy, a, lda)"},
    {"syr2k", "?syr2k(order, uplo, ta, n, k, alpha, a, lda, b, ldb, beta, c, ldc)"},
    {"syrk", "?syrk(order, uplo, ta, n, k, alpha, a, lda, beta, c, ldc)"},
    {"sysv", "?sysv(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork(1), info) Fortran"},
    {"sytrf", "?sytrf(uplo, n, a, lda, ipiv, work, lwork(1), info) Fortran"},
    {"sytrs", "?sytrs(uplo, n, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"tbmv", "?tbmv(order, uplo, ta, diag, n, k, a, lda, x, incx)"},
    {"tbsv", "?tbsv(order, uplo, ta, diag, n, k, a, lda, x, incx)"},
    {"tbtrs", "?tbtrs(uplo, trans, diag, n, k, nrhs, a, lda, b, ldb, info) Fortran"},
    {"tpmv", "?tpmv(order, uplo, ta, diag, n, ap, x, incx)"},
    {"tpsv", "?tpsv(order, uplo, ta, diag, n, ap, x, incx)"},
    {"tptri", "?tptri(uplo, diag, n, a, info) Fortran"},
    {"tptrs", "?tptrs(uplo, trans, diag, n, nrhs, a, b, ldb, info) Fortran"},
    {"trcon", "{f32=s f64=d}trcon(norm, uplo, diag, n, a, lda, rcond, work(3*n), iwork(n), info) "
              "Fortran"},
    {"trcon", "{c64=c c128=z}trcon(norm, uplo, diag, n, a, lda, rcond, work(2*n), rwork(n), info) "
              "Fortran"},
    {"trmm", "?trmm(order, side, uplo, ta, diag, m, n, alpha, a, lda, b, ldb)"},
    {"trmv", "?trmv(order, uplo, ta, diag, n, a, lda, x, incx)"},
    {"trsm", "?trsm(order, side, uplo, ta, diag, m, n, alpha, a, lda, b, ldb)"},
    {"trsv", "?trsv(order, uplo, ta, diag, n, a, lda, x, incx)"},
    {"trtri", "?trtri(uplo, diag, n, a, lda, info) Fortran"},
    {"trtrs", "?trtrs(uplo, trans, diag, n, nrhs, a, lda, b, ldb, info) Fortran"},
};

const CblasRoutine *cblas_routine(const char *op)
{
    /* It is asked of every operator each time a library is opened. */
    for (size_t i = 0; i < COUNT_OF(routines); i++)
        if (routines[i].op[0] == op[0] && !strcmp(routines[i].op, op))
            return &routines[i];
    return NULL;
}

const CblasRoutine *cblas_routine_number(int number)
{
    return number < (int)COUNT_OF(routines) ? &routines[number] : NULL;
}

const CblasRoutine *cblas_next_routine(const CblasRoutine *routine)
{
    const CblasRoutine *next = routine + 1;
    return next < routines + COUNT_OF(routines) && !strcmp(next->op, routine->op) ? next : NULL;
}

/* Copies a word of the given length; false where it is too long. */
static bool copy_word(char *to, size_t size, const char *word, size_t length)
{
    if (length >= size)
        return false;
    memcpy(to, word, length);
    to[length] = '\0';
    return true;
}

/* The word for an element type in a list such as {f32=s f64=d}; false if it is not there. */
static bool find_letters(const char *list, DType dtype, char *letters, size_t size)
{
    size_t length = strlen(dtype_names[dtype]);
    for (const char *at = list + 1; *at && *at != '}'; at += strspn(at, " ")) {
        const char *end = at + strcspn(at, " }");
        if (!strncmp(at, dtype_names[dtype], length) && at[length] == '=')
            return copy_word(letters, size, at + length + 1, (size_t)(end - at) - length - 1);
        at = end;
    }
    return false;
}

/* The name of the function, behind what takes its value. */
static const char *name_of(const CblasRoutine *routine)
{
    const char *returns = strstr(routine->call, " = ");
    return returns ? returns + 3 : routine->call;
}

bool cblas_spell(const CblasRoutine *routine, DType dtype, char *name, size_t size)
{
    static const char blas[] = "{f32=s f64=d c64=c c128=z}";
    const char *word = name_of(routine);
    const char *open = strchr(word, '('), *mark = strpbrk(word, "?{");
    char letters[32] = "";
    if (!mark || mark > open)
        return copy_word(name, size, word, (size_t)(open - word));
    const char *rest = *mark == '?' ? mark + 1 : strchr(mark, '}') + 1;
    if (!find_letters(*mark == '?' ? blas : mark, dtype, letters, sizeof letters))
        return false;
    size_t before = (size_t)(mark - word), with = before + strlen(letters);
    return copy_word(name, size, word, before) &&
           copy_word(name + before, size - before, letters, with - before) &&
           copy_word(name + with, size - with, rest, (size_t)(open - rest));
}

/* What a row says behind the call. */
static const char *marks_of(const CblasRoutine *routine)
{
    return strrchr(routine->call, ')') + 1;
}

static bool is_for_lapacke_alone(const CblasRoutine *routine)
{
    return strstr(marks_of(routine), "LAPACKE") != NULL;
}

static bool is_for_fortran_alone(const CblasRoutine *routine)
{
    return strstr(marks_of(routine), "Fortran") != NULL;
}

bool cblas_is_lapacke(CblasInterface interface)
{
    return interface == INTERFACE_LAPACKE || interface == INTERFACE_LAPACKE_WORK;
}

bool cblas_is_of_lapack(const CblasRoutine *routine)
{
    return is_for_fortran_alone(routine) || is_for_lapacke_alone(routine);
}

/* True where LAPACKE's function has another row than that of Fortran. */
static bool has_row_for_lapacke(const CblasRoutine *routine)
{
    const CblasRoutine *first = routine;
    while (first > routines && !strcmp(first[-1].op, routine->op))
        first--;
    for (const CblasRoutine *row = first; row; row = cblas_next_routine(row))
        if (is_for_lapacke_alone(row))
            return true;
    return false;
}

static bool says_for(const CblasRoutine *routine, CblasInterface interface)
{
    switch (interface) {
    case INTERFACE_C:
        return !cblas_is_of_lapack(routine);
    case INTERFACE_FORTRAN:
        return !is_for_lapacke_alone(routine);
    case INTERFACE_LAPACKE:
        return is_for_lapacke_alone(routine) ||
               (is_for_fortran_alone(routine) && !has_row_for_lapacke(routine));
    default:
        return is_for_fortran_alone(routine);
    }
}

/* Whether the routine has a function of the interface; read once of each row, since every process
 * that opens a library asks for all names. */
static bool is_for(const CblasRoutine *routine, CblasInterface interface)
{
    enum { READ = 1 << INTERFACE_COUNT };
    static unsigned char interfaces[COUNT_OF(routines)];
    unsigned char *own = &interfaces[routine - routines];
    for (int i = 0; !(*own & READ) && i < INTERFACE_COUNT; i++)
        *own |= (unsigned char)(says_for(routine, (CblasInterface)i) << i);
    *own |= READ;
    return *own >> interface & 1;
}

bool cblas_is_balanced(const CblasRoutine *routine)
{
    return strstr(marks_of(routine), "balanced") != NULL;
}

/* The length of a name without what says in C that a result is an argument. */
static size_t length_as_function(const char *name)
{
    static const char suffix[] = "_sub";
    size_t length = strlen(name);
    bool has = length > strlen(suffix) && !strcmp(name + length - strlen(suffix), suffix);
    return has ? length - strlen(suffix) : length;
}

bool cblas_spell_symbol(const CblasRoutine *routine, CblasInterface interface, DType dtype,
                        char *name, size_t size)
{
    static const struct {
        const char *before, *after;
    } around[INTERFACE_COUNT] = {[INTERFACE_C] = {"cblas_", ""},
                                 [INTERFACE_FORTRAN] = {"", "_"},
                                 [INTERFACE_LAPACKE] = {"LAPACKE_", ""},
                                 [INTERFACE_LAPACKE_WORK] = {"LAPACKE_", "_work"}};
    char word[64];
    if (!is_for(routine, interface) || !cblas_spell(routine, dtype, word, sizeof word))
        return false;
    const char *before = around[interface].before, *after = around[interface].after;
    size_t letters = interface == INTERFACE_C ? strlen(word) : length_as_function(word);
    size_t start = strlen(before), end = start + letters;
    return copy_word(name, size, before, start) &&
           copy_word(name + start, size - start, word, letters) &&
           copy_word(name + end, size - end, after, strlen(after));
}

bool cblas_known_function(int number, KnownFunction *function)
{
    enum { FORMS = INTERFACE_COUNT + 1 };
    int form = number % FORMS, row = number / FORMS;
    char word[48];
    *function = (KnownFunction){.dtype = (DType)(row % DT_COUNT)};
    row /= DT_COUNT;
    if (row >= (int)COUNT_OF(routines))
        return false;
    const OpDesc *op = op_find(routines[row].op);
    if (!op || !(op_dtypes(op) & 1u << function->dtype))
        return true;
    bool spelt = form == INTERFACE_COUNT
                     ? cblas_spell(&routines[row], function->dtype, word, sizeof word)
                     : cblas_spell_symbol(&routines[row], (CblasInterface)form, function->dtype,
                                          word, sizeof word);
    if (spelt) {
        function->op = op;
        (void)snprintf(function->name, sizeof function->name, "%s", word);
    }
    return true;
}

const char *cblas_until(const CblasRoutine *routine)
{
    static const char word[] = " until OpenBLAS ";
    const char *until = strstr(routine->call, word);
    return until ? until + strlen(word) : NULL;
}

bool cblas_is_extension(const CblasRoutine *routine)
{
    return strstr(marks_of(routine), "extension") != NULL;
}

bool cblas_has_scratch(const CblasRoutine *routine)
{
    return strstr(routine->call, "work") != NULL;
}

/* True where the C routine puts its result where an argument says, and that of Fortran returns it.
 */
static bool becomes_function(const CblasRoutine *routine)
{
    return strstr(routine->call, "_sub(") != NULL;
}

int cblas_result(const CblasRoutine *routine, const OpDesc *op, CblasInterface interface)
{
    const char *returns = strstr(routine->call, " = ");
    if (returns)
        return cblas_operand(op, routine->call, (size_t)(returns - routine->call));
    if (cblas_is_lapacke(interface))
        return cblas_operand(op, "info", strlen("info"));
    return interface == INTERFACE_FORTRAN && becomes_function(routine)
               ? cblas_operand(op, "result", strlen("result"))
               : -1;
}

int cblas_position(const CblasRoutine *routine, const OpDesc *op)
{
    return name_of(routine)[0] == 'i' ? cblas_operand(op, "result", strlen("result")) : -1;
}

int cblas_operand(const OpDesc *op, const char *name, size_t length)
{
    for (int i = 0; op->tensors[i]; i++)
        if (strlen(op->tensors[i]) == length && !strncmp(op->tensors[i], name, length))
            return i;
    return -1;
}

DType cblas_operand_dtype(const OpDesc *op, DType dtype, int operand)
{
    Case c;
    Shapes shapes;
    case_init(&c, op);
    case_set_dtype(&c, dtype);
    op_shape(op, c.params, &shapes);
    return shapes.tensor[operand].layout.dtype;
}

DType cblas_factor_dtype(const OpDesc *op, DType dtype)
{
    int c = cblas_operand(op, "c", 1);
    return c < 0 || op->tensors[c + 1] ? dtype : cblas_operand_dtype(op, dtype, c);
}

/* True when a word is a keyword with parentheses around or behind it: type(a), 'n'. */
static bool is_between(const char *word, size_t length, const char *before, const char *after)
{
    size_t front = strlen(before), back = strlen(after);
    return length > front + back && !strncmp(word, before, front) &&
           !strncmp(word + length - back, after, back);
}

/* work, rwork(n) or lwork(n|1); false where the word is none of these. */
static bool resolve_scratch(CblasArgument *argument, const char *word, size_t length)
{
    static const char *const names[] = {"work", "rwork", "iwork", "bwork"};
    const char *open = memchr(word, '(', length);
    size_t bare = open ? (size_t)(open - word) : length, is_length = *word == 'l';
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strlen(names[i]) == bare - is_length &&
            !strncmp(names[i], word + is_length, bare - is_length)) {
            argument->kind = is_length ? ARGUMENT_LENGTH : ARGUMENT_SCRATCH;
            argument->formula = open ? open + 1 : NULL;
            return copy_word(argument->name, sizeof argument->name, word, bare);
        }
    return false;
}

/* An argument that no parameter and no operand gives; false where the word is one of those. */
static bool resolve_other(CblasArgument *argument, const OpDesc *op, const char *word,
                          size_t length)
{
    argument->tensor = -1;
    if (resolve_scratch(argument, word, length))
        return true;
    if (is_between(word, length, "type(", ")")) {
        argument->kind = ARGUMENT_TYPE;
        argument->tensor = cblas_operand(op, word + 5, length - 6);
        (void)snprintf(argument->name, sizeof argument->name, "type_%.*s", (int)length - 6,
                       word + 5);
        return true;
    }
    if (is_between(word, length, "'", "'")) {
        argument->kind = ARGUMENT_CONSTANT;
        (void)snprintf(argument->name, sizeof argument->name, "%.*s", (int)length - 2, word + 1);
        return true;
    }
    (void)snprintf(argument->name, sizeof argument->name, "%.*s", (int)length, word);
    argument->kind = !strcmp(argument->name, "compute") ? ARGUMENT_COMPUTE : ARGUMENT_ALGORITHM;
    return argument->kind == ARGUMENT_COMPUTE || !strcmp(argument->name, "algorithm");
}

static const Param *find_param(const OpDesc *op, const char *name)
{
    for (const Param *param = op->params; param->name; param++)
        if (!strcmp(param->name, name))
            return param;
    BUG("%s: no parameter or operand '%s'", op->name, name);
}

static CblasArgument resolve(const OpDesc *op, const char *word, size_t length)
{
    CblasArgument argument = {.tensor = -1};
    if (resolve_other(&argument, op, word, length))
        return argument;
    argument = (CblasArgument){
        .by_group = *word == '*', .as_scalar = *word == '&', .by_value = *word == '='};
    size_t marked = argument.by_group || argument.as_scalar || argument.by_value;
    word += marked;
    length -= marked;
    (void)snprintf(argument.name, sizeof argument.name, "%.*s", (int)length, word);
    argument.tensor = cblas_operand(op, word, length);
    if (argument.tensor >= 0) {
        argument.kind = ARGUMENT_OPERAND;
        return argument;
    }
    bool stride = is_between(word, length, "stride", ""),
         leads = is_between(word, length, "ld", "");
    if (stride || leads || is_between(word, length, "inc", "")) {
        size_t front = strlen(stride ? "stride" : leads ? "ld" : "inc");
        argument.kind = stride ? ARGUMENT_STRIDE : ARGUMENT_LEADING;
        argument.tensor = cblas_operand(op, word + front, length - front);
    }
    if (stride)
        return argument;
    argument.param = find_param(op, argument.name);
    if (argument.kind != ARGUMENT_LEADING)
        argument.kind = argument.param->kind == PARAM_CHOICE   ? ARGUMENT_CHOICE
                        : argument.param->kind == PARAM_SCALAR ? ARGUMENT_SCALAR
                                                               : ARGUMENT_INTEGER;
    return argument;
}

int cblas_arguments(const CblasRoutine *routine, const OpDesc *op,
                    CblasArgument arguments[CBLAS_ARGUMENTS_MAX])
{
    int count = 0;
    const char *word = strchr(routine->call, '(') + 1, *end = strrchr(routine->call, ')');
    while (word < end) {
        size_t length = strcspn(word, ","), left = (size_t)(end - word);
        if (count == CBLAS_ARGUMENTS_MAX)
            BUG("%s: too many arguments", routine->call);
        arguments[count++] = resolve(op, word, length < left ? length : left);
        word += length + strspn(word + length, ", ");
    }
    return count;
}

static int fortran_arguments(const CblasRoutine *routine, int count,
                             CblasArgument arguments[CBLAS_ARGUMENTS_MAX])
{
    bool ordered = strstr(marks_of(routine), "ordered") != NULL;
    if (becomes_function(routine))
        count--;
    if (count == 0 || ordered || strcmp(arguments[0].name, "order") != 0)
        return count;
    memmove(arguments, arguments + 1, (size_t)(count - 1) * sizeof *arguments);
    return count - 1;
}

/* Puts `order` in front, and leaves out info, and arrays to work in unless they are to be given. */
static int lapacke_arguments(const OpDesc *op, bool given, int count,
                             CblasArgument arguments[CBLAS_ARGUMENTS_MAX])
{
    static const char order[] = "order", info[] = "info";
    CblasArgument all[CBLAS_ARGUMENTS_MAX];
    int kept = 0;
    memcpy(all, arguments, (size_t)count * sizeof *all);
    if (op_param(op, order, strlen(order)))
        arguments[kept++] = resolve(op, order, strlen(order));
    for (int i = 0; i < count; i++) {
        bool scratch = all[i].kind == ARGUMENT_SCRATCH || all[i].kind == ARGUMENT_LENGTH;
        if ((!scratch || given) && strcmp(all[i].name, info) != 0)
            arguments[kept++] = all[i];
    }
    return kept;
}

int cblas_arguments_by(const CblasRoutine *routine, const OpDesc *op, CblasInterface interface,
                       CblasArgument arguments[CBLAS_ARGUMENTS_MAX])
{
    int count = cblas_arguments(routine, op, arguments);
    if (interface == INTERFACE_FORTRAN)
        return fortran_arguments(routine, count, arguments);
    if (!cblas_is_lapacke(interface))
        return count;
    bool given = interface == INTERFACE_LAPACKE_WORK || is_for_lapacke_alone(routine);
    return lapacke_arguments(op, given, count, arguments);
}

/* LAPACKE's functions of a row, whose arguments follow from it. */
static void describe_lapacke(const CblasRoutine *routine, const OpDesc *op, Text *text)
{
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    const char *name = name_of(routine);
    int count = cblas_arguments_by(routine, op, INTERFACE_LAPACKE, arguments);
    text_printf(text, "LAPACKE_%.*s(", (int)strcspn(name, "("), name);
    for (int i = 0; i < count; i++)
        text_printf(text, "%s%s", i ? ", " : "", arguments[i].name);
    text_put(text, "), and with _work behind its name given what it works in\n");
}

void cblas_describe(const char *name, const OpDesc *op, Text *text)
{
    const CblasRoutine *routine = cblas_routine(op->name);
    (void)name;
    for (; routine; routine = cblas_next_routine(routine)) {
        if (!is_for_lapacke_alone(routine))
            text_printf(text, "%s\n", routine->call);
        if (is_for(routine, INTERFACE_LAPACKE))
            describe_lapacke(routine, op, text);
    }
}

typedef struct Enumerator {
    const char *choice, *name;
    int value;
    char letter;
} Enumerator;

static const Enumerator enumerators[] = {
    {"row", "CblasRowMajor", 101, 'R'},
    {"col", "CblasColMajor", 102, 'C'},
    {"n", "CblasNoTrans", 111, 'N'},
    {"t", "CblasTrans", 112, 'T'},
    {"c", "CblasConjTrans", 113, 'C'},
    {"upper", "CblasUpper", 121, 'U'},
    {"lower", "CblasLower", 122, 'L'},
    {"stored", "CblasNonUnit", 131, 'N'},
    {"unit", "CblasUnit", 132, 'U'},
    {"left", "CblasLeft", 141, 'L'},
    {"right", "CblasRight", 142, 'R'},
    {"largest", NULL, 151, 'M'},
    {"one", NULL, 152, 'O'},
    {"infinity", NULL, 153, 'I'},
    {"frobenius", NULL, 154, 'F'},
    {"values", NULL, 161, 'N'},
    {"vectors", NULL, 162, 'V'},
    {"nothing", NULL, 165, 'N'},
    {"permute", NULL, 166, 'P'},
    {"scale", NULL, 167, 'S'},
    {"both", NULL, 168, 'B'},
    {"eigenvalues", NULL, 169, 'E'},
    {"schur", NULL, 170, 'S'},
    {"identity", NULL, 171, 'I'},
    {"given", NULL, 172, 'V'},
    {"some", NULL, 163, 'S'},
    {"all", NULL, 164, 'A'},
};

static const Enumerator *enumerator_of(int64_t value)
{
    for (size_t i = 0; i < COUNT_OF(enumerators); i++)
        if (enumerators[i].value == value)
            return &enumerators[i];
    return NULL;
}

static const Enumerator *find_enumerator(const char *choice)
{
    for (size_t i = 0; i < COUNT_OF(enumerators); i++)
        if (!strcmp(enumerators[i].choice, choice))
            return &enumerators[i];
    return NULL;
}

bool cblas_has_enumerator(const char *choice)
{
    return find_enumerator(choice) != NULL;
}

int cblas_enumerator(const char *choice)
{
    const Enumerator *found = find_enumerator(choice);
    if (!found)
        BUG("no enumerator for '%s'", choice);
    return found->value;
}

const char *cblas_enumerator_name(int64_t value)
{
    const Enumerator *enumerator = enumerator_of(value);
    return enumerator ? enumerator->name : NULL;
}

char cblas_letter(int64_t value)
{
    const Enumerator *enumerator = enumerator_of(value);
    return enumerator ? enumerator->letter : '/';
}
