/* The start-up check of the arithmetic that everything else rests on. */
#ifndef REFERENCE_SELFTEST_H
#define REFERENCE_SELFTEST_H

/* NULL when this build and this machine keep the promises of wide.h and product.h: roundings to
 * binary32 are not removed, error-free transformations are error free, rounding is to nearest,
 * subnormals survive, and all instruction sets give the same bits.  Otherwise a sentence that says
 * what failed; nothing that this tool computes could be trusted then. */
const char *selftest_run(void);

#endif
