/* Bindings: what a library is asked for each operator, one row each, as text that says it in the
 * library's own terms (docs/bindings.md).  The build embeds each file NAME.bindings.
 *
 * A row has one call in Python, and may have one for a worker in C, told by its prefix ("aten::").
 * Of the rows of an operator that have the case's element type and whose conditions hold the first
 * is taken, or the one that the case asks for by its exec.function. */
#ifndef OPS_BACKEND_BINDING_BINDING_H
#define OPS_BACKEND_BINDING_BINDING_H

#include "expression.h"
#include "ops/case/case.h"

enum { BINDING_ATTRIBUTES_MAX = 32 };

/* The call of one operator in one row.  attributes are those names in it that are attributes of the
 * operator, without repetition; other names are operands, or the library's. */
typedef struct BindingCall {
    uint32_t dtypes;
    bool is_gradient; /* what is called is to be differentiated */
    const char *conditions;
    const char *gradient_conditions; /* what the case of a gradient must meet as well */
    Expression expression;
    int attribute_count;
    char attributes[BINDING_ATTRIBUTES_MAX][EXPRESSION_NAME_BYTES];
    int line; /* of the file */
    struct BindingCall *next;
} BindingCall;

typedef struct Bindings Bindings;

/* The rows of an embedded file, NULL where there is none of this name. */
const Bindings *bindings_find(const char *name);

/* Reads rows from text; NULL with one sentence in *error. name must stay; release with
 * bindings_release. */
Bindings *bindings_read(const char *name, const char *text, Text *error);
void bindings_release(Bindings *bindings);

/* True where the library differentiates: a row gives the gradients of its operators as well.  The
 * file says "gradients" in a line of its own. */
bool bindings_differentiates(const Bindings *bindings);

/* The mask of the forms in which calls of the library are written too (FormKind): the file has a
 * line "forms" with their names; and whether this one is among them. */
uint32_t bindings_forms(const Bindings *bindings);
bool bindings_have_form(const Bindings *bindings, int64_t form);

/* True where a call that is written so (illegal_written of ops/case/illegal.h) must be refused; the
 * file has a line "refuses" with their names. */
bool bindings_refuse(const Bindings *bindings, const char *written);

/* Appends a sentence for each thing that is wrong with the rows: names that nothing has, conditions
 * that do not exist, rows that are never taken. */
void bindings_check(const Bindings *bindings, Text *problems);

/* Who makes a call: the worker in Python, or one in C. */
typedef enum BindingTarget { TARGET_PYTHON, TARGET_NATIVE, TARGET_COUNT } BindingTarget;

/* The calls of an operator in the order of their rows, NULL where it has none. */
const BindingCall *bindings_calls(const Bindings *bindings, BindingTarget target, const OpDesc *op);

/* The call of a case; NULL with the reason for a user in *why.  illegal: the kind of its illegal
 * argument, or NULL. */
const BindingCall *bindings_choose(const Bindings *bindings, BindingTarget target, const Case *c,
                                   const char *illegal, Text *why);

/* The call whose gradient a case is, which `forward` is the case of. */
const BindingCall *bindings_choose_gradient(const Bindings *bindings, const Case *gradient,
                                            const Case *forward, const char *illegal, Text *why);

/* The files that the build embeds, ended by a NULL name. */
typedef struct BindingFile {
    const char *name, *text;
} BindingFile;
extern const BindingFile binding_files[];

#endif
