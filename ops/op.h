/* An operator: one file with one table, from which everything else derives. */
#ifndef OPS_OP_H
#define OPS_OP_H

#include "ops/param/arrange.h"
#include "ops/param/fill.h"
#include "reference/base.h"
#include "reference/factor_sums.h"
#include "reference/nearest.h"
#include "reference/product_equation.h"
#include "reference/ref.h"
#include "reference/tensor.h"
#include "reference/zero_sign.h"

enum { OP_MAX = 1024, OP_TENSORS_MAX = 14, OP_PARAMS_BYTES_MAX = 1024, OP_PARAMS_MAX = 40 };

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
    int64_t index_below; /* the elements are indices below it; 0: they are not */
    int64_t index_first; /* what is added to them, such as 1 where they count from it */
    int index_axis;      /* 1 + axis along which indices must differ, 0: anything */
    bool positive;       /* magnitudes of what the recipe says */
    bool nonzero;        /* integers that are not 0: 1 where the recipe says 0 */
    bool probability;    /* between 0 and 1: those magnitudes, and reciprocals of those above 1 */
    bool reflected;      /* what is not above `least` is reflected there, all but every eighth */
    double least;
    bool ascending; /* rows of the last axis are sorted */
    bool has_head;  /* the first element holds `head`, whatever the recipe says */
    double head;
    bool has_last; /* and the last one `last` */
    double last;
    Arrangement arrangement; /* of matrices, whatever the recipe says */
    DiagonalBlock block;     /* of square ones: what stands outside it is no recipe's */
    bool derived;            /* OpDesc.derive makes it, whatever the recipe says */
} TensorSpec;

typedef struct Shapes {
    int count;
    TensorSpec tensor[OP_TENSORS_MAX];
    int64_t depth; /* terms of each sum */
} Shapes;

/* tensors are the views of Shapes with data: values before the call.  computed is NULL, or for
 * operators that are judged by residual the same views with the values after the call. */
typedef struct OpDesc OpDesc;
typedef struct ReferenceInput {
    const OpDesc *op;
    const void *params;
    const Tensor *tensors, *computed;
    bool exchangeable, signs_drawn;
    bool may_draft; /* references may be drafts (reference/draft.h) */
    int part;       /* of an operator by parts: 1 where the operands are imaginary parts */
} ReferenceInput;

enum {
    DTYPES_REAL = 1u << DT_F32 | 1u << DT_F64,
    DTYPES_COMPLEX = 1u << DT_C64 | 1u << DT_C128,
    DTYPES_BLAS = DTYPES_REAL | DTYPES_COMPLEX,
    DTYPES_FLOAT = DTYPES_REAL | 1u << DT_F16 | 1u << DT_BF16,
    DTYPES_INTEGER = 1u << DT_I8 | 1u << DT_U8 | 1u << DT_I32 | 1u << DT_I64,
    DTYPES_WHOLE = DTYPES_INTEGER | 1u << DT_I16 | 1u << DT_U16 | 1u << DT_U32 | 1u << DT_U64,
    DTYPES_BOOLEAN = 1u << DT_BOOL,
    DTYPES_F8 = 1u << DT_E4M3 | 1u << DT_E5M2
};

/* A call that every library must refuse: one argument of a legal one is given a value that its
 * documentation excludes.  `what` is the parameter or operand. */
typedef enum IllegalKind {
    ILLEGAL_NONE,
    ILLEGAL_AXIS,   /* parameter: the axis behind the last one */
    ILLEGAL_TUPLE,  /* parameter: `value` for each axis */
    ILLEGAL_KERNEL, /* parameter: windows beyond the padded image by `value` elements */
    ILLEGAL_GROUPS, /* parameter: more groups than channels, fewer where `value` is 1 */
    ILLEGAL_EXTENT, /* operand: one element less along axis `value`, from the end where negative */
    ILLEGAL_MISMATCH, /* the same, where the innermost axes of operands 0 and 1 are alike */
    ILLEGAL_INDEX,    /* operand: an index beyond its axis; where `value` is negative, before it,
                         which is a kind of its own */
    ILLEGAL_NUMBER,   /* parameter: `value` for a number */
    ILLEGAL_RANK,     /* operand: without axes */
    ILLEGAL_INTEGER,  /* parameter: `value` for a whole number */
    ILLEGAL_BEYOND,   /* parameter: one more than the axis has elements */
    ILLEGAL_CROP,     /* parameter: a negative padding that takes one more than all elements */
    ILLEGAL_PADDING,  /* paddings of images: a whole window, or `value` where that is negative */
    ILLEGAL_OUTPUT_PADDING, /* as much as the stride and the dilation */
    ILLEGAL_ENDS,           /* parameter: an upper end that lies below the lower one */
    ILLEGAL_WRITTEN         /* `what`: a name of illegal_written, by which the call is written */
} IllegalKind;

typedef struct IllegalRule {
    IllegalKind kind;
    const char *what;
    int64_t value;
} IllegalRule;

