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

/* The variable that holds the address of an operand, or of the plan's own memory, on the device. */
typedef struct Variable {
    char text[64];
} Variable;

static Variable variable_of(const LtPlan *plan, const char *const *tensors, int operand)
{
    Variable variable;
    (void)snprintf(variable.text, sizeof variable.text, "device_%s",
                   operand < LT_SCRATCH ? tensors[operand]
                                        : plan->scratch[operand - LT_SCRATCH].name);
    return variable;
}

/* Copies the elements of an operand to scratch memory, or back. */
static void put_copies(const LtScratch *scratch, const Shapes *shapes, const char *const *tensors,
                       bool back, Text *call)
{
    char copy[160], own[160];
    const Tensor *layout = &shapes->tensor[scratch->operand].layout;
    size_t size = dtype_size(layout->dtype);
    (void)snprintf(copy, sizeof copy, "%s + (%s + %s * %" PRId64 ") * %zu", scratch->name,
                   scratch->turned ? "j" : "i", scratch->turned ? "i" : "j", scratch->rows, size);
    (void)snprintf(own, sizeof own,
                   "(char *)%s + (%" PRId64 " + i * %" PRId64 " + j * %" PRId64 ") * %zu",
                   tensors[scratch->operand], tensor_origin_offset(layout), layout->stride[0],
                   layout->stride[1], size);
    text_printf(call,
                "    for (long i = 0; i < %" PRId64 "; i++)\n"
                "        for (long j = 0; j < %" PRId64 "; j++)\n"
                "            memcpy(%s, %s, %zu);\n",
                layout->extent[0], layout->extent[1], back ? own : copy, back ? copy : own, size);
}

/* The identity: the unit on the diagonal. */
static void put_diagonal(const LtScratch *scratch, Text *call)
{
    cublas_emit_factor("unit", scratch->dtype, (Scalar){1, 0}, 1, false, call);
    text_printf(call,
                "    for (int i = 0; i < %" PRId64 "; i++)\n"
                "        memcpy(%s + i * %" PRId64 " * sizeof unit_value, unit, "
                "sizeof unit_value);\n",
                scratch->diagonal, scratch->name, scratch->diagonal + 1);
}

static void put_scratch(const LtPlan *plan, const Shapes *shapes, const char *const *tensors,
                        Text *call)
{
    Text fill = {0};
    for (int i = 0; i < plan->scratch_count; i++) {
        const LtScratch *scratch = &plan->scratch[i];
        text_clear(&fill);
        if (scratch->operand >= 0)
            put_copies(scratch, shapes, tensors, false, &fill);
        if (scratch->diagonal)
            put_diagonal(scratch, &fill);
        cublas_emit_scratch(scratch->name, scratch->bytes, &fill, call);
    }
    text_release(&fill);
}

static void put_results(const LtPlan *plan, const Shapes *shapes, const char *const *tensors,
                        Text *call)
{
    for (int i = 0; i < plan->scratch_count; i++) {
        const LtScratch *scratch = &plan->scratch[i];
        text_printf(call, "    bad += download(%s, device_%s, %lld, \"%s\");\n", scratch->name,
                    scratch->name, (long long)scratch->bytes, scratch->name);
        if (scratch->result)
            put_copies(scratch, shapes, tensors, true, call);
    }
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
    if (planned->transform)
        text_printf(call,
                    "    cublasLtMatrixTransformDesc_t product;\n"
                    "    must(cublasLtMatrixTransformDescCreate(&product, %d), "
                    "\"cublasLtMatrixTransformDescCreate\");\n",
                    plan->scale);
    else
        text_printf(call,
                    "    cublasLtMatmulDesc_t product;\n"
                    "    must(cublasLtMatmulDescCreate(&product, %d, %d), "
                    "\"cublasLtMatmulDescCreate\");\n",
                    plan->compute, plan->scale);
    put_settings(planned->transform ? "MatrixTransformDesc" : "MatmulDesc", "product",
                 planned->settings, planned->setting_count, call);
    if (planned->bias >= 0)
        put_address("CUBLASLT_MATMUL_DESC_BIAS_POINTER",
                    variable_of(plan, tensors, planned->bias).text, call);
    if (planned->auxiliary >= 0)
        put_address("CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER",
                    variable_of(plan, tensors, planned->auxiliary).text, call);
    for (int i = 0; i < plan->scale_count; i++) {
        Variable scale;
        (void)snprintf(scale.text, sizeof scale.text, "scale_%d", i);
        text_printf(call, "    void *%s = upload(&(float){%a}, sizeof(float));\n", scale.text,
                    (double)lt_scales[i].value);
        put_address(lt_scales[i].name, scale.text, call);
    }
}

