/* Knobs that the libraries document. */
#include "knobs.h"

#include <string.h>

const Knob knobs[] = {
    {"openblas", "OPENBLAS_CORETYPE=Prescott", NULL},
    {"openblas", "OPENBLAS_CORETYPE=Haswell", NULL},
    {"openblas", "OPENBLAS_CORETYPE=SkylakeX", NULL},
    {"openblas", "OPENBLAS_NUM_THREADS=1", NULL},
    {"blis", "BLIS_ARCH_TYPE=generic", NULL},
    {"blis", "BLIS_NUM_THREADS=1", NULL},
    {"mkl", "MKL_CBWR=COMPATIBLE", NULL},
    {"mkl", "MKL_ENABLE_INSTRUCTIONS=AVX2", NULL},
    {"vml", "MKL_ENABLE_INSTRUCTIONS=AVX2", NULL},
    {"onednn", "ONEDNN_MAX_CPU_ISA=SSE41", NULL},
    {"onednn", "ONEDNN_MAX_CPU_ISA=AVX2", NULL},
    {"onednn", "ONEDNN_DEFAULT_FPMATH_MODE=STRICT", NULL},
    {"ort", NULL, "+noopt"},
    {"torch", NULL, "+nomkldnn"},
    {"torch", NULL, "+deterministic"},
    {"torch", NULL, "+flush"},
    {"tensorflow", NULL, "+noonednn"},
    {"tensorflow", NULL, "+deterministic"},
    {"torch", "ATEN_CPU_CAPABILITY=default", NULL},
    {"torch", "ATEN_CPU_CAPABILITY=avx2", NULL},
    {"torch", "ONEDNN_MAX_CPU_ISA=SSE41", NULL},
    {"tensorflow", "TF_ENABLE_ONEDNN_OPTS=0", NULL},
    {"tensorflow", "ONEDNN_MAX_CPU_ISA=SSE41", NULL},
    {"paddle", "FLAGS_use_mkldnn=0", NULL},
    {"jax", "XLA_FLAGS=--xla_cpu_enable_fast_math=false", NULL},
    {NULL, NULL, NULL},
};

const char *knob_name(const Knob *knob)
{
    return knob->variable ? knob->variable : knob->word;
}

bool knob_apply(const Knob *knob, Text *backend)
{
    const char *name = text_string(backend);
    size_t length = strcspn(name, ":@"), mode = strcspn(name, "@");
    if (strlen(knob->backend) != length || strncmp(name, knob->backend, length) != 0)
        return false;
    if (!knob->word)
        return true;
    if (strstr(name, knob->word + 1))
        return false;
    Text changed = {0};
    text_append(&changed, name, mode);
    text_printf(&changed, "%s%s%s", mode > length ? "" : ":", knob->word + (mode == length),
                name + mode);
    text_clear(backend);
    text_put(backend, text_string(&changed));
    text_release(&changed);
    return true;
}
