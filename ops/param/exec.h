/* The way to drive a kernel, which must not change the answer beyond the bound. */
#ifndef OPS_EXEC_H
#define OPS_EXEC_H

#include "param.h"

/* The fields are the parameters of exec_params. */
typedef struct Exec {
    int64_t align;    /* elements by which operands are moved off their natural alignment */
    int64_t guard;    /* which guard page operands lie against: 0 after them, 1 before them */
    int64_t threads;  /* threads the library may use */
    int64_t illegal;  /* number of the argument, from 1, that is given an illegal value; 0: none;
                       * behind ILLEGAL_RULES_MAX that of a stray call */
    int64_t relation; /* RelationKind: a second call whose result follows from the first */
    int64_t overlap;  /* OverlapKind: operands that are the same memory */
    int64_t layout;   /* LayoutKind: how operands that are dense otherwise lie in memory */
    int64_t repeat;   /* calls on the same data; all must give the same bits */
    /* Which of the functions that a library has for the operator is called, modulo their number: by
     * C, by Fortran, under more than one name, or by each row of its bindings that takes the case;
     * 0 is the first one, of the interface that the backend's mode asks for. */
    int64_t function;
    int64_t form; /* FormKind: how the call is written, where the library has that form */
} Exec;

/* Numbers of Exec.illegal: the rules of an operator, and behind them stray calls
 * (ops/case/illegal.h). */
enum { ILLEGAL_RULES_MAX = 16, ILLEGAL_WHOLE_MAX = 80, ILLEGAL_NUMBERS_MAX = 120 };

/* A library has at most so many functions for one operator. */
enum { EXEC_FUNCTIONS = 12 };

/* Second calls whose result follows from the first: ops/case/relation.h. */
typedef enum RelationKind {
    RELATION_NONE,
    RELATION_NEGATED,    /* -alpha: the result negated */
    RELATION_SCALED,     /* 8 alpha: 8 times the result */
    RELATION_FACTOR,     /* the first factor times 8: 8 times the result */
    RELATION_ADDEND,     /* beta = 1 and an addend of 0 for beta = 0: the same result */
    RELATION_MOVED,      /* operands one element further: the same result */
    RELATION_FUNCTION,   /* the library's next function for it, as of Fortran: the same result */
    RELATION_OPPOSITE,   /* the first factor and the addend negated: the result negated */
    RELATION_CONJUGATED, /* all operands and scalars conjugated: the conjugate result */
    RELATION_REVERSED,   /* elements in reverse order, each of which counts alone: so the result */
    RELATION_ALONE,      /* one row of a batch, or one element: that of the result */
    RELATION_PART,       /* some rows of a batch, or elements: those of the result */
    RELATION_ROTATED,    /* rows in another order: so the result */
    RELATION_MIRRORED,   /* operands negated, of odd and even functions: the result, or negated */
    RELATION_DENSE,      /* the operands in row-major order: the same result */
    RELATION_PLAIN,      /* the call written plainly: the same result */
    RELATION_THREADS,    /* one thread in place of several: the same result */
    RELATION_COUNT
} RelationKind;

typedef enum OverlapKind {
    OVERLAP_NONE,
    OVERLAP_INPUTS, /* two inputs, one of which has all its elements where the other has some */
    OVERLAP_OUTPUT  /* an output and an input, where the operator works in place */
} OverlapKind;

/* The layout of an operand, for operators whose operands may have any strides. */
typedef enum LayoutKind {
    LAYOUT_DENSE,         /* row-major */
    LAYOUT_CHANNELS_LAST, /* the second axis innermost; matrices by columns */
    LAYOUT_SLICED,        /* rows that are parts of longer ones */
    LAYOUT_STRIDED,       /* every other element */
    LAYOUT_EXPANDED       /* inputs that repeat one element, or row, by a stride of 0 */
} LayoutKind;

/* Ways to write one call, which must not change what it gives. */
typedef enum FormKind {
    FORM_PLAIN,    /* as the row of the bindings says */
    FORM_NUMBER,   /* an operand of one element as a number */
    FORM_ZERO_DIM, /* the same as a tensor without axes */
    FORM_NAMED,    /* all arguments by their names */
    FORM_OMITTED,  /* without the arguments that are the defaults */
    FORM_GIVEN,    /* with all defaults */
    FORM_NEGATIVE, /* axes counted from the end */
    FORM_IN_PLACE, /* by the function of that name with _ behind it */
    FORM_OUT,      /* into an operand out= */
    FORM_VIEW,     /* operands as parts of larger tensors, behind others of their elements */
    FORM_LAZY,     /* operands that are negated or conjugated where they are read */
    FORM_RECORDED, /* operands of which a gradient is asked later */
    FORM_BATCHED,  /* one of a batch, by what maps functions over an axis */
    FORM_EXTENTS,  /* in a graph with the extents of its operands and results */
    FORM_CONSTANT, /* in a graph of which operands behind the first are constants */
    FORM_FOLDED,   /* in a graph of constants, which is computed when it is read */
    FORM_IDLE,     /* in a graph with nodes that change nothing around the call */
    FORM_EARLIER,  /* by the operators of an earlier version */
    FORM_BOOL,     /* operands of whole numbers as tensors of a type of integers, from here on */
    FORM_U8,
    FORM_I8,
    FORM_U16,
    FORM_I16,
    FORM_U32,
    FORM_I32,
    FORM_U64,
    FORM_I64,
    FORM_COUNT
} FormKind;

/* Of a form that has operands of integers, their number of bits and whether they have a sign; 0
 * bits of any other. */
typedef struct FormInteger {
    int bits;
    bool is_signed;
} FormInteger;
FormInteger form_integer(FormKind form);

extern const Param exec_params[];
extern const char *const form_names[];     /* by FormKind, ended by NULL */
extern const char *const relation_names[]; /* by RelationKind, ended by NULL */

#endif
