/* The table of execution modifiers, the last group of a line. */
#include "exec.h"

const char *const relation_names[] = {"none",  "negated",  "scaled",   "factor",     "addend",
                                      "moved", "function", "opposite", "conjugated", "reversed",
                                      "alone", "part",     "rotated",  "mirrored",   "dense",
                                      "plain", "threads",  NULL};
static const char *const overlap_names[] = {"none", "inputs", "output", NULL};
static const char *const layout_names[] = {"dense",   "channels_last", "sliced",
                                           "strided", "expanded",      NULL};
const char *const form_names[] = {
    "plain",    "number", "zero_dim", "named",   "omitted",  "given",   "negative",
    "in_place", "out",    "view",     "lazy",    "recorded", "batched", "extents",
    "constant", "folded", "idle",     "earlier", "bool",     "u8",      "i8",
    "u16",      "i16",    "u32",      "i32",     "u64",      "i64",     NULL};
static const char *const guard_names[] = {"end", "start", NULL};

const Param exec_params[] = {
    P_INTEGER(Exec, align, 0, 15, 0, "elements that operands lie off 64-byte alignment",
              .placement = true),
    P_CHOICE(Exec, guard, guard_names, "guard page that operands touch", .placement = true),
    P_INTEGER(Exec, threads, 1, 2, 1, "threads that the library may use"),
    P_INTEGER(Exec, illegal, 0, ILLEGAL_NUMBERS_MAX, 0,
              "argument that is given an illegal value, from 1; above 16 a stray call"),
    P_CHOICE(Exec, relation, relation_names, "second call whose result follows from the first"),
    P_CHOICE(Exec, overlap, overlap_names, "operands that are the same memory"),
    P_CHOICE(Exec, layout, layout_names, "how operands lie that are dense otherwise"),
    P_INTEGER(Exec, repeat, 1, 3, 1, "calls that must give the same bits"),
    P_INTEGER(Exec, function, 0, EXEC_FUNCTIONS - 1, 0,
              "which of a library's functions for it is called, modulo their number"),
    P_CHOICE(Exec, form, form_names, "how the call is written, where the library has it"),
    P_END,
};

FormInteger form_integer(FormKind form)
{
    static const FormInteger integers[FORM_COUNT] = {
        [FORM_BOOL] = {1, false}, [FORM_U8] = {8, false},   [FORM_I8] = {8, true},
        [FORM_U16] = {16, false}, [FORM_I16] = {16, true},  [FORM_U32] = {32, false},
        [FORM_I32] = {32, true},  [FORM_U64] = {64, false}, [FORM_I64] = {64, true},
    };
    return integers[form];
}
