/* cuBLASLt on the simulated device: descriptors with settings, two algorithms, products of
 * products.c with an order, a batch and an epilogue (epilogue.c).  FAKECUDA=second-algorithm drops
 * the last term in the second, last-sum keeps the last sum of B's columns back, and no-scale
 * multiplies by no scale of B, no-result-scale by none of D. */
#include <stdlib.h>
#include <string.h>

#include "epilogue.h"
#include "fakecuda.h"

#define EXPORT __attribute__((visibility("default")))
enum { MAGIC = 0x4c74, SETTINGS = 64, ALGORITHMS = 2, ALIGNMENT_WANTED = 1 };
enum { TRANSPOSE_A = 3, TRANSPOSE_B = 4, POINTER_MODE = 2, EPILOGUE = 7, BIAS = 8 };
enum { ORDER = 1, BATCH = 5, STRIDE = 6 };
enum { AUXILIARY = 11, AUXILIARY_LEADING = 12, SCALE_A = 17, SCALE_D = 20, SUMS_OF_B = 512 };

/* A descriptor of any kind. */
typedef struct Descriptor {
    int magic, type, scale;
    uint64_t rows, columns;
    int64_t leading, settings[SETTINGS];
} Descriptor;

typedef struct Algorithm {
    uint64_t data[8];
    size_t workspace;
    int state;
    float waves;
    int reserved[4];
} Algorithm;

static Descriptor *made(Descriptor descriptor)
{
    Descriptor *copy = malloc(sizeof *copy);
    descriptor.magic = MAGIC;
    *copy = descriptor;
    return copy;
}

static Descriptor *valid(void *descriptor)
{
    Descriptor *d = descriptor;
    return d && d->magic == MAGIC ? d : NULL;
}

static int set(void *descriptor, int setting, const void *value, size_t size)
{
    Descriptor *d = valid(descriptor);
    if (!d || setting < 0 || setting >= SETTINGS || (size != 4 && size != 8))
        return FAKE_INVALID_VALUE;
    int32_t narrow;
    if (size == 4) {
        memcpy(&narrow, value, 4);
        d->settings[setting] = narrow;
    } else {
        memcpy(&d->settings[setting], value, 8);
    }
    return FAKE_SUCCESS;
}

static int destroy(void *descriptor)
{
    if (!valid(descriptor))
        return FAKE_INVALID_VALUE;
    valid(descriptor)->magic = 0;
    free(descriptor);
    return FAKE_SUCCESS;
}

EXPORT int cublasLtCreate(void **handle)
{
    if (fake_fault("create"))
        return FAKE_NOT_INITIALIZED;
    *handle = made((Descriptor){0});
    return FAKE_SUCCESS;
}

EXPORT int cublasLtDestroy(void *handle)
{
    return destroy(handle);
}

EXPORT size_t cublasLtGetVersion(void)
{
    return 120000;
}

EXPORT const char *cublasLtGetStatusName(int status)
{
    return cublasGetStatusName(status);
}

EXPORT int cublasLtMatmulDescCreate(void **product, int compute, int scale)
{
    *product = made((Descriptor){.type = compute, .scale = scale, .settings = {[EPILOGUE] = 1}});
    return FAKE_SUCCESS;
}

EXPORT int cublasLtMatmulDescSetAttribute(void *product, int setting, const void *value,
                                          size_t size)
{
    return set(product, setting, value, size);
}

EXPORT int cublasLtMatmulDescDestroy(void *product)
{
    return destroy(product);
}

EXPORT int cublasLtMatrixLayoutCreate(void **matrix, int type, uint64_t rows, uint64_t columns,
                                      int64_t leading)
{
    *matrix = made((Descriptor){.type = type,
                                .rows = rows,
                                .columns = columns,
                                .leading = leading,
                                .settings = {[BATCH] = 1}});
    return rows > 0 && columns > 0 ? FAKE_SUCCESS : FAKE_INVALID_VALUE;
}

