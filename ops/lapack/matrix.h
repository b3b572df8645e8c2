/* Matrices as arrays of numbers, whatever their element type and storage. */
#ifndef OPS_LAPACK_MATRIX_H
#define OPS_LAPACK_MATRIX_H

#include "reference/ref.h"
#include "reference/tensor.h"

/* Row-major; lives in an arena. */
typedef struct Matrix {
    Scalar *values;
    int64_t rows, columns;
} Matrix;

static inline Scalar *matrix_at(const Matrix *matrix, int64_t i, int64_t j)
{
    return &matrix->values[i * matrix->columns + j];
}

/* Whether all elements that are stored are finite. */
bool matrix_is_finite(const Matrix *matrix);
/* Whether one of them is NaN. */
bool matrix_has_nan(const Matrix *matrix);
/* Euclid's norm of rows first to end - 1 of a column; Frobenius' norm. */
double matrix_column_norm(const Matrix *matrix, int64_t first, int64_t end, int64_t j);
double matrix_norm(const Matrix *matrix);
/* Exchanges two rows. */
void matrix_exchange_rows(Matrix *matrix, int64_t i, int64_t k);
/* Zeros. */
Matrix matrix_zeros(int64_t rows, int64_t columns, Arena *arena);
Matrix matrix_identity(int64_t n, Arena *arena);
Matrix matrix_copy(const Matrix *matrix, Arena *arena);
/* A copy of a view of rank 2; elements that it leaves out are 0. */
Matrix matrix_read(const Tensor *tensor, Arena *arena);
/* Stores the elements that a view of rank 2 has, rounded to its type. */
void matrix_write(const Matrix *matrix, const Tensor *view);
/* Exact values of a reference that was allocated for the extents of the matrix. */
void matrix_put(const Matrix *matrix, Ref *ref);
/* The same, rounded to the element type. */
void matrix_put_rounded(const Matrix *matrix, Ref *ref);
/* Expects a number, rounded to the type, in an element of a reference. */
void matrix_put_number(Ref *ref, size_t element, Scalar x);
/* Admits anything in an element of such a reference. */
void matrix_admit(Ref *ref, int64_t i, int64_t j);
/* Leaves open the elements of such a reference from this row and this column on. */
void matrix_leave(Ref *ref, int64_t row, int64_t column, Arena *arena);
/* Admits any finite number in a component of such a reference. */
void matrix_admit_finite(Ref *ref, size_t component);
/* Expects value + rest in a component, where the rest is known up to an error. */
void matrix_put_rest(Ref *ref, size_t component, double value, double rest, double error,
                     double bound);
/* Expects got + rest in an element by its parts; any finite number where there is no such number.
 */
void matrix_put_residual(Ref *ref, size_t at, Scalar got, Scalar rest, double error, double bound);
/* The number of the first component of an element of such a reference. */
size_t matrix_element(const Ref *ref, int64_t i, int64_t j);

/* The largest error of an element of the matrix over what such a reference, from
 * ref_allocate_bounded, admits; infinite where a class is not admitted. */
double matrix_ratio(const Matrix *matrix, const Ref *ref);

static inline Scalar scalar_conjugate(Scalar x)
{
    return (Scalar){x.re, -x.im};
}

#endif
