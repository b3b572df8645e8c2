/* Source: the cuBLAS documentation, "Using the cuBLASLt API". */
#include "cublaslt_plan.h"

#include <math.h>
#include <string.h>

#include "cublaslt_bindings.h"
#include "ops/backend/mode_words.h"

enum { ORDER_COLUMNS, ORDER_ROWS, ORDER_TILES, ORDER_COMPOSED = 4 };
enum {
    EPILOGUE_DEFAULT = 1,
    EPILOGUE_RELU = 2,
    EPILOGUE_BIAS = 4,
    EPILOGUE_GELU = 32,
    EPILOGUE_SUMS_OF_B = 512,
    /* The first two leave in the auxiliary matrix what the others take from it, which give the sums
     * of their result's rows as well. */
    EPILOGUE_RELU_AUXILIARY = EPILOGUE_RELU | 128,
    EPILOGUE_GELU_AUXILIARY = EPILOGUE_GELU | 128,
    EPILOGUE_RELU_GRADIENT = 8 | 128 | 16,
    EPILOGUE_GELU_GRADIENT = 64 | 128 | 16
};
enum { POINTERS_ON_DEVICE = 1 };

bool cublaslt_read_mode(LtMode *mode, const char *words, Text *error)
{
    CublasMode *read = &mode->words;
    const ModeWord known[] = {{"device", &read->device}, {"pedantic", &read->pedantic},
                              {"stream", &read->stream}, {"half", &read->half},
                              {"tf32", &read->tf32},     {"bf16", &read->bf16},
                              {"bf16x9", &read->bf16x9}, {"fixed", &read->fixed},
                              {"scales", &mode->scales}, {"tiled", &mode->tiled}};
    return mode_read_words(words, known, COUNT_OF(known), LT_ALGORITHMS_MAX, &mode->choice, error);
}

const LtScale lt_scales[] = {{"CUBLASLT_MATMUL_DESC_A_SCALE_POINTER", 17, 4},
                             {"CUBLASLT_MATMUL_DESC_B_SCALE_POINTER", 18, 0.5F},
                             {"CUBLASLT_MATMUL_DESC_D_SCALE_POINTER", 20, 2}};

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

static int order_of(const Case *c)
{
    return strcmp(case_choice(c, "order"), "row") == 0 ? ORDER_ROWS : ORDER_COLUMNS;
}

/* Factors are not rounded. */
static bool keeps_factors(const LtMode *mode)
{
    return !mode->words.tf32 && !mode->words.bf16 && !mode->words.bf16x9;
}

static void put_setting(LtProduct *product, const char *name, int number, int size, int64_t value)
{
    product->settings[product->setting_count++] = (LtSetting){name, number, size, value};
}

static LtProduct *begin_product(LtPlan *plan, const char *ta, const char *tb)
{
    LtProduct *product = &plan->products[plan->count++];
    product->bias = product->auxiliary = -1;
    put_setting(product, "CUBLASLT_MATMUL_DESC_TRANSA", 3, 4, cublas_enumerator(ta));
    put_setting(product, "CUBLASLT_MATMUL_DESC_TRANSB", 4, 4, cublas_enumerator(tb));
    return product;
}

static void put_epilogue(LtProduct *product, int epilogue, int bias)
{
    put_setting(product, "CUBLASLT_MATMUL_DESC_EPILOGUE", 7, 4, epilogue);
    product->bias = bias;
}

static void put_auxiliary(LtProduct *product, int operand, int64_t leading)
{
    put_setting(product, "CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD", 12, 8, leading);
    product->auxiliary = operand;
}

static int add_scratch(LtPlan *plan, const char *name, DType dtype, int64_t bytes)
{
    plan->scratch[plan->scratch_count] =
        (LtScratch){.name = name, .bytes = bytes, .dtype = dtype, .operand = -1};
    return LT_SCRATCH + plan->scratch_count++;
}

/* A copy of an operand's view by columns, among zeros. */
static LtMatrix copy_of(LtPlan *plan, const Shapes *shapes, int operand, const char *name,
                        bool turned)
{
    enum { WHOLE = 16 };
    const Tensor *layout = &shapes->tensor[operand].layout;
    int64_t rows = layout->extent[turned], columns = layout->extent[!turned];
    rows = (rows + WHOLE - 1) / WHOLE * WHOLE;
    columns = (columns + WHOLE - 1) / WHOLE * WHOLE;
    int number =
        add_scratch(plan, name, layout->dtype, rows * columns * (int64_t)dtype_size(layout->dtype));
    LtScratch *scratch = &plan->scratch[number - LT_SCRATCH];
    scratch->operand = operand;
    scratch->rows = rows;
    scratch->turned = turned;
    return (LtMatrix){.operand = number,
                      .type = cublas_type_number(layout->dtype),
                      .rows = (uint64_t)rows,
                      .columns = (uint64_t)columns,
                      .leading = rows};
}

