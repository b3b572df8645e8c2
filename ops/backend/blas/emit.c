/* C source of calls. */
#include "emit.h"

void cblas_emit_number(DType dtype, double value, Text *text)
{
    uint16_t bits = 0;
    if (dtype_component_size(dtype) == 2)
        dtype_store(dtype, &bits, 0, value);
    if (dtype_component_size(dtype) == 2)
        text_printf(text, "0x%04x", bits);
    else if (value != value)
        text_printf(text, "NAN");
    else if (value - value != 0)
        text_printf(text, value > 0 ? "INFINITY" : "-INFINITY");
    else
        text_printf(text, dtype_component_size(dtype) == 4 ? "%af" : "%a", value);
}

static void emit_scalar(const CblasArgument *argument, const Case *c, DType dtype, Text *text)
{
    Scalar scalar = *(const Scalar *)(const void *)(c->params + argument->param->offset);
    if (!cblas_by_address(argument, dtype)) {
        cblas_emit_number(dtype, scalar.re, text);
        return;
    }
    text_printf(text, "(const %s[2]){", dtype == DT_C64 ? "float" : "double");
    cblas_emit_number(dtype, scalar.re, text);
    text_printf(text, ", ");
    cblas_emit_number(dtype, scalar.im, text);
    text_printf(text, "}");
}

/* The array behind an argument that is given by group, as a compound literal. */
static void emit_group_array(const CblasLibrary *library, const CblasArgument *argument,
                             const Operands *o, Text *text)
{
    CblasGroups groups = cblas_groups(o);
    DType dtype = case_dtype(o->source);
    bool operand = argument->kind == ARGUMENT_OPERAND;
    const char *type =
        argument->kind == ARGUMENT_CHOICE || !library->wide_integers ? "int" : "long";
    if (argument->kind == ARGUMENT_SCALAR)
        type = dtype_component_size(dtype) == 4 ? "float" : "double";
    text_printf(text, "(%s[]){", operand ? "void *" : type);
    for (int64_t i = 0; i < (operand ? groups.matrices : groups.groups); i++) {
        Scalar scalar = {0, 0};
        text_printf(text, i ? ", " : "");
        if (operand) {
            int64_t step = o->shapes.tensor[argument->tensor].batch_stride;
            text_printf(text, "%s + %lld", argument->name,
                        (long long)i * step * dtype_components(dtype));
        } else if (argument->kind != ARGUMENT_SCALAR) {
            text_printf(text, "%lld", (long long)cblas_legal_integer(argument, o));
        } else {
            scalar = *(const Scalar *)(const void *)(o->source->params + argument->param->offset);
            cblas_emit_number(dtype, scalar.re, text);
            text_printf(text, dtype_components(dtype) == 2 ? ", " : "");
            if (dtype_components(dtype) == 2)
                cblas_emit_number(dtype, scalar.im, text);
        }
    }
    text_printf(text, "}");
}

static const char *type_text(const CblasLibrary *library, const CblasArgument *argument,
                             DType dtype)
{
    if (argument->by_group)
        return "const void *";
    if (argument->kind == ARGUMENT_OPERAND)
        return "void *";
    if (argument->kind == ARGUMENT_CHOICE)
        return "int ";
    if (argument->kind == ARGUMENT_SCALAR && cblas_by_address(argument, dtype))
        return "const void *";
    if (argument->kind == ARGUMENT_SCALAR && dtype_component_size(dtype) == 2)
        return "unsigned short ";
    if (argument->kind == ARGUMENT_SCALAR)
        return dtype_component_size(dtype) == 4 ? "float " : "double ";
    return library->wide_integers ? "long " : "int ";
}

static const char *result_text(const CblasEntry *entry, const Operands *o)
{
    if (entry->result_is_index)
        return "int";
    if (entry->result < 0)
        return "void";
    return dtype_component_size(o->view[entry->result].dtype) == 4 ? "float" : "double";
}

void cblas_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const CblasLibrary *library = backend->context;
    DType dtype = case_dtype(o->source);
    char name[96];
    CblasEntry *entry = cblas_entry(library, o->source->op, dtype);
    cblas_symbol_name(library, o->source->op, dtype, name, sizeof name);
    text_printf(declaration, "%s %s(", result_text(entry, o), name);
    if (entry->result >= 0)
        text_printf(call, "%s[0] = ", o->source->op->tensors[entry->result]);
    text_printf(call, "%s(", name);
    for (int i = 0; i < entry->count; i++) {
        const CblasArgument *argument = &entry->arguments[i];
        text_printf(declaration, "%s%s%s", i ? ", " : "",
                    type_text(library, argument, entry->factors), argument->name);
        text_printf(call, i ? ", " : "");
        if (argument->by_group)
            emit_group_array(library, argument, o, call);
        else if (argument->kind == ARGUMENT_OPERAND)
            text_printf(call, "%s", argument->name);
        else if (argument->kind == ARGUMENT_SCALAR)
            emit_scalar(argument, o->source, entry->factors, call);
        else
            text_printf(call, "%lld",
                        (long long)(i + 1 == o->source->exec.illegal
                                        ? cblas_illegal_integer(argument, o)
                                        : cblas_legal_integer(argument, o)));
    }
    text_printf(declaration, ");\n");
    text_printf(call, ");");
}
