/* Types and functions that the generated routines of the simulated cuBLAS share. */
#ifndef FAKECUDA_H
#define FAKECUDA_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    FAKE_SUCCESS = 0,
    FAKE_NOT_INITIALIZED = 1,
    FAKE_ALLOC_FAILED = 3,
    FAKE_INVALID_VALUE = 7,
    FAKE_EXECUTION_FAILED = 13,
    FAKE_NOT_SUPPORTED = 15
};

/* One call of a routine: device memory is open from fake_begin to fake_end. */
typedef struct FakeCall {
    const char *op;
    bool device_factors;
    int math_mode, status;
} FakeCall;

/* Whether the fault of this name was asked for (variable FAKECUDA). */
bool fake_fault(const char *name);

FakeCall fake_begin(void *handle, const char *op);
/* A factor or a result that lies where the pointer mode says; NULL is returned, and the call is
 * refused, where it does not. */
void *fake_factor(FakeCall *call, const void *address);
/* An operand: NULL is legal for none; anything else must be device memory, or the device fails. */
void fake_operand(FakeCall *call, const void *address);
/* An enumerator from 0. */
void fake_choice(FakeCall *call, int choice, int most);
void fake_extent(FakeCall *call, int64_t extent);
/* Where 0 is illegal: of matrix times vector and the like, and of vectors that are written. */
void fake_increment(FakeCall *call, int64_t increment);
void fake_leading(FakeCall *call, int64_t leading, int64_t least);
/* True where nothing is to be computed. */
bool fake_refused(FakeCall *call);
int fake_end(FakeCall *call);

/* Faults of products: the depth that is summed over, and what happens behind the output, of which
 * `bytes` hold elements, and to the input. */
int64_t fake_depth(FakeCall *call, int64_t k);
void fake_after(FakeCall *call, void *input, void *output, int64_t bytes);

/* The same for a library without handles that have pointer modes. */
FakeCall fake_begin_free(const char *op, bool device_factors);
const char *cublasGetStatusName(int status);

/* A matrix under op; type is its cudaDataType, and order its cublasLtOrder: by columns, by rows, or
 * in tiles of 32 columns. */
typedef struct FakeMatrix {
    const void *data;
    int type, operation;
    int64_t leading;
    int order;
} FakeMatrix;

struct FakeEpilogue;
/* C = alpha op(A) op(B) + beta C; compute is its cublasComputeType_t.  bias, unless NULL, has an
 * element of C's type for each row, and epilogue, unless NULL, says what becomes of real ones. */
typedef struct FakeProduct {
    int64_t m, n, k;
    const void *alpha, *beta;
    FakeMatrix a, b, c; /* c is what is written */
    int compute;
    const void *bias;
    const struct FakeEpilogue *epilogue;
    FakeMatrix
        addend; /* C where it is another matrix, and what the result is multiplied by, or 0 */
    double result_scale;
} FakeProduct;
bool fake_is_supported(int a, int b, int c, int compute);
void fake_product(FakeCall *call, const FakeProduct *product);
/* Where element (i, j) of what is stored lies. */
int64_t fake_place(const FakeMatrix *matrix, int64_t i, int64_t j);
/* A real number of a type. */
double fake_load(int type, const void *data, int64_t place);
void fake_store(int type, void *data, int64_t place, double value);
/* Bytes of an element of a type, and of a factor. */
size_t fake_size(int type);
size_t fake_factor_size(int compute, int c_type);
/* C = alpha op(A) + beta op(B). */
void fake_sum(const FakeMatrix *a, const void *alpha, const FakeMatrix *b, const void *beta,
              const FakeMatrix *c, int64_t m, int64_t n);

/* The function of the reference BLAS. */
void *fake_blas(const char *name);
/* Enumerators of the CBLAS. */
int fake_transpose(int operation);
int fake_triangle(int fill);
int fake_diagonal(int diagonal);
int fake_side(int side);
/* Position of the smallest |re| + |im| from 1, of numbers of `size` bytes with `components`. */
int64_t fake_iamin(int64_t n, const void *x, int64_t incx, size_t size, int components);

#endif
