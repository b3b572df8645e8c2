/* Numbers of 8 bits and of a scale and a zero point, element by element. */
#ifndef OPS_NN_NN_QUANTIZE_H
#define OPS_NN_NN_QUANTIZE_H

#include "nn.h"

/* x / scale and the ends of what two roundings of a unit may make of it, within 2 u + u^2; a power
 * of two rounds nothing, so that halves are halves.  Last what a product with a reciprocal makes of
 * it that overflows, or vanishes, as it does where the scale is 0, subnormal, above the reciprocal
 * of the smallest normal number, or infinite; the quotient again elsewhere.  0 over 0, infinity
 * over infinity and a scale of NaN make NaN (IEEE 754-2019, 7.2). */
enum { QUOTIENTS = REF_CANDIDATES + 1 };
typedef struct Quotients {
    long double values[QUOTIENTS];
} Quotients;
Quotients nn_quotients(double x, double scale, double unit);

/* Brings a zero point between the ends of a type of integers; of other types there is none. */
void nn_fit_zero_point(int64_t *zero, DType dtype);

/* halves_up: the integer below x / scale + 1/2, the sum rounded, which is the alternative
 * "halves-up". */
typedef struct Quantization {
    double scale, zero, unit;
    bool halves_up;
} Quantization;
extern const char nn_halves_up[];

/* Element i: x over the scale, rounded, plus the zero point, within the ends of the type, which an
 * infinite quotient becomes.  Which integer NaN becomes no text says (ONNX, QuantizeLinear:
 * saturate and round of numbers; C23, 6.3.1.4: undefined): any. */
void nn_put_quantized(Ref *ref, size_t i, const Quantization *to, double x);
/* Element i: (value - zero) scale, of one rounding or of three (ONNX, DequantizeLinear), whatever
 * the scale is: products and differences are those of IEEE 754-2019. */
void nn_put_dequantized(Ref *ref, size_t i, double value, double scale, double zero);

#endif
