/* What somebody asked a library, as calls of named functions with operands and attributes, whoever
 * wrote it down; and the rows of the library's bindings that say the same of a case. */
#ifndef OPS_IMPORT_ASKED_H
#define OPS_IMPORT_ASKED_H

#include "import.h"
#include "ops/backend/binding/binding.h"
#include "ops/case/attribute.h"

enum { ASKED_ARGUMENTS_MAX = 32, ASKED_NAME_BYTES = EXPRESSION_NAME_BYTES };

/* An operand, a constant, or an operand whose elements are known as well.  One that is not present
 * was left out; one that is free may be whatever a row has. */
typedef struct AskedValue {
    bool present, typed, shaped, constant, free;
    DType dtype;
    Shape shape;
    Attribute number; /* of constants */
    int maker;        /* the number of the call that gives it, or -1 */
} AskedValue;

/* keyword is empty where the argument is told by its place. */
typedef struct AskedArgument {
    char keyword[ASKED_NAME_BYTES];
    int value;
} AskedArgument;

/* Numbers of values; name is as it is written in rows. */
typedef struct AskedCall {
    char name[ASKED_NAME_BYTES];
    int argument_count, output_count;
    AskedArgument arguments[ASKED_ARGUMENTS_MAX];
    int outputs[OP_TENSORS_MAX];
} AskedCall;

typedef struct Asked {
    const char *bindings; /* the name of the file of rows */
    /* In front of the names of calls where they are those of functions in C, as "aten::"; else
     * NULL.  Rows of these functions count then, whatever their overload, and behind them rows in
     * Python, whose functions have the names and the order of arguments of those in C. */
    const char *space;
    AskedValue *values;
    AskedCall *calls;
    size_t value_count, value_room, call_count, call_room;
    /* What the library takes for an argument that is left out, as the arguments of a call by their
     * names: "Softmax(axis=-1)"; NULL where nothing is known.  None follows from shapes; behind
     * another value it says that rows without the argument take any. */
    const char *(*defaults)(const char *name);
    /* The element type that the library has this number for. */
    bool (*dtype)(int64_t number, DType *dtype);
} Asked;

/* The number of a new value that is not present. */
int asked_value(Asked *asked);
AskedCall *asked_call(Asked *asked, const char *name);
/* Adds an argument; false where there is no more room. */
MUST_USE bool asked_argument(AskedCall *call, const char *keyword, int value);
void asked_release(Asked *asked);

/* The reason where no row has a function of the name. */
#define ASKED_NO_ROW "no row has it"

/* Finds the case of a call, or of the calls that end in it, by the rows: those of most calls first.
 * *found has its extents as they are.  False with the draft's reason. */
MUST_USE bool asked_find(const Asked *asked, int call, Case *found, Draft *draft);
/* Gives the outputs of a call the types and shapes of the case, where they were not known. */
void asked_put_outputs(Asked *asked, int call, const Case *found);

#endif
