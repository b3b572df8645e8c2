/* What the file of a library says of its functions: which it exports, and of those that were
 * compiled with -g the types of their arguments (DWARF).  Nothing of the library is run. */
#ifndef OPS_BACKEND_KERNEL_DEBUG_INFO_H
#define OPS_BACKEND_KERNEL_DEBUG_INFO_H

#include "c_type.h"

enum { SIGNATURE_ARGUMENTS_MAX = 32, SIGNATURE_NAME_BYTES = 40 };

typedef struct CArgument {
    CType type;
    char name[SIGNATURE_NAME_BYTES];
} CArgument;

typedef struct CSignature {
    CType result; /* C_VOID where it returns nothing */
    int count;
    CArgument arguments[SIGNATURE_ARGUMENTS_MAX];
} CSignature;

typedef struct DebugInfo DebugInfo;

/* NULL with one sentence in *error where the file cannot be read or is no library.  Closed by
 * debug_info_close. */
DebugInfo *debug_info_open(const char *path, Text *error);
void debug_info_close(DebugInfo *info);

/* True when it was compiled with -g, in part at least. */
bool debug_info_has_types(const DebugInfo *info);
bool debug_info_exports(const DebugInfo *info, const char *function);
/* Offers the names of the functions that it exports (reference/nearest.h). */
void debug_info_offer_names(const DebugInfo *info, Nearest *nearest);
/* False where nothing is said of the function's types. */
bool debug_info_signature(const DebugInfo *info, const char *function, CSignature *signature);

/* Appends the declaration that a signature stands for, without a semicolon. */
void signature_put(const CSignature *signature, const char *function, Text *text);

#endif
