/* C source of calls. */
#include "emit.h"

#include <stdio.h>
#include <string.h>

#include "ops/backend/c_source.h"

static void emit_scalar(const CblasArgument *argument, const Case *c, DType dtype, Text *text)
{
    Scalar scalar = *(const Scalar *)(const void *)(c->params + argument->param->offset);
    if (!cblas_by_address(argument, dtype)) {
        c_put_number(text, dtype, scalar.re);
        return;
    }
    text_printf(text, "(const %s[2]){", dtype == DT_C64 ? "float" : "double");
    c_put_number(text, dtype, scalar.re);
    text_printf(text, ", ");
    c_put_number(text, dtype, scalar.im);
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
            c_put_number(text, dtype, scalar.re);
            text_printf(text, dtype_components(dtype) == 2 ? ", " : "");
            if (dtype_components(dtype) == 2)
                c_put_number(text, dtype, scalar.im);
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

/* An argument that is passed as an integer; enumerators by their names where they are declared. */
static void emit_integer(const CblasArgument *argument, bool illegal, bool named, const Operands *o,
                         Text *text)
{
    int64_t value = illegal ? cblas_illegal_integer(argument, o) : cblas_legal_integer(argument, o);
    bool choice = argument->kind == ARGUMENT_CHOICE;
    const char *name = named && choice ? cblas_enumerator_name(value) : NULL;
    if (name)
        text_put(text, name);
    else
        text_put_integer(text, value);
}

static void emit_declaration(const CblasLibrary *library, const CblasEntry *entry, const char *name,
                             const Operands *o, Text *text)
{
    text_printf(text, "%s %s(", result_text(entry, o), name);
    for (int i = 0; i < entry->count; i++)
        text_printf(text, "%s%s%s", i ? ", " : "",
                    type_text(library, &entry->arguments[i], entry->factors),
                    entry->arguments[i].name);
    text_put(text, ");\n");
}

static void emit_call(const CblasLibrary *library, const CblasEntry *entry, const char *name,
                      bool named, const Operands *o, Text *text)
{
    text_printf(text, "%s(", name);
    for (int i = 0; i < entry->count; i++) {
        const CblasArgument *argument = &entry->arguments[i];
        text_put(text, i ? ", " : "");
        if (argument->by_group)
            emit_group_array(library, argument, o, text);
        else if (argument->kind == ARGUMENT_OPERAND)
            text_put(text, argument->name);
        else if (argument->kind == ARGUMENT_SCALAR)
            emit_scalar(argument, o->source, entry->factors, text);
        else
            emit_integer(argument, i + 1 == o->source->exec.illegal, named, o, text);
    }
    text_put(text, ");");
}

void cblas_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const CblasLibrary *library = backend->context;
    DType dtype = case_dtype(o->source);
    char name[96];
    CblasEntry *entry = cblas_entry(library, o->source->op, dtype);
    cblas_symbol_name(library, o->source->op, dtype, name, sizeof name);
    emit_declaration(library, entry, name, o, declaration);
    if (entry->result >= 0)
        text_printf(call, "%s[0] = ", o->source->op->tensors[entry->result]);
    emit_call(library, entry, name, false, o, call);
}

/* The header, where it declares the function, whose symbol may have another name in the library;
 * false where it does not. */
static bool include_header(const CblasLibrary *library, const char *symbol, const OpDesc *op,
                           BriefCall *call)
{
    size_t prefix = strlen(library->prefix), suffix = strlen(library->suffix);
    if (library->wide_integers || cblas_is_extension(cblas_routine(op->name)) ||
        !c_header_is_installed("cblas.h"))
        return false;
    (void)snprintf(call->function, sizeof call->function, "%.*s",
                   (int)(strlen(symbol) - prefix - suffix), symbol + prefix);
    if (prefix + suffix > 0)
        text_printf(&call->words, " -D%s=%s", call->function, symbol);
    call->header = "cblas.h";
    return true;
}

/* The enumerators among the arguments, each once. */
static void declare_enumerators(const CblasEntry *entry, const Operands *o, Text *text)
{
    Text names = {0};
    for (int i = 0; i < entry->count; i++) {
        const CblasArgument *argument = &entry->arguments[i];
        if (argument->kind != ARGUMENT_CHOICE || argument->by_group)
            continue;
        int64_t value = cblas_legal_integer(argument, o);
        const char *name = cblas_enumerator_name(value);
        if (i + 1 != o->source->exec.illegal && !(names.length && strstr(names.data, name)))
            text_printf(&names, "%s%s = %lld", names.length ? ", " : "", name, (long long)value);
    }
    if (names.length)
        text_printf(text, "enum { %s };\n", names.data);
    text_release(&names);
}

void cblas_emit_brief(const Backend *backend, const Operands *o, BriefCall *call)
{
    const CblasLibrary *library = backend->context;
    DType dtype = case_dtype(o->source);
    char symbol[96];
    const CblasEntry *entry = cblas_entry(library, o->source->op, dtype);
    cblas_symbol_name(library, o->source->op, dtype, symbol, sizeof symbol);
    if (!include_header(library, symbol, o->source->op, call)) {
        (void)snprintf(call->function, sizeof call->function, "%s", symbol);
        declare_enumerators(entry, o, &call->head);
        emit_declaration(library, entry, symbol, o, &call->head);
    }
    call->value = entry->result;
    if (entry->result >= 0)
        text_printf(&call->call, "%s %s = %s", c_number_type(o->view[entry->result].dtype),
                    o->source->op->tensors[entry->result], entry->result_is_index ? "(long)" : "");
    emit_call(library, entry, call->function, true, o, &call->call);
}
