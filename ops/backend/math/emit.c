/* Calls in a loop, or on whole arrays, as C source. */
#include "emit.h"

void math_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const MathSource *source = backend->kind->source;
    const MathLibrary *library = backend->context;
    const char *const *names = o->source->op->tensors;
    const char *type = o->view[0].dtype == DT_F32 ? "float" : "double";
    bool two = o->shapes.count == 3, avx = library->style == MATH_VECTOR;
    long long count = (long long)tensor_count(&o->view[0]);
    char symbol[96];
    source->spell(backend, math_word(o->source->op, source->column), o->view[0].dtype, symbol,
                  sizeof symbol);
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
