/* Shared by the operators of LAPACK: their parameters, the storage of their operands, and how
 * integers among their results are judged.
 *
 * Calling sequences and what each routine promises: LAPACK Users' Guide, 3rd ed. (1999), and the
 * comments that head the routines of Reference LAPACK 3.12.  Matrices are stored by columns, or for
 * LAPACKE by rows, each array of a routine of Fortran by its own rows (netlib.org/lapack/
 * lapacke.html, "Array Arguments"): of a band those are its diagonals.
 *
 * Results of factorizations and solutions are judged by residual: given the other numbers that the
 * kernel computed, each one must satisfy its equation (reference/equation.h).  Without computed
 * values such a reference is the result of a plain kernel in the element type (kernel.h), without
 * bounds.  Inverses of triangles and norms are known by themselves. */
#ifndef OPS_LAPACK_LAPACK_H
#define OPS_LAPACK_LAPACK_H

#include "matrix.h"
#include "ops/blas/blas.h"

/* The parameters of every routine; each uses the rows that it lists. */
typedef struct Lapack {
    int64_t dtype, order, side, uplo, trans, diag, matrix, lwork, norm, job, m, n, k, kl, ku, nrhs,
        lda, ldb, ldc, ldu, ldv, jobvl, jobvr, ilo, ihi, compz, tranb, isgn, ldt, ldx, ldaf, fact,
        equed, sense, ijob;
} Lapack;

#define LAPACK_DTYPE P_DTYPE(Lapack, dtype, "element type")
#define LAPACK_ORDER                                                                               \
    P_CHOICE(Lapack, order, blas_orders, "storage of all matrices; by rows as LAPACKE has them",   \
             .terse = true, .placement = true)
/* Of routines that have matrices among their operands. */
#define LAPACK_DTYPE_ORDER LAPACK_DTYPE, LAPACK_ORDER
#define LAPACK_UPLO                                                                                \
    P_CHOICE(Lapack, uplo, blas_uplos, "the triangle that is stored", .placement = true)
#define LAPACK_M(text) P_DIM(Lapack, m, 0, 4096, text)
#define LAPACK_N(text) P_DIM(Lapack, n, 0, 4096, text)
/* The third extent of problems of two matrices. */
#define LAPACK_COUNT_P(text) P_DIM_AS("p", Lapack, k, 0, 1024, text)
#define LAPACK_K             P_DIM(Lapack, k, 0, 1024, "diagonals beside the main one")
#define LAPACK_KL            P_DIM(Lapack, kl, 0, 1024, "diagonals below the main one")
#define LAPACK_KU            P_DIM(Lapack, ku, 0, 1024, "diagonals above the main one")
#define LAPACK_NRHS          P_DIM(Lapack, nrhs, 0, 4096, "columns of B")
#define LAPACK_TRANS                                                                               \
    P_CHOICE(Lapack, trans, blas_transposes, "A is transposed, or conjugate transposed",           \
             .placement = true, .computing = 2)
#define LAPACK_DIAG                                                                                \
    P_CHOICE(Lapack, diag, blas_diagonals, "the diagonal is stored, or is 1 and not read")
#define LAPACK_LDB P_PAD(Lapack, ldb, 1 << 16, "leading dimension of B beyond its minimum")
#define LAPACK_LDA P_PAD(Lapack, lda, 1 << 16, "leading dimension of A beyond its minimum")

extern const char *const lapack_norms[5];
#define LAPACK_NORM P_CHOICE(Lapack, norm, lapack_norms, "which norm")

extern const char *const lapack_jobs[3];
#define LAPACK_JOB P_CHOICE(Lapack, job, lapack_jobs, "values alone, or vectors as well")

/* What condition numbers are found of. */
extern const char *const lapack_senses[5];
/* Eigenvalues of a Schur form that the caller chooses: logical values, of which those of a real
 * pair count alike. */
TensorSpec lapack_selection(int64_t n);

extern const char *const lapack_singular_jobs[4];
#define LAPACK_SINGULAR_JOB                                                                        \
    P_CHOICE(Lapack, job, lapack_singular_jobs, "values alone, or some or all vectors as well")
