/* What libraries do instead of what a clause demands, with the place where they say so. */
#include "contract.h"

#define RANK_UPDATES                                                                               \
    "blas/ger blas/gerc blas/geru blas/syr blas/syr2 blas/spr blas/spr2 blas/her blas/her2 "       \
    "blas/hpr blas/hpr2 blas/syrk blas/syr2k blas/herk blas/her2k"
#define TRIANGULAR "blas/trmv blas/tbmv blas/tpmv blas/trsv blas/tbsv blas/tpsv blas/trmm blas/trsm"

#define ZEROS_OF_NO_OPERAND                                                                        \
    "nn/tril nn/triu nn/pad nn/diag_embed nn/im2col nn/center_crop_pad nn/masked_select "          \
    "nn/max_unpool nn/block_diag nn/heaviside blas/rotmg blas/syrk blas/herk blas/syr2k "          \
    "blas/her2k"

const Departure contract_departures[] = {
    {"*", "*", RANK_UPDATES, "*", "every-product", "zero-skip",
     "An element of a factor that is 0 is passed over.",
     "reference BLAS 3.12.1, dger.f: IF (Y(JY).NE.ZERO); dsyr.f, dsyr2.f, dsyrk.f and the others "
     "alike"},
    {"*", "*", TRIANGULAR, "*", "every-product", "zero-skip",
     "An element of the vector that is 0 is passed over.",
     "reference BLAS 3.12.1, its latest release, dtrmv.f: IF (X(J).NE.ZERO), and the others alike; "
     "its source forms the products since July 2026"},
    {"*", "*", "blas/axpby", "*", "every-product", "zero-skip",
     "A vector with a factor of 0 is not read.",
     "BLAS Technical Forum Standard (2001), 2.7: an operand that beta = 0 multiplies need not be "
     "set"},
    {"*", "*", "lapack/gees lapack/hseqr lapack/trexc lapack/trsen", "*", "deflation",
     "absolute-deflation",
     "An element below the diagonal of at most n safmin / ulp is taken for 0.",
     "Reference LAPACK 3.12.1, dlahqr.f: SMLNUM = SAFMIN*( DBLE( NH ) / ULP ), IF( ABS( H( K, K-1 "
     ") "
     ").LE.SMLNUM ); dgeev.f: scales A if its largest element is outside of a range, before"},
    {"mkl", "*",
     "lapack/sbev lapack/spev lapack/spevx lapack/st* lapack/syev* lapack/gesdd lapack/gesvd "
     "lapack/gesvdx",
     "*", "nan-seen", "nan-lost", "A NaN is passed over.",
     "oneMKL Developer Reference for C, LAPACK Routines: input matrices are assumed not to contain "
     "INF or NaN"},
    {"*", "*", ZEROS_OF_NO_OPERAND, "*", "usual-zero", "other-zero", "The zero has the other sign.",
     "texts say 0: ONNX, Operators.md, Pad, Trilu, CenterCropPad and MaxUnpool; array API "
     "standard, "
     "tril and triu; PyTorch, diag_embed, block_diag and Unfold; NumPy, heaviside; reference BLAS, "
     "drotmg.f; dsyrk.f: C := alpha*A*A**T + beta*C"},
    {"openblas blis", "*", "blas/scal blas/rscal", "*", "every-product", "zero-skip",
     "alpha = 0 stores zeros.", NULL},
    {"*", "*", "nn/conv*", "*", "padding", "zero-fill",
     "Zeros stand for the padding, and are multiplied.",
     "PyTorch, torch.nn.Conv2d: padding_mode is 'zeros' unless it is given"},
    {"*", "*", "nn/attention* nn/masked_attention*", "*", "padding", "zero-fill",
     "A mask of -infinity is added to scores, and its weights of 0 are multiplied.",
     "ONNX, Operators.md, Attention: \"Attention bias to be added is calculated based on attn_mask "
     "input and is_causal attribute\"; PyTorch, scaled_dot_product_attention: attn_weight += "
     "attn_bias"},
    {"openblas", "*", "blas/trmm", "*", "outside-a-structure", "zero-fill",
     "Zeros outside the triangle are multiplied.", NULL},
    {"netlib", "..3.9", "blas/nrm2", "*", "norm-backwards", "backwards-is-empty",
     "The norm is 0 where INCX is below 1.",
     "reference BLAS 3.9.1, dnrm2.f: NORM = ZERO where INCX.LT.1"},
    {"openblas", "*", "blas/nrm2", "*", "norm-backwards", "backwards-is-empty",
     "The norm is 0 where incx is below 1.", NULL},
    {"blis", "*", "blas/scal blas/asum", "*", "one-vector-backwards", "backwards-counts",
     "The vector is run through backwards.", NULL},
    {"mkl", "*", "blas/iamax blas/iamin", "*", "index-nan", "index-first-nan",
     "The index of the first NaN is returned.",
     "oneMKL Developer Reference for C, cblas_i?amax and cblas_i?amin: \"returns the index of the "
     "first NaN\""},
    {"blis", "*", "blas/iamax", "*", "index-nan", "index-skips-nan",
     "NaN counts as smaller than any other value.",
     "BLIS, Typed API, amaxv: \"smaller than any other value in the vector\""},
    {"netlib", "..3.9", "blas/rotg", "*", "rotation-of-zero", "old-rotation-of-zero",
     "c = 0, s = 1, r = b.", "reference BLAS 3.9.1, zrotg.f: IF (CDABS(CA).EQ.0.0d0)"},
    {"blis", "*", "blas/rotg", "*", "rotation-of-zero", "old-rotation-of-zero",
     "c = 0, s = 1, r = b.", NULL},
    {"openblas blis", "*", "blas/*", "*", "argument-number", "argument-number",
     "Arguments are counted as in Fortran, without the order.", NULL},
    {"atlas", "*", "blas/*", "*", "alpha-times-sum", "alpha-factored",
     "A B + (beta/alpha) C is summed and multiplied by alpha.", NULL},
    {"mkl", "*", "*", "*", "position", "position",
     "Results may depend on the alignment of operands.",
     "oneMKL Developer Guide for Linux, Getting Started with Conditional Numerical "
     "Reproducibility: asks for aligned arrays"},
    {"ort", "*", "nn/*", "*", "position", "position",
     "Vectors and their remainders are computed by functions of different accuracy.", NULL},
    {"*", "*", "blas/*", "*", "in-place", "in-place", "What happens is left open.",
     "Fortran 2018, 15.5.2.13: an argument that is defined must not overlap another"},
    {"* !onednn", "*", "nn/*", "*", "in-place", "in-place", "What happens is left open.",
     "ONNX, IR.md: outputs of nodes are assigned once; memory that operands share has no meaning"},
    {"* !onednn", "*", "nn/*", "*", "half-precision", "narrow-arithmetic",
     "Every step is rounded to the type of the operands.",
     "array API standard, Accuracy: functions are not precisely defined; ONNX, Operators.md: "
     "function bodies round every operator to T"},
    {"jax", "*", "nn/*", "*", "function-accuracy", "absolute-accuracy",
     "Functions err by many ulps.", "JAX, Numerical accuracy: tables of errors in ulps"},
    {"numpy", "..1.24", "nn/clamp", "*", "nan-of-comparisons", "nan-by-comparison",
     "NaN as an end is no end.",
     "NumPy 1.24, warning of np.clip: \"Passing `np.nan` to mean no clipping in np.clip has always "
     "been unreliable, and is now deprecated\""},
    {"sleef", "*", "nn/sinh nn/cosh nn/asinh nn/acosh nn/log1p", "*", "function-range",
     "early-infinity", "Beyond a range that is stated results may be infinite.",
     "SLEEF, Math library reference, Sleef_sinh_u10: \"If a is a finite value out of this range, "
     "infinity with a correct sign or a correct value with 1.0 ULP error bound is returned\", and "
     "the others alike"},
    {"torch", "*", "nn/sinh nn/cosh", "*", "function-range", "early-infinity",
     "Very large results are infinite.",
     "PyTorch, torch.sinh and torch.cosh, Note: \"may use the Sleef library, which rounds very "
     "large results to infinity or negative infinity\""},
    {"onednn ort", "*", "nn/*", "*", "function-accuracy", "absolute-accuracy",
     "Functions are accurate to the last places of their largest value.", NULL},
    {"*", "*", "nn/*_backward", "*", "correct-rounding", "faithful-rounding",
     "A root or a reciprocal inside of a formula is within 1 ulp.",
     "array API standard, Accuracy: sqrt and reciprocal are correctly rounded, what is composed of "
     "them is not spoken of"},
    {"torch paddle", "*", "nn/*", "*", "correct-rounding", "faithful-rounding",
     "Square roots of vectors are within 1 ulp.", NULL},
    {"*", "*", "nn/layer_norm nn/group_norm", "*", "variance", "one-pass-variance",
     "The variance is the mean of squares less the square of the mean.",
     "ONNX, onnx/defs/nn/defs.cc: function bodies, Var = Sub (MeanOfSquare, SquareOfMean)"},
    {"torch", "*", "nn/var nn/std", "*", "variance", "running-means",
     "Mean and squares of groups are merged, which is off by n u sqrt(n mean^2 / squares).",
     "PyTorch, ATen/native/SharedReduceOps.h: WelfordOps, reduce and combine"},
    {"torch", "*", "nn/layer_norm nn/group_norm nn/instance_norm nn/batch_norm_train", "*",
     "variance", "running-means",
     "Mean and squares of groups are merged, which is off by n u sqrt(n mean^2 / squares).",
     "PyTorch, ATen/native/cpu/moments_utils.h: rowwise moments by Welford's algorithm and cascade "
     "sums; ATen/native/cuda/Normalization.cuh: WelfordOps"},
    {"ort tensorflow torch", "*", "nn/*norm* nn/var* nn/std*", "*", "variance", "one-pass-variance",
     "The variance is the mean of squares less the square of the mean.", NULL},
    {"ort tensorflow torch", "*", "nn/batch_norm", "*", "mean-first", "folded-mean",
     "scale and mean are folded into one factor and one addend.", NULL},
    {"*", "*", "nn/thresholded_relu nn/hardshrink nn/softshrink", "*", "nan-of-comparisons",
     "nan-by-comparison", "What is not beyond the threshold is 0, NaN as well.",
     "ONNX, Operators.md, ThresholdedRelu: y = 0 otherwise; Shrink: otherwise, y = 0"},
    {"onednn ort", "*", "nn/*", "*", "nan-of-comparisons", "nan-by-comparison",
     "NaN fails a comparison and becomes a number.", NULL},
    {"xnnpack", "*", "nn/*", "*", "nan-of-formulas", "nan-clamped",
     "Every result is clamped to a range, whose end NaN becomes.", NULL},
    {"onednn", "*", "nn/*_integer nn/*_quantized", "*", "integer-products", "saturated-pairs",
     "Pairs of products are added in 16 bits, with saturation.",
     "oneDNN, Nuances of int8 Computations"},
    {"ort", "*", "nn/*_integer nn/*_quantized", "*", "integer-products", "saturated-pairs",
     "Pairs of products are added in 16 bits, with saturation.",
     "ONNX Runtime, Quantize ONNX Models, Data type selection: VPMADDUBSW"},
    {"tensorflow", "*", "nn/quantize*", "*", "rounding", "halves-up",
     "1/2 is added, and the integer below taken.",
     "TensorFlow, UniformQuantize: quantized_data = floor(input_data * (1.0f / scale) + 0.5f) + "
     "zero_point"},
    {"torch", "*", "nn/*_quantized", "*", "quantised-rounding", "zero-point-first",
     "The zero point is added before the sum is rounded.",
     "PyTorch, Practical Quantization in PyTorch: Q(r) = round(r/S + Z)"},
    {"torch", "*", "nn/*_quantized", "*", "integer-products", "saturated-pairs",
     "Pairs of products are added in 16 bits, with saturation.",
     "PyTorch, Quantization, Note: with the fbgemm backend reduce_range is to be used, \"to "
     "prevent "
     "overflow\""},
    {"jax", "*", "*", "*", "gradual-underflow", "flush", "Subnormal numbers become zeros.",
     "JAX, Numerical accuracy: \"typically flushed to zero by default\""},
    {"onednn", "*", "nn/*", "bf16", "gradual-underflow", "flush",
     "Subnormal numbers of bf16 become zeros on processors that compute in it.",
     "oneDNN, Data Types, Rounding mode and denormal handling: \"low-precision datatype "
     "acceleration ignores floating-point environment and will flush denormal outputs to zero\""},
    {"tensorflow", "*", "*", "*", "gradual-underflow", "flush",
     "Subnormal numbers become zeros, eagerly and in XLA: its sources say so (llvm_util.cc: "
     "\"Tensorflow always flushes denormals to zero\"), its documentation does not.",
     NULL},
    {"xnnpack", "*", "*", "*", "gradual-underflow", "flush", "Subnormal numbers become zeros.",
     NULL},
    {"tensorflow:xla", "*", "nn/acos nn/acosh nn/asin nn/asinh nn/atanh", "f16 bf16",
     "half-precision", "narrow-functions",
     "A function is a formula of others, each step of which is rounded to the type.",
     "XLA, mlir_hlo/tests/Dialect/chlo/chlo_legalize_to_mhlo.mlir: @asin_f16 and @asin_bf16 have "
     "every "
     "step in the type of the operand, and the others alike"},
    {"tensorflow:xla", "*", "nn/expm1 nn/log1p", "f16", "half-precision", "narrow-functions",
     "A function is a formula of others, each step of which is rounded to the type.",
     "XLA, service/elemental_ir_emitter.cc: EmitExpm1, tanh(x/2)*(exp(x)+1), and EmitLog1p, in the "
     "type of the operand"},
    {"jax", "*", "nn/acos nn/acosh nn/asin nn/asinh nn/atanh", "f16 bf16", "half-precision",
     "narrow-functions",
     "A function is a formula of others, each step of which is rounded to the type.",
     "JAX, jax.lax.acosh and its like: \"lowers directly to the chlo.acosh operation\"; XLA, "
     "mlir_hlo/tests/Dialect/chlo/chlo_legalize_to_mhlo.mlir: @asin_f16 and @asin_bf16 have every "
     "step in the type of the operand, and the others alike"},
    {"jax", "*", "nn/expm1", "f16", "half-precision", "narrow-functions",
     "A function is a formula of others, each step of which is rounded to the type.",
     "XLA, service/elemental_ir_emitter.cc: EmitExpm1, tanh(x/2)*(exp(x)+1), in the type of the "
     "operand"},
    {NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL},
};
