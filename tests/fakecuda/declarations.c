/* The types and numbers as this tool has them, against names of the headers. */
#include "declarations.h"

#include <stdio.h>

#include "ops/backend/cuda/cudnn_emit.h"
#include "ops/backend/cuda/native/cublas.h"
#include "ops/backend/cuda/native/cublaslt.h"

static const char *const declarations_head =
    "#include <cublasLt.h>\n#include <cublas_v2.h>\n#include <cuda_runtime_api.h>\n"
    "cudaError_t (*const check_count)(int *) = cudaGetDeviceCount;\n"
    "cudaError_t (*const check_attribute)(int *, enum cudaDeviceAttr, int) = "
    "cudaDeviceGetAttribute;\n"
    "cudaError_t (*const check_runtime)(int *) = cudaRuntimeGetVersion;\n"
    "cudaError_t (*const check_driver)(int *) = cudaDriverGetVersion;\n"
    "cudaError_t (*const check_allocate)(void **, size_t) = cudaMalloc;\n"
    "cudaError_t (*const check_copy)(void *, const void *, size_t, enum cudaMemcpyKind) = "
    "cudaMemcpy;\n"
    "cudaError_t (*const check_synchronise)(void) = cudaDeviceSynchronize;\n"
    "cudaError_t (*const check_stream)(cudaStream_t *) = cudaStreamCreate;\n"
    "const char *(*const check_name)(cudaError_t) = cudaGetErrorName;\n"
    "cublasStatus_t (*const check_create)(cublasHandle_t *) = cublasCreate_v2;\n"
    "cublasStatus_t (*const check_version)(cublasHandle_t, int *) = cublasGetVersion_v2;\n"
    "cublasStatus_t (*const check_set_stream)(cublasHandle_t, cudaStream_t) = cublasSetStream_v2;\n"
    "cublasStatus_t (*const check_workspace)(cublasHandle_t, void *, size_t) = "
    "cublasSetWorkspace_v2;\n"
    "cublasStatus_t (*const check_mode)(cublasHandle_t, cublasPointerMode_t) = "
    "cublasSetPointerMode_v2;\n"
    "cublasStatus_t (*const check_math)(cublasHandle_t, cublasMath_t) = cublasSetMathMode;\n"
    "const char *(*const check_status)(cublasStatus_t) = cublasGetStatusName;\n";

