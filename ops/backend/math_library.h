/* Libraries of elementwise functions: one row per function, one way of calling per library. */
#ifndef OPS_BACKEND_MATH_LIBRARY_H
#define OPS_BACKEND_MATH_LIBRARY_H

#include "library.h"

/* An operator and the word that the library's symbols for it are made from. */
typedef struct MathRow {
    const char *op, *word;
} MathRow;

/* How the functions are called: with numbers, with vectors of 32 bytes, or with a count and
 * arrays. */
typedef enum MathStyle { MATH_SCALAR, MATH_VECTOR, MATH_ARRAY } MathStyle;

typedef struct MathSource {
    LibrarySource library; /* first, so that library_open can have it */
    const MathRow *rows;   /* ended by a NULL op */
    /* The symbol for a word and an element type, by how this backend was opened. */
    void (*spell)(const Backend *backend, const char *word, DType dtype, char *symbol, size_t size);
    MathStyle (*style)(const Backend *backend);
    /* Settings and facts once the library is there; NULL if there are none. */
    void (*prepare)(Backend *backend, void *handle);
    bool counts_are_long; /* counts have 64 bits */
} MathSource;

bool math_open(Backend *backend, Text *error);
void math_close(Backend *backend);
bool math_offers(const Backend *backend, const OpDesc *op, DType dtype);
RunStatus math_run(Backend *backend, const Operands *operands);
void math_emit(const Backend *backend, const Operands *operands, Text *declaration, Text *call);

#define MATH_FUNCTIONS(math_source)                                                                \
    .open = math_open, .close = math_close, .offers = math_offers, .run = math_run,                \
    .emit = math_emit, .source = &(math_source)

#endif
