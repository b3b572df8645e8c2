/* Workers in C: libraries with a C interface of their own, behind the protocol of
 * ops/backend/process/process.h, in executables of their own.  Forward operators only; what a row
 * cannot say is declined. */
#ifndef OPS_BACKEND_NATIVE_NATIVE_H
#define OPS_BACKEND_NATIVE_NATIVE_H

#include "ops/backend/backend.h"
#include "ops/backend/binding/binding.h"
#include "ops/backend/process/protocol.h"

typedef enum ValueKind {
    VALUE_TENSOR,
    VALUE_TENSORS,
    VALUE_NONE,
    VALUE_INTEGER,
    VALUE_REAL,
    VALUE_INTEGERS,
    VALUE_TEXT
} ValueKind;

enum {
    NATIVE_VALUES_MAX = 16,
    NATIVE_LIST_MAX = 2 * TENSOR_RANK_MAX,
    NATIVE_NAME_BYTES = EXPRESSION_NAME_BYTES
};

/* An argument of one case.  list has count operands or numbers. */
typedef struct NativeValue {
    ValueKind kind;
    bool boolean, optional;
    char attribute[NATIVE_NAME_BYTES];
    int count;
    int64_t list[NATIVE_LIST_MAX];
    double real;
    char text[NATIVE_NAME_BYTES];
} NativeValue;

/* A call as it is made again and again with other data: it follows from the text of the case. */
typedef struct NativeCall {
    Case c;
    int illegal; /* number of the argument that is to be illegal, from 1; 0: none */
    /* FUNCTION.OVERLOAD(...) of a row; overload is empty where there is none. */
    char function[NATIVE_NAME_BYTES], overload[NATIVE_NAME_BYTES];
    int count, first_output, outputs;
    NativeValue values[NATIVE_VALUES_MAX];
} NativeCall;

/* One request: operands over memory that both sides map. */
typedef struct NativeRequest {
    const NativeCall *call;
    const RequestTensor *tensors;
    unsigned char *memory;
    char *message; /* of REPLY_TEXT bytes */
} NativeRequest;

typedef struct NativeLibrary {
    const char *file;     /* under the folder of the installation, "" for that itself */
    const char *bindings; /* by which it is called; NULL: it finds the calls of a case itself */
    /* Without bindings: element types of each operator by its number, set by load, and the cases
     * that it takes, NULL for every one. */
    uint32_t *dtypes;
    bool (*takes)(const Case *c);
    /* Loads the library once, in the server; false with one sentence in *error. */
    bool (*load)(const char *path, const char *mode, BackendFacts *facts, Text *error);
    /* Runs first in each worker; may be NULL. */
    void (*start)(void);
    uint32_t (*run)(const NativeRequest *request); /* REPLY_... */
} NativeLibrary;

/* A function of a library, and the pointer to it that is set. */
typedef struct NativeSymbol {
    const char *name;
    void *function;
} NativeSymbol;

/* Sets the pointers; false with one sentence in *error that calls the library by name. */
bool native_find(void *library, const char *name, const NativeSymbol *symbols, size_t count,
                 Text *error);
/* Loads a library and sets the pointers; NULL with one sentence in *error. */
void *native_open(const char *path, const NativeSymbol *symbols, size_t count, Text *error);

/* argv: folder of the installation, the layout that the other side goes by, and the mode. */
int native_main(const NativeLibrary *library, int count, char **arguments);

/* Element types in which the library has an operator. */
uint32_t native_dtypes(const NativeLibrary *library, const OpDesc *op);
/* The call that the text of a request asks for; false with one sentence in *error where the text is
 * none, or the library is not asked for that. */
bool native_call(const NativeLibrary *library, const Request *request, NativeCall *call,
                 Text *error);

/* The address of an operand's first element, and the number of its elements. */
static inline void *native_data(const NativeRequest *request, int operand)
{
    return request->memory + request->tensors[operand].offset;
}
int64_t native_count(const RequestTensor *tensor);

/* Copies between an operand and dense elements in their order. */
void native_gather(const NativeRequest *request, int operand, void *dense);
/* Copies elements with strides in bytes to an operand of the same extents. */
void native_scatter(const NativeRequest *request, int operand, const void *from,
                    const int64_t *strides);

/* Says in message what was given instead: REPLY_DIFFERENT. */
uint32_t native_different(const NativeRequest *request, const char *what);

#endif
