/* Arguments are stored in cells, by address where the routine takes them so. */
#include "call.h"

#include <string.h>

#include "entry.h"
#include "xerbla.h"

/* One argument or result in memory. */
typedef union Cell {
    int32_t integer;
    int64_t wide_integer;
    float narrow;
    double wide;
    float narrow_pair[2];
    double wide_pair[2];
    void *address;
    ffi_arg returned;
} Cell;

static void store_scalar(DType dtype, const CblasArgument *argument, const Case *c, Cell *cell)
{
    Scalar scalar = *(const Scalar *)(const void *)(c->params + argument->param->offset);
    dtype_store(dtype, cell, 0, scalar.re);
    if (dtype_components(dtype) == 2)
        dtype_store(dtype, cell, 1, scalar.im);
}

static void store_result(const CblasEntry *entry, const CblasLibrary *library, const Operands *o,
                         const Cell *value)
{
    const Tensor *result = &o->view[entry->result];
    if (entry->result_is_index && library->wide_integers)
        dtype_store(result->dtype, result->origin, 0, (double)value->wide_integer);
    else if (entry->result_is_index)
        dtype_store(result->dtype, result->origin, 0, (double)(int32_t)value->returned);
    else
        memcpy(result->origin, value, dtype_component_size(result->dtype));
}

enum { GROUPS_MAX = 4, MATRICES_MAX = 32 };

/* The array behind an argument that is given by group. */
typedef union GroupArray {
    int32_t integers[GROUPS_MAX];
    int64_t wide_integers[GROUPS_MAX];
    double scalars[2 * GROUPS_MAX];
    void *addresses[MATRICES_MAX];
} GroupArray;

static void fill_group_array(const CblasLibrary *library, const CblasArgument *argument,
                             const Operands *o, GroupArray *array)
{
    CblasGroups groups = cblas_groups(o);
    DType dtype = case_dtype(o->source);
    size_t size = dtype_size(dtype);
    for (int64_t i = 0; i < groups.matrices && argument->kind == ARGUMENT_OPERAND; i++)
        array->addresses[i] = o->block[argument->tensor].data +
                              (size_t)(i * o->shapes.tensor[argument->tensor].batch_stride) * size;
    for (int64_t i = 0; i < groups.groups; i++) {
        Cell cell;
        if (argument->kind == ARGUMENT_SCALAR) {
            store_scalar(dtype, argument, o->source, &cell);
            memcpy((char *)array + (size_t)i * size, &cell, size);
        } else if (argument->kind == ARGUMENT_CHOICE || !library->wide_integers) {
            if (argument->kind != ARGUMENT_OPERAND)
                array->integers[i] = (int32_t)cblas_legal_integer(argument, o);
        } else if (argument->kind != ARGUMENT_OPERAND) {
            array->wide_integers[i] = cblas_legal_integer(argument, o);
        }
    }
}

RunStatus cblas_run(Backend *backend, const Operands *o)
{
    CblasLibrary *library = backend->context;
    CblasEntry *entry = cblas_entry(library, o->source->op, case_dtype(o->source));
    Cell cells[CBLAS_ARGUMENTS_MAX], result = {0};
    void *addresses[CBLAS_ARGUMENTS_MAX], *values[CBLAS_ARGUMENTS_MAX];
    GroupArray arrays[CBLAS_ARGUMENTS_MAX];
    int illegal = (int)o->source->exec.illegal - 1;
    for (int i = 0; i < entry->count; i++) {
        const CblasArgument *argument = &entry->arguments[i];
        values[i] = &cells[i];
        if (argument->by_group) {
            fill_group_array(library, argument, o, &arrays[i]);
            cells[i].address = &arrays[i];
        } else if (argument->kind == ARGUMENT_OPERAND) {
            cells[i].address = o->block[argument->tensor].data;
        } else if (argument->kind == ARGUMENT_SCALAR) {
            store_scalar(entry->factors, argument, o->source, &cells[i]);
            addresses[i] = &cells[i];
            if (cblas_by_address(argument, entry->factors))
                values[i] = &addresses[i];
        } else {
            cells[i].wide_integer = i == illegal ? cblas_illegal_integer(argument, o)
                                                 : cblas_legal_integer(argument, o);
        }
    }
    void (*function)(void);
    *(void **)&function = entry->function;
    xerbla_reset(library->called_from_c);
    ffi_call(&entry->cif, function, &result, values);
    backend->refused_argument = xerbla_reported();
    if (backend->refused_argument >= 0)
        return RUN_REFUSED;
    if (entry->result >= 0)
        store_result(entry, library, o, &result);
    return RUN_DONE;
}

/* Level 1 takes any increment and length: its routines have no order or other choice. */
const char *cblas_illegal_argument(const Backend *backend, const Operands *o)
{
    const CblasLibrary *library = backend->context;
    const CblasEntry *entry = cblas_entry(library, o->source->op, case_dtype(o->source));
    int64_t position = o->source->exec.illegal;
    if (!library->reports_caught)
        return NULL;
    if (position < 1 || position > entry->count || entry->arguments[0].kind != ARGUMENT_CHOICE)
        return NULL;
    const CblasArgument *argument = &entry->arguments[position - 1];
    if (argument->by_group || argument->kind == ARGUMENT_OPERAND ||
        argument->kind == ARGUMENT_SCALAR || argument->kind == ARGUMENT_STRIDE)
        return NULL;
    return argument->name;
}
