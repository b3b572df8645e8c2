/* Calls in a loop, or on whole arrays, as C source. */
#include "emit.h"

#include <stdio.h>
#include <string.h>

#include "ops/backend/c_source.h"

/* The name of the function that computes the operator. */
static void spell(const Backend *backend, const Operands *o, char *symbol, size_t size)
{
    const MathSource *source = backend->kind->source;
    source->spell(backend, math_word(o->source->op, source->column), o->view[0].dtype, symbol,
                  size);
}

void math_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const MathLibrary *library = backend->context;
    const char *const *names = o->source->op->tensors;
    const char *type = o->view[0].dtype == DT_F32 ? "float" : "double";
    bool two = o->shapes.count == 3, avx = library->style == MATH_VECTOR;
    long long count = (long long)tensor_count(&o->view[0]);
    char symbol[96];
    spell(backend, o, symbol, sizeof symbol);
    if (library->style == MATH_ARRAY) {
        text_printf(declaration, "void %s(int n, const %s *a, %s%s*y);\n", symbol, type,
                    two ? "const void *b, " : "", type);
        text_printf(call, "%s(%lld, %s, %s%s%s);", symbol, count, names[0], two ? names[1] : "",
                    two ? ", " : "", names[o->shapes.count - 1]);
        return;
    }
    if (avx)
        text_printf(declaration, "typedef %s Vector __attribute__((vector_size(32)));\n", type);
    text_printf(declaration, "%s %s(%s%s);\n", avx ? "Vector" : type, symbol, avx ? "Vector" : type,
                !two  ? ""
                : avx ? ", Vector"
                      : (o->view[0].dtype == DT_F32 ? ", float" : ", double"));
    text_printf(call, "for (int i = 0; i < %lld; i++)\n        %s[i] = ", count,
                names[o->shapes.count - 1]);
    if (avx)
        text_printf(call,
                    two ? "%s((Vector){%s[i]}, (Vector){%s[i]})[0];" : "%s((Vector){%s[i]})[0];",
                    symbol, names[0], names[1]);
    else
        text_printf(call, two ? "%s(%s[i], %s[i]);" : "%s(%s[i]);", symbol, names[0], names[1]);
}

/* The arguments of one component, which compilers must not compute with. */
static void emit_arguments(const Operands *o, BriefCall *call)
{
    text_printf(&call->call, "volatile %s ", c_number_type(o->view[0].dtype));
    for (int i = 0; i + 1 < o->shapes.count; i++) {
        text_printf(&call->call, "%s%s = ", i ? ", " : "", o->source->op->tensors[i]);
        c_put_number(&call->call, o->view[i].dtype,
                     dtype_load(o->view[i].dtype, o->block[i].data, call->at));
    }
    text_put(&call->call, ";\n    ");
}

void math_emit_brief(const Backend *backend, const Operands *o, BriefCall *call)
{
    const MathLibrary *library = backend->context;
    const char *const *names = o->source->op->tensors;
    int last = o->shapes.count - 1;
    const char *type = c_number_type(o->view[0].dtype), *cast = "", *first = "";
    spell(backend, o, call->function, sizeof call->function);
    if (library->style == MATH_ARRAY) {
        math_emit(backend, o, &call->head, &call->call);
        return;
    }
    if (library->style == MATH_VECTOR) {
        text_printf(&call->head, "typedef %s Vector __attribute__((vector_size(32)));\n", type);
        text_put(&call->words, " -mavx2");
        type = "Vector", cast = "(Vector){", first = "[0]";
    }
    text_printf(&call->head, "%s %s(%s%s%s);\n", type, call->function, type, last == 2 ? ", " : "",
                last == 2 ? type : "");
    emit_arguments(o, call);
    text_printf(&call->call, "%s %s = %s(", c_number_type(o->view[last].dtype), names[last],
                call->function);
    for (int i = 0; i < last; i++)
        text_printf(&call->call, "%s%s%s%s", i ? ", " : "", cast, names[i], *cast ? "}" : "");
    text_printf(&call->call, ")%s;", first);
    call->value = last;
    call->alone = true;
}
