/* Shared by the operators of the BLAS: their parameters, the storage of their operands, and the
 * steps from stored operands to the references in reference/.
 *
 * Rules of storage and of which elements are referenced: BLAS Technical Forum Standard (2001),
 * chapter 2, and the reference implementation. */
#ifndef OPS_BLAS_BLAS_H
#define OPS_BLAS_BLAS_H

#include "ops/op.h"
#include "reference/affine.h"
#include "reference/stored_matrix.h"

/* The parameters of every routine; each uses the rows that it lists.  Pads are what the leading
 * dimension has beyond its minimum. */
typedef struct Blas {
    int64_t dtype, order, side, uplo, ta, tb, diag;
    int64_t m, n, k, kl, ku, batch, groups, lda, ldb, ldc, incx, incy, flag;
    Scalar alpha, beta, c, s, y1;
} Blas;

enum { ORDER_COLUMNS, ORDER_ROWS };
enum { SIDE_LEFT, SIDE_RIGHT };
enum { UPLO_UPPER, UPLO_LOWER };
enum { TRANSPOSE_NONE, TRANSPOSE_PLAIN, TRANSPOSE_CONJUGATE };
enum { DIAGONAL_STORED, DIAGONAL_UNIT };

extern const char *const blas_orders[3], *const blas_sides[3], *const blas_uplos[3];
extern const char *const blas_transposes[4], *const blas_plain_transposes[3];
extern const char *const blas_conjugate_transposes[3], *const blas_diagonals[3];

#define BLAS_DTYPE P_DTYPE(Blas, dtype, "element type")
#define BLAS_ORDER P_CHOICE(Blas, order, blas_orders, "storage of all matrices", .placement = true)
#define BLAS_SIDE                                                                                  \
    P_CHOICE(Blas, side, blas_sides, "A is the left or the right factor", .placement = true)
#define BLAS_UPLO P_CHOICE(Blas, uplo, blas_uplos, "the triangle that is stored", .placement = true)
#define BLAS_TA                                                                                    \
    P_CHOICE(Blas, ta, blas_transposes, "A is transposed, or conjugate transposed",                \
             .placement = true, .computing = 2)
#define BLAS_TB                                                                                    \
    P_CHOICE(Blas, tb, blas_transposes, "B is transposed, or conjugate transposed",                \
             .placement = true, .computing = 2)
#define BLAS_DIAG                                                                                  \
    P_CHOICE(Blas, diag, blas_diagonals, "the diagonal is stored, or is 1 and not read")
#define BLAS_M(text) P_DIM(Blas, m, 0, 4096, text)
#define BLAS_N(text) P_DIM(Blas, n, 0, 4096, text)
#define BLAS_K(text) P_DIM(Blas, k, 0, 4096, text)
/* Diagonals beside the main one: of the triangle, or below and above it. */
#define BLAS_BAND(field, high, text) P_DIM(Blas, field, 0, high, text, .like = "band")
#define BLAS_LENGTH                  P_DIM(Blas, n, 0, 1 << 18, "elements of the vectors")
#define BLAS_LDA                     P_PAD(Blas, lda, 1 << 16, "leading dimension of A beyond its minimum")
#define BLAS_LDB                     P_PAD(Blas, ldb, 1 << 16, "leading dimension of B beyond its minimum")
#define BLAS_LDC                     P_PAD(Blas, ldc, 1 << 16, "leading dimension of C beyond its minimum")
#define BLAS_INCX                    P_INCREMENT(Blas, incx, 64, "elements from one of x to the next")
#define BLAS_INCY                    P_INCREMENT(Blas, incy, 64, "elements from one of y to the next")
/* Of vectors that level 1 only reads, or of lone ones: an increment of 0 has one element n times.
 */
#define BLAS_INCX_ZERO                                                                             \
    P_INCREMENT(Blas, incx, 64, "elements from one of x to the next", .may_be_zero = true)
#define BLAS_INCY_ZERO                                                                             \
    P_INCREMENT(Blas, incy, 64, "elements from one of y to the next", .may_be_zero = true)