#define LAPACK_LDU P_PAD(Lapack, ldu, 1 << 16, "leading dimension of U beyond its minimum")
#define LAPACK_LDV P_PAD(Lapack, ldv, 1 << 16, "leading dimension of V^H beyond its minimum")

/* The rows and columns that are not those of an upper triangle, from 1. */
#define LAPACK_BLOCK                                                                               \
    P_ROW("ilo", PARAM_DIM, Lapack, ilo, int64_t, "first row that is no triangle's",               \
          .maximum = 4096, .simplest = 1),                                                         \
        P_ROW("ihi", PARAM_DIM, Lapack, ihi, int64_t, "last one; 0: that of A", .maximum = 4096)
/* Makes them legal for a matrix of order n: 1 <= ilo <= ihi <= n, or 1 and 0 where n is 0. */
void lapack_normalise_block(Lapack *q, int64_t n);
/* The same as rows from 0, for TensorSpec.block. */
DiagonalBlock lapack_block(const Lapack *q);

/* What gebal does, and gebak takes back. */
extern const char *const lapack_balances[5];

/* How long the arrays are that the routine works in. */
extern const char *const lapack_lengths[3];
#define LAPACK_LWORK                                                                               \
    P_CHOICE(Lapack, lwork, lapack_lengths,                                                        \
             "workspaces are as long as a query says, or as short as documented",                  \
             .placement = true)

/* What is made of the data of A, whose recipe knows no matrices (ops/param/arrange.h). */
extern const char *const lapack_matrices[5], *const lapack_hermitian_matrices[5];
#define LAPACK_MATRIX P_CHOICE(Lapack, matrix, lapack_matrices, "what the data of A are made into")
#define LAPACK_HERMITIAN_MATRIX                                                                    \
    P_CHOICE(Lapack, matrix, lapack_hermitian_matrices, "what the data of A are made into")
#define LAPACK_EIGEN_MATRIX                                                                        \
    P_CHOICE(Lapack, matrix, lapack_eigen_matrices, "what the data of A are made into")
extern const char *const lapack_eigen_matrices[5];
Arrangement lapack_arrangement(const Lapack *q);
Arrangement lapack_eigen_arrangement(const Lapack *q);
Arrangement lapack_hermitian_arrangement(const Lapack *q);

/* The fields that the descriptions of all routines share; with their tables `params` and `tensors`,
 * of those whose results are known without the kernel's, and of those that are judged by residual.
 */
#define LAPACK_OP_COMMON   .family = "lapack", .version = 1, .size = sizeof(Lapack)
#define LAPACK_OP_DIRECT   LAPACK_OP_COMMON, .params = params, .tensors = tensors
#define LAPACK_OP_RESIDUAL LAPACK_OP_COMMON, .judged_by_residual = true, .only_by_residual = true
#define LAPACK_OP_TABLES   LAPACK_OP_RESIDUAL, .params = params, .tensors = tensors

/* Begins the rows of a table of operators that share their functions. */
typedef struct LapackRow {
    const char *name, *summary;
    const Param *params;
    const char *const *tensors;
    uint32_t dtypes;
} LapackRow;
/* Makes descriptions of rows of `size` bytes: each is `shared` with what its row says, and has the
 * row for its detail. */
void lapack_describe(OpDesc *table, const OpDesc *shared, const void *rows, size_t size,
                     size_t count);
#define LAPACK_ROWS(rows) rows, sizeof *(rows), COUNT_OF(rows)

/* Operands as they are stored. */
TensorSpec lapack_matrix(const Lapack *q, int64_t rows, int64_t columns, int64_t pad,
                         TensorRole role);
TensorSpec lapack_triangle(const Lapack *q, int64_t n, int64_t pad, TensorRole role);
/* A band of kl diagonals below the main one and ku above it. */
TensorSpec lapack_band(const Lapack *q, int64_t rows, int64_t columns, int64_t kl, int64_t ku,
                       TensorRole role);
