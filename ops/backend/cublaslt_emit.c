/* The plan in source: descriptors, the algorithm of the mode, and the call. */
#include "cublaslt_emit.h"

#include <inttypes.h>

#include "cublas_emit.h"
#include "cublaslt_plan.h"

static const char *const helpers = "\n"
                                   "#include <cublasLt.h>\n"
                                   "\n"
                                   "static uint32_t alignment_of(const void *device)\n"
                                   "{\n"
                                   "    uint32_t aligned = 256;\n"
                                   "    while ((size_t)device % aligned)\n"
                                   "        aligned /= 2;\n"
                                   "    return aligned;\n"
                                   "}\n";

static void put_settings(const char *kind, const char *name, const LtSetting *settings, int count,
                         Text *call)
{
    for (int i = 0; i < count; i++)
        text_printf(call,
                    "    must(cublasLt%sSetAttribute(%s, %s, &(int%d_t){%" PRId64
                    "}, %d), \"%s\");\n",
                    kind, name, settings[i].name, settings[i].size * 8, settings[i].value,
                    settings[i].size, settings[i].name);
}

static void put_matrix(const LtPlan *plan, const LtMatrix *m, const char *name, Text *call)
{
    LtSetting settings[LT_SETTINGS_MAX];
    int count = cublaslt_matrix_settings(m, plan->batch, settings);
    text_printf(call,
                "    cublasLtMatrixLayout_t %s;\n"
                "    must(cublasLtMatrixLayoutCreate(&%s, %d, %" PRIu64 ", %" PRIu64 ", %" PRId64
                "), \"cublasLtMatrixLayoutCreate\");\n",
                name, name, m->type, m->rows, m->columns, m->leading);
    put_settings("MatrixLayout", name, settings, count, call);
}

static void put_product(const LtPlan *plan, const char *const *tensors, Text *call)
{
    text_printf(call,
                "    cublasLtMatmulDesc_t product;\n"
                "    must(cublasLtMatmulDescCreate(&product, %d, %d), "
                "\"cublasLtMatmulDescCreate\");\n",
                plan->compute, plan->scale);
    put_settings("MatmulDesc", "product", plan->settings, plan->setting_count, call);
    if (plan->bias >= 0)
        text_printf(call,
                    "    must(cublasLtMatmulDescSetAttribute(product, "
                    "CUBLASLT_MATMUL_DESC_BIAS_POINTER, &device_%s, sizeof device_%s), "
                    "\"CUBLASLT_MATMUL_DESC_BIAS_POINTER\");\n",
                    tensors[plan->bias], tensors[plan->bias]);
}

static void put_algorithm(const LtPlan *plan, const LtMode *mode, const char *const *tensors,
                          Text *call)
{
    static const char letters[] = "ABCD";
    const int operands[] = {plan->a.operand, plan->b.operand, plan->c.operand, plan->c.operand};
    text_printf(call,
                "    cublasLtMatmulPreference_t preference;\n"
                "    size_t workspace_bytes = %d;\n"
                "    void *workspace;\n"
                "    must(cudaMalloc(&workspace, workspace_bytes), \"cudaMalloc\");\n"
                "    must(cublasLtMatmulPreferenceCreate(&preference), "
                "\"cublasLtMatmulPreferenceCreate\");\n"
                "    must(cublasLtMatmulPreferenceSetAttribute(preference, "
                "CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes, 8), \"workspace\");\n",
                LT_WORKSPACE);
    for (int i = 0; i < 4; i++)
        text_printf(call,
                    "    must(cublasLtMatmulPreferenceSetAttribute(preference, "
                    "CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_%c_BYTES, "
                    "&(uint32_t){alignment_of(device_%s)}, 4), \"alignment\");\n",
                    letters[i], tensors[operands[i]]);
    text_printf(call,
                "    cublasLtMatmulHeuristicResult_t found[%d];\n"
                "    int algorithms = 0, choice = %d;\n"
                "    must(cublasLtMatmulAlgoGetHeuristic(handle, product, layout_a, layout_b, "
                "layout_c, layout_c, preference, %d, found, &algorithms), "
                "\"cublasLtMatmulAlgoGetHeuristic\");\n"
                "    must(choice >= algorithms, \"no such algorithm\");\n",
                LT_ALGORITHMS_MAX, mode->choice, LT_ALGORITHMS_MAX);
}

static void put_call(const LtPlan *plan, const LtMode *mode, const char *const *tensors, Text *call)
{
    const char *c = tensors[plan->c.operand];
    text_printf(call, "    cudaStream_t stream = 0;\n");
    if (mode->words.stream)
        text_printf(call, "    must(cudaStreamCreate(&stream), \"cudaStreamCreate\");\n");
    text_printf(call,
                "    must(cublasLtMatmul(handle, product, alpha, device_%s, layout_a, device_%s, "
                "layout_b, beta, device_%s, layout_c, device_%s, layout_c, &found[choice].algo, "
                "workspace, workspace_bytes, stream), \"cublasLtMatmul\");\n"
                "    must(cudaDeviceSynchronize(), \"the kernel\");\n",
                tensors[plan->a.operand], tensors[plan->b.operand], c, c);
}

void cublaslt_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const char *const *tensors = o->source->op->tensors;
    LtMode mode = {0};
    LtPlan plan;
    Text error = {0};
    if (!cublaslt_read_mode(&mode, backend->mode, &error))
        BUG("%s", text_string(&error));
    /* What is no such product never ran. */
    if (!cublaslt_plan(&plan, o->source, &o->shapes, &mode))
        return;
    cublas_emit_helpers(declaration);
    text_printf(declaration, "%s", helpers);
    text_printf(call, "{\n");
    cublas_emit_environment(&mode.words, call);
    text_printf(call, "    cublasLtHandle_t handle;\n"
                      "    must(cublasLtCreate(&handle), \"cublasLtCreate\");\n");
    cublas_emit_uploads(o, call);
    cublas_emit_factor("alpha", plan.factors, plan.alpha, 1, mode.words.device, call);
    cublas_emit_factor("beta", plan.factors, plan.beta, 1, mode.words.device, call);
    put_product(&plan, tensors, call);
    put_matrix(&plan, &plan.a, "layout_a", call);
    put_matrix(&plan, &plan.b, "layout_b", call);
    put_matrix(&plan, &plan.c, "layout_c", call);
    put_algorithm(&plan, &mode, tensors, call);
    put_call(&plan, &mode, tensors, call);
    cublas_emit_downloads(o, call);
    text_printf(call, "    }");
}
