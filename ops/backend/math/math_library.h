/* Libraries of elementwise functions, each called in its own way. */
#ifndef OPS_BACKEND_MATH_LIBRARY_H
#define OPS_BACKEND_MATH_LIBRARY_H

#include "bindings.h"
#include "ops/backend/library.h"

/* How the functions are called: with numbers, with vectors of 32 bytes, or with a count and
 * arrays. */
typedef enum MathStyle { MATH_SCALAR, MATH_VECTOR, MATH_ARRAY } MathStyle;

typedef struct MathSource {
    LibrarySource library; /* first, so that library_open can have it */
    MathColumn column;
    /* The symbol for a word and an element type, by how this backend was opened. */
    void (*spell)(const Backend *backend, const char *word, DType dtype, char *symbol, size_t size);
    MathStyle (*style)(const Backend *backend);
    /* Settings and facts once the library is there; NULL if there are none. */
    void (*prepare)(Backend *backend, void *handle);
} MathSource;

/* An opened library; context of its backend. */
typedef struct MathLibrary {
    void *handle;
    MathStyle style;
    void *functions[OP_MAX][2]; /* by number of the operator; binary32, binary64 */
} MathLibrary;

/* BackendKind.open, BackendKind.close and BackendKind.offers. */
bool math_open(Backend *backend, Text *error);
void math_close(Backend *backend);
bool math_offers(const Backend *backend, const OpDesc *op, DType dtype);

/* The function for an operator and element type, NULL if the library has none. */
void *math_function(const Backend *backend, const OpDesc *op, DType dtype);

#endif