/* An output of real numbers. */
TensorSpec lapack_real_vector(const Lapack *q, int64_t length);
/* Integers that the routine gives: `count` of them; rows that it is given, from 1 to n. */
TensorSpec lapack_integers(int64_t count);
TensorSpec lapack_pivots(int64_t n);

/* How the triangle of a matrix is stored: in a square, by columns without gaps, or with q->k
 * diagonals beside the main one. */
typedef enum LapackStorage { STORAGE_FULL, STORAGE_PACKED, STORAGE_BAND } LapackStorage;
TensorSpec lapack_stored_triangle(const Lapack *q, LapackStorage storage, TensorRole role);

/* Columns of A that a routine exchanges: jpvt before the call, where those that are not 0 go to the
 * front and stay there, and after it, where number j is the column of A that is column j of A P. */
extern const char *const lapack_columns[3];
#define LAPACK_COLUMNS                                                                             \
    P_CHOICE_AS("columns", Lapack, job, lapack_columns, "all are exchanged, or some stay in front")
TensorSpec lapack_column_pivots(const Lapack *q);
/* How many stay in front. */
int64_t lapack_fixed_columns(const Tensor *given);
/* The reference of jpvt: what was computed where that is a permutation as it says above, else what
 * comes next to it, or without computed values the order that is given.  The columns from 0. */
typedef struct ColumnOrder {
    int64_t *columns;
    bool legal;
} ColumnOrder;
ColumnOrder lapack_put_columns(Ref *ref, const Tensor *given, const Tensor *computed, Arena *arena);
/* A P. */
Matrix lapack_take_columns(const Matrix *a, const int64_t *columns, Arena *arena);

/* The lower triangle of a Hermitian matrix, whichever is stored. */
Matrix lapack_lower_triangle(const Matrix *stored, bool lower, Arena *arena);

/* True for a type without imaginary parts. */
bool lapack_is_real(const Lapack *q);
/* Real multiplications in one of the element type. */
double lapack_parts(const Lapack *q);
/* OpDesc.work of routines whose references multiply matrices of order n a few times. */
double lapack_inverse_work(const void *params);

/* The number, from 1, of the first element of a matrix's diagonal that is exactly 0, or 0. */
int64_t lapack_first_zero(const Matrix *matrix);

/* Element number i of an operand of integers. */
int64_t lapack_integer(const Tensor *integers, int64_t i);
/* All of them, as rows from 0. */
int64_t *lapack_read_pivots(const Tensor *integers, Arena *arena);
/* Demands that an integer lies within low..high: where it does not, the nearest of these is
 * expected. */
void lapack_put_integer(Ref *ref, int64_t i, int64_t got, int64_t low, int64_t high);
/* Demands that the first integer is `value` where that is known, else nothing. */
void lapack_put_known(Ref *ref, const Tensor *computed, bool known, int64_t value);

/* Demands that one of the first `count` results is not finite, of operands with a NaN whose info
 * says that all is well: the first is to be NaN where none is.  What is computed with a NaN is NaN
 * (IEEE 754-2019, 6.2), and comparisons that pass over it lose it; the reading `nan-lost` admits
 * that.  ref is one of lapack_admit_all. */
void lapack_demand_nan(Ref *ref, const Tensor *computed, int64_t count, Arena *arena);

/* A reference of an operand of which nothing is said. */
void lapack_admit_all(Ref *ref, const Tensor *operand, Arena *arena);

/* Data whose squares stay within the range. */
enum {
    lapack_moderate_fills = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_POSITIVE |
                            1 << FILL_EXPONENTS | 1 << FILL_ONES | 1 << FILL_SPARSE | 1 << FILL_NEAR
};

/* A dense operand of any rank. */
TensorSpec lapack_dense(DType dtype, const Shape *extents, TensorRole role);
/* Number b of the matrices, columns or numbers that such an operand is a batch of, which have the
 * last `axes` of its axes. */
Matrix lapack_part(const Tensor *t, int axes, int64_t b, Arena *arena);

#endif
