/* C source of calls: what the emitters of all families share. */
#ifndef OPS_BACKEND_C_SOURCE_H
#define OPS_BACKEND_C_SOURCE_H

#include "reference/base.h"
#include "reference/dtype.h"

/* The type of a component; formats that C lacks are kept as the integers of their bits. */
const char *c_number_type(DType dtype);
/* True for these formats. */
bool c_lacks(DType dtype);

/* Appends a component's value: in decimals where few of them are exact, else in hexadecimal;
 * formats that C lacks as their bits. */
void c_put_number(Text *source, DType dtype, double value);

/* True when the header, such as "cblas.h", lies where compilers look for it. */
bool c_header_is_installed(const char *name);

#endif
