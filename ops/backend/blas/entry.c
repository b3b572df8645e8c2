/* The types of a routine's arguments for libffi, and the integers among them. */
#include "entry.h"

#include <string.h>

#include "scratch.h"

static bool is_fortran(const CblasEntry *entry)
{
    return entry->calling.interface == INTERFACE_FORTRAN;
}

bool cblas_by_address(const CblasEntry *entry, const CblasArgument *argument)
{
    if (argument->kind == ARGUMENT_SCRATCH || argument->kind == ARGUMENT_NOTHING ||
        argument->kind == ARGUMENT_FUNCTION)
        return false;
    if (argument->by_group || (is_fortran(entry) && argument->kind != ARGUMENT_OPERAND))
        return true;
    return argument->kind == ARGUMENT_SCALAR && dtype_components(entry->factors) == 2 &&
           argument->param->maximum == 0;
}

bool cblas_operand_by_value(const CblasEntry *entry, const CblasArgument *argument)
{
    return argument->by_value && cblas_is_lapacke(entry->calling.interface);
}

bool cblas_is_letter(const CblasEntry *entry, const CblasArgument *argument)
{
    bool words = argument->kind == ARGUMENT_CHOICE || argument->kind == ARGUMENT_CONSTANT;
    return words && (is_fortran(entry) || (cblas_is_lapacke(entry->calling.interface) &&
                                           strcmp(argument->name, "order") != 0));
}

bool cblas_by_rows(const Case *c)
{
    return case_has(c, "order") && case_int(c, "order") != 0;
}

