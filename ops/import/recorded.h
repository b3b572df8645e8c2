/* Cases of what the recorder wrote down. */
#ifndef OPS_IMPORT_RECORDED_H
#define OPS_IMPORT_RECORDED_H

#include "import.h"

#include "ops/backend/blas/recording.h"

/* A call of a function of Fortran, whose arguments are to be filled in. */
typedef struct FortranCall {
    struct CblasEntry *entry; /* to be released with free */
    RecordedCall call;        /* all 0 but for the function, and for factors: 1, or 0 of addends */
} FortranCall;
/* Finds the function by its name without underscore, as dgemm; false where there is none. */
MUST_USE bool fortran_call_begin(FortranCall *call, const char *name);

/* A leading dimension that is the least one. */
#define RECORDED_LEAST INT64_MIN

/* Takes one call, call->count times; false with the reason where it is no case. */
MUST_USE bool import_call(Import *import, const RecordedCall *call, Text *why);
/* Takes all calls of a recording, with those that it has lost. */
void import_recording(Import *import, const Recording *recording);

#endif
