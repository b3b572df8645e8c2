/* Cases of what the recorder wrote down. */
#ifndef OPS_IMPORT_RECORDED_H
#define OPS_IMPORT_RECORDED_H

#include "import.h"

#include "ops/backend/blas/recording.h"

/* Takes all calls of a recording, with those that it has lost. */
void import_recording(Import *import, const Recording *recording);

#endif