static LtProduct *begin_transform(LtPlan *plan, const char *ta, const char *tb)
{
    LtProduct *product = &plan->products[plan->count++];
    product->bias = product->auxiliary = product->b.operand = -1;
    product->transform = true;
    put_setting(product, "CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA", 2, 4, cublas_enumerator(ta));
    put_setting(product, "CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB", 3, 4, cublas_enumerator(tb));
    return product;
}

/* A matrix, or its transpose, in tiles of 32 columns, as a transform of its own leaves it; each of
 * ORDER_COMPOSED has 32 rows as well. */
static LtMatrix tiles_of(LtPlan *plan, const char *name, DType dtype, const LtMatrix *from,
                         int order, bool turned)
{
    enum { TILE = 32 };
    LtMatrix tiled = *from;
    tiled.rows = turned ? from->columns : from->rows;
    tiled.columns = turned ? from->rows : from->columns;
    tiled.order = order;
    int64_t rows = (int64_t)tiled.rows, tiles = ((int64_t)tiled.columns + TILE - 1) / TILE;
    if (order == ORDER_COMPOSED)
        rows = (rows + TILE - 1) / TILE * TILE;
    tiled.leading = TILE * rows;
    tiled.operand =
        add_scratch(plan, name, dtype, tiled.leading * tiles * (int64_t)dtype_size(dtype));
    LtProduct *product = begin_transform(plan, turned ? "t" : "n", "n");
    product->a = *from;
    product->c = tiled;
    product->plain = true;
    return tiled;
}

/* Kernels for eight bits want the depth innermost in both factors, and extents by 16: the case is
 * laid out so, with zeros around it, wherever it lies. */
static void plan_eight_bits(LtPlan *plan, const Shapes *shapes)
{
    enum { A, B, C, D };
    LtProduct *product = begin_product(plan, "t", "n");
    product->a = copy_of(plan, shapes, A, "copy_a", true);
    product->b = copy_of(plan, shapes, B, "copy_b", false);
    product->c = copy_of(plan, shapes, C, "copy_c", false);
    product->d = shapes->count > D ? copy_of(plan, shapes, D, "copy_d", false) : product->c;
    plan->scratch[product->d.operand - LT_SCRATCH].result = true;
}

/* Products of integers in the tiles that units for them had first: of A and C, and of B turned. */
static void plan_tiles(LtPlan *plan, const Shapes *shapes)
{
    enum { A, B, C };
    LtMatrix a = copy_of(plan, shapes, A, "copy_a", true);
    LtMatrix b = copy_of(plan, shapes, B, "copy_b", false);
    LtMatrix c = copy_of(plan, shapes, C, "copy_c", false);
    LtMatrix tiles_a = tiles_of(plan, "tiles_a", DT_I8, &a, ORDER_TILES, true);
    LtMatrix tiles_b = tiles_of(plan, "tiles_b", DT_I8, &b, ORDER_COMPOSED, true);
    LtMatrix tiles_c = tiles_of(plan, "tiles_c", DT_I32, &c, ORDER_TILES, false);
    LtProduct *product = begin_product(plan, "n", "t");
    product->a = tiles_a;
    product->b = tiles_b;
    product->c = tiles_c;
    product = begin_transform(plan, "n", "n");
    product->a = tiles_c;
    product->c = c;
    product->plain = true;
    plan->scratch[c.operand - LT_SCRATCH].result = true;
}

/* How the plans of a kind of row are made; false where there is none for the case. */
typedef bool Planner(LtPlan *plan, const Case *c, const Shapes *shapes, const LtMode *mode,
                     const LtRow *row);

static bool plan_gemm(LtPlan *plan, const Case *c, const Shapes *shapes, const LtMode *mode,
                      const LtRow *row)
{
    (void)row;
    const char *ta = case_choice(c, "ta"), *tb = case_choice(c, "tb");
    int order = order_of(c);
    int64_t m = case_int(c, "m"), n = case_int(c, "n"), k = case_int(c, "k");
    plan->batch = case_has(c, "batch") ? (int)case_int(c, "batch") : 1;
    plan->alpha = case_scalar(c, "alpha");
    plan->beta = case_scalar(c, "beta");
    if (dtype_size(shapes->tensor[0].layout.dtype) == 1 && m > 0 && n > 0 && k > 0) {
        bool tiles = mode->tiled && shapes->tensor[0].layout.dtype == DT_I8;
        (tiles ? plan_tiles : plan_eight_bits)(plan, shapes);
        return true;
    }
    LtProduct *product = begin_product(plan, ta, tb);
    product->a = *ta != 'n' ? matrix(shapes, 0, order, k, m) : matrix(shapes, 0, order, m, k);
    product->b = *tb != 'n' ? matrix(shapes, 1, order, n, k) : matrix(shapes, 1, order, k, n);
    product->c = matrix(shapes, 2, order, m, n);
    return true;
}

