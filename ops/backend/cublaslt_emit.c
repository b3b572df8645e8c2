/* The plan in source: descriptors, the algorithm of the mode, and the call. */
#include "cublaslt_emit.h"

#include <inttypes.h>
#include <stdio.h>

#include "cublas_emit.h"
#include "cublaslt_plan.h"

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

static void put_address(const char *setting, const char *variable, Text *call)
{
    text_printf(call,
                "    must(cublasLtMatmulDescSetAttribute(product, %s, &%s, sizeof %s), \"%s\");\n",
                setting, variable, variable, setting);
}

static void put_product(const LtPlan *plan, const LtProduct *planned, const char *const *tensors,
                        Text *call)
{
    char bias[64];
    text_printf(call,
                "    cublasLtMatmulDesc_t product;\n"
                "    must(cublasLtMatmulDescCreate(&product, %d, %d), "
                "\"cublasLtMatmulDescCreate\");\n",
                plan->compute, plan->scale);
    put_settings("MatmulDesc", "product", planned->settings, planned->setting_count, call);
    if (planned->bias >= 0) {
        (void)snprintf(bias, sizeof bias, "device_%s", tensors[planned->bias]);
        put_address("CUBLASLT_MATMUL_DESC_BIAS_POINTER", bias, call);
    }
    if (plan->scaled) {
        text_printf(call,
                    "    static const float scales[] = {%a, %a};\n"
                    "    void *scale_a = upload(&scales[0], sizeof *scales), *scale_b = "
                    "upload(&scales[1], sizeof *scales);\n",
                    (double)LT_SCALE_A, (double)LT_SCALE_B);
        put_address("CUBLASLT_MATMUL_DESC_A_SCALE_POINTER", "scale_a", call);
        put_address("CUBLASLT_MATMUL_DESC_B_SCALE_POINTER", "scale_b", call);
    }
}

static void put_algorithm(const LtProduct *planned, const LtMode *mode, const char *const *tensors,
                          Text *call)
{
    static const char letters[] = "ABCD";
    const int operands[] = {planned->a.operand, planned->b.operand, planned->c.operand,
                            planned->c.operand};
    text_printf(
        call, "    cublasLtMatmulPreference_t preference;\n"
              "    must(cublasLtMatmulPreferenceCreate(&preference), "
              "\"cublasLtMatmulPreferenceCreate\");\n"
              "    must(cublasLtMatmulPreferenceSetAttribute(preference, "
              "CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace_bytes, 8), \"workspace\");\n");
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

static void put_call(const LtPlan *plan, const LtProduct *planned, const LtMode *mode,
                     const char *const *tensors, Text *call)
{
    const char *c = tensors[planned->c.operand];
    text_printf(call, "    {\n");
    put_product(plan, planned, tensors, call);
    put_matrix(plan, &planned->a, "layout_a", call);
    put_matrix(plan, &planned->b, "layout_b", call);
    put_matrix(plan, &planned->c, "layout_c", call);
    put_algorithm(planned, mode, tensors, call);
    text_printf(call,
                "    must(cublasLtMatmul(handle, product, alpha, device_%s, layout_a, device_%s, "
                "layout_b, beta, device_%s, layout_c, device_%s, layout_c, &found[choice].algo, "
                "workspace, workspace_bytes, stream), \"cublasLtMatmul\");\n"
                "    }\n",
                tensors[planned->a.operand], tensors[planned->b.operand], c, c);
}

static void put_session(const LtMode *mode, Text *call)
{
    cublas_emit_environment(&mode->words, call);
    text_printf(call,
                "    cublasLtHandle_t handle;\n"
                "    must(cublasLtCreate(&handle), \"cublasLtCreate\");\n"
                "    size_t workspace_bytes = %d;\n"
                "    void *workspace;\n"
                "    must(cudaMalloc(&workspace, workspace_bytes), \"cudaMalloc\");\n"
                "    cudaStream_t stream = 0;\n",
                LT_WORKSPACE);
    if (mode->words.stream)
        text_printf(call, "    must(cudaStreamCreate(&stream), \"cudaStreamCreate\");\n");
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
    text_printf(declaration, "\n#include <cublasLt.h>\n");
    cublas_emit_alignment(LT_ALIGNMENT_MOST, declaration);
    text_printf(call, "{\n");
    put_session(&mode, call);
    cublas_emit_uploads(o, call);
    cublas_emit_factor("alpha", plan.factors, plan.alpha, 1, mode.words.device, call);
    cublas_emit_factor("beta", plan.factors, plan.beta, 1, mode.words.device, call);
    for (int i = 0; i < plan.count; i++)
        put_call(&plan, &plan.products[i], &mode, tensors, call);
    text_printf(call, "    must(cudaDeviceSynchronize(), \"the kernel\");\n");
    cublas_emit_downloads(o, call);
    text_printf(call, "    }");
}