#define BLAS_ALPHA      P_SCALAR(Blas, alpha, 1, "factor of the product")
#define BLAS_ALPHA_REAL P_REAL(Blas, alpha, 1, "factor of the product")
/* Of what is written itself, as beta is elsewhere. */
#define BLAS_ALPHA_IN_PLACE      P_SCALAR(Blas, alpha, 1, "factor of the product", .like = "beta")
#define BLAS_ALPHA_IN_PLACE_REAL P_REAL(Blas, alpha, 1, "factor of the product", .like = "beta")
#define BLAS_BETA                P_SCALAR(Blas, beta, 0, "factor of what is added")
#define BLAS_BETA_REAL           P_REAL(Blas, beta, 0, "factor of what is added")

/* Of an operand that is kept where alpha is 0, of C that is updated, and of a vector that is
 * scaled.
 */
#define BLAS_ZEROS_KEPT                                                                            \
    ZERO_SIGN("what is kept where alpha is 0",                                                     \
              "reference BLAS, daxpy.f, dsyr.f, zher.f and the others: RETURN where ALPHA is 0")
#define BLAS_ZEROS_UPDATED ZERO_SIGN("C where alpha or k is 0 and beta is 1", NULL)
#define BLAS_ZEROS_SCALED                                                                          \
    ZERO_SIGNS("products, unless alpha is 0", "IEEE 754-2019, 6.3",                                \
               "what an increment below 1 leaves alone",                                           \
               "reference BLAS, dscal.f: RETURN where INCX is below 1")

/* The fields that the descriptions of all routines share, given their tables `params` and
 * `tensors`. */
#define BLAS_OP_TABLES                                                                             \
    .family = "blas", .linear = true, .has_functions = true, .version = 1, .size = sizeof(Blas),   \
    .params = params, .tensors = tensors

DType blas_dtype(const Blas *q);
/* The element type of the components. */
DType blas_real_dtype(const Blas *q);

/* Operands as they are stored.  pad is what the leading dimension has beyond its minimum. */
TensorSpec blas_matrix(const Blas *q, int64_t rows, int64_t columns, int64_t pad);
TensorSpec blas_vector(const Blas *q, int64_t length, int64_t increment);
/* One number, such as a result. */
TensorSpec blas_number(DType dtype, TensorRole role);
/* The triangle q->uplo of an n x n matrix; without its diagonal where q->diag says unit. */
TensorSpec blas_triangle(const Blas *q, int64_t n, int64_t pad);
TensorSpec blas_packed_triangle(const Blas *q, int64_t n);
/* Band storage of a rows x columns matrix with kl diagonals below the main one and ku above. */
TensorSpec blas_band(const Blas *q, int64_t rows, int64_t columns, int64_t kl, int64_t ku,
                     int64_t pad);
/* The triangle q->uplo of a band matrix with q->k diagonals beside the main one. */
TensorSpec blas_band_triangle(const Blas *q, int64_t n, int64_t pad);

/* The matrix seen through op: transposed for anything but TRANSPOSE_NONE. */
TensorSpec blas_operated(TensorSpec spec, int64_t transpose);
/* The part that an operand plays in a reduction, and the axis that is summed over. */
TensorSpec blas_part(TensorSpec spec, TensorPart part, int contraction);
TensorSpec blas_role(TensorSpec spec, TensorRole role);
TensorSpec blas_ignored(TensorSpec spec, bool ignored);

/* op(A) for a triangular A, without conjugation. */
Tensor blas_triangular_factor(const Blas *q, const Tensor *stored, Arena *arena);
/* A 1 x 1 tensor that holds the scalar, which is rounded to the type. */
Tensor blas_scalar_tensor(DType dtype, Scalar scalar, Arena *arena);
/* A view without data, for a product that nothing is added to. */
Tensor blas_shape_only(DType dtype, int64_t rows, int64_t columns);

/* Rules of the hermitian routines for the result: the imaginary parts of the diagonal are exactly
 * 0. */
void blas_clear_diagonal(Ref *ref);

/* Fills in the statistics of the input. */
void blas_affine(Ref *ref, AffineInput *affine, const ReferenceInput *input, Arena *arena);

#endif
