/* Functions of programs in C that read numbers of formats which C lacks. */
#ifndef REPORTS_DECODERS_H
#define REPORTS_DECODERS_H

#include "reference/base.h"
#include "reference/dtype.h"

/* The function or cast that makes a double of a component. */
const char *decoder_name(DType dtype);
/* Appends the function, with those that it calls; nothing for formats that C has. */
void decoder_put(Text *source, DType dtype);

#endif
