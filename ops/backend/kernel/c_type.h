/* Types of C: of numbers, and of the addresses of numbers. */
#ifndef OPS_BACKEND_KERNEL_C_TYPE_H
#define OPS_BACKEND_KERNEL_C_TYPE_H

#include <ffi.h>

#include "reference/base.h"
#include "reference/dtype.h"
#include "reference/nearest.h"

typedef enum CTypeKind {
    C_UNKNOWN, /* nothing is said of it */
    C_VOID,
    C_BOOL,
    C_CHARACTER,
    C_SIGNED,
    C_UNSIGNED,
    C_FLOAT,
    C_BFLOAT, /* bfloat16, whatever C calls it */
    C_COMPLEX,
    C_OTHER /* structures and the like: only their addresses can be passed */
} CTypeKind;

typedef struct CType {
    CTypeKind kind;
    int bytes;    /* of a number */
    int pointers; /* 0: the number itself, 1: its address; more are not passed */
    bool constant, restricted;
    char words[40]; /* the type of the number as C writes it: "unsigned int" */
} CType;

/* Takes a type off the front of a text, up to the name behind it, if there is one there: kind is
 * C_UNKNOWN where there is none.  Returns the rest; NULL with one sentence in *error. */
const char *c_type_read(const char *text, CType *type, Text *error);

/* Types by their words, without addresses. */
CType c_type_named(CTypeKind kind, int bytes, const char *words);

/* Appends the type, so that a name may follow: "const float *", "int ". */
void c_type_put(const CType *type, Text *text);

/* True when elements of a type lie at such an address.  Integers hold the bits of 16 and 8 bits
 * where `bits` says that they may. */
bool c_type_holds(const CType *type, DType dtype, bool bits);

/* The type of the number for libffi; NULL where it has none. */
ffi_type *c_type_ffi(const CType *type);

/* Stores an integer or a real number in memory as the type, and loads an integer; false where the
 * type does not hold the value. */
bool c_type_store_integer(const CType *type, int64_t value, void *at);
bool c_type_store_real(const CType *type, double value, void *at);
int64_t c_type_load_integer(const CType *type, const void *at);

#endif
