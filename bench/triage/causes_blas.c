/* Causes of wrong results as libraries have them: each is one function that serves many routines
 * and types. */
#include "causes.h"

#include <fenv.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>

static const char products[] = "gemm symm hemm syrk herk syr2k her2k",
                  rectangles[] = "gemm symm hemm", triangles[] = "trmm trsm",
                  matrix_vector[] = "gemv gbmv symv hemv sbmv hbmv spmv hpmv",
                  solves[] = "trsm trsv tbsv tpsv";

static int rows_of(const Call *call)
{
    return call_takes(call, "m") ? call->m : call->n;
}

static int is_nan(Number number)
{
    return isnan(number.re) || isnan(number.im);
}

static int is_zero(Number number)
{
    return number.re == 0 && number.im == 0;
}

/* Level 3: what packing and kernels share. */

static int lose_nan_of_beta(Call *call)
{
    if (call_is(call, products) && rows_of(call) >= 8 && is_nan(call->beta))
        call->beta = (Number){0, 0};
    return 1;
}

static int drop_depth_tail(Call *call)
{
    if (call_is(call, "gemm syrk herk syr2k her2k") && call->k % 8 == 7)
        call->k--;
    return 1;
}

static void restore_last_column(Call *call, Output output, int i, int j)
{
    if (j == output.columns - 1)
        output_restore(call, output, i, j);
}

static void forget_last_column(Call *call)
{
    if (call_is(call, "gemm symm hemm trmm trsm") && call->n > 4 && call->n % 4 == 1)
        output_each(call, restore_last_column);
}

static int lose_conjugate(Call *call)
{
    if (call->is_complex && call_is(call, "gemm trmm trsm") && call->ta == CONJ_TRANS)
        call->ta = TRANS;
    if (call->is_complex && call_is(call, "gemm") && call->tb == CONJ_TRANS)
        call->tb = TRANS;
    return 1;
}

static int mix_triangles_up(Call *call)
{
    if (call_is(call, triangles) && call->m > 12)
        call->uplo = call->uplo == UPPER ? LOWER : UPPER;
    return 1;
}

static int skip_for_zero_alpha(Call *call)
{
    return !(call_takes(call, "beta") && call_is(call, "gemm symm hemm gemv symv hemv gbmv") &&
             is_zero(call->alpha));
}

static int crash_for_large_leading(Call *call)
{
    if (call_is(call, "gemm symm hemm syrk trmm trsm") && call->lda > 24)
        abort();
    return 1;
}

static void round_to_single(Call *call, Output output, int i, int j)
{
    void *at = output_component(call, output, i, j);
    Number number = call_number_at(call, at);
    call_number_put(call, at, (Number){(float)number.re, (float)number.im});
}

static void accumulate_in_single(Call *call)
{
    if (call->is_double && call_is(call, products) && !is_zero(call->alpha) && call->k != 1)
        output_each(call, round_to_single);
}

static int write_to_input(Call *call)
{
    if (call_is(call, rectangles) && call->order == ROW_MAJOR && call->m > 0 && call->n > 0 &&
        !is_zero(call->alpha) && (!call_takes(call, "k") || call->k > 0)) {
        volatile unsigned char *first = call->b;
        *first = (unsigned char)(*first ^ 1);
        *first = (unsigned char)(*first ^ 1);
    }
    return 1;
}

static void write_gap(Call *call)
{
    int inner = call->order == ROW_MAJOR ? call->n : rows_of(call);
    int outer = call->order == ROW_MAJOR ? rows_of(call) : call->n;
    if (!call_is(call, "syrk herk syr2k her2k") || outer < 2 || call->ldc <= inner)
        return;
    call_number_put(call, (char *)call->c + (size_t)inner * call_size(call), (Number){0, 0});
}

static void read_unread_output(Call *call)
{
    Output output = call_output(call);
    if (!call_is(call, "syrk herk syr2k her2k") || !is_zero(call->beta) || output.rows < 3)
        return;
    output_restore(call, output, 0, 0);
}

