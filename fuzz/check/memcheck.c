/* Client requests are a few instructions without effect outside valgrind. */
#include "memcheck.h"

#if __has_include(<valgrind/memcheck.h>)
#include <valgrind/memcheck.h>

static unsigned errors_before;

typedef enum Marking { MARK_DEFINED, CHECK_DEFINED } Marking;

static void mark_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const Tensor *view = ((const Tensor *const *)context)[0];
    Marking marking = *((const Marking *const *)context)[1];
    size_t size = dtype_size(view->dtype);
    (void)first;
    for (int64_t i = 0; i < count; i++) {
        char *element = at + i * stride * (int64_t)size;
        if (marking == MARK_DEFINED)
            (void)VALGRIND_MAKE_MEM_DEFINED(element, size);
        else
            (void)VALGRIND_CHECK_MEM_IS_DEFINED(element, size);
    }
}

/* Marks or checks the elements of a view, and leaves what lies between them. */
static void visit_elements(const Tensor *view, Marking marking)
{
    const void *context[] = {view, &marking};
    tensor_visit_runs(view, mark_run, context);
}

static bool has_value(const Operands *o, int i)
{
    return !o->shapes.tensor[i].ignored && o->shapes.tensor[i].role != ROLE_OUT;
}

void memcheck_begin(const Operands *o)
{
    if (!RUNNING_ON_VALGRIND)
        return;
    for (int i = 0; i < o->shapes.count; i++) {
        const GuardBlock *block = &o->block[i];
        (void)VALGRIND_MAKE_MEM_UNDEFINED(block->data, block->bytes);
        (void)VALGRIND_MAKE_MEM_NOACCESS(block->margin_begin, block->data - block->margin_begin);
        (void)VALGRIND_MAKE_MEM_NOACCESS(block->data + block->bytes,
                                         block->margin_end - (block->data + block->bytes));
    }
    for (int i = 0; i < o->shapes.count; i++)
        if (has_value(o, i))
            visit_elements(&o->view[i], MARK_DEFINED);
    errors_before = VALGRIND_COUNT_ERRORS;
}

unsigned memcheck_end(const Operands *o)
{
    if (!RUNNING_ON_VALGRIND)
        return 0;
    for (int i = 0; i < o->shapes.count; i++)
        if (operands_is_output(o, i))
            visit_elements(&o->view[i], CHECK_DEFINED);
    unsigned errors = VALGRIND_COUNT_ERRORS - errors_before;
    for (int i = 0; i < o->shapes.count; i++)
        (void)VALGRIND_MAKE_MEM_DEFINED(o->block[i].margin_begin,
                                        o->block[i].margin_end - o->block[i].margin_begin);
    return errors;
}

#else

void memcheck_begin(const Operands *operands)
{
    (void)operands;
}

unsigned memcheck_end(const Operands *operands)
{
    (void)operands;
    return 0;
}
#endif