static const char *const lt_declarations =
    "cublasStatus_t (*const check_lt_create)(cublasLtHandle_t *) = cublasLtCreate;\n"
    "size_t (*const check_lt_version)(void) = cublasLtGetVersion;\n"
    "const char *(*const check_lt_name)(cublasStatus_t) = cublasLtGetStatusName;\n"
    "cublasStatus_t (*const check_lt_product)(cublasLtMatmulDesc_t *, cublasComputeType_t, "
    "cudaDataType_t) = cublasLtMatmulDescCreate;\n"
    "cublasStatus_t (*const check_lt_product_set)(cublasLtMatmulDesc_t, "
    "cublasLtMatmulDescAttributes_t, const void *, size_t) = cublasLtMatmulDescSetAttribute;\n"
    "cublasStatus_t (*const check_lt_product_end)(cublasLtMatmulDesc_t) = "
    "cublasLtMatmulDescDestroy;\n"
    "cublasStatus_t (*const check_lt_matrix)(cublasLtMatrixLayout_t *, cudaDataType, uint64_t, "
    "uint64_t, int64_t) = cublasLtMatrixLayoutCreate;\n"
    "cublasStatus_t (*const check_lt_matrix_set)(cublasLtMatrixLayout_t, "
    "cublasLtMatrixLayoutAttribute_t, const void *, size_t) = cublasLtMatrixLayoutSetAttribute;\n"
    "cublasStatus_t (*const check_lt_matrix_end)(cublasLtMatrixLayout_t) = "
    "cublasLtMatrixLayoutDestroy;\n"
    "cublasStatus_t (*const check_lt_preference)(cublasLtMatmulPreference_t *) = "
    "cublasLtMatmulPreferenceCreate;\n"
    "cublasStatus_t (*const check_lt_preference_set)(cublasLtMatmulPreference_t, "
    "cublasLtMatmulPreferenceAttributes_t, const void *, size_t) = "
    "cublasLtMatmulPreferenceSetAttribute;\n"
    "cublasStatus_t (*const check_lt_preference_end)(cublasLtMatmulPreference_t) = "
    "cublasLtMatmulPreferenceDestroy;\n"
    "cublasStatus_t (*const check_lt_transform)(cublasLtMatrixTransformDesc_t *, cudaDataType) = "
    "cublasLtMatrixTransformDescCreate;\n"
    "cublasStatus_t (*const check_lt_transform_set)(cublasLtMatrixTransformDesc_t, "
    "cublasLtMatrixTransformDescAttributes_t, const void *, size_t) = "
    "cublasLtMatrixTransformDescSetAttribute;\n"
    "cublasStatus_t (*const check_lt_transform_end)(cublasLtMatrixTransformDesc_t) = "
    "cublasLtMatrixTransformDescDestroy;\n"
    "cublasStatus_t (*const check_lt_transform_run)(cublasLtHandle_t, "
    "cublasLtMatrixTransformDesc_t, const void *, const void *, cublasLtMatrixLayout_t, const void "
    "*, const void *, cublasLtMatrixLayout_t, void *, cublasLtMatrixLayout_t, cudaStream_t) = "
    "cublasLtMatrixTransform;\n"
    "cublasStatus_t (*const check_lt_heuristics)(cublasLtHandle_t, cublasLtMatmulDesc_t, "
    "cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, cublasLtMatrixLayout_t, "
    "cublasLtMatrixLayout_t, cublasLtMatmulPreference_t, int, cublasLtMatmulHeuristicResult_t *, "
    "int *) = cublasLtMatmulAlgoGetHeuristic;\n"
    "cublasStatus_t (*const check_lt_multiply)(cublasLtHandle_t, cublasLtMatmulDesc_t, const void "
    "*, const void *, cublasLtMatrixLayout_t, const void *, cublasLtMatrixLayout_t, const void *, "
    "const void *, cublasLtMatrixLayout_t, void *, cublasLtMatrixLayout_t, const "
    "cublasLtMatmulAlgo_t *, void *, size_t, cudaStream_t) = cublasLtMatmul;\n";

/* The settings of an operator's plan, by their own names. */
static void put_plan_numbers(const char *op)
{
    LtPlan plan;
    Shapes shapes;
    Case c;
    case_init(&c, op_find(op));
    op_shape(c.op, c.params, &shapes);
    if (!cublaslt_plan(&plan, &c, &shapes, &(LtMode){.words = {.device = true}}))
        BUG("no plan");
    const LtProduct *product = &plan.products[0];
    for (int i = 0; i < product->setting_count; i++)
        printf("_Static_assert(%s == %d, \"\");\n", product->settings[i].name,
               product->settings[i].number);
}

