/* Source: the cuBLAS documentation, "Using the cuBLASLt API". */
#include "cublaslt_plan.h"

#include <string.h>

#include "cublas_routines.h"
#include "mode_words.h"

enum { ORDER_COLUMNS, ORDER_ROWS };
enum { EPILOGUE_DEFAULT = 1, EPILOGUE_RELU = 2, EPILOGUE_BIAS = 4 };
enum { POINTERS_ON_DEVICE = 1 };

bool cublaslt_read_mode(LtMode *mode, const char *words, Text *error)
{
    CublasMode *read = &mode->words;
    const ModeWord known[] = {{"device", &read->device}, {"pedantic", &read->pedantic},
                              {"stream", &read->stream}, {"half", &read->half},
                              {"tf32", &read->tf32},     {"bf16", &read->bf16},
                              {"bf16x9", &read->bf16x9}, {"fixed", &read->fixed}};
    return mode_read_words(words, known, COUNT_OF(known), LT_ALGORITHMS_MAX, &mode->choice, error);
}

uint32_t cublaslt_dtypes(const OpDesc *op)
{
    static const struct {
        const char *op;
        uint32_t dtypes;
    } rows[] = {{"gemm", DTYPES_BLAS},
                {"gemm_batch", DTYPES_BLAS},
                {"gemm_half", 1u << DT_F16 | 1u << DT_BF16},
                {"gemm_wide", 1u << DT_F16 | 1u << DT_BF16 | 1u << DT_I8 | DTYPES_F8},
                {"linear", DTYPES_FLOAT}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].op, op->name))
            return rows[i].dtypes;
    return 0;
}

static LtMatrix matrix(const Shapes *shapes, int operand, int order, int64_t rows, int64_t columns)
{
    const TensorSpec *spec = &shapes->tensor[operand];
    return (LtMatrix){operand,
                      cublas_type_number(spec->layout.dtype),
                      order,
                      (uint64_t)rows,
                      (uint64_t)columns,
                      spec->leading,
                      spec->batch_stride};
}

static void put_setting(LtPlan *plan, const char *name, int number, int64_t value)
{
    plan->settings[plan->setting_count++] = (LtSetting){name, number, 4, value};
}

static void plan_gemm(LtPlan *plan, const Case *c, const Shapes *shapes)
{
    int ta = cublas_enumerator(case_choice(c, "ta")), tb = cublas_enumerator(case_choice(c, "tb"));
    int order = strcmp(case_choice(c, "order"), "row") == 0 ? ORDER_ROWS : ORDER_COLUMNS;
    int64_t m = case_int(c, "m"), n = case_int(c, "n"), k = case_int(c, "k");
    plan->a = ta ? matrix(shapes, 0, order, k, m) : matrix(shapes, 0, order, m, k);
    plan->b = tb ? matrix(shapes, 1, order, n, k) : matrix(shapes, 1, order, k, n);
    plan->c = matrix(shapes, 2, order, m, n);
    plan->batch = case_has(c, "batch") ? (int)case_int(c, "batch") : 1;
    plan->alpha = case_scalar(c, "alpha");
    plan->beta = case_scalar(c, "beta");
    put_setting(plan, "CUBLASLT_MATMUL_DESC_TRANSA", 3, ta);
    put_setting(plan, "CUBLASLT_MATMUL_DESC_TRANSB", 4, tb);
}

/* By columns y^T = w x^T with a bias for each row. */
static bool plan_linear(LtPlan *plan, const Case *c, const Shapes *shapes)
{
    int64_t m = case_int(c, "m"), n = case_int(c, "n"), k = case_int(c, "k");
    bool relu = strcmp(case_choice(c, "activation"), "relu") == 0;
    bool bias = strcmp(case_choice(c, "with_bias"), "yes") == 0;
    if (!relu && strcmp(case_choice(c, "activation"), "none") != 0)
        return false;
    plan->a = matrix(shapes, 1, ORDER_COLUMNS, k, n);
    plan->b = matrix(shapes, 0, ORDER_COLUMNS, k, m);
    plan->c = matrix(shapes, 3, ORDER_COLUMNS, n, m);
    plan->a.leading = plan->b.leading = k > 0 ? k : 1;
    plan->c.leading = n > 0 ? n : 1;
    plan->batch = 1;
    plan->alpha = (Scalar){1, 0};
    plan->bias = bias ? 2 : -1;
    put_setting(plan, "CUBLASLT_MATMUL_DESC_TRANSA", 3, cublas_enumerator("t"));
    put_setting(plan, "CUBLASLT_MATMUL_DESC_TRANSB", 4, cublas_enumerator("n"));
    put_setting(plan, "CUBLASLT_MATMUL_DESC_EPILOGUE", 7,
                relu   ? EPILOGUE_RELU | (bias ? EPILOGUE_BIAS : 0)
                : bias ? EPILOGUE_BIAS
                       : EPILOGUE_DEFAULT);
    return true;
}

bool cublaslt_plan(LtPlan *plan, const Case *c, const Shapes *shapes, const LtMode *mode)
{
    *plan = (LtPlan){.bias = -1};
    if (strcmp(c->op->name, "linear") != 0)
        plan_gemm(plan, c, shapes);
    else if (!plan_linear(plan, c, shapes))
        return false;
    DType a = shapes->tensor[plan->a.operand].layout.dtype;
    DType output = shapes->tensor[plan->c.operand].layout.dtype;
    plan->compute = cublas_compute_number(&mode->words, a, output);
    plan->factors = cublas_scale_dtype(&mode->words, a, output);
    plan->scale = cublas_type_number(plan->factors);
    if (mode->words.device)
        put_setting(plan, "CUBLASLT_MATMUL_DESC_POINTER_MODE", 2, POINTERS_ON_DEVICE);
    /* Descriptors have no empty matrices. */
    return plan->a.rows > 0 && plan->a.columns > 0 && plan->c.columns > 0 && plan->c.rows > 0 &&
           plan->batch > 0;
}

int cublaslt_matrix_settings(const LtMatrix *m, int batch, LtSetting *settings)
{
    int count = 0;
    if (m->order != ORDER_COLUMNS)
        settings[count++] = (LtSetting){"CUBLASLT_MATRIX_LAYOUT_ORDER", 1, 4, m->order};
    if (batch > 1) {
        settings[count++] = (LtSetting){"CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT", 5, 4, batch};
        settings[count++] =
            (LtSetting){"CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET", 6, 8, m->batch_stride};
    }
    return count;
}
