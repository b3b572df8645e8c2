/* Matrices of which a part is stored. */
#ifndef REFERENCE_STORED_MATRIX_H
#define REFERENCE_STORED_MATRIX_H

#include "base.h"
#include "patches.h"
#include "tensor.h"

/* What the elements are that a view leaves out. */
typedef enum Expansion {
    EXPAND_NONE,       /* 0 */
    EXPAND_TRIANGULAR, /* 0; a diagonal that is not stored is 1 */
    EXPAND_SYMMETRIC,
    EXPAND_HERMITIAN /* of a dense copy of all the imaginary parts of the diagonal are 0 */
} Expansion;

/* One matrix of a product.  The view is whole, or a triangle: where it is limited, it is square and
 * has all elements on one side of the diagonal.  Where there are patches, they are its elements,
 * and of the view only its extents and type count. */
typedef struct StoredMatrix {
    Tensor view;
    const Patches *patches;
    Expansion expansion;
    bool conjugate;
    bool real_diagonal; /* the imaginary parts of the diagonal are read as 0 */
} StoredMatrix;

/* One element, conjugated where the matrix is. */
Scalar stored_element(const StoredMatrix *matrix, int64_t i, int64_t j);

/* A dense copy of a view that leaves elements out. */
Tensor tensor_expanded(const Tensor *stored, Expansion expansion, Arena *arena);

/* The matrix as a view, without its conjugation: what is stored if nothing else is meant. */
Tensor stored_dense(const StoredMatrix *matrix, Arena *arena);
/* The same of some rows (NULL: all, which count is the number of), in their order. */
Tensor stored_rows(const StoredMatrix *matrix, const size_t *rows, size_t count, Arena *arena);

/* A dense copy of rows `first` to end - 1 of a limited one and the same columns, around the
 * diagonal, without its conjugation; `mirrored`: of the elements that symmetry adds instead, which
 * are not conjugated either. */
Tensor stored_tile(const StoredMatrix *matrix, int64_t first, int64_t end, bool mirrored,
                   Arena *arena);

#endif