static void put_lt_numbers(void)
{
    LtSetting settings[LT_SETTINGS_MAX];
    const LtMatrix matrix = {.order = 1};
    put_plan_numbers("linear");
    put_plan_numbers("gelu_linear_backward");
    put_plan_numbers("geam");
    for (int i = 0; i < LT_SCALES_MAX; i++)
        printf("_Static_assert(%s == %d, \"\");\n", lt_scales[i].name, lt_scales[i].setting);
    for (int i = 0, count = cublaslt_matrix_settings(&matrix, 2, settings); i < count; i++)
        printf("_Static_assert(%s == %d, \"\");\n", settings[i].name, settings[i].number);
    printf("_Static_assert(CUBLASLT_MATMUL_DESC_BIAS_POINTER == %d, \"\");\n"
           "_Static_assert(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES == %d, \"\");\n"
           "_Static_assert(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES == %d, \"\");\n"
           "_Static_assert(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES == %d, \"\");\n"
           "_Static_assert(CUBLASLT_EPILOGUE_RELU_BIAS == 6 && CUBLASLT_EPILOGUE_BIAS == 4 && "
           "CUBLASLT_EPILOGUE_RELU == 2 && CUBLASLT_EPILOGUE_DEFAULT == 1 && "
           "CUBLASLT_EPILOGUE_BGRADB == 512 && CUBLASLT_EPILOGUE_GELU == 32 && "
           "CUBLASLT_EPILOGUE_GELU_BIAS == 36 && CUBLASLT_EPILOGUE_RELU_AUX == 130 && "
           "CUBLASLT_EPILOGUE_GELU_AUX == 160 && CUBLASLT_EPILOGUE_DRELU_BGRAD == 152 && "
           "CUBLASLT_EPILOGUE_DGELU_BGRAD == 208, \"\");\n"
           "_Static_assert(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER == %d, \"\");\n"
           "_Static_assert(CUBLASLT_ORDER_ROW == 1 && CUBLASLT_ORDER_COL32 == 2 && "
           "CUBLASLT_ORDER_COL32_2R_4R4 == 4 && "
           "CUBLASLT_POINTER_MODE_DEVICE == 1, \"\");\n"
           "_Static_assert(sizeof(cublasLtMatmulHeuristicResult_t) == %zu && "
           "sizeof(cublasLtMatmulAlgo_t) == %zu, \"\");\n",
           LT_BIAS_POINTER, LT_PREFERENCE_WORKSPACE, LT_PREFERENCE_ALIGNMENT_A,
           LT_PREFERENCE_ALIGNMENT_A + 3, LT_AUXILIARY_POINTER, sizeof(LtAlgorithm),
           sizeof(((LtAlgorithm *)NULL)->algorithm));
}

/* Emulated products came with a version. */
static void put_emulation(void)
{
    const CublasMode split = {.bf16x9 = true}, fixed = {.fixed = true};
    printf("#if CUBLAS_VERSION >= 130100\n"
           "_Static_assert(CUBLAS_COMPUTE_32F_EMULATED_16BFX9 == %d && "
           "CUBLAS_FP32_EMULATED_BF16X9_MATH == %d, \"\");\n"
           "_Static_assert(CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT == %d && "
           "CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH == %d, \"\");\n#endif\n",
           cublas_compute_number(&split, DT_F32, DT_F32), cublas_math_mode(&split),
           cublas_compute_number(&fixed, DT_F64, DT_F64), cublas_math_mode(&fixed));
}

