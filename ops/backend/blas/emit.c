/* C source of calls. */
#include "emit.h"

#include <stdio.h>
#include <string.h>

#include "call.h"
#include "ops/backend/c_source.h"
#include "scratch.h"

static bool is_fortran(const CblasEntry *entry)
{
    return entry->calling.interface == INTERFACE_FORTRAN;
}

static const char *integer_word(const CblasEntry *entry)
{
    return entry->calling.wide_integers ? "long" : "int";
}

static const char *scalar_word(const CblasEntry *entry)
{
    size_t size = dtype_component_size(entry->factors);
    return size == 2 ? "unsigned short" : size == 4 ? "float" : "double";
}

static void emit_scalar(const CblasEntry *entry, const CblasArgument *argument, const Case *c,
                        Text *text)
{
    Scalar scalar = *(const Scalar *)(const void *)(c->params + argument->param->offset);
    bool pair = dtype_components(entry->factors) == 2 && argument->param->maximum == 0;
    if (pair)
        text_printf(text, "(const %s[2]){", scalar_word(entry));
    else if (is_fortran(entry))
        text_printf(text, "&(%s){", scalar_word(entry));
    c_put_number(text, entry->factors, scalar.re);
    if (pair) {
        text_put(text, ", ");
        c_put_number(text, entry->factors, scalar.im);
    }
    text_put(text, pair || is_fortran(entry) ? "}" : "");
}

/* What an array that is given by group holds of the number-th group or matrix. */
static void emit_group_entry(const CblasEntry *entry, const CblasArgument *argument,
                             const Operands *o, int64_t number, Text *text)
{
    DType dtype = case_dtype(o->source);
    if (argument->kind == ARGUMENT_OPERAND) {
        int64_t step = o->shapes.tensor[argument->tensor].batch_stride;
        text_printf(text, "%s + %lld", argument->name,
                    (long long)number * step * dtype_components(dtype));
    } else if (argument->kind == ARGUMENT_SCALAR) {
        Scalar scalar =
            *(const Scalar *)(const void *)(o->source->params + argument->param->offset);
        c_put_number(text, dtype, scalar.re);
        text_printf(text, dtype_components(dtype) == 2 ? ", " : "");
        if (dtype_components(dtype) == 2)
            c_put_number(text, dtype, scalar.im);
    } else if (argument->kind == ARGUMENT_CHOICE && is_fortran(entry)) {
        text_printf(text, "'%c'", cblas_letter(cblas_legal_integer(argument, o)));
    } else {
        text_printf(text, "%lld", (long long)cblas_legal_integer(argument, o));
    }
}

/* The array behind an argument that is given by group, as a compound literal. */
static void emit_group_array(const CblasEntry *entry, const CblasArgument *argument,
                             const Operands *o, Text *text)
{
    CblasGroups groups = cblas_groups(o);
    bool operand = argument->kind == ARGUMENT_OPERAND;
    const char *type = operand                             ? "void *"
                       : argument->kind == ARGUMENT_SCALAR ? scalar_word(entry)
                       : argument->kind != ARGUMENT_CHOICE ? integer_word(entry)
                       : is_fortran(entry)                 ? "char"
                                                           : "int";
    text_printf(text, "(%s[]){", type);
    for (int64_t i = 0; i < (operand ? groups.matrices : groups.groups); i++) {
        text_printf(text, i ? ", " : "");
        emit_group_entry(entry, argument, o, i, text);
    }
    text_printf(text, "}");
}

static void put_type(const CblasEntry *entry, const CblasArgument *argument, const Operands *o,
                     Text *text)
{
    bool address = cblas_by_address(entry, argument);
    if (argument->by_group)
        text_put(text, "const void *");
    else if (cblas_operand_by_value(entry, argument))
        text_printf(text, "%s ", c_number_type(o->view[argument->tensor].dtype));
    else if (argument->kind == ARGUMENT_OPERAND || argument->kind == ARGUMENT_SCRATCH ||
             argument->kind == ARGUMENT_NOTHING || argument->kind == ARGUMENT_FUNCTION)
        text_put(text, "void *");
    else if (cblas_is_letter(entry, argument))
        text_put(text, address ? "const char *" : "char ");
    else if (argument->kind == ARGUMENT_CHOICE)
        text_put(text, "int ");
    else if (argument->kind == ARGUMENT_SCALAR && dtype_components(entry->factors) == 2 && address)
        text_put(text, "const void *");
    else
        text_printf(text, address ? "const %s *" : "%s ",
                    argument->kind == ARGUMENT_SCALAR ? scalar_word(entry) : integer_word(entry));
}

static const char *result_text(const CblasEntry *entry, const Operands *o)
{
    switch (entry->value) {
    case VALUE_INFO:
    case VALUE_POSITION:
    case VALUE_NUMBER:
        return integer_word(entry);
    case VALUE_REAL:
        return dtype_component_size(o->view[entry->result].dtype) == 4 ? "float" : "double";
    case VALUE_COMPLEX:
        return o->view[entry->result].dtype == DT_C64 ? "float _Complex" : "double _Complex";
    default:
        return "void";
    }
}

