/* Values that normalisers change. */
#include "adjustment.h"

#include <string.h>

#include "contract.h"
#include "reference/random.h"

const Adjustment contract_adjustments[] = {
    {"axis axes axis2 dim rotate", "*",
     "An axis of the shape. The one behind the last, and those before the first, are illegal "
     "arguments."},
    {"broadcast_a broadcast_b broadcast_x broadcast_mask broadcast_condition", "*",
     "Axes of the shape, of which an operand has one element, or all that it has."},
    {"shape input_size output_size", "*",
     "Extents that a text keeps from 0 (below), an axis where there is none, and twice an extent "
     "where halves are taken."},
    {"size", "nn/*im2col* nn/col2im", "Extents that a text keeps from 0 (below)."},
    {"size", "nn/unfold nn/unfold_backward",
     "No more than the axis has. More are illegal arguments."},
    {"n extents signature", "program/program",
     "Extents that programs are called with, as large as a vector may be, of which n is the "
     "largest; "
     "a signature says something of several extents alone."},
    {"index", "nn/select*", "A place of the axis. Those beyond it are illegal arguments."},
    {"start", "nn/slice*", "No more than three places behind the last element."},
    {"num_indices k samples parts split_size", "nn/*",
     "As many as there are elements. More are illegal arguments, or draw some twice."},
    {"kernel_size dilation", "*",
     "A window within the padded image. One beyond it is an illegal argument of pools, and of "
     "convolutions in PyTorch."},
    {"pads_begin pads_end", "nn/*pool*",
     "Less than a window, so that none is padding alone: no text says what its greatest element "
     "is.  A whole window, and negative padding, are illegal arguments where texts exclude them."},
    {"pads_begin pads_end output_padding", "nn/conv_transpose*",
     "At least one result along an axis: paddings that take all are illegal arguments, and so is "
     "an output_padding of the stride and the dilation (ONNX, Operators.md, ConvTranspose)."},
    {"pads_begin pads_end", "nn/pad nn/pad_backward",
     "Negative and reflected paddings that the axis has elements for. Others are illegal "
     "arguments."},
    {"activation", "*", "Functions of real numbers."},
    {"epsilon", "*",
     "Numbers of binary32 that are not below 0: PyTorch 2.15 refuses those of batch_norm, and no "
     "text says what others make of them.  Negative ones, NaN and infinities are stray calls."},
    {"scale softcap", "nn/masked_attention*",
     "Magnitudes in binary32 between 2^-6 and 64, or no softcap: libraries take the root of the "
     "scale."},
    {"momentum", "nn/batch_norm_train", "A number of few bits, so that 1 - momentum is exact."},
    {"correction batch", "nn/batch_norm_train", "Variances of more elements than the correction."},
    {"ord", "nn/norm nn/norm_backward", "A number of the element type, or an infinity."},
    {"rtol atol", "nn/isclose nn/allclose",
     "Not below 0 and no NaN: PyTorch refuses those, \"must be greater than or equal to zero\", "
     "and "
     "no text says what others make of them."},
    {"alpha beta gamma negative_slope lambd threshold", "nn/*",
     "0, or numbers within the ranges of most types; magnitudes where a function asks for them: "
     "PyTorch, Softshrink: lambda \"must be no less than zero\"."},
    {"alpha beta k", "nn/local_response_norm",
     "Numbers of binary32 that keep what the power is of above 0."},
    {"p", "nn/dropout", "A probability, which may be 1. Others are illegal arguments."},
    {"q", "nn/quantile nn/nanquantile", "A share. Others are illegal arguments."},
    {"iou_threshold", "nn/non_max_suppression",
     "A share in binary32. Others are illegal arguments."},
    {"beta delta var margin", "nn/*_loss nn/*_loss_backward",
     "Magnitudes, above 0 where a text has them so. Others are illegal arguments."},
    {"place scale end chance", "nn/*",
     "Numbers of moderate size that bf16 has, so that each type is given the same law; deviations "
     "above 0 but for normal, chances within 0 and 1, ends in order."},
    {"value min max", "nn/addcmul nn/clamp nn/index_fill nn/masked_fill",
     "Of integers whole numbers of binary32 that the type has."},
    {"low high", "nn/randint", "Whole numbers that the type has all of, in order."},
    {"window_shape", "nn/*_window", "A number above 0 that bf16 has."},
    {"zero_point zero_point_a zero_point_b zero_point_y", "nn/*",
     "A number of the type that is quantised to, in which operands have it."},
    {"bits block_size", "nn/matmul_nbits",
     "2, 4 or 8 bits and powers of 2 (ONNX Runtime, ContribOperators.md, MatMulNBits)."},
    {"max_norm", "nn/embedding_bag_offsets",
     "0, or magnitudes of moderate size: norms of 0 divide by it."},
    {"padding_idx unused weighted mode num_indices", "nn/embedding_bag_offsets*",
     "A row of the table; weights where a bag is a sum; indices behind the last bag where its "
     "end is given (PyTorch, nn.EmbeddingBag)."},
    {"num_segments", "nn/segment_*", "A segment for elements to be in."},
    {"num_segments num_indices", "nn/put",
     "As many as there are elements, where none is met twice."},
    {"storage_offset strides", "nn/as_strided nn/as_strided_backward",
     "Elements within the storage. Others would be read beside it."},
    {"offset_groups", "nn/deform_conv2d*", "A divisor of the channels."},
    {"labels_a labels_b labels_y diagonal_label", "nn/einsum*",
     "An equation: a label of the result is one of a factor."},
    {"length", "nn/*fft",
     "As many elements as the axis has, where none are asked for; the inverse of a real transform "
     "has two more."},
    {"lower_edge_hertz upper_edge_hertz sample_rate", "nn/mel_weights",
     "Edges in order, below half of the sample rate (ONNX, Operators.md, MelWeightMatrix); three "
     "samples a second where an edge lies in no bin."},
    {"signal_length frame_length", "nn/stft", "A frame that the signal holds."},
    {"sampling_ratio spatial_scale", "nn/roi_align",
     "A number of binary32 of moderate size; samples that are counted where they would be many."},
    {"start step steps", "nn/arange", "Whole numbers that the type has all of."},
    {"steps", "nn/cov nn/corrcoef", "An observation: no text says what is known of none."},
    {"classes", "nn/ctc_loss nn/ctc_loss_backward", "A class beside the blank."},
    {"output_size mode nearest_mode", "nn/interpolate* nn/grid_sample*",
     "Cubic interpolation takes two axes, and a rounding is of the nearest element; at most 4096 "
     "results of three axes."},
    {"head_size max_position rotary_embedding_dim", "nn/rotary_embedding",
     "Pairs of elements, and a row of angles for each position."},
    {"to saturate", "nn/cast",
     "Parts of complex numbers are real; floats of 8 bits alone saturate (ONNX, Cast)."},
    {"step1 step2 step3 step4 step5 step6 step7 step8 from1 from2 from3 from4 from5 from6 from7 "
     "from8 with1 with2 with3 with4 with5 with6 with7 with8",
     "nn/chain", "Steps that a type has, of results that are there."},
    {"alpha beta", "blas/gemm_wide", "Whole numbers of few bits, whose products are exact."},
    {"m", "linalg/lstsq",
     "Not fewer rows than columns: which of many solutions is the shortest is judged of "
     "lapack/gels "
     "and its like."},
    {"matrix", "linalg/matrix_power", "A matrix that has an inverse, where the power is below 0."},
    {"trans", "lapack/*",
     "Transposed of real matrices, conjugated of complex ones. Others are illegal arguments."},
    {"trana tranb isgn", "lapack/trsyl",
     "Of complex matrices conjugated ones, and 1 or -1. Others are illegal arguments."},
    {"m n p", "lapack/gglse lapack/ggglm",
     "p <= n <= m + p of gglse, m <= n <= m + p of ggglm (LAPACK, dgglse.f and dggglm.f). Others "
     "are illegal."},
    {"n room", "lapack/gesvj",
     "No more columns than rows, and the room that dgesvj.f asks for. Others are illegal."},
    {"ijob", "lapack/tgsyl",
     "0 of what is transposed, where it is not looked at (LAPACK, dtgsyl.f)."},
    {"job", "lapack/gesvd lapack/gesdd",
     "All vectors of moderate matrices: the fourth power of the extent is work."},
    {"uplo", "lapack/pttrs lapack/ptrfs", "Of real matrices one way."},
    {"m n", "lapack/lantr", "A trapezoid: its triangle has the smaller extent."},
    {"n", "lapack/gbtrf",
     "No more than one column beyond the band: the others are empty, and room that is cleared for "
     "them has no element."},
    {"kl", "lapack/gb*",
     "Factors of a band without a diagonal below come without exchanges: pivots that are given are "
     "not read (LAPACK, dgbtrs.f: LNOTI)."},
    {"m", "lapack/stein", "Not more vectors than values. Others are illegal."},
    {"m n k", "lapack/or* lapack/gemqrt",
     "Not more reflections than rows and columns. Others are illegal."},
    {"nb", "lapack/geqrt lapack/gemqrt",
     "A block has a column at least, and no more than there are reflections (LAPACK, dgeqrt.f and "
     "dgemqrt.f). Others are illegal."},
    {"equed", "lapack/*",
     "Factors of rows and columns where the factors are given (LAPACK, dgesvx.f)."},
    {"k uplo diag", "nn/sparse_gemm",
     "General matrices have no triangle and no unit diagonal, others are square."},
    {"num_entries", "nn/entries_*",
     "As many entries as there are places, where none is met twice."},
    {"jobvl jobvr", "lapack/geevx",
     "Vectors of both sides where condition numbers are asked for (LAPACK, dgeevx.f)."},
    {"sense", "lapack/geesx",
     "No condition numbers without a choice of values (LAPACK, dgeesx.f: SENSE)."},
    {"ilo ihi", "lapack/*", "1 <= ilo <= ihi <= n (LAPACK, dgebal.f). Others are illegal."},
    {"from to", "lapack/trexc", "Rows of T (LAPACK, dtrexc.f). Others are illegal."},
    {"first last", "lapack/*", "1 <= first <= last <= n (LAPACK, dsyevx.f). Others are illegal."},
    {NULL, NULL, NULL},
};

