/* What PyTorch's own descriptions of its calls have in common, whoever wrote them down. */
#ifndef OPS_IMPORT_TORCH_CALLS_H
#define OPS_IMPORT_TORCH_CALLS_H

#include "asked.h"

/* In front of the names of functions of ATen. */
#define TORCH_SPACE "aten::"

/* "[1, 2]"; false where the list has no room, or is none of whole numbers. */
MUST_USE bool torch_put_list(Attribute *value, const char *text);
/* 2, 0.5, 1., True, [1, 2].  An empty list is left out; one of other numbers, or of too many, is
 * given and not known. */
void torch_put_number(AskedValue *value, const char *text);
/* Arguments that do not matter to what the function computes may be anything. */
void torch_leave_minor(Asked *asked, const char *name);
/* Asked.defaults. */
const char *torch_defaults(const char *name);

/* Takes a case as it was found; false, and counted, where it is none of ours. */
bool torch_put_case(Import *import, const Case *found, const char *of);
/* The case of each gradient of the operator, with the parameters of the call; false where no
 * operator is one. */
bool torch_put_gradients(Import *import, const Case *forward, const char *of);

#endif
