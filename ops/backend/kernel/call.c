/* Arguments are stored as the types of the function have them, by address where it takes that. */
#include "call.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "ops/backend/blas/bindings.h"
#include "ops/case/attribute.h"

/* The distance of rows: as the operator tells its libraries, else that of the last axis but one. */
static int64_t leading_of(const Operands *o, int operand)
{
    const Tensor *view = &o->view[operand];
    if (!o->source->op->any_layout)
        return o->shapes.tensor[operand].leading;
    return view->rank >= 2 ? view->stride[view->rank - 2] : 1;
}

static KernelValue integer_value(int64_t integer)
{
    return (KernelValue){.kind = KERNEL_VALUE_INTEGERS, .count = 1, .integers = {integer}};
}

/* A choice is its word, the first letter of that, or a number: that of the CBLAS, or its place
 * among the choices. */
static KernelValue choice_value(const KernelArgument *argument, const Case *c, const char *word)
{
    KernelValue value = {.kind = KERNEL_VALUE_TEXT};
    (void)snprintf(value.text, sizeof value.text, "%s", word);
    if (argument->type.kind == C_CHARACTER && argument->type.pointers)
        return value;
    if (argument->type.kind == C_CHARACTER)
        return integer_value(toupper((unsigned char)word[0]));
    return integer_value(cblas_has_enumerator(word) ? cblas_enumerator(word)
                                                    : case_int(c, argument->name));
}

static KernelValue real_value(const KernelArgument *argument, const Case *c, double real)
{
    const Param *param = op_param(c->op, argument->name, strlen(argument->name));
    KernelValue value = {.kind = KERNEL_VALUE_REALS, .count = 1, .reals = {real}};
    bool complex = param && param->kind == PARAM_SCALAR && param->maximum == 0 &&
                   dtype_components(case_dtype(c)) == 2;
    if (complex && argument->type.pointers) {
        value.count = 2;
        value.reals[1] = case_scalar(c, argument->name).im;
    }
    return value;
}

static KernelValue attribute_value(const KernelArgument *argument, const Case *c)
{
    Attribute attribute;
    KernelValue value = {.kind = KERNEL_VALUE_INTEGERS};
    if (!attribute_get(c, argument->name, &attribute))
        BUG("%s has no %s", c->op->name, argument->name);
    switch (attribute.kind) {
    case ATTRIBUTE_TEXT:
        return choice_value(argument, c, attribute.text);
    case ATTRIBUTE_REAL:
        return real_value(argument, c, attribute.real);
    case ATTRIBUTE_TUPLE:
        value.count = argument->index < 0 ? attribute.count : 1;
        for (int i = 0; i < value.count; i++)
            value.integers[i] = attribute.list[argument->index < 0 ? i : argument->index];
        return value;
    default:
        return integer_value(attribute.integer);
    }
}

KernelValue kernel_value(const KernelArgument *argument, const Operands *o)
{
    int i = argument->operand;
    KernelValue value = {.kind = KERNEL_VALUE_ADDRESS, .operand = i};
    switch (argument->kind) {
    case KERNEL_OPERAND:
        if (argument->optional && o->shapes.tensor[i].ignored)
            value.operand = -1;
        return value;
    case KERNEL_ATTRIBUTE:
        return attribute_value(argument, o->source);
    case KERNEL_LEADING:
        return integer_value(leading_of(o, i));
    case KERNEL_BATCH_STRIDE:
        return integer_value(o->shapes.tensor[i].batch_stride);
    case KERNEL_STRIDE:
        return integer_value(argument->index < o->view[i].rank ? o->view[i].stride[argument->index]
                                                               : 0);
    case KERNEL_EXTENT:
        return integer_value(argument->index < o->view[i].rank ? o->view[i].extent[argument->index]
                                                               : 1);
    case KERNEL_RANK:
        return integer_value(o->view[i].rank);
    case KERNEL_COUNT:
        return integer_value(tensor_count(&o->view[i]));
    case KERNEL_NUMBER:
        value = (KernelValue){.kind = KERNEL_VALUE_REALS, .count = 1, .reals = {argument->number}};
        return value;
    case KERNEL_TEXT:
        if (!argument->type.pointers)
            return integer_value(argument->name[0]);
        value.kind = KERNEL_VALUE_TEXT;
        (void)snprintf(value.text, sizeof value.text, "%s", argument->name);
        return value;
    case KERNEL_NULL:
        break;
    }
    value.operand = -1;
    return value;
}

/* Numbers in memory, and the address of numbers that lie elsewhere. */
typedef struct Cell {
    _Alignas(16) unsigned char bytes[KERNEL_NUMBERS_MAX * sizeof(int64_t)];
    void *address;
    KernelValue value;
} Cell;

/* False where the argument's type does not hold the value. */
static bool store(const KernelArgument *argument, const Operands *o, Cell *cell, void **value)
{
    CType type = argument->type;
    cell->value = kernel_value(argument, o);
    const KernelValue *v = &cell->value;
    *value = &cell->address;
    if (v->kind == KERNEL_VALUE_ADDRESS) {
        cell->address = v->operand < 0 ? NULL : o->block[v->operand].data;
        return true;
    }
    if (v->kind == KERNEL_VALUE_TEXT) {
        cell->address = cell->value.text;
        return true;
    }
    cell->address = cell->bytes;
    if (!type.pointers)
        *value = cell->bytes;
    if (type.kind == C_COMPLEX)
        type = c_type_named(C_FLOAT, type.bytes / 2, "");
    for (int i = 0; i < v->count; i++) {
        void *at = cell->bytes + i * type.bytes;
        if (v->kind == KERNEL_VALUE_REALS ? !c_type_store_real(&type, v->reals[i], at)
                                          : !c_type_store_integer(&type, v->integers[i], at))
            return false;
    }
    return true;
}

static void store_operand(const KernelEntry *entry, const Operands *o, const void *result)
{
    const Tensor *view = &o->view[entry->result_operand];
    const CType *type = &entry->result_type;
    if (type->kind == C_FLOAT)
        memcpy(view->origin, result, dtype_component_size(view->dtype));
    else
        dtype_store(view->dtype, view->origin, 0, (double)c_type_load_integer(type, result));
}

RunStatus kernel_run(Backend *backend, const Operands *o)
{
    const KernelLibrary *library = backend->context;
    Cell cells[KERNEL_ARGUMENTS_MAX];
    void *values[KERNEL_ARGUMENTS_MAX];
    _Alignas(16) unsigned char result[32] = {0};
    Text why = {0};
    KernelEntry *entry = kernel_entry_for(library, o->source, &why);
    for (int i = 0; entry && i < entry->count; i++)
        if (!store(&entry->arguments[i], o, &cells[i], &values[i])) {
            text_printf(&why, "%s does not fit its type", entry->arguments[i].name);
            entry = NULL;
        }
    (void)snprintf(backend->message, sizeof backend->message, "%s", text_string(&why));
    text_release(&why);
    if (!entry)
        return RUN_DECLINED;
    ffi_call(&entry->cif, entry->address, result, values);
    if (entry->result == KERNEL_VALUE_OPERAND)
        store_operand(entry, o, result);
    int64_t status = entry->result == KERNEL_VALUE_STATUS
                         ? c_type_load_integer(&entry->result_type, result)
                         : entry->worked;
    if (status == entry->worked)
        return RUN_DONE;
    (void)snprintf(backend->message, sizeof backend->message, "%s returned %lld", entry->function,
                   (long long)status);
    backend->refused_argument = 0;
    return RUN_REFUSED;
}
