/* Parameters and shapes that routines have in common: those of one storage with the symmetric and
 * the hermitian, the multiplying and the solving routine.  Each is named after the first of them.
 */
#ifndef OPS_BLAS_BLAS_SHAPES_H
#define OPS_BLAS_BLAS_SHAPES_H

#include "blas.h"

/* asum, iamax, iamin, nrm2 */
#define BLAS_PARAMS_ASUM BLAS_DTYPE, BLAS_LENGTH, BLAS_INCX_ZERO
/* dot, dotc, dotu, dsdot */
#define BLAS_PARAMS_DOT BLAS_DTYPE, BLAS_LENGTH, BLAS_INCX_ZERO, BLAS_INCY_ZERO
/* gemm, gemm3m */
#define BLAS_PARAMS_GEMM                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_TA, BLAS_TB, BLAS_M("rows of op(A) and of C"),                    \
        BLAS_N("columns of op(B) and of C"), BLAS_K("columns of op(A), rows of op(B)"), BLAS_LDA,  \
        BLAS_LDB, BLAS_LDC, BLAS_ALPHA, BLAS_BETA
/* ger, gerc, geru */
#define BLAS_PARAMS_GER                                                                            \
    BLAS_DTYPE, BLAS_ORDER, BLAS_M("rows of A"), BLAS_N("columns of A"), BLAS_INCX, BLAS_INCY,     \
        BLAS_LDA, BLAS_ALPHA
/* hbmv, sbmv */
#define BLAS_PARAMS_HBMV                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO, BLAS_N("order of A"),                                       \
        BLAS_BAND(k, 4096, "diagonals beside the main one"), BLAS_LDA, BLAS_INCX, BLAS_INCY,       \
        BLAS_ALPHA, BLAS_BETA
/* hemm, symm */
#define BLAS_PARAMS_HEMM                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_SIDE, BLAS_UPLO, BLAS_M("rows of B and of C"),                    \
        BLAS_N("columns of B and of C"), BLAS_LDA, BLAS_LDB, BLAS_LDC, BLAS_ALPHA, BLAS_BETA
/* hemv, symv */
#define BLAS_PARAMS_HEMV                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO, BLAS_N("order of A"), BLAS_LDA, BLAS_INCX, BLAS_INCY,       \
        BLAS_ALPHA, BLAS_BETA
/* her2, syr2 */
#define BLAS_PARAMS_HER2                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO, BLAS_N("order of A"), BLAS_INCX, BLAS_INCY, BLAS_LDA,       \
        BLAS_ALPHA
/* hpmv, spmv */
#define BLAS_PARAMS_HPMV                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO, BLAS_N("order of A"), BLAS_INCX, BLAS_INCY, BLAS_ALPHA,     \
        BLAS_BETA
/* hpr2, spr2 */
#define BLAS_PARAMS_HPR2                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO, BLAS_N("order of A"), BLAS_INCX, BLAS_INCY, BLAS_ALPHA
/* tbmv, tbsv */
#define BLAS_PARAMS_TBMV                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO, BLAS_TA, BLAS_DIAG, BLAS_N("order of A"),                   \
        BLAS_BAND(k, 4096, "diagonals beside the main one"), BLAS_LDA, BLAS_INCX
/* tpmv, tpsv */
#define BLAS_PARAMS_TPMV                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO, BLAS_TA, BLAS_DIAG, BLAS_N("order of A"), BLAS_INCX
/* trmm, trsm */
#define BLAS_PARAMS_TRMM                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_SIDE, BLAS_UPLO, BLAS_TA, BLAS_DIAG, BLAS_M("rows of B"),         \
        BLAS_N("columns of B"), BLAS_LDA, BLAS_LDB, BLAS_ALPHA
/* trmv, trsv */
#define BLAS_PARAMS_TRMV                                                                           \
    BLAS_DTYPE, BLAS_ORDER, BLAS_UPLO, BLAS_TA, BLAS_DIAG, BLAS_N("order of A"), BLAS_LDA, BLAS_INCX

/* asum, nrm2 */
void blas_shape_of_asum(const void *params, Shapes *shapes);
/* dot, dotc, dotu */
void blas_shape_of_dot(const void *params, Shapes *shapes);
/* gemm, gemm3m */
void blas_shape_of_gemm(const void *params, Shapes *shapes);
/* ger, gerc, geru */
void blas_shape_of_ger(const void *params, Shapes *shapes);
/* hbmv, sbmv */
void blas_shape_of_hbmv(const void *params, Shapes *shapes);
/* hemm, symm */
void blas_shape_of_hemm(const void *params, Shapes *shapes);
/* hemv, symv */
void blas_shape_of_hemv(const void *params, Shapes *shapes);
/* her, syr */
void blas_shape_of_her(const void *params, Shapes *shapes);
/* her2, syr2 */
void blas_shape_of_her2(const void *params, Shapes *shapes);
/* her2k, syr2k */
void blas_shape_of_her2k(const void *params, Shapes *shapes);
/* herk, syrk */
void blas_shape_of_herk(const void *params, Shapes *shapes);
/* hpmv, spmv */
void blas_shape_of_hpmv(const void *params, Shapes *shapes);
/* hpr, spr */
void blas_shape_of_hpr(const void *params, Shapes *shapes);
/* hpr2, spr2 */
void blas_shape_of_hpr2(const void *params, Shapes *shapes);
/* iamax, iamin */
void blas_shape_of_iamax(const void *params, Shapes *shapes);
/* rot, swap */
void blas_shape_of_rot(const void *params, Shapes *shapes);
/* tbmv, tbsv */
void blas_shape_of_tbmv(const void *params, Shapes *shapes);
/* tpmv, tpsv */
void blas_shape_of_tpmv(const void *params, Shapes *shapes);
/* trmm, trsm */
void blas_shape_of_trmm(const void *params, Shapes *shapes);
/* trmv, trsv */
void blas_shape_of_trmv(const void *params, Shapes *shapes);

#endif