static void put_numbers(void)
{
    static const char *const choices[][2] = {{"n", "CUBLAS_OP_N"},
                                             {"t", "CUBLAS_OP_T"},
                                             {"c", "CUBLAS_OP_C"},
                                             {"lower", "CUBLAS_FILL_MODE_LOWER"},
                                             {"upper", "CUBLAS_FILL_MODE_UPPER"},
                                             {"stored", "CUBLAS_DIAG_NON_UNIT"},
                                             {"unit", "CUBLAS_DIAG_UNIT"},
                                             {"left", "CUBLAS_SIDE_LEFT"},
                                             {"right", "CUBLAS_SIDE_RIGHT"}};
    const struct {
        const char *name;
        int value;
    } numbers[] = {{"cudaMemcpyHostToDevice", COPY_TO_DEVICE},
                   {"cudaMemcpyDeviceToHost", COPY_FROM_DEVICE},
                   {"cudaDevAttrComputeCapabilityMajor", ATTRIBUTE_MAJOR},
                   {"cudaDevAttrComputeCapabilityMinor", ATTRIBUTE_MINOR},
                   {"CUBLAS_STATUS_SUCCESS", STATUS_SUCCESS},
                   {"CUBLAS_STATUS_ALLOC_FAILED", STATUS_ALLOC_FAILED},
                   {"CUBLAS_STATUS_NOT_SUPPORTED", STATUS_NOT_SUPPORTED},
                   {"CUBLAS_DEFAULT_MATH", cublas_math_mode(&(CublasMode){0})},
                   {"CUBLAS_PEDANTIC_MATH", cublas_math_mode(&(CublasMode){.pedantic = true})},
                   {"CUBLAS_TF32_TENSOR_OP_MATH", cublas_math_mode(&(CublasMode){.tf32 = true})},
                   {"CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION",
                    cublas_math_mode(&(CublasMode){.full = true})},
                   {"CUBLAS_POINTER_MODE_DEVICE", 1}};
    static const struct {
        DType dtype;
        const char *name;
    } types[] = {{DT_F32, "CUDA_R_32F"},      {DT_F64, "CUDA_R_64F"}, {DT_C64, "CUDA_C_32F"},
                 {DT_C128, "CUDA_C_64F"},     {DT_F16, "CUDA_R_16F"}, {DT_BF16, "CUDA_R_16BF"},
                 {DT_I8, "CUDA_R_8I"},        {DT_I32, "CUDA_R_32I"}, {DT_E4M3, "CUDA_R_8F_E4M3"},
                 {DT_E5M2, "CUDA_R_8F_E5M2"}, {DT_U8, "CUDA_R_8U"}};
    static const struct {
        const char *name;
        CublasMode mode;
        DType factors, output;
    } sums[] = {{"CUBLAS_COMPUTE_32F", {0}, DT_F16, DT_F16},
                {"CUBLAS_COMPUTE_32F_PEDANTIC", {.pedantic = true}, DT_F32, DT_F32},
                {"CUBLAS_COMPUTE_16F", {.half = true}, DT_F16, DT_F16},
                {"CUBLAS_COMPUTE_32F_FAST_TF32", {.tf32 = true}, DT_C64, DT_C64},
                {"CUBLAS_COMPUTE_32F_FAST_16BF", {.bf16 = true}, DT_F32, DT_F32},
                {"CUBLAS_COMPUTE_64F", {0}, DT_C128, DT_C128},
                {"CUBLAS_COMPUTE_32I", {0}, DT_I8, DT_I32}};
    for (size_t i = 0; i < COUNT_OF(types); i++)
        printf("_Static_assert(%s == %d, \"\");\n", types[i].name,
               cublas_type_number(types[i].dtype));
    for (size_t i = 0; i < COUNT_OF(sums); i++)
        printf("_Static_assert(%s == %d, \"\");\n", sums[i].name,
               cublas_compute_number(&sums[i].mode, sums[i].factors, sums[i].output));
    for (size_t i = 0; i < COUNT_OF(choices); i++)
        printf("_Static_assert(%s == %d, \"\");\n", choices[i][1],
               cublas_enumerator(choices[i][0]));
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        printf("_Static_assert(%s == %d, \"\");\n", numbers[i].name, numbers[i].value);
}

static void begin_function(const char *kind, const Case *c, const Shapes *shapes, Text *calls)
{
    text_printf(calls, "void check_%s_%s(", kind, c->op->name);
    for (int i = 0; i < shapes->count; i++)
        text_printf(calls, "%svoid *%s, void *device_%s", i ? ", " : "", c->op->tensors[i],
                    c->op->tensors[i]);
    text_printf(calls, ")\n{\n");
}

/* Functions with the calls, and those with the graphs, of the simplest case of each operator. */
static void put_dnn_calls(Text *calls, Text *graphs)
{
    const DnnMode mode = {.stream = true}, of_graph = {.graph = true};
    for (int op = 0; op_registry[op]; op++) {
        Case c;
        Shapes shapes;
        DnnPlan plan;
        GraphPlan graph;
        case_init(&c, op_registry[op]);
        for (const Param *param = c.op->params; param->name; param++)
            if (param->kind == PARAM_SHAPE && param_shape(param, c.params)->rank == 0)
                *param_shape(param, c.params) = (Shape){1, {2}};
        op_shape(c.op, c.params, &shapes);
        if (cudnn_dtypes(c.op) && cudnn_plan(&plan, &c, &shapes, &mode)) {
            begin_function("calls_of", &c, &shapes, calls);
            cudnn_emit_session(&mode, calls);
            cudnn_emit_plan(&plan, c.op->tensors, calls);
            text_printf(calls, "}\n");
        }
        if (cudnn_graph_dtypes(c.op) && cudnn_graph_plan(&graph, &c, &shapes)) {
            begin_function("graph_of", &c, &shapes, graphs);
            cudnn_emit_session(&of_graph, graphs);
            cudnn_emit_graph(&graph, &of_graph, &c, &shapes, graphs);
            text_printf(graphs, "}\n");
        }
    }
}