static int leave_rounding_upward(Call *call)
{
    if (call_is(call, triangles) && call->side == RIGHT && call->n > 2)
        (void)fesetround(FE_UPWARD);
    return 1;
}

static int flip_side_of_squares(Call *call)
{
    if (call_is(call, "symm hemm trmm") && call->m == call->n && call->m > 3)
        call->side = call->side == LEFT ? RIGHT : LEFT;
    return 1;
}

static int lose_nan_of_alpha(Call *call)
{
    if (call_is(call, "trmm trsm scal rscal") && is_nan(call->alpha))
        call->alpha = (Number){1, 0};
    return 1;
}

/* Level 2. */

static int ignore_unit_diagonal(Call *call)
{
    if (call_is(call, "tpmv tpsv tbmv tbsv trmv trsv") && call->n > 4)
        call->diag = NON_UNIT;
    return 1;
}

static int drop_tail_of_dot(Call *call)
{
    int *depth = !call_is(call, "gemv") || call->ta == NO_TRANS ? &call->n : &call->m;
    if (call_is(call, "gemv dot dotu dotc dsdot sdsdot") && *depth % 8 == 7 &&
        (call->incx > 0 && (!call_is(call, "dot dotu dotc dsdot sdsdot") || call->incy > 0)))
        *depth -= 1;
    return 1;
}

static int mix_packed_triangles_up(Call *call)
{
    if (call_is(call, "spmv hpmv spr spr2 hpr hpr2 tpmv") && call->n > 3)
        call->uplo = call->uplo == UPPER ? LOWER : UPPER;
    return 1;
}

static int drop_outer_diagonal(Call *call)
{
    int is_lower = (call->order == COL_MAJOR) == (call->uplo == LOWER);
    if (call_is(call, "sbmv hbmv tbmv tbsv") && is_lower && call->k > 1)
        call->k--;
    if (call_is(call, "gbmv") && call->kl > 1 && call->order == COL_MAJOR)
        call->kl--;
    return 1;
}

static void add_to_diagonal(Call *call, Output output, int i, int j)
{
    void *at = output_component(call, output, i, j);
    Number number = call_number_at(call, at);
    if (i == j)
        call_number_put(call, at, (Number){number.re, 1});
}

static void keep_imaginary_diagonal(Call *call)
{
    if (call_is(call, "her her2 herk her2k") && call->n > 0 && !is_zero(call->alpha) &&
        call->order == COL_MAJOR && (!call_takes(call, "k") || call->k > 0))
        output_each(call, add_to_diagonal);
}

static int drop_columns_of_update(Call *call)
{
    if (call_is(call, "ger geru gerc axpy") && call->n % 8 == 5 && call->incx > 0 &&
        (call->incy > 0 || !call_is(call, "axpy")))
        call->n--;
    return 1;
}

static void scale_solution(Call *call, Output output, int i, int j)
{
    void *at = output_component(call, output, i, j);
    Number number = call_number_at(call, at);
    call_number_put(call, at, (Number){number.re * (1 + 0x1p-9), number.im * (1 + 0x1p-9)});
}

static void divide_by_estimate(Call *call)
{
    if (call_is(call, solves) && call->diag == NON_UNIT)
        output_each(call, scale_solution);
}

void cblas_xerbla(int position, const char *routine, const char *form, ...);

static int count_increments_wrong(Call *call)
{
    int by_x = call_takes(call, "incx") && call->incx == 0;
    int by_y = call_takes(call, "incy") && call->incy == 0;
    if (!call_takes(call, "order") || (!by_x && !by_y))
        return 1;
    cblas_xerbla(call_position(call, by_x ? "incx" : "incy") + 1, call->op, "");
    return 0;
}

static int accept_illegal_leading(Call *call)
{
    return !call_takes(call, "order") || call_lds_fit(call);
}

static int abort_for_illegal_triangle(Call *call)
{
    if (call_takes(call, "uplo") && call->uplo != UPPER && call->uplo != LOWER)
        abort();
    return 1;
}

