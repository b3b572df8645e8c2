/* A routine for one element type, prepared once for its calls and for their C source. */
#ifndef OPS_BACKEND_CBLAS_ENTRY_H
#define OPS_BACKEND_CBLAS_ENTRY_H

#include <ffi.h>

#include "bindings.h"
#include "ops/case/operands.h"

/* How a library's routines are called by one of its interfaces.  Complex functions of Fortran
 * return their value as C does (GNU), or put it where a first argument says (Intel, f2c). */
typedef struct CblasCalling {
    CblasInterface interface;
    bool wide_integers;  /* integers have 64 bits */
    bool hidden_results; /* by Fortran: complex values go where a first argument says */
} CblasCalling;

/* What becomes of the value of a function. */
typedef enum CblasValue {
    VALUE_NONE,
    VALUE_REAL,
    VALUE_COMPLEX,
    VALUE_HIDDEN,   /* put where a first argument says, before those of the row */
    VALUE_INFO,     /* of LAPACKE: what routines of Fortran say in info */
    VALUE_POSITION, /* from 0 */
    VALUE_NUMBER    /* a position from 1, or 0 where there is none */
} CblasValue;

/* Lengths of choices, one for each, follow the arguments of Fortran. */
enum { CBLAS_VALUES_MAX = 2 * CBLAS_ARGUMENTS_MAX + 1 };

typedef struct CblasEntry CblasEntry;
struct CblasEntry {
    void *function;
    const CblasRoutine *routine;
    const OpDesc *op;
    CblasCalling calling;
    int count, lengths;
    int result;        /* operand that takes the function's value, -1 if none */
    int info;          /* operand that says in LAPACK how the call ended, -1 if none */
    bool has_integers; /* arrays of integers are among the operands */
    bool has_scratch;  /* it is given arrays to work in */
    CblasValue value;
    DType factors; /* type that factors are passed in */
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    ffi_type *types[CBLAS_VALUES_MAX];
    ffi_cif cif;
};

/* Prepares a routine; released with free. */
CblasEntry *cblas_entry_make(const CblasRoutine *routine, const OpDesc *op, DType dtype,
                             CblasCalling calling, void *function);

/* Factors that are complex, or of a Fortran routine, are passed by address, and so are all other
 * numbers and choices of Fortran, and everything that groups have one of each. */
bool cblas_by_address(const CblasEntry *entry, const CblasArgument *argument);
/* Numbers among the operands that LAPACKE takes by value; choices that are passed as letters. */
bool cblas_operand_by_value(const CblasEntry *entry, const CblasArgument *argument);
bool cblas_is_letter(const CblasEntry *entry, const CblasArgument *argument);
/* True for a case whose matrices lie by rows. */
bool cblas_by_rows(const Case *c);
/* True for a case that the interface of the entry has no words for; *why says which. */
bool cblas_declines(const CblasEntry *entry, const Case *c, const char **why);
/* The value of an argument that is passed as an integer, and the least illegal change of it: one
 * below its minimum, or no enumerator.  Choices of Fortran are letters. */
int64_t cblas_legal_integer(const CblasArgument *argument, const Operands *operands);
int64_t cblas_illegal_integer(const CblasArgument *argument, const Operands *operands);
/* Fortran counts positions from 1.  True where the function must find an element; else 0 says that
 * there is none, and a function that looks all the same gives the position of one. */
bool cblas_counts_from_one(const CblasEntry *entry, const Operands *operands);

/* Groups of the call, and matrices in all of them. */
typedef struct CblasGroups {
    int64_t groups, matrices;
} CblasGroups;
CblasGroups cblas_groups(const Operands *operands);

#endif