static bool has_word(const char *words, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return true;
    return false;
}

bool adjustment_is_of(const Adjustment *row, const OpDesc *op, const char *parameter)
{
    return has_word(row->parameters, parameter) && contract_covers(row->operators, op);
}

void adjustment_count(const OpDesc *op, int draws, int counts[OP_PARAMS_MAX])
{
    enum { BYTES = 512 };
    uint8_t bytes[BYTES];
    _Alignas(8) unsigned char drawn[OP_PARAMS_BYTES_MAX] = {0}, legal[OP_PARAMS_BYTES_MAX];
    memset(counts, 0, OP_PARAMS_MAX * sizeof *counts);
    for (int i = 0; i < draws; i++) {
        uint64_t state = random_at(op_tag(op), (uint64_t)i);
        for (size_t k = 0; k < BYTES; k++)
            bytes[k] = (uint8_t)random_next(&state);
        Draw draw = {.choices = {bytes, BYTES, 0}, .scale = 1, .dtypes = op_dtypes(op)};
        for (const Param *param = op->params; param->name; param++)
            param_draw(param, drawn, &draw);
        memcpy(legal, drawn, sizeof legal);
        op_normalise(op, legal);
        for (int p = 0; op->params[p].name; p++)
            counts[p] += op->params[p].kind != PARAM_DTYPE && op->params[p].kind != PARAM_CODE &&
                         !param_equal(&op->params[p], drawn, legal);
    }
}
