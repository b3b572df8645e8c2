/* Numbers of 8 bits and of a scale and a zero point, element by element. */
#ifndef OPS_NN_NN_QUANTIZE_H
#define OPS_NN_NN_QUANTIZE_H

#include "nn.h"

/* x / scale and the ends of what two roundings of a unit may make of it, within 2 u + u^2; a power
 * of two rounds nothing, so that halves are halves. */
typedef struct Quotients {
    long double values[REF_CANDIDATES];
} Quotients;
Quotients nn_quotients(double x, double scale, double unit);

/* halves_up: the integer below x / scale + 1/2, the sum rounded, which is the alternative
 * "halves-up". */
typedef struct Quantization {
    double scale, zero, unit;
    bool halves_up;
} Quantization;
extern const char nn_halves_up[];

/* Element i: x over the scale, rounded, plus the zero point, within the ends of the type. */
void nn_put_quantized(Ref *ref, size_t i, const Quantization *to, double x);
/* Element i: (value - zero) scale, of one rounding or of three. */
void nn_put_dequantized(Ref *ref, size_t i, double value, double scale, double zero);

#endif
