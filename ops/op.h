/* An operator: one file with one table, from which everything else derives. */
#ifndef OPS_OP_H
#define OPS_OP_H

#include "fill.h"
#include "reference/base.h"
#include "reference/ref.h"
#include "reference/tensor.h"

enum { OP_TENSORS_MAX = 4, OP_PARAMS_BYTES_MAX = 256, OP_PARAMS_MAX = 24 };

typedef enum TensorRole { ROLE_IN, ROLE_OUT, ROLE_INOUT } TensorRole;

/* One operand as the parameters shape it.  layout is the view that the formula reads (transposed
 * by its strides where the parameters say so), without data.  leading is the leading dimension or
 * increment to pass to the library.  An ignored tensor must not be read: it holds only canaries. */
typedef struct TensorSpec {
    TensorRole role;
    TensorPart part;
    Tensor layout;
    int64_t leading;
    int64_t batch_stride; /* elements from one matrix of a batch to the next; 0: no batch */
    int contraction;      /* axis of layout that is summed over, -1 if none */
    bool ignored;
    bool has_head; /* the first element holds `head`, whatever the recipe says */
    double head;
} TensorSpec;

typedef struct Shapes {
    int count;
    TensorSpec tensor[OP_TENSORS_MAX];
    int64_t depth; /* terms of each sum */
} Shapes;

/* tensors are the views of Shapes with data: values before the call.  computed is NULL, or for
 * operators that are judged by residual the same views with the values after the call. */
typedef struct ReferenceInput {
    const void *params;
    const Tensor *tensors, *computed;
    bool exchangeable, signs_drawn;
} ReferenceInput;

enum {
    DTYPES_REAL = 1u << DT_F32 | 1u << DT_F64,
    DTYPES_COMPLEX = 1u << DT_C64 | 1u << DT_C128,
    DTYPES_BLAS = DTYPES_REAL | DTYPES_COMPLEX
};

typedef struct OpDesc {
    const char *name, *family;
    int version; /* rises when the meaning of a parameter changes */
    const char *summary;
    size_t size; /* bytes of the parameter structure */
    const Param *params;
    const char *const *tensors; /* names of the operands, ended by NULL */
    uint32_t dtypes;            /* mask of element types that it exists in; 0: DTYPES_BLAS */
    /* The reference takes what the kernel computed: each element is judged given the others. */
    bool judged_by_residual;
    /* Each element of the output needs the inputs at its own place only. */
    bool in_place;
    void (*shape)(const void *params, Shapes *shapes);
    /* Multiplications that one evaluation takes: what the generator's budget limits. */
    double (*work)(const void *params);
    /* refs has one entry per tensor, all zero; those of the outputs are filled. */
    void (*reference)(Ref *refs, const ReferenceInput *input, Arena *arena);
} OpDesc;

/* What files define, each ended by NULL; generated from their names: op_NAME.c has one operator,
 * ops_NAME.c a table that ends with a row without name. */
extern const OpDesc *const op_files[], *const op_tables[];

/* All operators, sorted by name, ended by NULL. */
extern const OpDesc *const *op_registry;
const OpDesc *op_find(const char *name);
/* Its place in the registry. */
int op_number(const OpDesc *op);
/* Element types that the operator exists in. */
uint32_t op_dtypes(const OpDesc *op);
/* True when the name, or family/name, matches a pattern of the shell: *, ?, [...]. */
bool op_matches(const OpDesc *op, const char *pattern);
int op_tensor_count(const OpDesc *op);

#endif
