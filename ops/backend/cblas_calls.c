/* Calls routines through libffi, as their rows describe them. */
#include <stdlib.h>
#include <string.h>

#include "cblas_entry.h"
#include "cblas_xerbla.h"

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

bool cblas_by_address(const CblasArgument *argument, DType dtype)
{
    return argument->by_group || (argument->kind == ARGUMENT_SCALAR &&
                                  dtype_components(dtype) == 2 && argument->param->maximum == 0);
}

CblasGroups cblas_groups(const Operands *o)
{
    int64_t groups = case_int(o->source, "groups");
    return (CblasGroups){groups, groups * case_int(o->source, "batch")};
}

static ffi_type *number_type(DType dtype)
{
    size_t size = dtype_component_size(dtype);
    return size == 2 ? &ffi_type_uint16 : size == 4 ? &ffi_type_float : &ffi_type_double;
}

static ffi_type *argument_type(const CblasLibrary *library, const CblasArgument *argument,
                               DType dtype)
{
    if (cblas_by_address(argument, dtype))
        return &ffi_type_pointer;
    switch (argument->kind) {
    case ARGUMENT_OPERAND:
        return &ffi_type_pointer;
    case ARGUMENT_CHOICE:
        return &ffi_type_sint32;
    case ARGUMENT_SCALAR:
        return number_type(dtype);
    default:
        return library->wide_integers ? &ffi_type_sint64 : &ffi_type_sint32;
    }
}

/* The functions that return positions are the only ones whose result is an integer. */
static bool returns_index(const CblasRoutine *routine)
{
    return !strncmp(routine->names, "i?", 2);
}

CblasEntry *cblas_entry_make(const CblasLibrary *library, const CblasRoutine *routine,
                             const OpDesc *op, DType dtype, void *function)
{
    CblasEntry *entry = calloc(1, sizeof *entry);
    if (!entry)
        BUG("out of memory");
    entry->function = function;
    entry->op = op;
    entry->count = cblas_arguments(routine, op, entry->arguments);
    entry->result =
        routine->returns ? cblas_operand(op, routine->returns, strlen(routine->returns)) : -1;
    entry->result_is_index = returns_index(routine);
    entry->factors = cblas_factor_dtype(op, dtype);
    for (int i = 0; i < entry->count; i++)
        entry->types[i] = argument_type(library, &entry->arguments[i], entry->factors);
    ffi_type *result = &ffi_type_void;
    if (entry->result_is_index)
        result = library->wide_integers ? &ffi_type_sint64 : &ffi_type_sint32;
    else if (entry->result >= 0)
        result = number_type(cblas_operand_dtype(op, dtype, entry->result));
    if (ffi_prep_cif(&entry->cif, FFI_DEFAULT_ABI, (unsigned)entry->count, result, entry->types) !=
        FFI_OK)
        BUG("libffi rejects the signature of %s", op->name);
    return entry;
}

int64_t cblas_legal_integer(const CblasArgument *argument, const Operands *o)
{
    const Case *c = o->source;
    if (argument->kind == ARGUMENT_LEADING)
        return o->shapes.tensor[argument->tensor].leading;
    if (argument->kind == ARGUMENT_STRIDE)
        return o->shapes.tensor[argument->tensor].batch_stride;
    int64_t value = *(const int64_t *)(const void *)(c->params + argument->param->offset);
    return argument->kind == ARGUMENT_CHOICE ? cblas_enumerator(argument->param->names[value])
                                             : value;
}

/* The least illegal change of an argument: one below its minimum, or no enumerator. */
int64_t cblas_illegal_integer(const CblasArgument *argument, const Operands *o)
{
    if (argument->kind == ARGUMENT_CHOICE)
        return 0;
    if (argument->kind == ARGUMENT_INTEGER)
        return -1;
    if (argument->param->kind == PARAM_INCREMENT)
        return 0;
    return o->shapes.tensor[argument->tensor].leading -
           *(const int64_t *)(const void *)(o->source->params + argument->param->offset) - 1;
}

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