static void put_algorithm(const LtPlan *plan, const LtProduct *planned, const LtMode *mode,
                          const char *const *tensors, Text *call)
{
    static const char letters[] = "ABCD";
    const int operands[] = {planned->a.operand, planned->b.operand, planned->c.operand,
                            planned->d.operand};
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
                    "&(uint32_t){alignment_of(%s)}, 4), \"alignment\");\n",
                    letters[i], variable_of(plan, tensors, operands[i]).text);
    text_printf(call,
                "    cublasLtMatmulHeuristicResult_t found[%d];\n"
                "    int algorithms = 0, choice = %d;\n"
                "    must(cublasLtMatmulAlgoGetHeuristic(handle, product, layout_a, layout_b, "
                "layout_c, layout_d, preference, %d, found, &algorithms), "
                "\"cublasLtMatmulAlgoGetHeuristic\");\n"
                "    must(choice >= algorithms, \"no such algorithm\");\n",
                LT_ALGORITHMS_MAX, mode->choice, LT_ALGORITHMS_MAX);
}

static void put_call(const LtPlan *plan, const LtProduct *planned, const LtMode *mode,
                     const char *const *tensors, Text *call)
{
    Variable a = variable_of(plan, tensors, planned->a.operand);
    Variable b = variable_of(plan, tensors, planned->b.operand);
    Variable c = variable_of(plan, tensors, planned->c.operand);
    Variable d = variable_of(plan, tensors, planned->d.operand);
    text_printf(call, "    {\n");
    put_product(plan, planned, tensors, call);
    put_matrix(plan, &planned->a, "layout_a", call);
    put_matrix(plan, &planned->b, "layout_b", call);
    put_matrix(plan, &planned->c, "layout_c", call);
    put_matrix(plan, &planned->d, "layout_d", call);
    put_algorithm(plan, planned, mode, tensors, call);
    text_printf(call,
                "    must(cublasLtMatmul(handle, product, alpha, %s, layout_a, %s, "
                "layout_b, beta, %s, layout_c, %s, layout_d, &found[choice].algo, "
                "workspace, workspace_bytes, stream), \"cublasLtMatmul\");\n"
                "    }\n",
                a.text, b.text, c.text, d.text);
}

static void put_transform(const LtPlan *plan, const LtProduct *planned, const char *const *tensors,
                          Text *call)
{
    bool sum = planned->b.operand >= 0;
    Variable a = variable_of(plan, tensors, planned->a.operand), b = {"NULL"};
    Variable c = variable_of(plan, tensors, planned->c.operand);
    if (sum)
        b = variable_of(plan, tensors, planned->b.operand);
    text_printf(call, "    {\n");
    put_product(plan, planned, tensors, call);
    put_matrix(plan, &planned->a, "layout_a", call);
    if (sum)
        put_matrix(plan, &planned->b, "layout_b", call);
    put_matrix(plan, &planned->c, "layout_c", call);
    text_printf(call,
                "    must(cublasLtMatrixTransform(handle, product, %s, %s, layout_a, %s, %s, %s, "
                "%s, layout_c, stream), \"cublasLtMatrixTransform\");\n"
                "    }\n",
                planned->plain ? "one" : "alpha", a.text, planned->plain ? "zero" : "beta", b.text,
                sum ? "layout_b" : "NULL", c.text);
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
    /* A case that has no plan was declined: there is no call to write. */
    if (!cublaslt_plan(&plan, o->source, &o->shapes, &mode))
        return;
    cublas_emit_helpers(declaration);
    text_printf(declaration, "\n#include <cublasLt.h>\n");
    cublas_emit_alignment(LT_ALIGNMENT_MOST, declaration);
    text_printf(call, "{\n");
    put_session(&mode, call);
    cublas_emit_uploads(o, call);
    put_scratch(&plan, &o->shapes, tensors, call);
    cublas_emit_factor("alpha", plan.factors, plan.alpha, 1, mode.words.device, call);
    cublas_emit_factor("beta", plan.factors, plan.beta, 1, mode.words.device, call);
    if (plan.products[0].plain) {
        cublas_emit_factor("one", plan.factors, (Scalar){1, 0}, 1, mode.words.device, call);
        cublas_emit_factor("zero", plan.factors, (Scalar){0, 0}, 1, mode.words.device, call);
    }
    for (int i = 0; i < plan.count; i++)
        if (plan.products[i].transform)
            put_transform(&plan, &plan.products[i], tensors, call);
        else
            put_call(&plan, &plan.products[i], &mode, tensors, call);
    text_printf(call, "    must(cudaDeviceSynchronize(), \"the kernel\");\n");
    cublas_emit_downloads(o, call);
    put_results(&plan, &o->shapes, tensors, call);
    text_printf(call, "    }");
}