EXPORT int cublasLtMatrixLayoutSetAttribute(void *matrix, int setting, const void *value,
                                            size_t size)
{
    return set(matrix, setting, value, size);
}

EXPORT int cublasLtMatrixLayoutDestroy(void *matrix)
{
    return destroy(matrix);
}

EXPORT int cublasLtMatmulPreferenceCreate(void **preference)
{
    *preference = made((Descriptor){0});
    return FAKE_SUCCESS;
}

EXPORT int cublasLtMatmulPreferenceSetAttribute(void *preference, int setting, const void *value,
                                                size_t size)
{
    return set(preference, setting, value, size);
}

EXPORT int cublasLtMatmulPreferenceDestroy(void *preference)
{
    return destroy(preference);
}

/* The least leading dimension. */
static uint64_t least_leading(const Descriptor *x)
{
    enum { COLUMNS, ROWS, TILES, COMPOSED = 4, TILE = 32 };
    switch (x->settings[ORDER]) {
    case ROWS:
        return x->columns;
    case TILES:
        return TILE * x->rows;
    case COMPOSED:
        return TILE * ((x->rows + TILE - 1) / TILE * TILE);
    default:
        return x->rows;
    }
}

/* The extents fit each other, and leading dimensions the extents. */
static bool is_consistent(const Descriptor *product, const Descriptor *a, const Descriptor *b,
                          const Descriptor *c)
{
    const Descriptor *all[] = {a, b, c};
    bool ta = product->settings[TRANSPOSE_A] != 0, tb = product->settings[TRANSPOSE_B] != 0;
    for (int i = 0; i < 3; i++) {
        if ((uint64_t)all[i]->leading < least_leading(all[i]) ||
            all[i]->settings[BATCH] != a->settings[BATCH])
            return false;
    }
    return (ta ? a->columns : a->rows) == c->rows && (tb ? b->rows : b->columns) == c->columns &&
           (ta ? a->rows : a->columns) == (tb ? b->columns : b->rows);
}

/* Numbers of eight bits: the depth innermost, and all by 16; or in tiles. */
static bool fits_eight_bits(const Descriptor *product, const Descriptor *a, const Descriptor *b,
                            const Descriptor *d)
{
    enum { WHOLE = 16, TILES = 2, COMPOSED = 4 };
    const Descriptor *all[] = {a, b, d};
    if (fake_size(a->type) != 1)
        return true;
    if (a->settings[ORDER] == TILES)
        return fake_size(d->type) == 4 && b->settings[ORDER] == COMPOSED &&
               d->settings[ORDER] == TILES && product->settings[TRANSPOSE_A] == 0 &&
               product->settings[TRANSPOSE_B] == 1;
    bool whole = product->settings[TRANSPOSE_A] == 1 && product->settings[TRANSPOSE_B] == 0;
    for (int i = 0; i < 3; i++)
        whole = whole && all[i]->rows % WHOLE == 0 && all[i]->columns % WHOLE == 0 &&
                all[i]->leading % WHOLE == 0 && all[i]->settings[ORDER] == 0;
    return whole;
}

static void *address_in(const Descriptor *product, int setting)
{
    return (void *)(uintptr_t)product->settings[setting];
}

static FakeEpilogue epilogue_of(const Descriptor *product, const Descriptor *d)
{
    return (FakeEpilogue){(int)product->settings[EPILOGUE],
                          d->type,
                          address_in(product, BIAS),
                          address_in(product, AUXILIARY),
                          product->settings[AUXILIARY_LEADING],
                          NULL};
}

