/* What the definitions of operators demand.  A policy's first clause says what it is about. */
#include "contract.h"

#define BTF   "BLAS Technical Forum Standard (2001)"
#define IEEE  "IEEE 754-2019"
#define RBLAS "reference BLAS"
#define ONNX  "ONNX, Operators.md"

/* What no text settles: one of few results, or any. */
#define SETTLED "unspecified but for these: "
#define OPEN    "unspecified: "

/* Symmetric eigenproblems and singular values. */
#define SPECTRA                                                                                    \
    "lapack/sbev lapack/spev lapack/spevx lapack/st* lapack/syev* lapack/gesdd lapack/gesvd "      \
    "lapack/gesvdx"

const Clause contract_clauses[] = {
    {"every-product", "zero-skip", "*",
     "A product with a factor of exactly 0 is formed, so that NaN or infinity beside it shows.",
     IEEE ", 6.2 and 7.2"},
    {"outside-a-structure", "zero-fill", "blas/*",
     "What lies outside a triangle or a band is not referenced: no zero takes its place beside "
     "infinity or NaN.",
     BTF ", 2.2"},
    {"padding", "zero-fill", "nn/*",
     "What a window does not cover, a mask hides or a sparse matrix does not store takes part in "
     "no "
     "product: infinity or NaN in it, or in what it meets, does not show.",
     "this tool; texts say that the padding is zeros"},
    {"special-factor", "scalar-not-finite", "*",
     "A factor alpha or beta of NaN or infinity reaches every result.", IEEE ", 6.2"},
    {"beta-zero", "beta-zero", "*",
     "With beta = 0 the output is not read: NaN in it does not show.", BTF ", 2.7"},
    {"alpha-zero", "alpha-zero", "*", "With alpha = 0 the factors are not read.",
     BTF ", 2.7; " RBLAS ", dgemm.f"},
    {"empty", "empty", "*",
     "Where an extent is 0 the routine returns; outputs are scaled or kept as it says. With k = 0 "
     "C becomes beta C.",
     BTF "; " RBLAS ", dgemm.f"},
    {"empty-reduction", "", "nn/sum nn/norm1 nn/norm2 nn/sum_squares nn/prod",
     "A sum of no elements is 0, a product of none 1.", ONNX ", ReduceSum and ReduceProd"},
    {"empty-moments", "", "nn/mean nn/var nn/std nn/*_loss",
     "A mean, variance or deviation of no elements is NaN, and so is a variance or deviation of no "
     "more elements than its correction.",
     "array API standard, mean, var and std: N is 0, or N less the correction is not above 0; " IEEE
     ", 7.2: 0 over 0"},
    {"empty-truth", "", "nn/all nn/any nn/logsumexp",
     "Of no elements all are true and none is; the logarithm of no exponentials is -infinity.",
     "array API standard, all and any: an empty array; " ONNX ", ReduceLogSumExp"},
    {"backwards", "backwards", "blas/*",
     "A negative increment stores a vector from its last element to its first.", BTF},
    {"one-vector-backwards", "backwards-counts",
     "blas/scal blas/rscal blas/asum blas/iamax blas/iamin",
     "A routine on one vector does nothing, or gives 0, for an increment below 1.",
     RBLAS ", dscal.f, dasum.f and idamax.f: returns where INCX <= 0"},
    {"norm-backwards", "backwards-is-empty", "blas/nrm2",
     "nrm2 runs through a vector with any increment; one of 0 has its first element n times.",
     RBLAS " since 3.10, dnrm2.f90: argument INCX"},
    {"index-nan", "index-nan index-first-nan index-skips-nan", "blas/iamax blas/iamin",
     "The place is that which a running comparison with > finds: NaN wins only in the first place.",
     RBLAS ", idamax.f"},
    {"first-place", "", "nn/argmax nn/argmin", "Of equal elements the first is the one.",
     ONNX ", ArgMax: select_last_index"},
    {"zero-sign", "negative-zero", "*",
     "-0 is a zero: it changes no value.  Copies, negatives, magnitudes, conversions, products and "
     "functions that are 0 exactly have the sign that they must; a sum of many terms of which one "
     "is 0 may have either, and so may beta C where alpha is 0: a table of its own.",
     IEEE ", 5.4.2, 5.5.1 and 6.3; C23, F.10; array API standard, special cases; for sums " RBLAS
          ", dgemm.f: the text adds alpha*op( A )*op( B )"},
    {"usual-zero", "other-zero", "*",
     "A zero that no text gives a sign is +0, or the one that was there.",
     "this tool: no text demands it"},
    {"ranges", "", "nn/*",
     "A function has the values that texts name at the ends of its domain, beyond them, at poles "
     "and "
     "at zeros, and does not leave the closed range that a text gives: a table of its own.",
     "C23, F.10 and 7.12; array API standard, special cases; " IEEE ", 6 and 9.2"},
    {"overflow", "overflow", "*",
     "A result within the range is found unless a partial sum leaves it; norms never overflow on "
     "the way.",
     "Blue, ACM TOMS 4 (1978); " RBLAS " since 3.10, dnrm2.f90"},
    {"gradual-underflow", "underflow flush", "*", "Subnormal arguments and results are kept.",
     IEEE ", 7.5"},
    {"ranks", "", "nn/*",
     "Operands of every rank that the operator's definition names are taken; what a library says "
     "otherwise is a table of its own.",
     "array API standard, Array object: a rank of 0 and more; " ONNX
     ": N x C x D1 ... Dn and the like"},
    {"illegal-argument", "illegal-argument", "*",
     "An illegal argument is reported, nothing is written, and the process goes on.", BTF ", 1.8"},
    {"argument-number", "argument-number", "blas/*",
     "The error handler gets the number of the illegal argument, counted from 1 in the interface "
     "that was called.",
     BTF ", 1.8 and B.2"},
    {"rotation-of-zero", "old-rotation-of-zero", "blas/rotg",
     "Complex rotg with a = 0 gives c = 0, s = conj(b)/|b|, r = |b|.",
     RBLAS " since 3.10, zrotg.f90: formulas of c, s and r"},
    {"alpha-times-sum", "alpha-factored", "blas/*",
     "beta C is added to alpha times the sum, each rounded as such.",
     RBLAS ", dgemm.f: C := alpha*op( A )*op( B ) + beta*C"},
    {"position", "position", "*",
     "Where operands lie in memory, and at which place of them an element lies that counts alone, "
     "does not change a bit of a result: the same numbers, the same kernel.",
     "this tool: a library agrees with itself"},
    {"threads", "threads", "*", "The number of threads does not change a result beyond its bound.",
     "this tool"},
    {"shared-inputs", "shared-inputs", "*", "Two inputs may be the same array.",
     "Fortran 2018, 15.5.2.13: only arguments that are defined may not overlap"},
    {"in-place", "in-place", "*",
     "An operator of which each element needs the inputs at its own place only may write over one "
     "of them.",
     "oneDNN, Eltwise: in-place operation; for other libraries this tool"},
    {"function-accuracy", "absolute-accuracy", "nn/*",
     "A function is accurate in the last places of its result.", "OpenCL C 3.0, 7.4"},
    {"function-range", "early-infinity", "nn/sinh nn/cosh nn/asinh nn/acosh nn/log1p",
     "A function is finite wherever its value is within the range.", IEEE ", 7.4"},
    {"deflation", "absolute-deflation",
     "lapack/gees lapack/geesx lapack/hseqr lapack/trexc lapack/trsen",
     "Eigenvalues and Schur form are those of a matrix that is off by some roundings of its norm, "
     "however small that is.",
     "LAPACK Users' Guide, 3rd ed., 4.8: |E| <= p(n) eps |A|"},
    {"nan-seen", "nan-lost", SPECTRA,
     "Eigenvalues or singular values of a matrix with a NaN have one that is not finite, or info "
     "is "
     "not 0, or fewer are found.",
     IEEE
     ", 6.2; Demmel and others, Proposed Consistent Exception Handling for the BLAS and LAPACK "
     "(2022)"},
    {"nan-where-it-is-read", "", "linalg/eigh linalg/eigvalsh linalg/svd linalg/svdvals",
     "Of a matrix with a NaN one eigenvalue or singular value is not finite, or it is refused.  Of "
     "spectra that holds of the lower triangle; a NaN above it shows or not.",
     SETTLED "NumPy, linalg.eigh, and PyTorch, torch.linalg.eigh: UPLO is 'L'; JAX, "
             "jax.numpy.linalg.eigh: symmetrize_input; " IEEE ", 6.2"},
    {"complex-range", "complex-by-formula", "nn/*",
     "A modulus, quotient or function of a complex number that is within the range is found, "
     "though "
     "squares or exponentials of the parts are not; products are (ac - bd) + (ad + bc) j.",
     "C23, 7.3.8.1 (cabs is hypot without undue overflow) and G.5.2; array API standard, multiply"},
    {"complex-derivatives", "", "nn/angle_backward nn/sign_backward",
     "The gradient of an angle or a direction may be anything where a number or dy is not finite.",
     OPEN "C23, G.6, has no derivatives"},
    {"complex-poles", "",
     "nn/atan_backward nn/atanh_backward nn/log_backward nn/log10_backward nn/log1p_backward "
     "nn/log2_backward nn/reciprocal_backward nn/rsqrt_backward nn/sqrt_backward "
     "nn/acos_backward nn/acosh_backward nn/asin_backward",
     "The gradient of a number at a complex pole of the slope has no part that is finite.",
     SETTLED "C23, G.5.2: a number over zero is an infinity; its other part, and NaN of quotients "
             "by their formula, array API standard, divide"},
    {"complex-special-values", "complex-special", "nn/*",
     "Functions of infinities, NaN and zeros of either sign have the values and branch cuts of "
     "Annex G; unspecified signs, and what products, quotients and powers give there, are free.",
     "C23, G.6; array API standard, special cases for complex floating-point operands"},
    {"complex-convolutions", "", "nn/conv?d nn/conv_transpose?d",
     "A convolution of complex numbers sums four products for each, or three.  NaN in a factor is "
     "NaN in both parts.  Where a factor has an infinity no part is a number: each is what four "
     "products make, or NaN, and where they make NaN an infinity.",
     SETTLED "C23, G.5.2, puts infinities in the place of NaN; array API standard, multiply, "
             "leaves that to the implementation"},
    {"correct-rounding", "faithful-rounding", "nn/*",
     "A square root, reciprocal, quotient or square is rounded correctly.",
     IEEE ", 5.4; array API standard, Accuracy"},
    {"half-precision", "narrow-arithmetic narrow-functions", "*",
     "Sums and functions of half precision are computed in binary32 and rounded once.",
     "this tool"},
    {"variance", "running-means one-pass-variance", "nn/*norm* nn/var* nn/std*",
     "The variance is that of the deviations from the mean; the mean of squares less the square of "
     "the mean loses it where the mean is large.",
     ONNX ", BatchNormalization: sum(sqrd(x_i - x_avg)) / N; LayerNormalization: Var"},
    {"mean-first", "folded-mean", "nn/*norm*",
     "The mean is subtracted before the scale multiplies.",
     ONNX ", BatchNormalization: Y = (X - input_mean) / sqrt(input_var + epsilon) * scale + B"},
    {"nan-of-comparisons", "nan-by-comparison", "nn/*",
     "NaN goes through functions that are made of comparisons, as the greatest of some numbers is: "
     "a table of its own.",
     IEEE ", 6.2 and 9.6; texts of each function"},
    {"ends-exchanged", "", "nn/clamp",
     "Where the lower end is above the upper one every result is the upper one; NaN as an end is "
     "NaN of every result.",
     ONNX
     ", Clip: every element becomes max where min is greater; PyTorch, torch.clamp, and NumPy, "
     "clip, likewise; array API standard, clip, special cases: NaN of an operand (pull "
     "request 813)"},
    {"numbers-excluded", "",
     "nn/smooth_l1_loss nn/huber_loss nn/gaussian_nll_loss nn/triplet_margin_loss nn/*quantile "
     "nn/dropout nn/non_max_suppression nn/slice nn/unfold nn/arange nn/linspace nn/logspace "
     "nn/histc nn/bincount nn/celu nn/softshrink nn/kthvalue nn/tile nn/repeat_interleave "
     "nn/select nn/channel_shuffle nn/pixel_shuffle nn/pixel_unshuffle nn/space_to_depth "
     "nn/group_norm nn/interpolate?d nn/adaptive_*_pool?d nn/*_window nn/multinomial nn/normal "
     "nn/log_normal nn/exponential nn/cauchy nn/laplace nn/gumbel nn/logistic nn/rayleigh "
     "nn/weibull nn/poisson nn/geometric nn/binomial nn/bernoulli nn/trunc_normal nn/stft "
     "nn/quantize nn/fake_quantize",
     "A number that the operator's text excludes is refused.",
     "PyTorch, SmoothL1Loss: beta \"must be non-negative\"; HuberLoss: delta \"must be "
     "positive\"; quantile: q \"in the range [0, 1]\"; " ONNX
     ", Dropout and NonMaxSuppression: value range; Slice: steps \"cannot be 0\"; "
     "GroupNormalization: "
     "num_groups \"should be a divisor\"; NumPy, linspace: num \"Must be non-negative\"; PyTorch, "
     "Softshrink: lambda \"must be no less than zero\"; poisson: input \"must be non-negative\"; "
     "bincount: minlength \"Should be non-negative\"; "
     "fake_quantize_per_tensor_affine: zero_point \"must be between quant_min and quant_max\"; of "
     "others the errors of PyTorch and NumPy, "
     "and "
     "where a library has none and no text, its row leaves the argument out"},
    {"norm-orders", "", "nn/norm",
     "The norm of order 0 counts what is not 0; those of infinity and -infinity are the greatest "
     "and the least magnitude; every other order, also below 0, is the root of the sum of powers.",
     "array API standard, vector_norm; PyTorch, torch.linalg.vector_norm"},
    {"nan-of-formulas", "nan-clamped", "nn/*", "NaN stays NaN.", IEEE ", 6.2"},
    {"integer-products", "saturated-pairs", "nn/*_integer nn/*_quantized",
     "Products of 8 bits never overflow, and sums only in 32 bits.",
     ONNX ", MatMulInteger: \"The production MUST never overflow\""},
    {"quantised-rounding", "zero-point-first", "nn/*_quantized",
     "The scaled sum is rounded before the zero point is added.",
     ONNX
     ", QuantizeLinear: saturate((x / y_scale) + y_zero_point); for (x / y_scale), it rounds to "
     "the nearest even"},
    {"integer-quotient", "", "nn/div", "Quotients of integers are truncated towards 0.",
     ONNX ", Div"},
    {"integer-overflow", "", "nn/*",
     "An integer beyond its range is what two's complement leaves of it, or the end of the range.",
     SETTLED
     "array API standard, Data Types: overflow is implementation-defined; NumPy, Data types: "
     "wraps; ONNX Runtime, pull request 28743: reductions saturate on the CPU"},
    {"close-to-infinity", "", "nn/isclose nn/allclose",
     "An infinite b with a relative tolerance may be close to anything: the tolerance is infinite. "
     "An infinite a may be close to what has a tolerance beyond the range.",
     OPEN
     "PyTorch, torch.isclose: the formula, and that infinities are close where they are equal"},
    {"shift-count", "", "nn/bitwise_left_shift nn/bitwise_right_shift",
     "A count below 0, or of the width of the type and more, gives anything, and ends no process.",
     OPEN
     "C17, 6.5.7: undefined; TensorFlow, tf.bitwise.left_shift: \"the result is implementation "
     "defined\"; ONNX, BitShift, has unsigned types only"},
    {"integer-power", "", "nn/pow",
     "A power of integers is the product of the first as often as the second says, which is not "
     "negative; to the power 0 it is 1.",
     "array API standard, pow: of a negative second one unspecified; Python, 6.5"},
    {"integer-remainder", "", "nn/fmod nn/remainder",
     "A remainder of integers is that of the quotient which is truncated, with the sign of the "
     "first, or of the greatest integer below, with the sign of the second; that of the least "
     "integer and -1 is 0.",
     "NumPy, fmod; array API standard, remainder; Python, 6.7"},
    {"boolean-arithmetic", "", "nn/add nn/mul nn/diff nn/kron nn/sign",
     "Arithmetic of booleans is that of the integers 0 and 1, and the result is whether the "
     "integer is not 0.",
     "C23, 6.3.1.2: true where the value is not zero; NumPy, diff: of booleans False where "
     "consecutive elements are the same"},
    {"sums-of-truths", "", "nn/sum nn/prod",
     "A sum or a product of booleans is an integer: how many are true, or whether all are.",
     "NumPy, sum: the default platform integer where the integers are shorter; array API standard, "
     "sum; PyTorch, torch.sum"},
    {"integer-floor", "", "nn/floor_divide",
     "A quotient of integers is the greatest integer below; that of the least integer and -1 is "
     "beyond the range.",
     "array API standard, floor_divide; Python, 6.7"},
    {"common-multiple", "", "nn/lcm",
     "A least common multiple within the range is found, also where the product is beyond it.",
     "NumPy, lcm; PyTorch, torch.lcm"},
    {"cast", "", "nn/cast",
     "A number within the range is truncated, one outside is not defined; integers lose their "
     "higher bits.",
     ONNX ", Cast"},
    {"rounding", "halves-up", "nn/round nn/quantize* nn/fake_quantize*",
     "Halves are rounded to the even neighbour.",
     ONNX ", Round and QuantizeLinear; PyTorch, fake_quantize_per_tensor_affine: nearbyint"},
    {"saturation", "", "nn/quantize* nn/fake_quantize*",
     "A number beyond the ends, an infinity as well, becomes the end on its side.",
     ONNX ", QuantizeLinear: saturate; PyTorch, fake_quantize_per_tensor_affine: min(quant_max, "
          "max(quant_min, ...))"},
    {"straight-through", "", "nn/fake_quantize*_backward",
     "The gradient goes through where a number lies within the ends before it is limited, and is 0 "
     "elsewhere; of NaN either.",
     "Jacob et al. (CVPR 2018), 3; PyTorch, fake_quantize_per_tensor_affine_cachemask"},
    {"range-of-nothing", "", "nn/dynamic_quantize",
     "The scale and the zero point of zeros alone, or of numbers of which one is not finite, and "
     "what is quantised by them, may be anything.",
     OPEN ONNX ", DynamicQuantizeLinear: a quotient of zeros"},
    {"grid-of-one", "", "nn/affine_grid*",
     "With corners aligned the coordinate of the only place along an axis may be anything.",
     "this tool; " ONNX ", AffineGrid, has steps of 2 / (size - 1), PyTorch 0, PaddlePaddle NaN"},
    {"regions-at-the-edge", "", "nn/roi_align",
     "A sample that a rounding puts outside is 0 or not, and one outside of an image that is not "
     "finite 0 or NaN.  A bin at a coordinate that is not finite, or of which a rounding counts "
     "the "
     "samples, is NaN, or no larger than the elements.",
     SETTLED ONNX ", RoiAlign: ceil(roi_width / output_width) samples"},
    {"bin-without-samples", "", "nn/roi_align",
     "The greatest of no samples, or with an infinity whose weight is within rounding of 0, may be "
     "anything.",
     OPEN ONNX ", RoiAlign, does not speak of it"},
    {"greatest-of-samples", "", "nn/roi_align",
     "The greatest of a bin is that of its samples, each interpolated.",
     ONNX ", RoiAlign: \"the value of the sampled locations are computed directly through bilinear "
          "interpolation\""},
    {"taps-outside", "", "nn/deform_conv2d*",
     "A tap that lies outside adds nothing, or 0 times its mask and its weight, which is NaN where "
     "one of them is not finite; so do the elements beside the image, which is NaN where the image "
     "is not finite.",
     SETTLED ONNX ", DeformConv, does not speak of places outside"},
    {"slopes-at-elements", "", "nn/deform_conv2d_backward nn/grid_sample_backward",
     "Where a coordinate may lie on an element, linear interpolation has a slope on either side: "
     "the gradient of the coordinate is that of one of them, or between.",
     SETTLED ONNX ", GridSample and DeformConv, have no gradients"},
    {"equal-scores", "", "nn/non_max_suppression",
     "Of equal scores either comes first, and an overlap within rounding of the threshold "
     "suppresses "
     "or not; with NaN among the scores the order is open.",
     SETTLED ONNX ", NonMaxSuppression, does not speak of equal scores"},
    {"labels-that-do-not-fit", "", "nn/ctc_loss",
     "The loss of labels that no path leads to, as of a sequence that is too short for them, is "
     "infinity or a number that is not negative.",
     SETTLED "Graves et al. (ICML 2006): the logarithm of a probability of 0; PyTorch, CTCLoss, "
             "zero_infinity: infinite losses; TensorFlow gives a large number, PaddlePaddle 0"},
    {"score-of-nan", "", "nn/ctc_loss",
     "The loss is NaN where a score of a step that counts is NaN or infinity: so is the softmax of "
     "the step, which every path goes through.",
     IEEE ", 6.2; PyTorch, CTCLoss: log_softmax"},
    {"gradient-of-no-path", "", "nn/ctc_loss_backward",
     "Where no path leads to the labels, or the loss is infinite, a gradient is dy times the "
     "softmax less a share from 0 to 1, or NaN.  Where the loss is NaN, so is the gradient of each "
     "class that a path goes through, and of all at a step with NaN; that of another class is dy "
     "times the softmax, or NaN.  Behind the last step it is 0, or NaN where a mask multiplies "
     "what "
     "no number is.",
     SETTLED "Graves et al. (ICML 2006), eq. 16: the softmax less shares, which are 0 over 0; "
             "PyTorch, CTCLoss, zero_infinity: 0 on demand only"},
    {"deviation-of-zero", "", "nn/mean_variance_norm",
     "Numbers that are equal give 0 or NaN: 1e-9 is added to their deviation, or it is divided by.",
     SETTLED ONNX ", MeanVarianceNormalization: formula and function"},
    {"mel-edges", "", "nn/mel_weights",
     "Edges lie (high - low) / (bins + 2) apart on the mel scale; each belongs to a bin of the "
     "spectrum, floor((dft_length + 1) f / sample_rate), where a triangle that does not rise is 1.",
     ONNX ", MelWeightMatrix, and its reference implementation"},
    {"turned-pairs", "", "nn/rotary_embedding",
     "Elements behind those that are turned are copied; pairs are of halves unless they are "
     "interleaved.",
     ONNX ", RotaryEmbedding: rotary_embedding_dim and interleaved"},
    {"quantised-scale", "", "nn/*_quantized",
     "What scales make that are not positive, or whose products, quotients or their reciprocals "
     "are "
     "no normal numbers, may be anything.",
     OPEN ONNX ", QuantizeLinear, does not speak of such scales"},
    {"quotient-by-scale", "",
     "nn/quantize nn/dequantize nn/fake_quantize nn/fake_quantize_backward nn/*quantize_axis*",
     "Scales of 0, NaN, infinity, negative ones, and such whose reciprocal is no normal number, "
     "divide and "
     "multiply as others do; a product with the reciprocal, which may be infinite or 0, is right "
     "too.  Infinite quotients become an end of the type.",
     ONNX ", QuantizeLinear: y = saturate((x / y_scale) + y_zero_point); DequantizeLinear: y = (x "
          "- x_zero_point) * x_scale; " IEEE ", 6.1 and 7.2"},
    {"index-range", "",
     "nn/gather nn/take* nn/scatter* nn/index_* nn/embedding nn/embedding_bag "
     "nn/embedding_bag_offsets nn/max_unpool nn/unravel_index nn/nll_loss nn/cross_entropy "
     "nn/multi_margin_loss",
     "An index beyond its axis is an error, and so is one before it, unless the library's text "
     "says "
     "otherwise.",
     ONNX ", Gather: \"It is an error if any of the index values are out of bounds\"; TensorFlow, "
          "sparse_softmax_cross_entropy_with_logits: other labels \"will raise an exception when "
          "this op is run on CPU\"; PyTorch, torch.nn.EmbeddingBag: offsets of which the first is "
          "not 0 are refused; of others the errors of the libraries"},
    {"negative-segments", "", "nn/segment_*",
     "The number of a segment behind the last one is an error; with a negative one the slice may "
     "be dropped.",
     SETTLED "TensorFlow, tf.math.unsorted_segment_sum: \"On CPU, values in segment_ids are always "
             "validated to be less than num_segments\", \"If the given segment ID i is negative, "
             "the value is dropped\"; JAX, jax.ops.segment_sum: values outside of the range are "
             "dropped"},
    {"classes-outside", "", "nn/one_hot",
     "An index outside of the classes is an error, or a row of zeros.",
     SETTLED ONNX ", OneHot: \"all output values will be set to off_value\"; TensorFlow and JAX, "
                  "one_hot, likewise; PyTorch: \"Class values must be smaller than num_classes\""},
    {"padding-excluded", "", "nn/conv?d nn/conv_transpose?d nn/max_pool?d nn/avg_pool?d",
     "Negative padding is refused; so are padding of pools that is as wide as a window, and "
     "output_padding of the stride and the dilation; where a library has no such error and no text "
     "any of them may be computed, as ONNX Runtime crops by negative padding of convolutions.",
     "PyTorch, MaxPool1d and AvgPool1d: \"pad should be at most half of effective kernel size\", "
     "and "
     "its error of negative padding; " ONNX
     ", Conv and MaxPool: pads \"can take any value greater than or equal to 0\"; ConvTranspose: "
     "output_padding \"must be less than the corresponding stride/dilation dimension\""},
    {"ends-of-laws", "", "nn/uniform nn/randint",
     "No number is drawn between ends of which the upper one lies below the lower one, or between "
     "equal ones that are whole: an error, where the library has one.",
     "PyTorch, Tensor.uniform_ and Tensor.random_: errors; NumPy, Generator.uniform: high - low "
     "\"must be non-negative\", Generator.integers: low >= high; NumPy, RandomState.uniform: \"the "
     "results are officially undefined\""},
    {"numbers-of-no-text", "", "nn/*",
     "A number of a call that is 0, negative, NaN, infinite or far beyond what memory holds, as a "
     "negative epsilon, is answered or refused, and ends no process.",
     OPEN "PyTorch 2.15, F.batch_norm, alone refuses an epsilon below 0, of which no other text "
          "speaks"},
    {"ceil-mode", "", "nn/*_pool*",
     "With ceil_mode, windows that would start in the right padding are ignored.",
     ONNX ", AveragePool and MaxPool"},
    {"coordinates", "float-coordinates", "nn/grid_sample* nn/interpolate*",
     "Coordinates of binary64 images are computed in binary64.", "this tool"},
    {"nan-of-slopes", "",
     "nn/relu_backward nn/abs_backward nn/*relu*_backward nn/hard*_backward nn/*elu_backward "
     "nn/softshrink_backward nn/clamp_backward nn/maximum_backward nn/minimum_backward "
     "nn/amax_backward nn/amin_backward nn/segment_max_backward nn/segment_min_backward "
     "nn/norm1_backward nn/l1_loss_backward "
     "nn/max_pool*_backward "
     "nn/adaptive_max_pool*_backward nn/fake_quantize*_backward",
     "Where NaN is compared, the gradient is that of any branch, or NaN; where the slope is 0, NaN "
     "of the gradient is NaN or 0.",
     SETTLED "no text speaks of slopes at NaN, or of whether a mask multiplies or chooses"},
    {"place-of-nan", "", "nn/argmax nn/argmin",
     "In a row with NaN the place is that of the first NaN, that of the extreme number, or what a "
     "running comparison finds.",
     SETTLED ONNX ", ArgMax, and array API standard, argmax, do not speak of NaN"},
    {"order-of-nan", "", "nn/sort nn/topk nn/sort_backward nn/topk_backward",
     "NaN lies behind all numbers or before them, and the numbers are in order.",
     SETTLED ONNX ", TopK, does not speak of NaN; array API standard, sort: not specified"},
    {"search-of-nan", "", "nn/searchsorted",
     "NaN lies before all numbers or behind them.  In a line that ends with NaN a number has its "
     "place among the numbers, or the end of the line, where the search takes NaN for less; NaN "
     "has the place 0, that behind the numbers, or the end.",
     SETTLED "array API standard, searchsorted: x1 is sorted; NumPy, sort: NaN come last; PyTorch, "
             "torch.searchsorted: 0 or the size where no index is suitable"},
    {"unique-nan", "", "nn/unique nn/unique_counts",
     "NaN is listed once or as often as it comes, behind the numbers or before them; the numbers "
     "are listed in order, each once.",
     SETTLED "array API standard, unique_all: NaN are distinct; NumPy, unique: equal_nan is True; "
             "ONNX, Unique, and PyTorch, torch.unique, do not speak of NaN"},
    {"place-among-nan", "", "nn/unique nn/unique_counts",
     "The place of one of several NaN may be any of the line; so may a count be that four ways to "
     "list NaN make different.",
     OPEN "array API standard, unique_all: NaN are distinct, in no order"},
    {"mode-of-nan", "", "nn/mode_value",
     "Of several numbers that come most often any is the one, and in a line with NaN so is NaN.",
     SETTLED "PyTorch, torch.mode: the value which appears most often in that row; it does not "
             "speak of NaN (issue 46225)"},
    {"mode-of-many", "", "nn/mode_value",
     "Where more than three numbers come most often the result may be any number from the least of "
     "all to the greatest.",
     OPEN "no text names one of them"},
    {"bag-of-nan", "", "nn/embedding_bag nn/embedding_bag_offsets",
     "The greatest of a bag with NaN may be anything.",
     OPEN "PyTorch, nn.EmbeddingBag, does not speak of NaN"},
    {"segment-of-nothing", "", "nn/segment_max nn/segment_mean nn/segment_min",
     "The mean, the greatest and the least of a segment without elements may be anything.",
     OPEN "TensorFlow, tf.math.segment_max: 0, unsorted_segment_max: the least number; PyTorch, "
          "segment_reduce: an initial value, which is not named"},
    {"integer-of-nan", "", "nn/cast nn/quantize*",
     "An integer that is made of NaN or of a number out of range may be anything, unless it "
     "saturates.",
     OPEN "C23, F.4: the value is unspecified; " ONNX ", Cast: undefined"},
    {"fake-quantize-of-nan", "", "nn/fake_quantize nn/fake_quantize_axis",
     "NaN becomes NaN or a multiple of the scale within the ends.",
     SETTLED "PyTorch, fake_quantize_per_tensor_affine: min(quant_max, max(quant_min, ...)) of an "
             "integer made of NaN"},
    {"rotation-of-infinity", "", "blas/rotg blas/rotmg",
     "A rotation of an infinity, a modified one of NaN, and a complex one of either may be "
     "anything.",
     OPEN RBLAS ", drotg.f90 and drotmg.f: formulas of finite numbers"},
    {"inverse-not-finite", "",
     "lapack/trtri lapack/potri lapack/pptri lapack/tptri lapack/hetri lapack/sytri",
     "The inverse of a matrix with a NaN or an infinity may be anything.",
     OPEN "LAPACK Users' Guide: matrices of numbers"},
    {"eigenvalues-not-finite", "",
     "lapack/gebal lapack/gees lapack/geesx lapack/gges lapack/geev lapack/gehrd lapack/ggbal "
     "lapack/gghrd "
     "lapack/hseqr",
     "What is made of a matrix with a NaN or an infinity on the way to its eigenvalues may be "
     "anything; the routine returns, and touches its arguments alone.",
     OPEN "LAPACK Users' Guide: matrices of numbers; dgeev.f says info = -4 of NaN after 3.12"},
    {"condition-not-finite", "", "lapack/*con",
     "The estimated condition of a matrix with a NaN or an infinity may be anything.",
     OPEN "LAPACK Users' Guide: matrices of numbers"},
    {"scale-factors-not-finite", "", "lapack/geequ lapack/poequ",
     "Factors that scale a matrix with a NaN or an infinity may be anything.",
     OPEN "LAPACK Users' Guide: matrices of numbers"},
    {"matrix-functions-not-finite", "", "linalg/matrix_power linalg/pinv",
     "A power or the pseudoinverse of a matrix with a NaN or an infinity, or whose elements leave "
     "the range, may be anything.",
     OPEN "array API standard, matrix_power and pinv: nothing of numbers that are not finite"},
    {"refinement-not-finite", "", "lapack/tbrfs lapack/tprfs lapack/trrfs",
     "Bounds of errors of systems with a NaN or an infinity, or near the ends of the range, may be "
     "anything.",
     OPEN "LAPACK Users' Guide: matrices of numbers"},
    {"sylvester-not-finite", "", "lapack/tgsyl lapack/trsyl",
     "X of matrices with a NaN or an infinity, or near the ends of the range, may be anything.",
     OPEN "LAPACK Users' Guide: matrices of numbers"},
    {"eigenvectors-not-finite", "",
     "lapack/gebak lapack/ggbak lapack/tgevc lapack/tgsen lapack/trevc lapack/trsna",
     "Eigenvectors with a NaN or an infinity, or that may leave the range, may have anything.",
     OPEN "LAPACK Users' Guide: matrices of numbers"},
    {"reflections-not-finite", "", "lapack/org* lapack/orm* lapack/gemqrt",
     "Reflections with a NaN or an infinity, or whose products leave the range, may give anything.",
     OPEN "LAPACK Users' Guide: matrices of numbers"},
    {"spectrum-not-finite", "",
     "nn/stft nn/fft nn/fftn nn/ifft nn/ifftn nn/rfft nn/rfftn nn/irfft nn/irfftn nn/hfft nn/hfftn "
     "nn/ihfft "
     "nn/ihfftn",
     "A result that has a NaN times a factor other than 0 is NaN, and one that has an infinity so "
     "is no "
     "number; where all that is not finite has a factor of 0 it may be anything.  So may results "
     "be "
     "of a length that is no power of 2, where sums of the convolution that it may be leave the "
     "range.",
     OPEN "whether a product with 0, or a convolution, is formed follows from the factors of the "
          "length"},
    {"gamma-of-matrices", "", "nn/multigammaln",
     "The multivariate gamma function up to (p - 1) / 2 may be anything.",
     OPEN "DLMF 35.3.4: defined above it; PyTorch, torch.mvlgamma: undefined there"},
    {"zeta-at-infinity", "", "nn/zeta nn/polygamma",
     "A zeta function of an infinity and a number up to 0 may be anything.",
     OPEN "DLMF 25.11.1: a sum that has no limit there"},
    {"law-outside", "",
     "nn/betaln nn/chi2_logpdf nn/euler_beta nn/gamma_logpdf nn/kl_term nn/poisson_cdf "
     "nn/poisson_logpmf nn/rel_entr nn/t_logpdf",
     "A beta function at a pole, and the law of parameters that it is not defined for, or of "
     "infinite ones, may be anything.",
     OPEN "DLMF 5.12.1: for parts above 0; SciPy, stats: a parameter below 0 is refused"},
    {"slope-at-pole", "", "nn/digamma_backward nn/sinc_backward",
     "The slope of digamma at a pole, and slopes at infinities, may be anything.",
     OPEN "DLMF 5.15: not at poles; a sine of an infinity is NaN"},
    {"coordinate-not-finite", "", "nn/deform_conv2d*",
     "At a coordinate that is not finite a sample is NaN, 0, or no larger than the elements of its "
     "channel; an element has of a gradient no more than that, and a slope is within twice the "
     "elements.",
     SETTLED ONNX ", DeformConv, does not speak of it: weights between 0 and 1, or NaN"},
    {"gradient-at-no-place", "", "nn/grid_sample_backward",
     "A gradient at a coordinate that is not finite, or mirrored without end, reaches any element "
     "of its channel by a weight that linear interpolation has, or as NaN, and no other; that of "
     "the coordinate is NaN, or a slope that elements of that size have.  Where the gradient or an "
     "element is infinite as well, it may be anything.",
     OPEN "PyTorch, grid_sample: NaN is taken for -1; " ONNX ", GridSample, does not speak of it"},
    {"grid-not-finite", "", "nn/grid_sample",
     "At a coordinate of NaN, or one that is mirrored without end, a result is NaN, 0, or no "
     "larger "
     "than the elements, by a factor of 1.5 along an axis where interpolation is cubic.  An "
     "infinite one lies outside: there is 0 or the last element, or NaN of weights of NaN.",
     SETTLED
     "PyTorch, grid_sample: NaN is taken for -1, padding_mode for what is out of bound; " ONNX
     ", GridSample, does not speak of NaN"},
    {"infinity-by-zero", "",
     "nn/celu_backward nn/deform_conv2d* nn/interpolate* nn/grid_sample* "
     "nn/norm_backward",
     "An infinity times a factor that is within rounding of 0 may be anything.",
     OPEN "the factor is 0, or of either sign, by the order of its roundings"},
    {"negative-base", "", "nn/pow_backward",
     "The gradient of a power of a negative base may be anything.",
     OPEN "it exists for integers only"},
    {"numbers-of-programs", "", "program/program",
     "Where a conversion to an integer or a branch depends on what is not finite, the rest may be "
     "anything.",
     OPEN "C23, F.4 and 6.3.1.4: undefined"},
    {"row-of-minus-infinity", "",
     "nn/attention nn/attention_backward nn/masked_attention nn/masked_attention_backward",
     "A row whose scores are all -infinity has weights of NaN, 0 over 0, or of 0, as one that is "
     "masked as a whole; where a mask is given, of the columns that it hides as well.",
     SETTLED ONNX ", Attention: softmax; frameworks differ where a mask hides a row"},
    {"equal-formulas", "", "nn/*",
     "An infinity that is a product or a quotient inside of a formula may be NaN where equal "
     "formulas let infinities meet.",
     SETTLED IEEE ", 10.4: a language decides which formulas are equal"},
    {"exponent-of-none", "", "nn/frexp", "The exponent of an infinity or a NaN may be anything.",
     OPEN "C23, 7.12.6.7: it is unspecified"},
    {"law", "",
     "nn/rand nn/uniform nn/randn nn/normal nn/log_normal nn/exponential nn/cauchy nn/laplace "
     "nn/gumbel "
     "nn/logistic nn/rayleigh nn/weibull nn/geometric nn/poisson nn/binomial nn/bernoulli "
     "nn/randint "
     "nn/trunc_normal nn/xavier_* nn/kaiming_* nn/permutations nn/multinomial nn/bernoulli_each"
     " nn/dropout",
     "Draws are independent and follow the law, on a grid as fine as the significand of the type: "
     "a case is rejected wrongly with a probability of 1e-17 at most.",
     "this tool, reference/chance.h; texts name the law"},
    {"seed", "",
     "nn/rand nn/uniform nn/randn nn/normal nn/log_normal nn/exponential nn/cauchy nn/laplace "
     "nn/gumbel "
     "nn/logistic nn/rayleigh nn/weibull nn/geometric nn/poisson nn/binomial nn/bernoulli "
     "nn/randint "
     "nn/trunc_normal nn/xavier_* nn/kaiming_* nn/permutations nn/multinomial nn/bernoulli_each",
     "A seed gives the same draws again, and the next one gives others.",
     "PyTorch, Reproducibility; NumPy, numpy.random.Generator; JAX, jax.random: keys; TensorFlow, "
     "tf.random.stateless_uniform; of others this tool"},
    {"half-open", "", "nn/rand nn/uniform nn/randint",
     "The upper end is not drawn, after rounding to the type too, unless end_included says so.",
     "PyTorch, torch.rand and torch.randint; NumPy, Generator.random and Generator.integers; "
     "TensorFlow, tf.random.uniform; JAX, jax.random.uniform; PaddlePaddle, paddle.uniform"},
    {"zero-waiting-time", "", "nn/exponential", "0 is not drawn, unless zero_included says so.",
     "PyTorch, Tensor.exponential_: its actual support is the interval (0, +inf)"},
    {"weightless", "", "nn/multinomial nn/bernoulli nn/bernoulli_each nn/dropout",
     "What has a chance of 0 never comes, and what has a chance of 1 always does.",
     "PyTorch, torch.multinomial and torch.bernoulli: probabilities; " ONNX ", Bernoulli"},
    {"no-chance", "", "nn/bernoulli_each",
     "What comes with a chance of NaN, or outside [0, 1], may be anything.",
     OPEN ONNX ", Bernoulli: all values in input have to be in the range [0, 1]"},
    {"activations-of-8-bits", "", "nn/matmul_nbits",
     "What is not finite may become anything where activations are rounded to 8 bits, and all "
     "where "
     "a scale lies outside 2^-40 to 2^40, or sums reach 2^100.",
     OPEN "ONNX Runtime, MatMulNBits: how the input A is quantized is not said"},
    {"no-probability", "", "nn/kl_div nn/kl_div_backward",
     "What a target below 0 gives may be anything.",
     OPEN "PyTorch, torch.nn.KLDivLoss: the targets are interpreted as probabilities"},
    {"entries-that-meet", "", "nn/entries_to_dense nn/entries_matmul",
     "Entries of one place are added, in any order, and none of them is lost.",
     "SciPy, scipy.sparse.coo_array: duplicate entries are summed together; PyTorch, torch.sparse: "
     "uncoalesced tensors"},
    {"entries-added-first", "", "nn/entries_matmul",
     "Where several entries of one place, or what they meet, are near the end of the range or not "
     "finite, the result may be anything.",
     OPEN "whether they are added before they are multiplied is not said"},
    {"stored-in-one", "", "nn/sparse_mul",
     "What one matrix alone stores, and is not finite, gives 0, or NaN of its product with the 0 "
     "that the other one stands for there.",
     SETTLED "SciPy, scipy.sparse: what is not stored is 0; PyTorch, torch.sparse: unspecified "
             "elements"},
    {"factors-of-alpha-zero", "", "nn/sparse_gemm",
     "With alpha = 0 factors that are not finite, or whose products are not, may reach the result; "
     "and so may the imaginary part of a hermitian diagonal.",
     OPEN "oneMKL, mkl_sparse_?_mm: y := alpha*op(A)*x + beta*y, and no more of either"},
    {NULL, NULL, NULL, NULL, NULL},
};
