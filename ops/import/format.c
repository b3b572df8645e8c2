#include "format.h"

#include "fx.h"
#include "onnx.h"
#include "torch_trace.h"

const ImportFormat import_formats[] = {
    {"mkl", "lines of MKL_VERBOSE=1", "line", import_mkl_line, NULL},
    {"rocblas", "lines of rocblas-bench and hipblas-bench, and what ROCBLAS_LAYER=2 or 4 writes",
     "line", import_rocblas_line, NULL},
    {"onednn", "lines of ONEDNN_VERBOSE=1 or DNNL_VERBOSE=1, of oneDNN 1 to 3", "line",
     import_onednn_line, NULL},
    {"benchdnn", "command lines of benchdnn, and what it writes of problems that it ran", "line",
     import_benchdnn_line, NULL},
    {"onnx", "the nodes of a model", "node", NULL, import_onnx},
    {"torch", "a trace of PyTorch's profiler with shapes", "event", NULL, import_torch},
    {"fx", "graphs of PyTorch's FX, as print_readable and TORCH_LOGS=aot_graphs write them", "line",
     NULL, import_fx},
    {NULL, NULL, NULL, NULL, NULL},
};
