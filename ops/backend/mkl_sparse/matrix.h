/* Matrices of a case in the library's formats. */
#ifndef OPS_BACKEND_MKL_SPARSE_MATRIX_H
#define OPS_BACKEND_MKL_SPARSE_MATRIX_H

#include "plan.h"

/* Those of the plan, by its row, with their arrays in the arena. */
void mkl_sparse_matrices(SparsePlan *plan, Arena *arena);

#endif