/* The name of an enumerator in <cblas.h> or <lapacke.h>; NULL where it has none. */
static const char *enumerator_name(const CblasEntry *entry, int64_t value)
{
    if (!cblas_is_lapacke(entry->calling.interface))
        return cblas_enumerator_name(value);
    return value == cblas_enumerator("row")   ? "LAPACK_ROW_MAJOR"
           : value == cblas_enumerator("col") ? "LAPACK_COL_MAJOR"
                                              : NULL;
}

static void put_letter(const CblasEntry *entry, char letter, Text *text)
{
    text_printf(text, is_fortran(entry) ? "\"%c\"" : "'%c'", letter);
}

/* An argument that is passed as an integer, or of Fortran its address; enumerators by their names
 * where they are declared. */
static void emit_integer(const CblasEntry *entry, const CblasArgument *argument, bool illegal,
                         bool named, const Operands *o, Text *text)
{
    int64_t value = illegal ? cblas_illegal_integer(argument, o) : cblas_legal_integer(argument, o);
    bool choice = argument->kind == ARGUMENT_CHOICE;
    const char *name = named && choice ? enumerator_name(entry, value) : NULL;
    if (cblas_is_letter(entry, argument))
        put_letter(entry, cblas_letter(value), text);
    else if (is_fortran(entry))
        text_printf(text, "&(%s){%lld}", integer_word(entry), (long long)value);
    else if (name)
        text_put(text, name);
    else
        text_put_integer(text, value);
}

/* The name of a parameter, with a number where it has stood before: an argument may be given twice.
 */
static void put_parameter_name(const CblasEntry *entry, int i, Text *text)
{
    int before = 0;
    for (int j = 0; j < i; j++)
        before += !strcmp(entry->arguments[j].name, entry->arguments[i].name);
    text_put(text, entry->arguments[i].name);
    if (before > 0)
        text_printf(text, "%d", before + 1);
}

/* What the argument `negative` is. */
static void define_function(const CblasEntry *entry, Text *text)
{
    for (int i = 0; i < entry->count; i++)
        if (entry->arguments[i].kind == ARGUMENT_FUNCTION)
            text_printf(text, "static long %s(const %s *x)\n{\n    return *x < 0;\n}\n",
                        entry->arguments[i].name, scalar_word(entry));
}

static void emit_declaration(const CblasEntry *entry, const char *name, const Operands *o,
                             Text *text)
{
    define_function(entry, text);
    text_printf(text, "%s %s(%s", result_text(entry, o), name,
                entry->value == VALUE_HIDDEN ? "void *value, " : "");
    for (int i = 0; i < entry->count; i++) {
        text_put(text, i ? ", " : "");
        put_type(entry, &entry->arguments[i], o, text);
        put_parameter_name(entry, i, text);
    }
    for (int i = 0; i < entry->lengths; i++)
        text_put(text, ", unsigned long");
    text_put(text, ");\n");
}

/* An array to work in, or its length. */
static void emit_scratch(const CblasEntry *entry, const CblasArgument *argument, int64_t length,
                         const Operands *o, Text *text)
{
    if (argument->kind == ARGUMENT_LENGTH && is_fortran(entry))
        text_printf(text, "&(%s){%lld}", integer_word(entry), (long long)length);
    else if (argument->kind == ARGUMENT_LENGTH)
        text_put_integer(text, length);
    else
        text_printf(text, "(%s[%lld]){0}", scratch_type(entry, argument, case_dtype(o->source)),
                    (long long)(length > 0 ? length : 1));
}

/* An array, into which a NaN is written where that makes it illegal, or a number. */
static void emit_operand(const CblasEntry *entry, const CblasArgument *argument, bool illegal,
                         const Operands *o, Text *text)
{
    const char *name = argument->name;
    if (illegal)
        text_printf(text, "(%s[%lld] = __builtin_nan(\"\"), %s)", name,
                    (long long)cblas_nan_place(o, argument->tensor), name);
    else
        text_printf(text, "%s%s", name, cblas_operand_by_value(entry, argument) ? "[0]" : "");
}

