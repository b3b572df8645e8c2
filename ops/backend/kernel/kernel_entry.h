/* A user's function for an operator in an element type: what its arguments are, how they are
 * passed, and which cases it can be told. */
#ifndef OPS_BACKEND_KERNEL_KERNEL_ENTRY_H
#define OPS_BACKEND_KERNEL_KERNEL_ENTRY_H

#include "debug_info.h"
#include "kernel_source.h"

/* What an argument is:
 *
 *     x  dx?           an operand's address; with ? NULL where the case leaves it out
 *     axis  alpha  n   an attribute (ops/case/attribute.h); tuples by the address of their numbers
 *     stride[0]        a number of a tuple
 *     lda  incx        the leading dimension or increment of operand a, x
 *     stridea          elements from one matrix of a batch to the next
 *     x.stride[0]  x.extent[1]  x.rank  x.count    of an operand's elements
 *     7  -1.5  'N'  NULL                           constants */
typedef enum KernelArgumentKind {
    KERNEL_OPERAND,
    KERNEL_ATTRIBUTE,
    KERNEL_LEADING,
    KERNEL_BATCH_STRIDE,
    KERNEL_STRIDE,
    KERNEL_EXTENT,
    KERNEL_RANK,
    KERNEL_COUNT,
    KERNEL_NUMBER,
    KERNEL_TEXT,
    KERNEL_NULL
} KernelArgumentKind;

typedef struct KernelArgument {
    KernelArgumentKind kind;
    CType type;
    char name[ROW_WORD_BYTES]; /* the attribute, the text, or the word as it stands */
    int operand;               /* -1: none */
    int index;                 /* of a tuple or of axes; -1: none */
    bool optional;
    double number;
} KernelArgument;

/* What becomes of the value of the function: nothing, an operand's only element, or a status, which
 * is `worked` where the call did. */
typedef enum KernelResult {
    KERNEL_VALUE_UNUSED,
    KERNEL_VALUE_OPERAND,
    KERNEL_VALUE_STATUS
} KernelResult;

enum { KERNEL_ARGUMENTS_MAX = ROW_WORDS_MAX };

typedef struct KernelEntry {
    const OpDesc *op;
    DType dtype;
    char function[96];
    int count;
    KernelArgument arguments[KERNEL_ARGUMENTS_MAX];
    KernelResult result;
    int result_operand;
    int64_t worked;
    CType result_type; /* C_VOID where there is none */
    char *conditions;  /* that its cases must meet: those of the row, and what follows from it */
    void (*address)(void); /* NULL until the library is opened */
    ffi_cif cif;
    ffi_type *types[KERNEL_ARGUMENTS_MAX];
    struct KernelEntry *next; /* another function for the same, for other cases */
} KernelEntry;

/* Makes the entry of a row; NULL with one sentence in *error where the row is wrong.  NULL and
 * *other true where it is one for other element types only. */
KernelEntry *kernel_entry_make(const KernelRow *row, const OpDesc *op, DType dtype,
                               const DebugInfo *info, bool *other, Text *error);
void kernel_entry_release(KernelEntry *entry);

/* Appends its declaration in C, without a semicolon. */
void kernel_entry_put_declaration(const KernelEntry *entry, Text *text);

#endif
