/* The variables that the libraries document. */
#include "knobs.h"

#include <stddef.h>
#include <string.h>

const Knob knobs[] = {
    {"openblas", "OPENBLAS_CORETYPE=Prescott"},
    {"openblas", "OPENBLAS_CORETYPE=Haswell"},
    {"openblas", "OPENBLAS_CORETYPE=SkylakeX"},
    {"openblas", "OPENBLAS_NUM_THREADS=1"},
    {"blis", "BLIS_ARCH_TYPE=generic"},
    {"blis", "BLIS_NUM_THREADS=1"},
    {"mkl", "MKL_CBWR=COMPATIBLE"},
    {"mkl", "MKL_ENABLE_INSTRUCTIONS=AVX2"},
    {"vml", "MKL_ENABLE_INSTRUCTIONS=AVX2"},
    {"onednn", "ONEDNN_MAX_CPU_ISA=SSE41"},
    {"onednn", "ONEDNN_MAX_CPU_ISA=AVX2"},
    {"torch", "ATEN_CPU_CAPABILITY=default"},
    {"torch", "ATEN_CPU_CAPABILITY=avx2"},
    {"torch", "ONEDNN_MAX_CPU_ISA=SSE41"},
    {"tensorflow", "TF_ENABLE_ONEDNN_OPTS=0"},
    {"tensorflow", "ONEDNN_MAX_CPU_ISA=SSE41"},
    {"paddle", "FLAGS_use_mkldnn=0"},
    {"jax", "XLA_FLAGS=--xla_cpu_enable_fast_math=false"},
    {NULL, NULL},
};

bool knob_is_of(const Knob *knob, const char *backend)
{
    return strlen(knob->backend) == strcspn(backend, ":@") &&
           !strncmp(backend, knob->backend, strlen(knob->backend));
}