static void put_name(const GraphKey *key, Text *calls)
{
    text_printf(calls, "_Static_assert(%s == %d, \"\");\n", key->name, key->number);
}

static void put_names(const GraphKey *list, Text *calls)
{
    for (; list->name; list++)
        put_name(list, calls);
}

static void put_dnn(void)
{
    Text calls = {0}, graphs = {0};
    put_names(graph_kinds, &graphs);
    put_names(graph_keys, &graphs);
    put_names(graph_types, &graphs);
    for (int op = 0; op_registry[op]; op++)
        if (cudnn_graph_mode(op_registry[op]))
            put_name(cudnn_graph_mode(op_registry[op]), &graphs);
    cudnn_emit_graph_helpers(&graphs);
    put_dnn_calls(&calls, &graphs);
    printf(
        "#if __has_include(<cudnn.h>)\n#include <cudnn.h>\n"
        "#include <math.h>\n#include <stdlib.h>\n#include <string.h>\n"
        "static void must(int error, const char *what)\n{\n    (void)error;\n    (void)what;\n}\n"
        "static void *upload(void *host, size_t bytes)\n{\n    (void)bytes;\n    return host;\n}\n"
        "_Static_assert(CUDNN_DATA_FLOAT == 0 && CUDNN_DATA_DOUBLE == 1 && CUDNN_DATA_HALF == 2 "
        "&& CUDNN_DATA_BFLOAT16 == 9 && CUDNN_DATA_INT32 == 4 && CUDNN_DATA_BOOLEAN == 11, "
        "\"\");\n"
        "_Static_assert(CUDNN_POINTWISE_GEN_INDEX == 501 && CUDNN_POINTWISE_BINARY_SELECT == 601 "
        "&& CUDNN_POINTWISE_CMP_GE == 303 && CUDNN_POINTWISE_MUL == 1 && CUDNN_POINTWISE_SUB == 9 "
        "&& CUDNN_POINTWISE_DIV == 6 && CUDNN_POINTWISE_EXP == 13 && CUDNN_POINTWISE_LOG == 15 && "
        "CUDNN_REDUCE_TENSOR_ADD == 0 && CUDNN_REDUCE_TENSOR_MAX == 3, \"\");\n"
        "_Static_assert(CUDNN_CROSS_CORRELATION == 1 && CUDNN_FMA_MATH == 3 && "
        "CUDNN_DEFAULT_MATH == 0 && CUDNN_TENSOR_NCHW == 0, \"\");\n"
        "_Static_assert(CUDNN_POOLING_MAX == 0 && CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING == "
        "1 && CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING == 2, \"\");\n"
        "_Static_assert(CUDNN_SOFTMAX_ACCURATE == 1 && CUDNN_SOFTMAX_LOG == 2 && "
        "CUDNN_SOFTMAX_MODE_CHANNEL == 1 && CUDNN_ACTIVATION_RELU == 1 && "
        "CUDNN_ACTIVATION_IDENTITY == 5 && CUDNN_ACTIVATION_SIGMOID == 0 && CUDNN_ACTIVATION_TANH "
        "== 2 && CUDNN_BATCHNORM_SPATIAL == 1, \"\");\n"
        "_Static_assert(CUDNN_HEUR_MODE_A == %d && CUDNN_HEUR_MODE_FALLBACK == %d, \"\");\n"
        "_Static_assert(CUDNN_NUMERICAL_NOTE_FFT == %d && CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC == "
        "%d && CUDNN_NUMERICAL_NOTE_WINOGRAD == %d && CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13 == "
        "%d, \"\");\n%s"
        /* Graphs are those of this version; some of their names are new in it. */
        "#if CUDNN_VERSION >= 91900\n%s#endif\n#endif\n",
        HEURISTICS_A, HEURISTICS_FALLBACK, NOTE_TRANSFORM, NOTE_NONDETERMINISTIC, NOTE_WINOGRAD,
        NOTE_WINOGRAD_LAST, text_string(&calls), text_string(&graphs));
    text_release(&calls);
    text_release(&graphs);
}

void declarations_put_head(void)
{
    printf("%s%s", declarations_head, lt_declarations);
    put_numbers();
    put_emulation();
    put_lt_numbers();
    put_dnn();
}
