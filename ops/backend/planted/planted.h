/* The planted backend: our own reference rounded to the element type, with faults that the tool
 * must find and correct variants that it must leave alone. */
#ifndef OPS_BACKEND_PLANTED_H
#define OPS_BACKEND_PLANTED_H

#include "ops/backend/backend.h"

/* The state of one call that a planted fault may change; all of it is private to the call. */
typedef struct PlantedCall {
    const Operands *operands;
    Case altered;                /* parameters handed to the reference */
    Tensor view[OP_TENSORS_MAX]; /* operands handed to the reference */
    Arena *arena;
    int64_t number; /* calls before this one since the backend was opened */
} PlantedCall;

/* A private copy of operand i, which is dense, in place of what the reference is handed. */
char *planted_copy(PlantedCall *call, int i);

/* One fault of one operator; the others are computed right.  prepare changes what is computed,
 * finish what is written; either may be NULL.  where says when it shows, for people. */
typedef struct PlantedFault {
    const char *name, *op, *where;
    void (*prepare)(PlantedCall *call);
    void (*finish)(PlantedCall *call);
} PlantedFault;

extern const PlantedFault planted_faults[]; /* ended by a NULL name */
extern const PlantedFault planted_structure_faults[], planted_nn_faults[], planted_layer_faults[],
    planted_rare_faults[], planted_own_faults[];
/* Some of these are right: their names begin with ok-. */
extern const PlantedFault planted_lapack_faults[], planted_system_faults[], planted_pair_faults[],
    planted_reflection_faults[], planted_random_faults[], planted_complex_faults[],
    planted_conv_complex_faults[], planted_blend_complex_faults[], planted_deform_faults[],
    planted_sparse_faults[], planted_matrix_function_faults[], planted_whole_faults[],
    planted_gemm3m_faults[], planted_attention_faults[];

/* A fault as text: where it lies in an operator, for which calls it shows (when.h) and what goes
 * wrong then (effects.h).  way is the kind of condition that real kernels get wrong: one of
 * planted_ways. */
typedef struct PlantedRow {
    const char *name, *op, *way, *when, *effect;
} PlantedRow;

/* Each ended by a NULL name. */
extern const PlantedRow planted_blas_rows[], planted_nn_rows[], planted_lapack_rows[];
extern const char *const planted_ways[]; /* ended by NULL */
/* The row with a number, from 0, or of a name; NULL where there is none. */
const PlantedRow *planted_row(int number);
const PlantedRow *planted_find_row(const char *name);

/* A correct way to sum up: count products x[i] * y[i], each operation rounded to the type. */
typedef struct PlantedVariant {
    const char *name, *summary;
    double (*sum)(DType dtype, const double *x, const double *y, int64_t count);
    bool alpha_first; /* alpha multiplies the factors before they are summed */
    bool adds_zero;   /* the sum is added though it is not formed */
} PlantedVariant;

extern const PlantedVariant planted_variants[]; /* ended by a NULL name */

/* True for the operators and element types that variants compute: gemm and gemv; and the kernels of
 * variants_nn.c. */
bool planted_variant_offers(const OpDesc *op);
bool planted_nn_variant_offers(const OpDesc *op, DType dtype);

/* Computes the operation of the operands with one variant and writes the output. */
void planted_compute(const PlantedVariant *variant, const Operands *operands, Arena *arena);
void planted_compute_nn(const PlantedVariant *variant, const Operands *operands, Arena *arena);

#endif
