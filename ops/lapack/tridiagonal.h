/* Tridiagonal matrices by their diagonals, and their factors: with partial pivoting dl, d, du, du2
 * and ipiv as gttrf leaves them, which are those of a band (lu.h), or of a hermitian definite
 * matrix d and e as pttrf leaves them, element by element (reference/equation.h). */
#ifndef OPS_LAPACK_TRIDIAGONAL_H
#define OPS_LAPACK_TRIDIAGONAL_H

#include "lu.h"

/* Off-diagonals that are small beside the diagonal, or any. */
extern const char *const tridiagonal_matrices[3];
#define TRIDIAGONAL_DEFINITE                                                                       \
    P_CHOICE(Lapack, matrix, tridiagonal_matrices, "what the data of d and e are made into")

/* The diagonal `beside` places from the main one. */
TensorSpec tridiagonal_diagonal(const Lapack *q, DType dtype, int64_t beside, TensorRole role);

/* The whole matrix of dl, d and du, and of du2 above them; NULL: there is none. */
Matrix tridiagonal_whole(const Tensor *diagonals, const Tensor *du2, Arena *arena);
/* Stores the diagonals of a whole matrix in dl, d, du and du2. */
void tridiagonal_write(const Matrix *whole, const Tensor *diagonals);

/* dl, d, du, du2 and ipiv, one after another: their references, their places, and what was computed
 * (NULL: nothing). */
typedef struct TridiagonalLu {
    Ref *refs, *info_ref;
    const Tensor *places, *info, *computed, *computed_info;
} TridiagonalLu;
/* True where the factors of a can be used, as lapack_lu_reference says. */
bool tridiagonal_lu(const TridiagonalLu *lu, const Matrix *a, LuFactors *factors, Arena *arena);

/* d and e of L D L^H, one after the other. */
typedef struct TridiagonalCholesky {
    Ref *refs, *info_ref;
    const Tensor *places, *computed;
    int64_t info; /* that was computed */
} TridiagonalCholesky;
/* Puts what becomes of d and e of A, which become those of the factors; info. */
int64_t tridiagonal_cholesky(const TridiagonalCholesky *cholesky, Matrix *d, Matrix *e,
                             Arena *arena);
/* The same by a kernel of our own. */
int64_t tridiagonal_compute_definite(DType dtype, Matrix *d, Matrix *e);
/* L D and L^H; above: e is that of L^H. */
void tridiagonal_definite_factors(const Matrix *d, const Matrix *e, bool above, Matrix *f,
                                  Matrix *g, Arena *arena);

#endif
