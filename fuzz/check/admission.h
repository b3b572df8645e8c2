/* Which departures from a rule the library under test documents. */
#ifndef FUZZ_ADMISSION_H
#define FUZZ_ADMISSION_H

#include "ops/backend/backend.h"
#include "oracle/judge.h"

typedef struct Documented {
    const Backend *backend;
    const OpDesc *op;
    DType dtype;
} Documented;

/* Whether contracts have the reading for the library, the operator and its element type:
 * Admission.admits, whose context is a Documented. */
bool admission_documented(const void *documented, const char *reading);

/* Notes that a result is right only under a reading: a departure that is filed as such where the
 * library documents it. */
void admission_name(const Documented *documented, const char *reading, Judgement *j);

/* Given the judgement of a divergence in half precision by a reference whose every step is rounded:
 * true where it is to be taken in place of the divergence, as the library promises such arithmetic;
 * or notes that the result is right under that reading, where it is. */
bool admission_take_narrow(const Documented *documented, Judgement *narrow, Judgement *j);

/* Whether the library documents that it does not take operands of this rank; appends what it says.
 */
bool admission_of_rank(const Documented *documented, int rank, Text *says);

#endif
