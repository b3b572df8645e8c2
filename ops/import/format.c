#include "format.h"

const ImportFormat import_formats[] = {
    {"mkl", "lines of MKL_VERBOSE=1", import_mkl_line},
    {"rocblas", "lines of rocblas-bench and hipblas-bench, and what ROCBLAS_LAYER=2 or 4 writes",
     import_rocblas_line},
    {"onednn", "lines of ONEDNN_VERBOSE=1 or DNNL_VERBOSE=1, of oneDNN 1 to 3", import_onednn_line},
    {NULL, NULL, NULL},
};
