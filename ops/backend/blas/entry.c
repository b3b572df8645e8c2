/* The types of a routine's arguments for libffi, and the integers among them. */
#include "entry.h"

#include <string.h>

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

static ffi_type *argument_type(const CblasArgument *argument, DType dtype, bool wide_integers)
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
        return wide_integers ? &ffi_type_sint64 : &ffi_type_sint32;
    }
}

CblasEntry *cblas_entry_make(const CblasRoutine *routine, const OpDesc *op, DType dtype,
                             bool wide_integers, void *function)
{
    CblasEntry *entry = memory_allocate(1, sizeof *entry);
    entry->function = function;
    entry->op = op;
    entry->count = cblas_arguments(routine, op, entry->arguments);
    entry->result = cblas_result(routine, op);
    entry->result_is_index = cblas_position(routine, op) >= 0;
    entry->factors = cblas_factor_dtype(op, dtype);
    for (int i = 0; i < entry->count; i++)
        entry->types[i] = argument_type(&entry->arguments[i], entry->factors, wide_integers);
    ffi_type *result = &ffi_type_void;
    if (entry->result_is_index)
        result = wide_integers ? &ffi_type_sint64 : &ffi_type_sint32;
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