EXPORT int cublasLtMatmulAlgoGetHeuristic(void *handle, void *product, void *a, void *b, void *c,
                                          void *d, void *preference, int most, Algorithm *results,
                                          int *count)
{
    *count = 0;
    if (!valid(handle) || !valid(product) || !valid(a) || !valid(b) || !valid(c) || !valid(d) ||
        !valid(preference) || most < 1 || !is_consistent(product, a, b, d))
        return FAKE_INVALID_VALUE;
    FakeEpilogue epilogue = epilogue_of(product, d);
    if (!fake_epilogue_is_legal(&epilogue, (int64_t)valid(d)->rows))
        return FAKE_INVALID_VALUE;
    if (!fits_eight_bits(product, a, b, d) ||
        !fake_is_supported(valid(a)->type, valid(b)->type, valid(d)->type, valid(product)->type))
        return FAKE_NOT_SUPPORTED;
    for (; *count < ALGORITHMS && *count < most; ++*count)
        results[*count] = (Algorithm){.data = {MAGIC, (uint64_t)*count}};
    return FAKE_SUCCESS;
}

static FakeMatrix matrix_of(const void *data, const Descriptor *layout, int operation,
                            int64_t batch)
{
    size_t size = fake_size(layout->type);
    const char *at = (const char *)data + batch * layout->settings[STRIDE] * (int64_t)size;
    return (FakeMatrix){at, layout->type, operation, layout->leading, (int)layout->settings[ORDER]};
}

/* The sum of each column of op(B), in binary64 and rounded once. */
static void sum_columns(const Descriptor *layout, const void *b, bool transposed, void *sums)
{
    int64_t columns = (int64_t)(transposed ? layout->rows : layout->columns);
    int64_t rows = (int64_t)(transposed ? layout->columns : layout->rows);
    for (int64_t j = 0; j < columns - (fake_fault("last-sum") && columns > 1); j++) {
        double sum = 0;
        for (int64_t i = 0; i < rows; i++)
            sum += fake_load(layout->type, b,
                             transposed ? i * layout->leading + j : j * layout->leading + i);
        fake_store(layout->type, sums, j, sum);
    }
}

/* alpha with the scales of A and B in it, where there are any. */
static const void *scaled_factor(FakeCall *call, const Descriptor *product, const void *alpha,
                                 float *room)
{
    float scales[] = {1, 1};
    for (int i = 0; i < 2; i++) {
        const void *scale = address_in(product, SCALE_A + i);
        fake_operand(call, scale);
        if (scale && !fake_refused(call) && !(i == 1 && fake_fault("no-scale")))
            memcpy(&scales[i], scale, sizeof *scales);
    }
    if (scales[0] * scales[1] == 1 || fake_refused(call))
        return alpha;
    memcpy(room, alpha, sizeof *room);
    *room *= scales[0] * scales[1];
    return room;
}

EXPORT int cublasLtMatmul(void *handle, void *product, const void *alpha, const void *a,
                          void *a_layout, const void *b, void *b_layout, const void *beta,
                          const void *c, void *c_layout, void *d, void *d_layout,
                          const Algorithm *algorithm, void *workspace, size_t workspace_bytes,
                          void *stream)
{
    const Descriptor *p = valid(product), *pa = valid(a_layout), *pb = valid(b_layout),
                     *pd = valid(d_layout);
    const Descriptor *pc = valid(c_layout);
    if (!valid(handle) || !p || !pa || !pb || !pc || !pd || (c == d) != (pc->type == pd->type) ||
        algorithm->data[0] != MAGIC || !is_consistent(p, pa, pb, pd))
        return FAKE_INVALID_VALUE;
    FakeCall call = fake_begin_free("gemm", p->settings[POINTER_MODE] == 1);
    (void)fake_factor(&call, alpha);
    (void)fake_factor(&call, beta);
    const void *const operands[] = {a, b, c, d, workspace_bytes ? workspace : NULL};
    for (int i = 0; i < 5; i++)
        fake_operand(&call, operands[i]);
    int64_t k = (int64_t)(p->settings[TRANSPOSE_A] != 0 ? pa->rows : pa->columns);
    if (!fake_refused(&call))
        k = fake_depth(&call, k);
    if (fake_fault("second-algorithm") && algorithm->data[1] == 1 && k > 4)
        k--;
    float room;
    alpha = scaled_factor(&call, p, alpha, &room);
    float of_result = 0;
    const void *result_scale = address_in(p, SCALE_D);
    fake_operand(&call, result_scale);
    if (result_scale && !fake_refused(&call) && !fake_fault("no-result-scale"))
        memcpy(&of_result, result_scale, sizeof of_result);
    FakeEpilogue epilogue = epilogue_of(p, pd);
    epilogue.sums = calloc(pd->rows, sizeof(double));
    fake_operand(&call, epilogue.bias);
    fake_operand(&call, epilogue.auxiliary);
    if ((epilogue.kind & SUMS_OF_B) && !fake_refused(&call))
        sum_columns(pb, b, p->settings[TRANSPOSE_B] != 0, epilogue.bias);
    for (int64_t i = 0; i < pa->settings[BATCH] && !fake_refused(&call); i++)
        fake_product(&call,
                     &(FakeProduct){(int64_t)pd->rows, (int64_t)pd->columns, k, alpha, beta,
                                    matrix_of(a, pa, (int)p->settings[TRANSPOSE_A], i),
                                    matrix_of(b, pb, (int)p->settings[TRANSPOSE_B], i),
                                    matrix_of(d, pd, 0, i), p->type, fake_epilogue_bias(&epilogue),
                                    &epilogue, c == d ? (FakeMatrix){0} : matrix_of(c, pc, 0, i),
                                    of_result});
    if (!fake_refused(&call))
        fake_epilogue_end(&epilogue, (int64_t)pd->rows);
    free(epilogue.sums);
    (void)stream;
    return fake_end(&call);
}

