/* The routines of the CBLAS and of LAPACK (bindings.h), by the names of their operators. */
#include "routines.h"

const CblasRoutine cblas_routines[] = {
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
    {"gbcon", "{f32=s f64=d}gbcon(norm, n, kl, ku, a, lda, ipiv, =anorm, rcond, work(3*n), "
              "iwork(n), info) Fortran"},
    {"gbcon", "{c64=c c128=z}gbcon(norm, n, kl, ku, a, lda, ipiv, =anorm, rcond, work(2*n), "
              "rwork(n), info) Fortran"},
    {"gbmv", "?gbmv(order, ta, m, n, kl, ku, alpha, a, lda, x, incx, beta, y, incy)"},
    {"gbrfs", "{f32=s f64=d}gbrfs(trans, n, kl, ku, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, "
              "ferr, berr, work(3*n), iwork(n), info) Fortran"},
    {"gbrfs", "{c64=c c128=z}gbrfs(trans, n, kl, ku, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, "
              "ferr, berr, work(2*n), rwork(n), info) Fortran"},
    {"gbsv", "?gbsv(n, kl, ku, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"gbsvx", "{f32=s f64=d}gbsvx(fact, trans, n, kl, ku, nrhs, a, lda, af, ldaf, ipiv, equed, r, "
              "c, b, ldb, x, ldx, rcond, ferr, berr, work(3*n), iwork(n), info) Fortran counted"},
    {"gbsvx", "{c64=c c128=z}gbsvx(fact, trans, n, kl, ku, nrhs, a, lda, af, ldaf, ipiv, equed, r, "
              "c, b, ldb, x, ldx, rcond, ferr, berr, work(2*n), rwork(n), info) Fortran counted"},
    {"gbsvx", "?gbsvx(fact, trans, n, kl, ku, nrhs, a, lda, af, ldaf, ipiv, equed, r, c, b, ldb, "
              "x, ldx, rcond, ferr, berr, rwork(1)) LAPACKE counted"},
    {"gbtrf", "?gbtrf(m, n, kl, ku, a, lda, ipiv, info) Fortran"},
    {"gbtrs", "?gbtrs(trans, n, kl, ku, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"geadd", "?geadd(order, m, n, alpha, a, lda, beta, c, ldc) extension until OpenBLAS 0.3.31"},
    {"gebak", "?gebak(job, side, n, ilo, ihi, scale, m, v, ldv, info) Fortran"},
    {"gebal", "?gebal(job, n, a, lda, ilo, ihi, scale, info) Fortran balanced"},
    {"gebrd", "?gebrd(m, n, a, lda, d, e, tauq, taup, work, lwork(1|m|n), info) Fortran"},
    {"gecon", "{f32=s f64=d}gecon(norm, n, a, lda, =anorm, rcond, work(4*n), iwork(n), info) "
              "Fortran"},
    {"gecon", "{c64=c c128=z}gecon(norm, n, a, lda, =anorm, rcond, work(2*n), rwork(2*n), info) "
              "Fortran"},
    {"geequ", "?geequ(m, n, a, lda, r, c, rowcnd, colcnd, amax, info) Fortran"},
    {"gees", "{f32=s f64=d}gees(jobvs, 'N', nothing, n, a, lda, sdim, w, wi, vs, ldvs, work, "
             "lwork(3*n|1), bwork(n), info) Fortran"},
    {"gees", "{c64=c c128=z}gees(jobvs, 'N', nothing, n, a, lda, sdim, w, vs, ldvs, work, "
             "lwork(2*n|1), rwork(n), bwork(n), info) Fortran"},
    {"geesx",
     "{f32=s f64=d}geesx(jobvs, sort, negative, sense, n, a, lda, sdim, w, wi, vs, ldvs, s, "
     "sep, work, lwork(<3*n|n*n+n|1), iwork, liwork(<n*n|1), bwork(n), info) Fortran"},
    {"geesx",
     "{c64=c c128=z}geesx(jobvs, sort, negative, sense, n, a, lda, sdim, w, vs, ldvs, s, sep, "
     "work, lwork(<2*n|n*n|1), rwork(n), bwork(n), info) Fortran"},
    {"geev", "{f32=s f64=d}geev(jobvl, jobvr, n, a, lda, w, wi, vl, ldvl, vr, ldvr, work, "
             "lwork(1|3*n+(jobvl|jobvr)*n), info) Fortran balanced"},
    {"geev", "{c64=c c128=z}geev(jobvl, jobvr, n, a, lda, w, vl, ldvl, vr, ldvr, work, "
             "lwork(2*n|1), rwork(2*n), info) Fortran balanced"},
    {"geevx", "{f32=s f64=d}geevx(balanc, jobvl, jobvr, sense, n, a, lda, w, wi, vl, ldvl, vr, "
              "ldvr, ilo, ihi, scale, abnrm, rconde, rcondv, work, "
              "lwork(1|2*n|(jobvl|jobvr)*3*n|(((sense|1)-1)&1)*n*(n+6)), iwork(2*n-2|1), info) "
              "Fortran balanced"},
    {"geevx", "{c64=c c128=z}geevx(balanc, jobvl, jobvr, sense, n, a, lda, w, vl, ldvl, vr, ldvr, "
              "ilo, ihi, scale, abnrm, rconde, rcondv, work, "
              "lwork(1|2*n|(((sense|1)-1)&1)*(n*n+2*n)), rwork(2*n), info) Fortran balanced"},
    {"gehrd", "?gehrd(n, ilo, ihi, a, lda, tau, work, lwork(n|1), info) Fortran"},
    {"gelqf", "?gelqf(m, n, a, lda, tau, work, lwork(m|1), info) Fortran"},
    {"gels", "?gels(trans, m, n, nrhs, a, lda, b, ldb, work, lwork(1|(m&n)+(m&n|nrhs)), info) "
             "Fortran"},
    {"gelsd", "{f32=s f64=d}gelsd(m, n, nrhs, a, lda, b, ldb, s, =rcond, rank, work, "
              "lwork(<1|3*(m&n)+(m|n|nrhs)|126*(m&n)+(m&n)*nrhs+676), iwork(35*(m&n)|1), info) "
              "Fortran"},
    {"gelsd", "{c64=c c128=z}gelsd(m, n, nrhs, a, lda, b, ldb, s, =rcond, rank, work, "
              "lwork(<1|2*(m&n)+(m|n|nrhs)|2*(m&n)+(m&n)*nrhs), "
              "rwork(124*(m&n)+75*nrhs+(676|(m&n)*(1+nrhs)+2*nrhs)), iwork(35*(m&n)|1), info) "
              "Fortran"},
    {"gelss", "{f32=s f64=d}gelss(m, n, nrhs, a, lda, b, ldb, s, =rcond, rank, work, "
              "lwork(<1|3*(m&n)+(2*(m&n)|(m|n|nrhs))), info) Fortran"},
    {"gelss", "{c64=c c128=z}gelss(m, n, nrhs, a, lda, b, ldb, s, =rcond, rank, work, "
              "lwork(<1|2*(m&n)+(m|n|nrhs)), rwork(5*(m&n)|1), info) Fortran"},
    {"gelsy", "{f32=s f64=d}gelsy(m, n, nrhs, a, lda, b, ldb, jpvt, =rcond, rank, work, "
              "lwork(<1|(m&n)+3*n+1|2*(m&n)+nrhs), info) Fortran"},
    {"gelsy", "{c64=c c128=z}gelsy(m, n, nrhs, a, lda, b, ldb, jpvt, =rcond, rank, work, "
              "lwork(<1|(m&n)+(2*(m&n)|n+1|(m&n)+nrhs)), rwork(2*n|1), info) Fortran"},
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
    {"gemqrt", "?gemqrt(side, trans, m, n, k, nb, v, ldv, t, ldt, c, ldc, work((m|n)*nb), info) "
               "Fortran"},
    {"geqp3", "{f32=s f64=d}geqp3(m, n, a, lda, jpvt, tau, work, lwork(<1|3*n+1), info) Fortran"},
    {"geqp3", "{c64=c c128=z}geqp3(m, n, a, lda, jpvt, tau, work, lwork(<1|n+1), rwork(2*n|1), "
              "info) Fortran"},
    {"geqrf", "?geqrf(m, n, a, lda, tau, work, lwork(n|1), info) Fortran"},
    {"ger", "?ger(order, m, n, alpha, x, incx, y, incy, a, lda)"},
    {"gerc", "?gerc(order, m, n, alpha, x, incx, y, incy, a, lda)"},
    {"geqrt", "?geqrt(m, n, nb, a, lda, t, ldt, work(nb*n), info) Fortran"},
    {"gerfs", "{f32=s f64=d}gerfs(trans, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr, "
              "berr, work(3*n), iwork(n), info) Fortran"},
    {"gerfs", "{c64=c c128=z}gerfs(trans, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr, "
              "berr, work(2*n), rwork(n), info) Fortran"},
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
    {"gesvdx",
     "{f32=s f64=d}gesvdx(jobu, jobvt, range, m, n, a, lda, =vl, =vu, =il, =iu, ns, s, u, "
     "ldu, v, ldv, work, lwork(<1|(m&n)*(3*(m&n)+20)|4*(m&n)+(m|n)), iwork(12*(m&n)), "
     "info) Fortran counted"},
    {"gesvdx",
     "{c64=c c128=z}gesvdx(jobu, jobvt, range, m, n, a, lda, =vl, =vu, =il, =iu, ns, s, u, "
     "ldu, v, ldv, work, lwork(<1|(m&n)*((m&n)+5)|3*(m&n)+(m|n)), "
     "rwork((m&n)*(2*(m&n)+15*(m&n))|1), iwork(12*(m&n)), info) Fortran counted"},
    {"gesvdx",
     "?gesvdx(jobu, jobvt, range, m, n, a, lda, =vl, =vu, =il, =iu, ns, s, u, ldu, v, ldv, "
     "iwork(12*(m&n)|1)) LAPACKE counted"},
    {"gesvj",
     "{f32=s f64=d}gesvj('G', jobu, jobv, m, n, a, lda, sva, mv, v, ldv, stat, room, info) "
     "Fortran balanced"},
    {"gesvj", "{c64=c c128=z}gesvj('G', jobu, jobv, m, n, a, lda, sva, mv, v, ldv, work, "
              "lwork(m+n|1), stat, room, info) Fortran balanced"},
    {"gesvj", "?gesvj('G', jobu, jobv, m, n, a, lda, sva, mv, v, ldv, stat) LAPACKE balanced"},
    {"gesvx", "{f32=s f64=d}gesvx(fact, trans, n, nrhs, a, lda, af, ldaf, ipiv, equed, r, c, b, "
              "ldb, x, ldx, rcond, ferr, berr, work(4*n), iwork(n), info) Fortran counted"},
    {"gesvx", "{c64=c c128=z}gesvx(fact, trans, n, nrhs, a, lda, af, ldaf, ipiv, equed, r, c, b, "
              "ldb, x, ldx, rcond, ferr, berr, work(2*n), rwork(2*n), info) Fortran counted"},
    {"gesvx", "?gesvx(fact, trans, n, nrhs, a, lda, af, ldaf, ipiv, equed, r, c, b, ldb, x, ldx, "
              "rcond, ferr, berr, rwork(1)) LAPACKE counted"},
    {"getrf", "?getrf(m, n, a, lda, ipiv, info) Fortran"},
    {"getri", "?getri(n, a, lda, ipiv, work, lwork(n|1), info) Fortran"},
    {"getrs", "?getrs(trans, n, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"ggbak", "?ggbak(job, side, n, ilo, ihi, lscale, rscale, m, v, ldv, info) Fortran"},
    {"ggbal", "?ggbal(job, n, a, lda, b, ldb, ilo, ihi, lscale, rscale, "
              "rwork((((job|1)-1)&1)*6*n|1), info) Fortran"},
    {"ggev",
     "{f32=s f64=d}ggev(jobvl, jobvr, n, a, lda, b, ldb, alpha, alphai, beta, vl, ldvl, vr, "
     "ldvr, work, lwork(8*n|1), info) Fortran"},
    {"ggev", "{c64=c c128=z}ggev(jobvl, jobvr, n, a, lda, b, ldb, alpha, beta, vl, ldvl, vr, ldvr, "
             "work, lwork(2*n|1), rwork(8*n), info) Fortran"},
    {"ggglm", "?ggglm(n, m, p, a, lda, b, ldb, d, x, y, work, lwork(n+m+p|1), info) Fortran"},
    {"gges", "{f32=s f64=d}gges(jobvsl, jobvsr, sort, negative, n, a, lda, b, ldb, sdim, alpha, "
             "alphai, beta, "
             "vsl, ldvsl, vsr, ldvsr, work, lwork(8*n|6*n+16), bwork(n), info) Fortran"},
    {"gges",
     "{c64=c c128=z}gges(jobvsl, jobvsr, sort, negative, n, a, lda, b, ldb, sdim, alpha, beta, "
     "vsl, ldvsl, vsr, ldvsr, work, lwork(2*n|1), rwork(8*n), bwork(n), info) Fortran"},
    {"gghrd", "?gghrd(compq, compz, n, ilo, ihi, a, lda, b, ldb, q, ldq, z, ldz, info) Fortran"},
    {"gglse", "?gglse(m, n, p, a, lda, b, ldb, c, d, x, work, lwork(m+n+p|1), info) Fortran"},
    {"ggqrf", "?ggqrf(n, m, p, a, lda, taua, b, ldb, taub, work, lwork(n|m|p|1), info) Fortran"},
    {"ggrqf", "?ggrqf(m, p, n, a, lda, taua, b, ldb, taub, work, lwork(n|m|p|1), info) Fortran"},
    {"gtrfs", "{f32=s f64=d}gtrfs(trans, n, nrhs, dl, d, du, dlf, df, duf, du2, ipiv, b, ldb, x, "
              "ldx, ferr, berr, work(3*n), iwork(n), info) Fortran"},
    {"gtrfs", "{c64=c c128=z}gtrfs(trans, n, nrhs, dl, d, du, dlf, df, duf, du2, ipiv, b, ldb, x, "
              "ldx, ferr, berr, work(2*n), rwork(n), info) Fortran"},
    {"gtsv", "?gtsv(n, nrhs, dl, d, du, b, ldb, info) Fortran"},
    {"gtsvx", "{f32=s f64=d}gtsvx(fact, trans, n, nrhs, dl, d, du, dlf, df, duf, du2, ipiv, b, "
              "ldb, x, ldx, rcond, ferr, berr, work(3*n), iwork(n), info) Fortran"},
    {"gtsvx", "{c64=c c128=z}gtsvx(fact, trans, n, nrhs, dl, d, du, dlf, df, duf, du2, ipiv, b, "
              "ldb, x, ldx, rcond, ferr, berr, work(2*n), rwork(n), info) Fortran"},
    {"gttrf", "?gttrf(n, dl, d, du, du2, ipiv, info) Fortran"},
    {"gttrs", "?gttrs(trans, n, nrhs, dl, d, du, du2, ipiv, b, ldb, info) Fortran"},
    {"hbmv", "?hbmv(order, uplo, n, k, alpha, a, lda, x, incx, beta, y, incy)"},
    {"hecon", "{c64=c c128=z}hecon(uplo, n, a, lda, ipiv, =anorm, rcond, work(2*n), info) Fortran"},
    {"hemm", "?hemm(order, side, uplo, m, n, alpha, a, lda, b, ldb, beta, c, ldc)"},
    {"hemv", "?hemv(order, uplo, n, alpha, a, lda, x, incx, beta, y, incy)"},
    {"her", "?her(order, uplo, n, alpha, x, incx, a, lda)"},
    {"her2", "?her2(order, uplo, n, alpha, x, incx, y, incy, a, lda)"},
    {"her2k", "?her2k(order, uplo, ta, n, k, alpha, a, lda, b, ldb, beta, c, ldc)"},
    {"herk", "?herk(order, uplo, ta, n, k, alpha, a, lda, beta, c, ldc)"},
    {"herfs", "{c64=c c128=z}herfs(uplo, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr, "
              "berr, work(2*n), rwork(n), info) Fortran"},
    {"hesv", "{c64=c c128=z}hesv(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork(1), info) "
             "Fortran"},
    {"hesvx", "{c64=c c128=z}hesvx(fact, uplo, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, "
              "rcond, ferr, berr, work, lwork(2*n|1), rwork(n), info) Fortran"},
    {"hetrf", "{c64=c c128=z}hetrf(uplo, n, a, lda, ipiv, work, lwork(1), info) Fortran"},
    {"hetri", "{c64=c c128=z}hetri(uplo, n, a, lda, ipiv, work(n), info) Fortran"},
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
    {"orgql", "{f32=sorg f64=dorg c64=cung c128=zung}ql(m, n, k, a, lda, tau, work, lwork(n|1), "
              "info) Fortran"},
    {"orgqr", "{f32=sorg f64=dorg c64=cung c128=zung}qr(m, n, k, a, lda, tau, work, lwork(n|1), "
              "info) Fortran"},
    {"orgrq", "{f32=sorg f64=dorg c64=cung c128=zung}rq(m, n, k, a, lda, tau, work, lwork(m|1), "
              "info) Fortran"},
    {"orgtr", "{f32=sorg f64=dorg c64=cung c128=zung}tr(uplo, n, a, lda, tau, work, lwork(n-1|1), "
              "info) Fortran"},
    {"ormhr", "{f32=sorm f64=dorm c64=cunm c128=zunm}hr(side, trans, m, n, ilo, ihi, a, lda, tau, "
              "c, ldc, work, lwork(1|n+side*(m-n)), info) Fortran"},
    {"ormlq", "{f32=sorm f64=dorm c64=cunm c128=zunm}lq(side, trans, m, n, k, a, lda, tau, c, ldc, "
              "work, lwork(1|n+side*(m-n)), info) Fortran"},
    {"ormql", "{f32=sorm f64=dorm c64=cunm c128=zunm}ql(side, trans, m, n, k, a, lda, tau, c, ldc, "
              "work, lwork(1|n+side*(m-n)), info) Fortran"},
    {"ormqr", "{f32=sorm f64=dorm c64=cunm c128=zunm}qr(side, trans, m, n, k, a, lda, tau, c, ldc, "
              "work, lwork(1|n+side*(m-n)), info) Fortran"},
    {"ormrq", "{f32=sorm f64=dorm c64=cunm c128=zunm}rq(side, trans, m, n, k, a, lda, tau, c, ldc, "
              "work, lwork(1|n+side*(m-n)), info) Fortran"},
    {"ormtr", "{f32=sorm f64=dorm c64=cunm c128=zunm}tr(side, uplo, trans, m, n, a, lda, tau, c, "
              "ldc, work, lwork(1|n+side*(m-n)), info) Fortran"},
    {"pbcon",
     "{f32=s f64=d}pbcon(uplo, n, k, a, lda, =anorm, rcond, work(3*n), iwork(n), info) Fortran"},
    {"pbcon",
     "{c64=c c128=z}pbcon(uplo, n, k, a, lda, =anorm, rcond, work(2*n), rwork(n), info) Fortran"},
    {"pbrfs", "{f32=s f64=d}pbrfs(uplo, n, k, nrhs, a, lda, af, ldaf, b, ldb, x, ldx, ferr, berr, "
              "work(3*n), iwork(n), info) Fortran"},
    {"pbrfs", "{c64=c c128=z}pbrfs(uplo, n, k, nrhs, a, lda, af, ldaf, b, ldb, x, ldx, ferr, berr, "
              "work(2*n), rwork(n), info) Fortran"},
    {"pbsv", "?pbsv(uplo, n, k, nrhs, a, lda, b, ldb, info) Fortran"},
    {"pbsvx", "{f32=s f64=d}pbsvx(fact, uplo, n, k, nrhs, a, lda, af, ldaf, equed, s, b, ldb, x, "
              "ldx, rcond, ferr, berr, work(3*n), iwork(n), info) Fortran counted"},
    {"pbsvx", "{c64=c c128=z}pbsvx(fact, uplo, n, k, nrhs, a, lda, af, ldaf, equed, s, b, ldb, x, "
              "ldx, rcond, ferr, berr, work(2*n), rwork(n), info) Fortran counted"},
    {"pbtrf", "?pbtrf(uplo, n, k, a, lda, info) Fortran"},
    {"pbtrs", "?pbtrs(uplo, n, k, nrhs, a, lda, b, ldb, info) Fortran"},
    {"pocon", "{f32=s f64=d}pocon(uplo, n, a, lda, =anorm, rcond, work(3*n), iwork(n), info) "
              "Fortran"},
    {"pocon", "{c64=c c128=z}pocon(uplo, n, a, lda, =anorm, rcond, work(2*n), rwork(n), info) "
              "Fortran"},
    {"poequ", "?poequ(n, a, lda, s, scond, amax, info) Fortran"},
    {"porfs", "{f32=s f64=d}porfs(uplo, n, nrhs, a, lda, af, ldaf, b, ldb, x, ldx, ferr, berr, "
              "work(3*n), iwork(n), info) Fortran"},
    {"porfs", "{c64=c c128=z}porfs(uplo, n, nrhs, a, lda, af, ldaf, b, ldb, x, ldx, ferr, berr, "
              "work(2*n), rwork(n), info) Fortran"},
    {"posv", "?posv(uplo, n, nrhs, a, lda, b, ldb, info) Fortran"},
    {"posvx", "{f32=s f64=d}posvx(fact, uplo, n, nrhs, a, lda, af, ldaf, equed, s, b, ldb, x, ldx, "
              "rcond, ferr, berr, work(3*n), iwork(n), info) Fortran counted"},
    {"posvx", "{c64=c c128=z}posvx(fact, uplo, n, nrhs, a, lda, af, ldaf, equed, s, b, ldb, x, "
              "ldx, rcond, ferr, berr, work(2*n), rwork(n), info) Fortran counted"},
    {"potrf", "?potrf(uplo, n, a, lda, info) Fortran"},
    {"potri", "?potri(uplo, n, a, lda, info) Fortran"},
    {"potrs", "?potrs(uplo, n, nrhs, a, lda, b, ldb, info) Fortran"},
    {"ppcon", "{f32=s f64=d}ppcon(uplo, n, a, =anorm, rcond, work(3*n), iwork(n), info) Fortran"},
    {"ppcon", "{c64=c c128=z}ppcon(uplo, n, a, =anorm, rcond, work(2*n), rwork(n), info) Fortran"},
    {"pprfs", "{f32=s f64=d}pprfs(uplo, n, nrhs, a, af, b, ldb, x, ldx, ferr, berr, work(3*n), "
              "iwork(n), info) Fortran"},
    {"pprfs", "{c64=c c128=z}pprfs(uplo, n, nrhs, a, af, b, ldb, x, ldx, ferr, berr, work(2*n), "
              "rwork(n), info) Fortran"},
    {"ppsv", "?ppsv(uplo, n, nrhs, a, b, ldb, info) Fortran"},
    {"ppsvx", "{f32=s f64=d}ppsvx(fact, uplo, n, nrhs, a, af, equed, s, b, ldb, x, ldx, rcond, "
              "ferr, berr, work(3*n), iwork(n), info) Fortran counted"},
    {"ppsvx", "{c64=c c128=z}ppsvx(fact, uplo, n, nrhs, a, af, equed, s, b, ldb, x, ldx, rcond, "
              "ferr, berr, work(2*n), rwork(n), info) Fortran counted"},
    {"pptrf", "?pptrf(uplo, n, a, info) Fortran"},
    {"pptri", "?pptri(uplo, n, a, info) Fortran"},
    {"pptrs", "?pptrs(uplo, n, nrhs, a, b, ldb, info) Fortran"},
    {"ptrfs", "{f32=s f64=d}ptrfs(n, nrhs, d, e, df, ef, b, ldb, x, ldx, ferr, berr, work(2*n), "
              "info) Fortran"},
    {"ptrfs", "{c64=c c128=z}ptrfs(uplo, n, nrhs, d, e, df, ef, b, ldb, x, ldx, ferr, berr, "
              "work(n), rwork(n), info) Fortran"},
    {"ptsv", "?ptsv(n, nrhs, d, e, b, ldb, info) Fortran"},
    {"ptsvx", "{f32=s f64=d}ptsvx(fact, n, nrhs, d, e, df, ef, b, ldb, x, ldx, rcond, ferr, berr, "
              "work(2*n), info) Fortran"},
    {"ptsvx", "{c64=c c128=z}ptsvx(fact, n, nrhs, d, e, df, ef, b, ldb, x, ldx, rcond, ferr, berr, "
              "work(n), rwork(n), info) Fortran"},
    {"pttrf", "?pttrf(n, d, e, info) Fortran"},
    {"pttrs", "{f32=s f64=d}pttrs(n, nrhs, d, e, b, ldb, info) Fortran"},
    {"pttrs", "{c64=c c128=z}pttrs(uplo, n, nrhs, d, e, b, ldb, info) Fortran"},
    {"rot", "{f32=s f64=d c64=cs c128=zd}rot(n, x, incx, y, incy, c, s)"},
    {"rotg", "?rotg(a, b, c, s)"},
    {"rotm", "?rotm(n, x, incx, y, incy, param)"},
    {"rotmg", "?rotmg(d1, d2, x1, y1, param)"},
    {"rscal", "{c64=cs c128=zd}scal(n, alpha, x, incx)"},
    {"sbmv", "?sbmv(order, uplo, n, k, alpha, a, lda, x, incx, beta, y, incy)"},
    {"sbev", "{f32=s f64=d}sbev(job, uplo, n, k, a, lda, w, z, ldz, work(3*n-2|1), info) Fortran"},
    {"sbev", "{c64=c c128=z}hbev(job, uplo, n, k, a, lda, w, z, ldz, work(n), rwork(3*n-2|1), "
             "info) Fortran"},
    {"scal", "?scal(n, alpha, x, incx)"},
    {"sdsdot", "result = sdsdot(n, alpha, x, incx, y, incy)"},
    {"spev", "{f32=s f64=d}spev(job, uplo, n, a, w, z, ldz, work(3*n), info) Fortran"},
    {"spev", "{c64=c c128=z}hpev(job, uplo, n, a, w, z, ldz, work(2*n-1|1), rwork(3*n-2|1), info) "
             "Fortran"},
    {"spevx",
     "{f32=s f64=d}spevx(job, range, uplo, n, a, =vl, =vu, =il, =iu, =abstol, m, w, z, ldz, "
     "work(8*n), iwork(5*n), ifail, info) Fortran"},
    {"spevx", "{c64=c c128=z}hpevx(job, range, uplo, n, a, =vl, =vu, =il, =iu, =abstol, m, w, z, "
              "ldz, work(2*n), rwork(7*n), iwork(5*n), ifail, info) Fortran"},
    {"spmv", "?spmv(order, uplo, n, alpha, ap, x, incx, beta, y, incy)"},
    {"spr", "?spr(order, uplo, n, alpha, x, incx, ap)"},
    {"spr2", "?spr2(order, uplo, n, alpha, x, incx, y, incy, ap)"},
    {"stebz", "{f32=s f64=d}stebz(range, sorted, n, =vl, =vu, =il, =iu, =abstol, d, e, m, nsplit, "
              "w, iblock, isplit, work(4*n), iwork(3*n), info) Fortran"},
    {"stein", "{f32=s f64=d}stein(n, d, e, m, w, iblock, isplit, z, ldz, work(5*n), iwork(n), "
              "ifail, info) Fortran"},
    {"stein", "{c64=c c128=z}stein(n, d, e, m, w, iblock, isplit, z, ldz, rwork(5*n), iwork(n), "
              "ifail, info) Fortran"},
    {"stemr", "?stemr(job, range, n, d, e, =vl, =vu, =il, =iu, m, w, z, ldz, n, isuppz, tryrac, "
              "work, lwork(1|12*n+job*6*n), iwork, liwork(1|8*n+job*2*n), info) Fortran"},
    {"steqr", "?steqr(compz, n, d, e, z, ldz, rwork(2*n-2|1), info) Fortran"},
    {"sterf", "{f32=s f64=d}sterf(n, d, e, info) Fortran"},
    {"stev", "{f32=s f64=d}stev(job, n, d, e, z, ldz, work(2*n-2|1), info) Fortran"},
    {"stevd", "{f32=s f64=d}stevd(job, n, d, e, z, ldz, work, "
              "lwork(1+((n-1)&1|0)*job*(4*n+n*n)), iwork, "
              "liwork(1+((n-1)&1|0)*job*(2+5*n)), info) Fortran"},
    {"stevr", "{f32=s f64=d}stevr(job, range, n, d, e, =vl, =vu, =il, =iu, =abstol, m, w, z, ldz, "
              "isuppz, work, lwork(20*n|1), iwork, liwork(10*n|1), info) Fortran"},
    {"stevx", "{f32=s f64=d}stevx(job, range, n, d, e, =vl, =vu, =il, =iu, =abstol, m, w, z, ldz, "
              "work(5*n), iwork(5*n), ifail, info) Fortran"},
    {"swap", "?swap(n, x, incx, y, incy)"},
    {"sycon",
     "{f32=s f64=d}sycon(uplo, n, a, lda, ipiv, =anorm, rcond, work(2*n), iwork(n), info) Fortran"},
    {"sycon", "{c64=c c128=z}sycon(uplo, n, a, lda, ipiv, =anorm, rcond, work(2*n), info) Fortran"},
    {"sygst", "{f32=s f64=d}sygst(itype, uplo, n, a, lda, b, ldb, info) Fortran"},
    {"sygst", "{c64=c c128=z}hegst(itype, uplo, n, a, lda, b, ldb, info) Fortran"},
    {"sygv", "{f32=s f64=d}sygv(itype, job, uplo, n, a, lda, b, ldb, w, work, lwork(3*n-1|1), "
             "info) Fortran"},
    {"sygv", "{c64=c c128=z}hegv(itype, job, uplo, n, a, lda, b, ldb, w, work, lwork(2*n-1|1), "
             "rwork(3*n-2|1), info) Fortran"},
    {"sygvd", "{f32=s f64=d}sygvd(itype, job, uplo, n, a, lda, b, ldb, w, work, "
              "lwork(1+((n-1)&1|0)*(2*n+job*(4*n+2*n*n))), iwork, "
              "liwork(1+((n-1)&1|0)*job*(2+5*n)), info) Fortran"},
    {"sygvd", "{c64=c c128=z}hegvd(itype, job, uplo, n, a, lda, b, ldb, w, work, "
              "lwork(1+((n-1)&1|0)*(n+job*(n-1+n*n))), rwork, "
              "lrwork(1|n+((n-1)&1|0)*job*(1+4*n+2*n*n)), iwork, "
              "liwork(1+((n-1)&1|0)*job*(2+5*n)), info) Fortran"},
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
     "{f32=s f64=d}syevr(job, range, uplo, n, a, lda, =vl, =vu, =il, =iu, =abstol, m, w, z, ldz, "
     "isuppz, work, lwork(26*n|1), iwork, liwork(10*n|1), info) Fortran"},
    {"syevr",
     "{c64=c c128=z}heevr(job, range, uplo, n, a, lda, =vl, =vu, =il, =iu, =abstol, m, w, z, "
     "ldz, isuppz, work, lwork(2*n|1), rwork, lrwork(24*n|1), iwork, liwork(10*n|1), "
     "info) Fortran"},
    {"syevx",
     "{f32=s f64=d}syevx(job, range, uplo, n, a, lda, =vl, =vu, =il, =iu, =abstol, m, w, z, "
     "ldz, work, lwork(1+((n-1)&1|0)*(8*n-1)), iwork(5*n), ifail, info) Fortran"},
    {"syevx",
     "{c64=c c128=z}heevx(job, range, uplo, n, a, lda, =vl, =vu, =il, =iu, =abstol, m, w, z, ldz, "
     "work, lwork(1+((n-1)&1|0)*(2*n-1)), rwork(7*n), iwork(5*n), ifail, info) Fortran"},
    {"syr", "?syr(order, uplo, n, alpha, x, incx, a, lda)"},
    {"syr2", "?syr2(order, uplo, n, alpha, x, incx, y, incy, a, lda)"},
    {"syr2k", "?syr2k(order, uplo, ta, n, k, alpha, a, lda, b, ldb, beta, c, ldc)"},
    {"syrk", "?syrk(order, uplo, ta, n, k, alpha, a, lda, beta, c, ldc)"},
    {"syrfs", "{f32=s f64=d}syrfs(uplo, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr, "
              "berr, work(3*n), iwork(n), info) Fortran"},
    {"syrfs", "{c64=c c128=z}syrfs(uplo, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, ferr, "
              "berr, work(2*n), rwork(n), info) Fortran"},
    {"sysv", "?sysv(uplo, n, nrhs, a, lda, ipiv, b, ldb, work, lwork(1), info) Fortran"},
    {"sysvx", "{f32=s f64=d}sysvx(fact, uplo, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, "
              "rcond, ferr, berr, work, lwork(3*n|1), iwork(n), info) Fortran"},
    {"sysvx", "{c64=c c128=z}sysvx(fact, uplo, n, nrhs, a, lda, af, ldaf, ipiv, b, ldb, x, ldx, "
              "rcond, ferr, berr, work, lwork(2*n|1), rwork(n), info) Fortran"},
    {"sytrd", "{f32=s f64=d}sytrd(uplo, n, a, lda, d, e, tau, work, lwork(1), info) Fortran"},
    {"sytrd", "{c64=c c128=z}hetrd(uplo, n, a, lda, d, e, tau, work, lwork(1), info) Fortran"},
    {"sytrf", "?sytrf(uplo, n, a, lda, ipiv, work, lwork(1), info) Fortran"},
    {"sytri", "{f32=s f64=d}sytri(uplo, n, a, lda, ipiv, work(n), info) Fortran"},
    {"sytri", "{c64=c c128=z}sytri(uplo, n, a, lda, ipiv, work(2*n), info) Fortran"},
    {"sytrs", "?sytrs(uplo, n, nrhs, a, lda, ipiv, b, ldb, info) Fortran"},
    {"tbcon", "{f32=s f64=d}tbcon(norm, uplo, diag, n, k, a, lda, rcond, work(3*n), iwork(n), "
              "info) Fortran"},
    {"tbcon", "{c64=c c128=z}tbcon(norm, uplo, diag, n, k, a, lda, rcond, work(2*n), rwork(n), "
              "info) Fortran"},
    {"tbmv", "?tbmv(order, uplo, ta, diag, n, k, a, lda, x, incx)"},
    {"tbrfs", "{f32=s f64=d}tbrfs(uplo, trans, diag, n, k, nrhs, a, lda, b, ldb, x, ldx, ferr, "
              "berr, work(3*n), iwork(n), info) Fortran"},
    {"tbrfs", "{c64=c c128=z}tbrfs(uplo, trans, diag, n, k, nrhs, a, lda, b, ldb, x, ldx, ferr, "
              "berr, work(2*n), rwork(n), info) Fortran"},
    {"tbsv", "?tbsv(order, uplo, ta, diag, n, k, a, lda, x, incx)"},
    {"tbtrs", "?tbtrs(uplo, trans, diag, n, k, nrhs, a, lda, b, ldb, info) Fortran"},
    {"tpcon",
     "{f32=s f64=d}tpcon(norm, uplo, diag, n, a, rcond, work(3*n), iwork(n), info) Fortran"},
    {"tpcon",
     "{c64=c c128=z}tpcon(norm, uplo, diag, n, a, rcond, work(2*n), rwork(n), info) Fortran"},
    {"tpmv", "?tpmv(order, uplo, ta, diag, n, ap, x, incx)"},
    {"tprfs", "{f32=s f64=d}tprfs(uplo, trans, diag, n, nrhs, a, b, ldb, x, ldx, ferr, berr, "
              "work(3*n), iwork(n), info) Fortran"},
    {"tprfs", "{c64=c c128=z}tprfs(uplo, trans, diag, n, nrhs, a, b, ldb, x, ldx, ferr, berr, "
              "work(2*n), rwork(n), info) Fortran"},
    {"tpsv", "?tpsv(order, uplo, ta, diag, n, ap, x, incx)"},
    {"tptri", "?tptri(uplo, diag, n, a, info) Fortran"},
    {"tptrs", "?tptrs(uplo, trans, diag, n, nrhs, a, b, ldb, info) Fortran"},
    {"tgevc",
     "{f32=s f64=d}tgevc(side, howmny, select, n, s, lds, p, ldp, vl, ldvl, vr, ldvr, n, m, "
     "work(6*n), info) Fortran counted"},
    {"tgevc",
     "{c64=c c128=z}tgevc(side, howmny, select, n, s, lds, p, ldp, vl, ldvl, vr, ldvr, n, m, "
     "work(2*n), rwork(2*n), info) Fortran counted"},
    {"tgsen",
     "{f32=s f64=d}tgsen(ijob, wantq, wantz, select, n, a, lda, b, ldb, alpha, alphai, beta, q, "
     "ldq, z, ldz, m, pl, pr, dif, work, lwork(<4*n+16|n*n+1), iwork, liwork(<n+6|n*n|1), info) "
     "Fortran counted"},
    {"tgsen", "{c64=c c128=z}tgsen(ijob, wantq, wantz, select, n, a, lda, b, ldb, alpha, beta, q, "
              "ldq, z, ldz, m, pl, pr, dif, work, lwork(<n*n+1), iwork, liwork(<n+2|n*n|1), info) "
              "Fortran counted"},
    {"tgsyl", "{f32=s f64=d}tgsyl(trans, ijob, m, n, a, lda, b, ldb, c, ldc, d, ldd, e, lde, f, "
              "ldf, scale, dif, work, lwork(2*m*n*(ijob&1)*((3-ijob)&1|0)|1), iwork(m+n+6), info) "
              "Fortran counted"},
    {"tgsyl", "{c64=c c128=z}tgsyl(trans, ijob, m, n, a, lda, b, ldb, c, ldc, d, ldd, e, lde, f, "
              "ldf, scale, dif, work, lwork(2*m*n*(ijob&1)*((3-ijob)&1|0)|1), iwork(m+n+2), info) "
              "Fortran counted"},
    {"trcon", "{f32=s f64=d}trcon(norm, uplo, diag, n, a, lda, rcond, work(3*n), iwork(n), info) "
              "Fortran"},
    {"trcon", "{c64=c c128=z}trcon(norm, uplo, diag, n, a, lda, rcond, work(2*n), rwork(n), info) "
              "Fortran"},
    {"trevc", "{f32=s f64=d}trevc(side, 'A', nothing, n, t, ldt, vl, ldvl, vr, ldvr, n, m, "
              "work(3*n), info) Fortran counted"},
    {"trevc", "{c64=c c128=z}trevc(side, 'A', nothing, n, t, ldt, vl, ldvl, vr, ldvr, n, m, "
              "work(2*n), rwork(n), info) Fortran counted"},
    {"trexc", "{f32=s f64=d}trexc(compq, n, t, ldt, q, ldq, ifst, ilst, work(n), info) Fortran"},
    {"trexc", "{c64=c c128=z}trexc(compq, n, t, ldt, q, ldq, =ifst, =ilst, info) Fortran"},
    {"trmm", "?trmm(order, side, uplo, ta, diag, m, n, alpha, a, lda, b, ldb)"},
    {"trmv", "?trmv(order, uplo, ta, diag, n, a, lda, x, incx)"},
    {"trrfs", "{f32=s f64=d}trrfs(uplo, trans, diag, n, nrhs, a, lda, b, ldb, x, ldx, ferr, berr, "
              "work(3*n), iwork(n), info) Fortran"},
    {"trrfs", "{c64=c c128=z}trrfs(uplo, trans, diag, n, nrhs, a, lda, b, ldb, x, ldx, ferr, berr, "
              "work(2*n), rwork(n), info) Fortran"},
    {"trsen", "{f32=s f64=d}trsen(job, compq, select, n, t, ldt, q, ldq, w, wi, m, s, sep, work, "
              "lwork(n|2*n*n|1), iwork, liwork(n*n|1), info) Fortran counted"},
    {"trsen", "{c64=c c128=z}trsen(job, compq, select, n, t, ldt, q, ldq, w, m, s, sep, work, "
              "lwork(2*n*n|1), info) Fortran counted"},
    {"trsm", "?trsm(order, side, uplo, ta, diag, m, n, alpha, a, lda, b, ldb)"},
    {"trsna",
     "{f32=s f64=d}trsna(job, howmny, select, n, t, ldt, vl, ldvl, vr, ldvr, s, sep, n, m, "
     "work(n*(n+6)), n, iwork(2*n-2), info) Fortran counted"},
    {"trsna",
     "{c64=c c128=z}trsna(job, howmny, select, n, t, ldt, vl, ldvl, vr, ldvr, s, sep, n, m, "
     "work(n*(n+6)), n, rwork(n), info) Fortran counted"},
    {"trsv", "?trsv(order, uplo, ta, diag, n, a, lda, x, incx)"},
    {"trsyl", "?trsyl(trana, tranb, isgn, m, n, a, lda, b, ldb, c, ldc, scale, info) Fortran"},
    {"trtri", "?trtri(uplo, diag, n, a, lda, info) Fortran"},
    {"trtrs", "?trtrs(uplo, trans, diag, n, nrhs, a, lda, b, ldb, info) Fortran"},
};

_Static_assert(COUNT_OF(cblas_routines) <= CBLAS_ROUTINES_MAX, "there is no more room");
const int cblas_routine_count = COUNT_OF(cblas_routines);
