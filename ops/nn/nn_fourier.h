/* Lines of discrete Fourier transforms in 64 bits, and the normwise bound of a kernel's results
 * (ops_fourier.c has its source). */
#ifndef OPS_NN_NN_FOURIER_H
#define OPS_NN_NN_FOURIER_H

#include "nn.h"

/* One line of numbers, and the roots of unity of its length. */
typedef struct FourierLine {
    int64_t length;
    long double *re, *im, *cosine, *sine;
} FourierLine;

/* sign is that of the exponent. */
FourierLine fourier_line(int64_t length, int sign, Arena *arena);
/* Result k of the line. */
void fourier_sum(const FourierLine *line, int64_t k, long double *re, long double *im);

typedef struct FourierScales {
    double elements, error;  /* their number; relative error in units of u */
    long double factor, own; /* of the division; relative error of the reference */
} FourierScales;

/* Of no axis yet: error has 8 units for the division. */
FourierScales fourier_scales(void);
/* Another axis of this length. */
void fourier_add_axis(FourierScales *scales, int64_t length);
/* Puts a result whose operands have this norm.  A number that is not finite may make anything of
 * all results that it takes part in. */
void fourier_put(Ref *ref, size_t i, const FourierScales *scales, long double value,
                 long double norm);

#endif
