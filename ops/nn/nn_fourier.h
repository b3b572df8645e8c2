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
    double growth;           /* of what a convolution sums, over what a result can be */
    long double factor, own; /* of the division; relative error of the reference */
} FourierScales;

/* Of no axis yet: error has 8 units for the division. */
FourierScales fourier_scales(void);
/* Another axis of this length. */
void fourier_add_axis(FourierScales *scales, int64_t length);

/* What reaches the parts of a result.  Transforms are made of sums and of products with constants,
 * however they are factored, and a result is reached by all that it has a factor of other than 0:
 * on the way there NaN stays NaN, and an infinity becomes no number again. */
enum { FOURIER_PARTS = 2 };
typedef struct FourierReach {
    bool nan[FOURIER_PARTS], infinity[FOURIER_PARTS];
} FourierReach;

/* Adds a number that a result has exp(2 pi i turns) times, where that is not finite. */
void fourier_reach(FourierReach *reach, long double re, long double im, long double turns);

/* What reaches result k of a line. */
FourierReach fourier_line_reach(const FourierLine *line, int64_t k);

/* Puts one part of a result whose operands have this norm.  Where that is not finite, what reaches
 * the part decides, and a number that is not finite with a factor of 0 may make anything of it.
 * Where the sums of a convolution may leave the range nothing is known. */
void fourier_put(Ref *ref, size_t i, const FourierScales *scales, long double value,
                 long double norm, const FourierReach *reach, int part);

#endif
