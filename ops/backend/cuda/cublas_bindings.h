/* The calling sequences of cuBLAS as data, and how they are used. */
#ifndef OPS_BACKEND_CUDA_CUBLAS_BINDINGS_H
#define OPS_BACKEND_CUDA_CUBLAS_BINDINGS_H

#include "ops/backend/blas/bindings.h"
#include "ops/case/case.h"

/* How routines are called: the words of the backend's mode. */
typedef struct CublasMode {
    bool wide, device, pedantic, stream, pointers, ex, full, half, tf32, bf16, bf16x9, fixed,
        workspace;
} CublasMode;

/* Reads the words, with + between; false with one sentence in *error. */
bool cublas_read_mode(CublasMode *mode, const char *words, Text *error);
/* Bytes of the workspace that the handle is given where the mode says so. */
enum { CUBLAS_WORKSPACE = 32 << 20 };
/* The number of cuBLAS's math mode. */
int cublas_math_mode(const CublasMode *mode);
/* True where binary32 or binary64 may be emulated; cuBLAS does so wherever it can if the
 * environment says so before a handle is made. */
bool cublas_is_emulated(const CublasMode *mode);
#define CUBLAS_EMULATION_VARIABLE "CUBLAS_EMULATION_STRATEGY"
#define CUBLAS_EMULATION_EAGER    "eager"

/* The routines, ended by a NULL op: rows as those of the CBLAS, without the handle, which is first,
 * and without the capital letter that names have behind "cublas".  An operator may have several. */
const CblasRoutine *cublas_routines(void);
/* BackendKind.describe. */
void cublas_describe(const char *name, const OpDesc *op, Text *text);
/* True where the element types, or the addresses of the matrices, are arguments. */
bool cublas_takes_types(const CblasRoutine *routine);
bool cublas_takes_addresses(const CblasRoutine *routine);
/* The row for an operator in a mode, NULL if there is none. */
const CblasRoutine *cublas_routine(const char *op, const CublasMode *mode);
/* The symbol of a routine, without _v2 and _64; false where it has none for the type. */
bool cublas_symbol(const CblasRoutine *routine, DType dtype, char *name, size_t size);
/* False for routines that are the same in the interface with 64-bit integers. */
bool cublas_has_integers(const CblasRoutine *routine);
/* Matrices in all groups of a batch. */
int64_t cublas_matrices(const Case *c);
/* Value of cuBLAS's enumerator for the name of a choice, such as "t" or "upper". */
int cublas_enumerator(const char *choice);
/* Numbers of cudaDataType and, for factors and output of these types, cublasComputeType_t; and the
 * type of alpha and beta that goes with it. */
int cublas_type_number(DType dtype);
int cublas_compute_number(const CublasMode *mode, DType factors, DType output);
DType cublas_scale_dtype(const CublasMode *mode, DType factors, DType output);
/* The type that a routine takes factors in. */
DType cublas_factor_dtype(const CblasRoutine *routine, const OpDesc *op, DType dtype,
                          const CublasMode *mode);
/* The least illegal change of such an argument: one below its minimum, or no enumerator. */
int64_t cublas_illegal_integer(const CblasArgument *argument, const Shapes *shapes, const Case *c);
/* The name of the argument with a number, from 1 behind the handle; NULL where it has no illegal
 * value: level 1 takes any length and increment. */
const char *cublas_illegal_name(const CblasRoutine *routine, const OpDesc *op, int64_t number);
/* The value of an argument that is passed as an integer, or has one entry of it per group. */
int64_t cublas_integer(const CblasArgument *argument, const CublasMode *mode, const Shapes *shapes,
                       const Case *c);

#endif
