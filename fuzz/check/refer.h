/* The references and bounds of the present case. */
#ifndef FUZZ_CHECK_REFER_H
#define FUZZ_CHECK_REFER_H

#include "check.h"

/* Makes them, before any call. */
void checker_refer(Checker *checker, const Operands *o);
/* The same; references may be drafts (reference/draft.h), whose bounds have room alone. */
void checker_refer_draft(Checker *checker, const Operands *o, bool may_draft);

/* Of an output whose reference is a draft, the columns and bounds, which are kept with the case. */
void checker_complete(Checker *checker, int output);

#endif