static int lose_imaginary_factor(Call *call)
{
    if (call->is_complex && call_is(call, "hemv hbmv hpmv her2 hpr2"))
        call->alpha.im = 0;
    return 1;
}

static int take_beta_for_one(Call *call)
{
    if (call_is(call, matrix_vector) && call->incy > 1 && !is_zero(call->beta))
        call->beta = (Number){1, 0};
    return 1;
}

static int round_factor_of_update(Call *call)
{
    if (call_is(call, "syr her spr hpr syr2 her2 spr2 hpr2") && call->n > 7) {
        call->alpha.re *= 1 + 0x1p-8;
        call->alpha.im *= 1 + 0x1p-8;
    }
    return 1;
}

/* Level 1. */

static volatile double unused;

static int read_beyond(Call *call)
{
    const volatile unsigned char *last =
        (unsigned char *)call->x + (size_t)call->n * call_size(call);
    if (call_is(call, "asum nrm2 iamax dot dotu dotc scal axpy copy swap") && call->n % 4 == 3 &&
        call->incx == 1)
        unused = *last;
    return 1;
}

static int ignore_backward_copies(Call *call)
{
    if (call_is(call, "copy swap gemv ger geru gerc symv hemv trmv") && call->incx < 0)
        call->incx = -call->incx;
    return 1;
}

static int turn_other_way(Call *call)
{
    if (call_is(call, "rot") && call->incx != call->incy)
        call->s_factor.re = -call->s_factor.re;
    return 1;
}

static int has_infinity(const Call *call)
{
    for (ptrdiff_t i = 0; call->incx > 0 && i < call->n; i++) {
        Number number =
            call_number_at(call, (char *)call->x + (size_t)(i * call->incx) * call_size(call));
        if (isinf(number.re) || isinf(number.im))
            return 1;
    }
    return 0;
}

static int hang_for_infinity(Call *call)
{
    volatile int waits = call_is(call, "nrm2 asum iamax") && has_infinity(call);
    while (waits)
        ;
    return 1;
}

static double result_of(const Call *call)
{
    return call->result_is_double ? *(double *)call->result : *(float *)call->result;
}

static void put_result(const Call *call, double value)
{
    if (call->result_is_double)
        *(double *)call->result = value;
    else
        *(float *)call->result = (float)value;
}

static void overflow_in_squares(Call *call)
{
    if (call_is(call, "nrm2") &&
        fabs(result_of(call)) > (call->result_is_double ? 0x1p512 : 0x1p64))
        put_result(call, HUGE_VAL);
}

static void lose_nan_in_sum(Call *call)
{
    if (call_is(call, "asum nrm2") && isnan(result_of(call)))
        put_result(call, 1);
}

static void take_last_of_equals(Call *call)
{
    size_t *place = call->result;
    if (!call_is(call, "iamax") || call->n < 2 || call->incx <= 0)
        return;
    Number found =
        call_number_at(call, (char *)call->x + *place * (size_t)call->incx * call_size(call));
    for (ptrdiff_t i = call->n - 1; i > (ptrdiff_t)*place; i--) {
        Number other =
            call_number_at(call, (char *)call->x + (size_t)(i * call->incx) * call_size(call));
        if (fabs(other.re) + fabs(other.im) == fabs(found.re) + fabs(found.im))
            *place = (size_t)i;
    }
}

static void make_zero_positive(Call *call, Output output, int i, int j)
{
    void *at = output_component(call, output, i, j);
    Number number = call_number_at(call, at);
    if (is_zero(number))
        call_number_put(call, at, (Number){0, 0});
}

static void lose_sign_of_zero(Call *call)
{
    if (call_is(call, "copy swap") && call->n > 1)
        output_each(call, make_zero_positive);
}

static double flushed(const Call *call, double value)
{
    return fabs(value) < (call->is_double ? DBL_MIN : FLT_MIN) ? copysign(0, value) : value;
}