bool cblas_declines(const CblasEntry *entry, const Case *c, const char **why)
{
    *why = "operands of 64-bit integers are not among the operator's types";
    if (entry->has_integers && entry->calling.wide_integers)
        return true;
    *why = cblas_is_of_lapack(entry->routine)
               ? "LAPACKE alone takes matrices by rows, and this library or mode is without it"
               : "Fortran stores matrices by columns";
    return is_fortran(entry) && cblas_by_rows(c) && strcmp(entry->arguments[0].name, "order") != 0;
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

static ffi_type *integer_type(const CblasEntry *entry)
{
    return entry->calling.wide_integers ? &ffi_type_sint64 : &ffi_type_sint32;
}

static bool is_of_integers(const CblasArgument *argument, const OpDesc *op, DType dtype)
{
    return argument->kind == ARGUMENT_OPERAND &&
           dtype_is_integer(cblas_operand_dtype(op, dtype, argument->tensor));
}

static ffi_type *argument_type(const CblasEntry *entry, const CblasArgument *argument, DType dtype)
{
    if (cblas_by_address(entry, argument))
        return &ffi_type_pointer;
    if (cblas_is_letter(entry, argument))
        return &ffi_type_schar;
    switch (argument->kind) {
    case ARGUMENT_OPERAND:
        if (cblas_operand_by_value(entry, argument))
            return is_of_integers(argument, entry->op, dtype) ? integer_type(entry)
                                                              : number_type(dtype);
        return &ffi_type_pointer;
    case ARGUMENT_SCRATCH:
    case ARGUMENT_NOTHING:
    case ARGUMENT_FUNCTION:
        return &ffi_type_pointer;
    case ARGUMENT_CHOICE:
        return &ffi_type_sint32;
    case ARGUMENT_SCALAR:
        return number_type(entry->factors);
    default:
        return integer_type(entry);
    }
}

static CblasValue value_of(const CblasEntry *entry, DType result)
{
    if (entry->result < 0)
        return VALUE_NONE;
    if (entry->result == entry->info)
        return VALUE_INFO;
    if (cblas_position(entry->routine, entry->op) >= 0)
        return is_fortran(entry) ? VALUE_NUMBER : VALUE_POSITION;
    if (dtype_components(result) == 1)
        return VALUE_REAL;
    return is_fortran(entry) && entry->calling.hidden_results ? VALUE_HIDDEN : VALUE_COMPLEX;
}

static ffi_type *value_type(const CblasEntry *entry, DType result)
{
    switch (entry->value) {
    case VALUE_REAL:
        return number_type(result);
    case VALUE_COMPLEX:
        return result == DT_C64 ? &ffi_type_complex_float : &ffi_type_complex_double;
    case VALUE_INFO:
    case VALUE_POSITION:
    case VALUE_NUMBER:
        return integer_type(entry);
    default:
        return &ffi_type_void;
    }
}

CblasEntry *cblas_entry_make(const CblasRoutine *routine, const OpDesc *op, DType dtype,
                             CblasCalling calling, void *function)
{
    CblasEntry *entry = memory_allocate(1, sizeof *entry);
    bool fortran = calling.interface == INTERFACE_FORTRAN;
    *entry = (CblasEntry){.function = function, .routine = routine, .op = op, .calling = calling};
    entry->count = cblas_arguments_by(routine, op, calling.interface, entry->arguments);
    entry->result = cblas_result(routine, op, calling.interface);
    entry->factors = cblas_factor_dtype(op, dtype);
    entry->info = cblas_operand(op, "info", strlen("info"));
    for (int i = 0; i < entry->count; i++) {
        const CblasArgument *argument = &entry->arguments[i];
        entry->has_scratch = entry->has_scratch || argument->kind == ARGUMENT_SCRATCH;
        entry->has_integers = entry->has_integers || (is_of_integers(argument, op, dtype) &&
                                                      !cblas_operand_by_value(entry, argument));
    }
    DType result = entry->result < 0 ? dtype : cblas_operand_dtype(op, dtype, entry->result);
    entry->value = value_of(entry, result);
    int types = 0;
    if (entry->value == VALUE_HIDDEN)
        entry->types[types++] = &ffi_type_pointer;
    for (int i = 0; i < entry->count; i++) {
        entry->types[types++] = argument_type(entry, &entry->arguments[i], dtype);
        entry->lengths += fortran && (entry->arguments[i].kind == ARGUMENT_CHOICE ||
                                      entry->arguments[i].kind == ARGUMENT_CONSTANT);
    }
    for (int i = 0; i < entry->lengths; i++)
        entry->types[types++] = &ffi_type_uint64;
    if (ffi_prep_cif(&entry->cif, FFI_DEFAULT_ABI, (unsigned)types, value_type(entry, result),
                     entry->types) != FFI_OK)
        BUG("libffi rejects the signature of %s", op->name);
    return entry;
}

bool cblas_counts_from_one(const CblasEntry *entry, const Operands *o)
{
    const TensorSpec *x = &o->shapes.tensor[0];
    return entry->value == VALUE_NUMBER && x->leading > 0 && x->layout.extent[0] > 0;
}

int64_t cblas_legal_integer(const CblasArgument *argument, const Operands *o)
{
    const Case *c = o->source;
    if (argument->kind == ARGUMENT_LENGTH)
        return scratch_formula(argument->formula, c);
    if (argument->kind == ARGUMENT_LEADING)
        return o->shapes.tensor[argument->tensor].leading;
    if (argument->kind == ARGUMENT_STRIDE)
        return o->shapes.tensor[argument->tensor].batch_stride;
    int64_t value = *(const int64_t *)(const void *)(c->params + argument->param->offset);
    return argument->kind == ARGUMENT_CHOICE ? cblas_enumerator(argument->param->names[value])
                                             : value;
}

/* Of complex types a transpose that the routine does not offer, such as that of herk without a
 * conjugate, where the case has a transpose; else what is no choice at all. */
static int64_t illegal_choice(const CblasArgument *argument, const Operands *o)
{
    const char *const *names = argument->param->names;
    int64_t value = *(const int64_t *)(const void *)(o->source->params + argument->param->offset);
    bool lacks_one = !strcmp(names[0], "n") && names[1] && !names[2];
    if (!lacks_one || value == 0 || dtype_components(case_dtype(o->source)) == 1)
        return 0;
    return cblas_enumerator(strcmp(names[1], "t") ? "t" : "c");
}

int64_t cblas_illegal_integer(const CblasArgument *argument, const Operands *o)
{
    if (argument->kind == ARGUMENT_CHOICE)
        return illegal_choice(argument, o);
    /* By -1 a routine may be asked for the room that it needs (NZC of dstemr.f). */
    if (argument->kind == ARGUMENT_INTEGER && argument->repeated)
        return -2;
    if (argument->kind == ARGUMENT_INTEGER)
        return argument->param->minimum < 0 ? argument->param->minimum - 1 : -1;
    if (argument->kind == ARGUMENT_LENGTH) {
        int64_t least = scratch_formula(argument->formula, o->source);
        /* Of an empty matrix later versions need one element alone (dgeqrf.f of LAPACK 3.12). */
        if (least > 1 && tensor_is_empty(&o->shapes.tensor[0].layout))
            return 0;
        /* -1 asks for the length. */
        return least == 0 || argument->formula[0] == '<' ? -2 : least - 1;
    }
    if (argument->param->kind == PARAM_INCREMENT)
        return 0;
    int64_t below = o->shapes.tensor[argument->tensor].leading -
                    *(const int64_t *)(const void *)(o->source->params + argument->param->offset) -
                    1;
    /* By rows LAPACKE asks for no more than the columns that there are. */
    bool no_columns = o->view[argument->tensor].extent[1] == 0;
    return cblas_by_rows(o->source) && no_columns ? below - 1 : below;
}