/* A dense matrix by rows, as the columns of its transpose. */
static LtMatrix rows_of(const Shapes *shapes, int operand)
{
    const Tensor *layout = &shapes->tensor[operand].layout;
    LtMatrix columns = matrix(shapes, operand, ORDER_COLUMNS, layout->extent[1], layout->extent[0]);
    columns.leading = layout->extent[1] > 0 ? layout->extent[1] : 1;
    return columns;
}

/* y^T = w x^T with a bias for each row. */
static bool plan_linear(LtPlan *plan, const Case *c, const Shapes *shapes, const LtMode *mode,
                        const LtRow *row)
{
    enum { X, W, BIAS, Y };
    const char *activation = row->activation ? row->activation : case_choice(c, "activation");
    bool relu = strcmp(activation, "relu") == 0, gelu = strcmp(activation, "gelu") == 0;
    (void)mode;
    bool bias = strcmp(case_choice(c, "bias"), "yes") == 0;
    if (!relu && !gelu && strcmp(activation, "none") != 0)
        return false;
    int function = relu ? EPILOGUE_RELU : gelu ? EPILOGUE_GELU : 0;
    LtProduct *product = begin_product(plan, "t", "n");
    product->a = rows_of(shapes, W);
    product->b = rows_of(shapes, X);
    product->c = rows_of(shapes, Y);
    put_epilogue(product,
                 function || bias ? function | (bias ? EPILOGUE_BIAS : 0) : EPILOGUE_DEFAULT,
                 bias ? BIAS : -1);
    return true;
}

/* dx^T = w^T dy^T; and dw^T = x^T dy with the sums of dy's columns beside it, to which dy may come
 * as it is where the product rounds it: no reading of the inputs has both. */
static bool plan_linear_gradients(LtPlan *plan, const Case *c, const Shapes *shapes,
                                  const LtMode *mode, const LtRow *row)
{
    enum { DY, X, W, DX, DW, DBIAS };
    (void)c, (void)row;
    LtProduct *product = begin_product(plan, "n", "n");
    product->a = rows_of(shapes, W);
    product->b = rows_of(shapes, DY);
    product->c = rows_of(shapes, DX);
    product = begin_product(plan, "n", "t");
    product->a = rows_of(shapes, X);
    product->b = rows_of(shapes, DY);
    product->c = rows_of(shapes, DW);
    put_epilogue(product, EPILOGUE_SUMS_OF_B, DBIAS);
    return keeps_factors(mode);
}

/* dz^T = f'(z)^T w^T dy^T.  What tells f'(z) is for the library to know: it leaves that in the
 * auxiliary matrix when it computes f(z I), which it has to do exactly. */
static bool plan_activated_gradients(LtPlan *plan, const Case *c, const Shapes *shapes,
                                     const LtMode *mode, const LtRow *row)
{
    enum { DY, W, Z, DZ, D_BIAS };
    bool gelu = strcmp(row->activation, "gelu") == 0;
    (void)c;
    LtMatrix z = rows_of(shapes, Z), identity = z, result = z;
    int64_t rows = (int64_t)z.rows, columns = (int64_t)z.columns, step = gelu ? 8 : 128;
    DType dtype = shapes->tensor[Z].layout.dtype;
    int64_t size = (int64_t)dtype_size(dtype);
    int64_t leading = (rows + step - 1) / step * step;
    int64_t auxiliary_bytes = gelu ? leading * columns * size : leading / 8 * columns;
    identity.columns = z.rows;
    identity.operand = add_scratch(plan, "identity", dtype, rows * rows * size);
    plan->scratch[identity.operand - LT_SCRATCH].diagonal = rows;
    result.operand = add_scratch(plan, "result", dtype, rows * columns * size);
    int auxiliary = add_scratch(plan, "auxiliary", dtype, auxiliary_bytes);
    LtProduct *product = begin_product(plan, "n", "n");
    product->a = identity;
    product->b = z;
    product->c = result;
    put_epilogue(product, gelu ? EPILOGUE_GELU_AUXILIARY : EPILOGUE_RELU_AUXILIARY, -1);
    put_auxiliary(product, auxiliary, leading);
    product = begin_product(plan, "n", "n");
    product->a = rows_of(shapes, W);
    product->b = rows_of(shapes, DY);
    product->c = rows_of(shapes, DZ);
    put_epilogue(product, gelu ? EPILOGUE_GELU_GRADIENT : EPILOGUE_RELU_GRADIENT, D_BIAS);
    put_auxiliary(product, auxiliary, leading);
    plan->finite = Z;
    return keeps_factors(mode);
}