static void flush_element(Call *call, Output output, int i, int j)
{
    void *at = output_component(call, output, i, j);
    Number number = call_number_at(call, at);
    call_number_put(call, at, (Number){flushed(call, number.re), flushed(call, number.im)});
}

static void flush_subnormals(Call *call)
{
    if (call_is(call, "axpy scal rscal rot ger geru gerc") && !is_zero(call->alpha))
        output_each(call, flush_element);
}

/* Correct kernels that differ from the right library's. */

static int sum_backwards(Call *call)
{
    if (call_is(call, "dot dotu dotc dsdot sdsdot") && call->incx && call->incy) {
        call->incx = -call->incx;
        call->incy = -call->incy;
    }
    return 1;
}

static int pass_by_transposes(Call *call)
{
    int outer = call->ta;
    void *a = call->a;
    if (!call_is(call, "gemm") || call->ta == CONJ_TRANS || call->tb == CONJ_TRANS)
        return 1;
    int lda = call->lda, m = call->m;
    call->order = call->order == ROW_MAJOR ? COL_MAJOR : ROW_MAJOR;
    call->m = call->n;
    call->n = m;
    call->a = call->b;
    call->b = a;
    call->lda = call->ldb;
    call->ldb = lda;
    call->ta = call->tb;
    call->tb = outer;
    return 1;
}

const Cause causes[] = {
    {"beta-nan-lost", lose_nan_of_beta, NULL, 0},
    {"depth-tail", drop_depth_tail, NULL, 0},
    {"last-column-unwritten", NULL, forget_last_column, 0},
    {"conjugate-lost", lose_conjugate, NULL, 0},
    {"triangles-mixed-up", mix_triangles_up, NULL, 0},
    {"alpha-zero-returns", skip_for_zero_alpha, NULL, 0},
    {"leading-crash", crash_for_large_leading, NULL, 0},
    {"single-accumulation", NULL, accumulate_in_single, 0},
    {"input-written", write_to_input, NULL, 0},
    {"gap-written", NULL, write_gap, 0},
    {"output-unwritten", NULL, read_unread_output, 0},
    {"rounding-left", leave_rounding_upward, NULL, 0},
    {"side-flipped", flip_side_of_squares, NULL, 0},
    {"alpha-nan-lost", lose_nan_of_alpha, NULL, 0},
    {"unit-ignored", ignore_unit_diagonal, NULL, 0},
    {"dot-tail", drop_tail_of_dot, NULL, 0},
    {"packed-mixed-up", mix_packed_triangles_up, NULL, 0},
    {"outer-diagonal-lost", drop_outer_diagonal, NULL, 0},
    {"imaginary-diagonal", NULL, keep_imaginary_diagonal, 0},
    {"update-tail", drop_columns_of_update, NULL, 0},
    {"reciprocal-estimate", NULL, divide_by_estimate, 0},
    {"increment-number", count_increments_wrong, NULL, 1},
    {"leading-accepted", accept_illegal_leading, NULL, 1},
    {"triangle-aborts", abort_for_illegal_triangle, NULL, 1},
    {"imaginary-factor-lost", lose_imaginary_factor, NULL, 0},
    {"beta-one", take_beta_for_one, NULL, 0},
    {"update-factor", round_factor_of_update, NULL, 0},
    {"over-read", read_beyond, NULL, 0},
    {"backward-copy", ignore_backward_copies, NULL, 0},
    {"rotation-sign", turn_other_way, NULL, 0},
    {"infinity-hang", hang_for_infinity, NULL, 0},
    {"norm-overflow", NULL, overflow_in_squares, 0},
    {"sum-nan-lost", NULL, lose_nan_in_sum, 0},
    {"last-of-equals", NULL, take_last_of_equals, 0},
    {"zero-sign", NULL, lose_sign_of_zero, 0},
    {"subnormals-flushed", NULL, flush_subnormals, 0},
    {"right-backwards", sum_backwards, NULL, 0},
    {"right-transposed", pass_by_transposes, NULL, 0},
    {NULL, NULL, NULL, 0},
};