EXPORT int cublasLtMatrixTransformDescCreate(void **transform, int scale)
{
    *transform = made((Descriptor){.scale = scale});
    return FAKE_SUCCESS;
}

EXPORT int cublasLtMatrixTransformDescSetAttribute(void *transform, int setting, const void *value,
                                                   size_t size)
{
    return set(transform, setting, value, size);
}

EXPORT int cublasLtMatrixTransformDescDestroy(void *transform)
{
    return destroy(transform);
}

/* Room for the extents in the leading dimension, and op(X) has those of the result. */
static bool fits(const Descriptor *x, int64_t operation, const Descriptor *c)
{
    bool turned = operation != 0;
    return (uint64_t)x->leading >= least_leading(x) && (turned ? x->columns : x->rows) == c->rows &&
           (turned ? x->rows : x->columns) == c->columns && x->type == c->type;
}

EXPORT int cublasLtMatrixTransform(void *handle, void *transform, const void *alpha, const void *a,
                                   void *a_layout, const void *beta, const void *b, void *b_layout,
                                   void *c, void *c_layout, void *stream)
{
    enum { TRANSFORM_POINTERS = 1, TRANSFORM_A = 2, TRANSFORM_B = 3 };
    const Descriptor *p = valid(transform), *pa = valid(a_layout), *pc = valid(c_layout);
    const Descriptor *pb = b ? valid(b_layout) : NULL;
    if (!valid(handle) || !p || !pa || !pc || (b && !pb) ||
        !fits(pa, p->settings[TRANSFORM_A], pc) || !fits(pc, 0, pc) ||
        (pb && !fits(pb, p->settings[TRANSFORM_B], pc)))
        return FAKE_INVALID_VALUE;
    FakeCall call = fake_begin_free("transform", p->settings[TRANSFORM_POINTERS] == 1);
    (void)fake_factor(&call, alpha);
    (void)fake_factor(&call, beta);
    fake_operand(&call, a);
    fake_operand(&call, b);
    fake_operand(&call, c);
    FakeMatrix first = matrix_of(a, pa, (int)p->settings[TRANSFORM_A], 0);
    FakeMatrix result = matrix_of(c, pc, 0, 0);
    FakeMatrix second = pb ? matrix_of(b, pb, (int)p->settings[TRANSFORM_B], 0) : result;
    static const double zero[2] = {0, 0};
    if (!fake_refused(&call))
        fake_sum(&first, alpha, &second, pb ? beta : zero, &result, (int64_t)pc->rows,
                 (int64_t)pc->columns);
    (void)stream;
    return fake_end(&call);
}
