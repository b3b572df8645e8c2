/* Writes the C source of all functions that the recorder exports: each passes its arguments on as
 * they came, whatever the width of integers, so that one serves all libraries of its name. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/blas/entry.h"
#include "ops/backend/blas/recordable.h"
#include "reference/list.h"

typedef struct Writer {
    char (*names)[RECORDABLE_NAME_MAX];
    size_t count, room;
    Text rows;
} Writer;

static bool is_new(Writer *writer, const char *name)
{
    for (size_t i = 0; i < writer->count; i++)
        if (!strcmp(writer->names[i], name))
            return false;
    writer->names = list_grow(writer->names, writer->count, &writer->room, sizeof *writer->names);
    (void)snprintf(writer->names[writer->count++], RECORDABLE_NAME_MAX, "%s", name);
    return true;
}

static bool is_by_value(const CblasEntry *entry, const CblasArgument *argument)
{
    return argument->kind != ARGUMENT_OPERAND && !cblas_by_address(entry, argument);
}

/* The letter of RecorderFunction.arguments. */
static char letter_of(const CblasEntry *entry, const CblasArgument *argument)
{
    if (argument->by_group)
        return 'g';
    if (argument->kind == ARGUMENT_OPERAND)
        return 'o';
    if (argument->kind == ARGUMENT_CHOICE)
        return entry->calling.interface == INTERFACE_FORTRAN ? 'l' : 'e';
    if (argument->kind != ARGUMENT_SCALAR)
        return 'i';
    size_t size = dtype_component_size(entry->factors);
    if (size == 2)
        return 'h';
    bool pair = dtype_components(entry->factors) == 2 && argument->param->maximum == 0;
    return size == 4 ? (pair ? 'c' : 's') : (pair ? 'z' : 'd');
}

/* Integers are passed on as 64 bits: where they have 32, the others are whatever the caller left.
 */
static const char *type_of(const CblasEntry *entry, const CblasArgument *argument)
{
    if (!is_by_value(entry, argument))
        return "const void *";
    char letter = letter_of(entry, argument);
    return letter == 's' ? "float " : letter == 'd' ? "double " : "int64_t ";
}

static const char *value_type(const CblasEntry *entry, DType dtype)
{
    DType result = entry->result < 0 ? dtype : cblas_operand_dtype(entry->op, dtype, entry->result);
    bool wide = dtype_component_size(result) == 8;
    switch (entry->value) {
    case VALUE_REAL:
        return wide ? "double" : "float";
    case VALUE_COMPLEX:
        return wide ? "double _Complex" : "float _Complex";
    case VALUE_POSITION:
    case VALUE_NUMBER:
        return "int64_t";
    default:
        return "void";
    }
}

/* The parameters, or where `values` says so the arguments that pass them on. */
static void put_parameters(const CblasEntry *entry, bool hides, bool values)
{
    for (int i = 0; i < entry->count; i++)
        printf("%s%sa%d", i ? ", " : "", values ? "" : type_of(entry, &entry->arguments[i]), i);
    for (int i = 0; i < entry->lengths; i++)
        printf(", %sl%d", values ? "" : "size_t ", i);
    if (hides)
        printf(", %slast", values ? "" : "const void *");
}

static void put_row(Writer *writer, const RecordableFunction *function, const CblasEntry *entry,
                    uint32_t number, bool hides)
{
    char isamax[RECORDABLE_NAME_MAX], cdotu[RECORDABLE_NAME_MAX];
    naming_spell(&function->naming, "cblas_isamax", isamax, sizeof isamax);
    naming_spell(&function->naming, "cdotu_", cdotu, sizeof cdotu);
    text_printf(&writer->rows, "    {\"%s\", \"", function->name);
    for (int i = 0; i < entry->count; i++) {
        char letter = letter_of(entry, &entry->arguments[i]);
        text_append(&writer->rows, &letter, 1);
    }
    text_printf(&writer->rows, "\", \"%s\", \"%s\", %u, %d, %d},\n", isamax, cdotu, number,
                function->naming.wide_integers, hides);
}

static void put_function(Writer *writer, const RecordableFunction *function, uint32_t number)
{
    CblasCalling calling = {function->interface, false, false};
    CblasEntry *entry =
        cblas_entry_make(function->routine, function->op, function->dtype, calling, NULL);
    bool hides = function->interface == INTERFACE_FORTRAN && entry->value == VALUE_COMPLEX;
    const char *type = value_type(entry, function->dtype);
    bool returns = strcmp(type, "void") != 0;
    put_row(writer, function, entry, number, hides);
    printf("EXPORTED %s %s(", type, function->name);
    put_parameters(entry, hides, false);
    printf(")\n{\n    typedef %s Target(", type);
    put_parameters(entry, hides, false);
    printf(");\n    const void *const values[] = {");
    for (int i = 0; i < entry->count; i++)
        printf("%sa%d, ", is_by_value(entry, &entry->arguments[i]) ? "&" : "", i);
    printf("%s};\n    const void *frame = __builtin_frame_address(0);\n", hides ? "last" : "");
    printf("    Target *target = (Target *)recorder_begin(%zu, values, "
           "__builtin_return_address(0), frame);\n    %starget(",
           writer->count - 1, returns ? "const __auto_type result = " : "");
    put_parameters(entry, hides, true);
    printf(");\n    recorder_end(frame);\n%s}\n\n", returns ? "    return result;\n" : "");
    free(entry);
}

int main(void)
{
    Writer writer = {0};
    RecordableFunction function;
    printf("#include <stddef.h>\n\n#include \"ops/backend/blas/native/recorder.h\"\n\n"
           "#define EXPORTED __attribute__((visibility(\"default\")))\n\n");
    for (uint32_t number = 0; recordable_function(number, &function); number++)
        if (function.op && is_new(&writer, function.name))
            put_function(&writer, &function, number);
    printf("const RecorderFunction recorder_functions[] = {\n%s};\n", text_string(&writer.rows));
    text_release(&writer.rows);
    free(writer.names);
    return 0;
}
