/* The operands of a case in guarded memory: filled, restored between calls, and checked after. */
#ifndef OPS_OPERANDS_H
#define OPS_OPERANDS_H

#include "case.h"
#include "oracle/model.h"
#include "reference/guard.h"

/* Memory for one case at a time; belongs to one thread. */
typedef struct Workspace {
    GuardSlot slot[OP_TENSORS_MAX];
    Arena arena;
} Workspace;

MUST_USE bool workspace_init(Workspace *workspace);
void workspace_release(Workspace *workspace);

/* The operands of one case.  view[i] is what the formula reads, block[i] what a library is given:
 * block[i].data is the lowest address.  call counts calls on the same data, from 0. */
typedef struct Operands {
    const Case *source;
    Workspace *workspace; /* whose memory they lie in, or NULL */
    Shapes shapes;
    int shared[OP_TENSORS_MAX]; /* earlier operand that this one shares its memory with, or -1 */
    Tensor view[OP_TENSORS_MAX];
    GuardBlock block[OP_TENSORS_MAX];
    unsigned char *pristine[OP_TENSORS_MAX];
    int call;
    bool called; /* a kernel had them since they were built */
} Operands;

/* The extents and strides of the operands, without memory. */
void operands_describe(Operands *operands, const Case *source);

/* Gives a described operand memory, of as many elements as its view spans, and the values of its
 * own recipe, whatever others hold. */
void operands_place(Operands *operands, int i, void *memory);

/* Resets the arena and builds all operands; ignored ones hold only canaries. */
void operands_build(Operands *operands, Workspace *workspace, const Case *source);

/* True where an element of operand i, as its recipe gives it, is this value; of operands that share
 * their memory, where one of any input is. */
bool operands_hold(const Case *source, int i, double value);

/* How many problems of one kind the outputs are the results of, one after the other: the matrices
 * of a batch, which are refused together. */
size_t operands_problems(const Operands *operands);

/* Lets the elements of operand i be written through its view, which is moved to another address of
 * the same memory where kernels may not write to it; until all are as kernels see them again. */
void operands_open(Operands *operands, int i);
void operands_close(Operands *operands);

/* Gives operand i, which is dense and shares its memory with no other, these elements in place of
 * those of its recipe. */
void operands_set(const Operands *operands, int i, const void *elements);

/* Runs the operator's reference, which fills one entry of refs (OP_TENSORS_MAX) per output.  The
 * operands must hold their values before any call, unless the operator is judged by residual: then
 * they hold what the kernel computed. */
void operands_reference(const Operands *operands, Ref *refs, Arena *arena);
/* The same, but that references may be drafts (reference/draft.h). */
void operands_reference_draft(const Operands *operands, Ref *refs, Arena *arena);

/* The products that the operator is (OpDesc.product), of the values before any call, which are kept
 * as long as the operands. */
void operands_product(const Operands *operands, ProductBlocks *product, Arena *arena);
/* What the results of a call satisfy as factors (OpDesc.factors). */
void operands_factors(const Operands *operands, FactorChecks *checks, Arena *arena);

/* Runs the reference on copies of the inputs under another reading of them.  False, with refs
 * unset, where no input changes, or where the operator is judged by residual and the reading
 * changes more than subnormal numbers. */
bool operands_reference_read(const Operands *operands, const InputReading *reading, Ref *refs,
                             Arena *arena);

/* Runs the reference with sums and functions of half precision rounded at every step.  False, with
 * refs unset, for other element types. */
bool operands_reference_narrow(const Operands *operands, Ref *refs, Arena *arena);

/* Dense copies of the operands as they are now, for those that are laid out otherwise; the views
 * themselves else. */
void operands_dense(const Operands *operands, Tensor views[OP_TENSORS_MAX], Arena *arena);

/* Puts every operand back to its value before the call, those apart that are locked. */
void operands_restore(Operands *operands);

/* True when no byte of any operand or of its margins has changed. */
bool operands_untouched(const Operands *operands);

/* Memory that a call must not change, and did. */
typedef enum Breach {
    BREACH_NONE,
    BREACH_INPUT,  /* an input was modified */
    BREACH_OUTSIDE /* bytes before, after or between the elements of an operand */
} Breach;
const char *breach_text(Breach breach);

/* Checks all operands after a call; *which is the index of the one that is touched. */
Breach operands_breach(const Operands *operands, Arena *arena, int *which);

/* True when the memory of operand i may change: it is an output, or one shares it. */
bool operands_may_change(const Operands *operands, int i);

/* True when operand i is written. */
bool operands_is_output(const Operands *operands, int i);

/* Makes all memory that may not change read-only, until it is unlocked or other operands are built
 * there. */
void operands_lock(const Operands *operands);
/* Makes all memory writable again, as a signal handler may. */
void workspace_unlock(Workspace *workspace);
/* The operand whose read-only memory address lies in, or -1. */
int workspace_locked_at(const Workspace *workspace, const void *address);

/* Components of the elements within the extents of operand i, those that its view leaves out
 * included. */
size_t operands_components(const Operands *operands, int i);

/* Reads output i: one double per component, row-major as the formula reads it, 0 for elements that
 * its view leaves out; canary marks components that still hold the canary. */
void operands_output(const Operands *operands, int i, double *got, uint8_t *canary);
/* The same of some rows of a part of it, which is a matrix. */
void operands_output_rows(const Operands *operands, int i, const Tensor *part, const size_t *rows,
                          size_t count, double *got, uint8_t *canary);

#endif