static DType dtype_of(const LtPlan *plan, const Shapes *shapes, int operand)
{
    if (operand >= LT_SCRATCH)
        return plan->scratch[operand - LT_SCRATCH].dtype;
    return shapes->tensor[operand].layout.dtype;
}

/* Descriptors have no empty matrices. */
static bool is_empty(const LtProduct *product)
{
    return product->a.rows == 0 || product->a.columns == 0 || product->c.columns == 0 ||
           product->c.rows == 0;
}

/* Sums, and copies, which have no second matrix: m x n is the result, or what is copied. */
static bool plan_transform(LtPlan *plan, const Case *c, const Shapes *shapes, const LtMode *mode,
                           const LtRow *row)
{
    bool copy = row->kind == LT_COPY;
    const char *ta = case_choice(c, "ta"), *tb = copy ? "n" : case_choice(c, "tb");
    int order = order_of(c);
    int64_t m = case_int(c, "m"), n = case_int(c, "n");
    bool turns = *ta != 'n', across = turns && !copy;
    LtMatrix a = matrix(shapes, 0, order, across ? n : m, across ? m : n);
    if (mode->tiled)
        a = tiles_of(plan, "tiles", case_dtype(c), &a, ORDER_TILES, false);
    LtProduct *product = begin_transform(plan, ta, tb);
    product->a = a;
    if (copy) {
        product->c = matrix(shapes, 1, order, turns ? n : m, turns ? m : n);
    } else {
        product->b = *tb != 'n' ? matrix(shapes, 1, order, n, m) : matrix(shapes, 1, order, m, n);
        product->c = matrix(shapes, 2, order, m, n);
    }
    plan->alpha = case_scalar(c, "alpha");
    plan->beta = copy ? (Scalar){0, 0} : case_scalar(c, "beta");
    return mode->choice == 0;
}

static bool plan_products(LtPlan *plan, const Case *c, const Shapes *shapes, const LtMode *mode)
{
    static Planner *const planners[] = {
        [LT_GEMM] = plan_gemm,
        [LT_SUM] = plan_transform,
        [LT_COPY] = plan_transform,
        [LT_LINEAR] = plan_linear,
        [LT_LINEAR_GRADIENTS] = plan_linear_gradients,
        [LT_ACTIVATED_GRADIENTS] = plan_activated_gradients,
    };
    const LtRow *row = cublaslt_row(c->op);
    return planners[row->kind](plan, c, shapes, mode, row);
}

/* The last that multiplies, or else the last. */
static const LtProduct *judged_product(const LtPlan *plan)
{
    for (int i = plan->count - 1; i >= 0; i--)
        if (!plan->products[i].transform)
            return &plan->products[i];
    return &plan->products[plan->count - 1];
}

static void put_pointer_mode(LtProduct *product)
{
    if (product->transform)
        put_setting(product, "CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE", 1, 4,
                    POINTERS_ON_DEVICE);
    else
        put_setting(product, "CUBLASLT_MATMUL_DESC_POINTER_MODE", 2, 4, POINTERS_ON_DEVICE);
}

/* A factor that is not halved exactly would be another. */
static bool is_tiny(double factor)
{
    return fabs(factor) < 0x1p-120 && factor != 0;
}

static void use_scales(LtPlan *plan, bool narrow)
{
    double of_result = narrow ? (double)lt_scales[2].value : 1;
    plan->scale_count = narrow ? 3 : 2;
    plan->alpha.re /= (double)(lt_scales[0].value * lt_scales[1].value) * of_result;
    plan->beta.re /= of_result;
}

bool cublaslt_plan(LtPlan *plan, const Case *c, const Shapes *shapes, const LtMode *mode)
{
    *plan = (LtPlan){.batch = 1, .alpha = {1, 0}, .finite = -1};
    if (!plan_products(plan, c, shapes, mode))
        return false;
    for (int i = 0; i < plan->count; i++)
        if (plan->products[i].d.rows == 0)
            plan->products[i].d = plan->products[i].c;
    const LtProduct *judged = judged_product(plan);
    DType a = dtype_of(plan, shapes, judged->a.operand);
    DType output = dtype_of(plan, shapes, judged->d.operand);
    plan->compute = cublas_compute_number(&mode->words, a, output);
    plan->factors = cublas_scale_dtype(&mode->words, a, output);
    plan->scale = cublas_type_number(plan->factors);
    if (mode->scales && dtype_size(a) == 1 && a != DT_I8)
        use_scales(plan, dtype_size(output) == 1);
    for (int i = 0; i < plan->count; i++) {
        if (mode->words.device)
            put_pointer_mode(&plan->products[i]);
        if (is_empty(&plan->products[i]))
            return false;
    }
    return plan->batch > 0 &&
           !(plan->scale_count && (is_tiny(plan->alpha.re) || is_tiny(plan->beta.re)));
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