static void emit_call(const Backend *backend, const CblasEntry *entry, const char *name, bool named,
                      const Operands *o, Text *text)
{
    int64_t lengths[CBLAS_ARGUMENTS_MAX] = {0};
    if (entry->has_scratch && !cblas_lengths(backend, o, lengths))
        scratch_least(entry, o->source, lengths);
    text_printf(text, "%s(", name);
    if (entry->value == VALUE_HIDDEN)
        text_printf(text, "%s, ", o->source->op->tensors[entry->result]);
    for (int i = 0; i < entry->count; i++) {
        const CblasArgument *argument = &entry->arguments[i];
        text_put(text, i ? ", " : "");
        if (argument->by_group)
            emit_group_array(entry, argument, o, text);
        else if (argument->kind == ARGUMENT_OPERAND)
            emit_operand(entry, argument, i + 1 == o->source->exec.illegal, o, text);
        else if (argument->kind == ARGUMENT_SCALAR)
            emit_scalar(entry, argument, o->source, text);
        else if (argument->kind == ARGUMENT_NOTHING)
            text_put(text, "0");
        else if (argument->kind == ARGUMENT_FUNCTION)
            text_printf(text, "(void *)%s", argument->name);
        else if (argument->kind == ARGUMENT_CONSTANT)
            put_letter(entry, argument->name[0], text);
        else if (argument->kind == ARGUMENT_SCRATCH ||
                 (argument->kind == ARGUMENT_LENGTH && i + 1 != o->source->exec.illegal))
            emit_scratch(entry, argument, lengths[i], o, text);
        else
            emit_integer(entry, argument, i + 1 == o->source->exec.illegal, named, o, text);
    }
    for (int i = 0; i < entry->lengths; i++)
        text_put(text, ", 1");
    text_printf(text, ")%s;", cblas_counts_from_one(entry, o) ? " - 1" : "");
}

/* LAPACKE looks for NaN unless it is told not to, and is told so where it is given one as illegal.
 */
static void emit_unchecked(const CblasLibrary *library, const CblasEntry *entry, const Operands *o,
                           Text *declaration, Text *call)
{
    char name[96];
    bool with_nan = cblas_is_nan_given(entry, o);
    if (entry->calling.interface != INTERFACE_LAPACKE || !(with_nan || cblas_is_given_nan(o)))
        return;
    naming_spell(&library->naming, "LAPACKE_set_nancheck", name, sizeof name);
    text_printf(declaration, "void %s(int flag);\n", name);
    text_printf(call, "    %s(%d);\n", name, with_nan);
}

void cblas_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const CblasLibrary *library = backend->context;
    const CblasEntry *entry = cblas_entry_of(library, o->source);
    char name[96];
    cblas_symbol_name(library, entry->routine, entry->calling.interface, case_dtype(o->source),
                      name, sizeof name);
    emit_declaration(entry, name, o, declaration);
    emit_unchecked(library, entry, o, declaration, call);
    const char *result = entry->result >= 0 ? o->source->op->tensors[entry->result] : NULL;
    if (entry->value == VALUE_COMPLEX)
        text_printf(call, "*(%s *)%s = ", result_text(entry, o), result);
    else if (result && entry->value != VALUE_HIDDEN)
        text_printf(call, "%s[0] = ", result);
    emit_call(backend, entry, name, false, o, call);
    if (entry->value == VALUE_INFO && o->source->exec.illegal)
        text_printf(call, "\n    reported = -%s[0];", result);
}

/* The header, where it declares the function, whose symbol may have another name in the library;
 * false where it does not. */
static bool include_header(const CblasNaming *naming, const CblasEntry *entry, const char *symbol,
                           BriefCall *call)
{
    if (naming->wide_integers || entry->calling.interface != INTERFACE_C ||
        cblas_is_extension(entry->routine) || !c_header_is_installed("cblas.h") ||
        !naming_strip(naming, symbol, call->function, sizeof call->function))
        return false;
    if (strcmp(call->function, symbol) != 0)
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
        if (argument->kind != ARGUMENT_CHOICE || argument->by_group ||
            cblas_is_letter(entry, argument))
            continue;
        int64_t value = cblas_legal_integer(argument, o);
        const char *name = enumerator_name(entry, value);
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
    const CblasEntry *entry = cblas_entry_of(library, o->source);
    char symbol[96];
    cblas_symbol_name(library, entry->routine, entry->calling.interface, case_dtype(o->source),
                      symbol, sizeof symbol);
    if (!include_header(&library->naming, entry, symbol, call)) {
        (void)snprintf(call->function, sizeof call->function, "%s", symbol);
        if (!is_fortran(entry))
            declare_enumerators(entry, o, &call->head);
        emit_declaration(entry, symbol, o, &call->head);
    }
    emit_unchecked(library, entry, o, &call->head, &call->before);
    bool stored = entry->value == VALUE_COMPLEX || entry->value == VALUE_HIDDEN;
    call->value = stored ? -1 : entry->result;
    call->reports = entry->value == VALUE_INFO;
    bool position = entry->value == VALUE_POSITION || entry->value == VALUE_NUMBER;
    const char *result = entry->result >= 0 ? o->source->op->tensors[entry->result] : NULL;
    if (entry->value == VALUE_COMPLEX)
        text_printf(&call->call, "*(%s *)%s = ", result_text(entry, o), result);
    else if (call->value >= 0 && !call->reports)
        text_printf(&call->call, "%s %s = %s", c_number_type(o->view[entry->result].dtype), result,
                    position ? "(long)" : "");
    emit_call(backend, entry, call->function, true, o, &call->call);
}