struct OpDesc {
    const char *name, *family;
    int version; /* from 1; rises when the name or the meaning of a parameter changes */
    const char *summary;
    size_t size; /* bytes of the parameter structure */
    const Param *params;
    const char *const *tensors; /* names of the operands, ended by NULL */
    uint32_t dtypes;            /* mask of element types that it exists in; 0: DTYPES_BLAS */
    /* The reference takes what the kernel computed: each element is judged given the others. */
    bool judged_by_residual;
    /* Its results are not unique: a reference without what a kernel computed is one right result,
     * which bounds nothing. */
    bool only_by_residual;
    bool moments_given; /* mean and variance are operands, though its gradient takes those of x */
    bool random;        /* a call may choose another result than the one before */
    uint32_t fills;     /* mask of the kinds of data that suit it; 0: those for sums of products */
    /* The result is alpha times something that is linear in each factor, plus beta times an addend:
     * the relations of ops/case/relation.h hold. */
    bool linear;
    /* Libraries have several functions for it, for C and for Fortran: Exec.function. */
    bool has_functions;
    /* The operands are dense, and may be laid out otherwise: Exec.layout. */
    bool any_layout;
    /* Each element of the output needs the inputs at its own place only. */
    bool in_place;
    /* Of complex types each part of the result is what the operator makes of that part of the
     * operands: the reference is made for a real type, twice. */
    bool by_parts;
    /* Makes parameters that depend on each other legal; idempotent; NULL where none do. */
    void (*normalise)(void *params);
    void (*shape)(const void *params, Shapes *shapes);
    /* In place of it, for tables whose rows share one function; and for descriptions that are read
     * as a program begins, in place of normalise and work. */
    void (*shape_of_row)(const OpDesc *op, const void *params, Shapes *shapes);
    void (*normalise_of_row)(const OpDesc *op, void *params);
    double (*work_of_row)(const OpDesc *op, const void *params);
    /* Makes operands that follow from others, which the views hold, bit for bit the same on any
     * machine; NULL where there are none. */
    void (*derive)(const OpDesc *op, const void *params, const Tensor *views, Arena *arena);
    /* Multiplications that one evaluation takes: what the generator's budget limits. */
    double (*work)(const void *params);
    /* refs has one entry per tensor, all zero; those of the outputs are filled. */
    void (*reference)(Ref *refs, const ReferenceInput *input, Arena *arena);
    /* Appends the source of the case in Python, in lines indented by four spaces, for libraries
     * that compile programs; NULL for all other operators. */
    void (*source)(const void *params, Text *text);
    /* The products that its only output, the last operand, is made of; NULL where it is none. input
     * holds the values before the call. */
    void (*product)(ProductBlocks *product, const ReferenceInput *input, Arena *arena);
    /* In place of that, of factors and solutions that are judged by residual: what the results of a
     * large case satisfy, after the call. */
    void (*factors)(FactorChecks *checks, const ReferenceInput *input, Arena *arena);
    /* With which parameters it is these; NULL: with all. */
    bool (*is_product)(const void *params);
    /* Of products whose extents are no widths of matrices: sets those of a large case
     * (ops/case/large.h) from choices; they need not be legal together. */
    void (*enlarge)(void *params, Choices *choices);
    /* Of a system that is solved: sets parameters with which coefficients that are small, those of
     * the first operand, make one that is far from singular, of any order. */
    void (*well_posed)(void *params);
    const char *policy; /* the policy that the alternatives of its references fall under, or NULL */
    /* The zeros of its results whose sign counts; NULL where none does. */
    const ZeroSign *zeros;
    /* The text by which NaN stays NaN, of an operator that compares (its policy is
     * nan-by-comparison); NULL where no text has that: what a comparison makes of it is a
     * convention. */
    const char *nan;
    const IllegalRule
        *illegal;       /* numbered from 1 by Exec.illegal, ended by ILLEGAL_NONE; or NULL */
    const void *detail; /* what tells the rows of a table apart; its type is the table's */
};

/* The definitions of all operators' files, each list ended by NULL; generated from file names:
 * op_NAME.c has one operator, ops_NAME.c a function of that name that gives a table which ends with
 * a row without name. */
typedef const OpDesc *OpTable(void);
/* Heads the definition of such a function. */
#define OP_TABLE(name)                                                                             \
    OpTable name;                                                                                  \
    const OpDesc *name(void)
extern const OpDesc *const op_files[];
extern OpTable *const op_tables[];

/* All operators: those of this program sorted by name, then those that were added; ended by NULL.
 */
extern const OpDesc *const *op_registry;
/* Adds an operator, which stays, behind the others; false with one sentence in *error where the
 * name is taken or there is no more room. */
MUST_USE bool op_add(const OpDesc *op, Text *error);
const OpDesc *op_find(const char *name);
/* Offers the names of all operators (reference/nearest.h). */
void op_offer_names(Nearest *nearest);
/* Its place in the registry, and a number of 16 bits that is its own and follows from its name, but
 * for the few names that collide. */
int op_number(const OpDesc *op);
uint16_t op_tag(const OpDesc *op);
/* Element types that the operator exists in. */
uint32_t op_dtypes(const OpDesc *op);
/* True when the name, or family/name, matches a pattern of the shell: *, ?, [...]. */
bool op_matches(const OpDesc *op, const char *pattern);
int op_tensor_count(const OpDesc *op);
/* The place of an operand by its name, -1 where there is none. */
int op_operand(const OpDesc *op, const char *name);
/* The parameter whose name is the first `length` characters of a string, or NULL. */
const Param *op_param(const OpDesc *op, const char *name, size_t length);
/* True when the operator has all parameters of a list with spaces between; NAME:WORD stands for a
 * choice that has this word. */
bool op_has_params(const OpDesc *op, const char *list);
/* The parameter that holds its program, or NULL. */
const Param *op_code(const OpDesc *op);
/* Makes parameters that depend on each other legal. */
void op_normalise(const OpDesc *op, void *params);
/* Multiplications that one evaluation takes. */
double op_work(const OpDesc *op, const void *params);
/* Whether sums can check the result: it is products, or factors, as the operator says
 * (OpDesc.product, OpDesc.factors). */
bool op_has_sums(const OpDesc *op, const void *params);
/* The references of the outputs, as OpDesc.reference gives them, of complex types too. */
void op_reference(Ref *refs, const ReferenceInput *input, Arena *arena);
/* The operands as the parameters shape them. */
void op_shape(const OpDesc *op, const void *params, Shapes *shapes);

#endif
