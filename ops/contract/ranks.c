/* The ranks that libraries take, with the place where they say so. */
#include "contract.h"

/* Beside limits that a text gives stand those that were met, without a source. */
const RankLimit contract_ranks[] = {
    {"onednn", "*", "nn/*", 0, 12, "A tensor has 12 axes at most; primitives may take fewer.",
     "oneDNN, Data types: DNNL_MAX_NDIMS, \"Maximum number of dimensions a tensor can have\"; 12 "
     "in "
     "dnnl_common_types.h"},
    {"xnnpack", "*", "nn/*", 0, 6, "A tensor has 6 axes at most.",
     "xnnpack.h: XNN_MAX_TENSOR_DIMS, \"Maximum number of dimensions in tensor shape\""},
    {"numpy", "2.0..", "nn/*", 0, 64, "An array has 64 axes at most.",
     "NumPy, pull request 25149: MAXDIMS becomes 64 in 2.0; types-and-structures.rst advertises no "
     "limit"},
    {"numpy", "..1.26", "nn/*", 0, 32, "An array has 32 axes at most.",
     "NumPy 1.26, types-and-structures.rst: \"NPY_MAXDIMS is the largest number of dimensions for "
     "any array\""},
    {"torch", "*", "nn/sum nn/mean nn/prod nn/amax nn/amin nn/var nn/std", 0, 64,
     "A reduction over several axes takes 64 at most.",
     "PyTorch, ATen/WrapDimUtilsMulti.h: \"only tensors with up to 64 dims are supported\""},
    {"paddle", "*", "nn/*", 0, 9, "A tensor has 9 axes at most.",
     "PaddlePaddle, paddle/common/ddim.h: DDim::kMaxRank, \"Invalid rank\""},
    {"paddle", "*", "nn/tile", 0, 6, "What is repeated has 6 axes at most.",
     "PaddlePaddle, paddle.tile: \"Both the number of dimensions of x and the number of elements "
     "in repeat_times should be less than or equal to 6\""},
    {"tensorflow", "*", "nn/flip", 0, 8, "What is reversed has 8 axes at most.",
     "TensorFlow, tf.reverse: \"tensor can have up to 8 dimensions\""},
    {"tensorflow", "*", "nn/add nn/sub nn/mul nn/div nn/maximum nn/minimum nn/expand", 0, 5,
     "Operands that are broadcast along axes by turns have 5 axes at most.", NULL},
    {"tensorflow", "*", "nn/pad", 0, 6, "What is padded has 6 axes at most.", NULL},
    {"tensorflow", "*", "nn/slice nn/nonzero", 0, 8, "What is cut or searched has 8 axes at most.",
     NULL},
    {"ort", "*", "nn/local_response_norm", 4, 4, "Images alone are taken: 4 axes.", NULL},
    {NULL, NULL, NULL, 0, 0, NULL, NULL},
};
