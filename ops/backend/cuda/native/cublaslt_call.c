/* One product: descriptors as the plan says, the algorithm that the mode names, and the call. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "cublas.h"
#include "cublaslt.h"

enum { CELL_BYTES = 16, ALPHA = 0, BETA = 1, PLAIN = 2, CELLS = 4 };

typedef struct Call {
    LtSession *session;
    CudaImage image;
    LtPlan plan;
    unsigned char factors[CELLS][CELL_BYTES];   /* alpha and beta, 1 and 0 */
    size_t factor_at, scale_at;                 /* where they, and the scales, lie in the image */
    void *product, *a, *b, *c, *d, *preference; /* of the product that is made now */
    int algorithms;                             /* that the heuristics returned */
} Call;

void cublaslt_begin(LtSession *session, const LtLibrary *library)
{
    *session = (LtSession){.library = library};
    int status = library->lt.create(&session->handle);
    cuda_begin(&session->cuda, &library->cuda, library->mode.words.stream);
    int error = library->cuda.allocate(&session->workspace, LT_WORKSPACE);
    if (status || error)
        (void)snprintf(session->cuda.failure, sizeof session->cuda.failure, "no session: %s",
                       status ? library->lt.status_name(status) : library->cuda.error_name(error));
}

static void *address_of(const Call *call, int operand)
{
    const CudaImage *image = &call->image;
    return image_address(image, operand < LT_SCRATCH ? image->places[operand].at
                                                     : image->scratch[operand - LT_SCRATCH].at);
}

static int apply(int (*set)(void *, int, const void *, size_t), void *descriptor,
                 const LtSetting *settings, int count)
{
    int status = 0;
    for (int i = 0; i < count && !status; i++) {
        int32_t narrow = (int32_t)settings[i].value;
        const void *value = settings[i].size == 4 ? (void *)&narrow : (void *)&settings[i].value;
        status = set(descriptor, settings[i].number, value, (size_t)settings[i].size);
    }
    return status;
}

static int make_matrix(const Call *call, const LtMatrix *matrix, void **made)
{
    const CublasLt *lt = &call->session->library->lt;
    LtSetting settings[LT_SETTINGS_MAX];
    int count = cublaslt_matrix_settings(matrix, call->plan.batch, settings);
    int status =
        lt->matrix_create(made, matrix->type, matrix->rows, matrix->columns, matrix->leading);
    return status ? status : apply(lt->matrix_set, *made, settings, count);
}

static int set_address(Call *call, int setting, void *address)
{
    return call->session->library->lt.product_set(call->product, setting, &address, sizeof address);
}

static int make_product(Call *call, const LtProduct *planned)
{
    const CublasLt *lt = &call->session->library->lt;
    const LtPlan *plan = &call->plan;
    int status = planned->transform
                     ? lt->transform_create(&call->product, plan->scale)
                     : lt->product_create(&call->product, plan->compute, plan->scale);
    if (!status)
        status = apply(planned->transform ? lt->transform_set : lt->product_set, call->product,
                       planned->settings, planned->setting_count);
    if (!status && planned->bias >= 0)
        status = set_address(call, LT_BIAS_POINTER, address_of(call, planned->bias));
    if (!status && planned->auxiliary >= 0)
        status = set_address(call, LT_AUXILIARY_POINTER, address_of(call, planned->auxiliary));
    for (int i = 0; i < plan->scale_count && !status; i++)
        status = set_address(call, lt_scales[i].setting,
                             image_address(&call->image, call->scale_at + (size_t)i * CELL_BYTES));
    return status;
}

/* The resources that an algorithm may use: a workspace, and addresses as they are aligned. */
static int make_preference(Call *call, const LtProduct *planned)
{
    const CublasLt *lt = &call->session->library->lt;
    const int operands[] = {planned->a.operand, planned->b.operand, planned->c.operand,
                            planned->d.operand};
    uint64_t workspace = LT_WORKSPACE;
    int status = lt->preference_create(&call->preference);
    if (!status)
        status = lt->preference_set(call->preference, LT_PREFERENCE_WORKSPACE, &workspace,
                                    sizeof workspace);
    for (int i = 0; i < (int)COUNT_OF(operands) && !status; i++) {
        uint32_t aligned = address_alignment(address_of(call, operands[i]), LT_ALIGNMENT_MOST);
        status = lt->preference_set(call->preference, LT_PREFERENCE_ALIGNMENT_A + i, &aligned,
                                    sizeof aligned);
    }
    return status;
}

static int make_descriptors(Call *call, const LtProduct *planned)
{
    int status = make_product(call, planned);
    if (!status)
        status = make_matrix(call, &planned->a, &call->a);
    if (!status && planned->b.operand >= 0)
        status = make_matrix(call, &planned->b, &call->b);
    if (!status)
        status = make_matrix(call, &planned->c, &call->c);
    if (!status)
        status = make_matrix(call, &planned->d, &call->d);
    return status || planned->transform ? status : make_preference(call, planned);
}

static void destroy_descriptors(Call *call, bool transform)
{
    const CublasLt *lt = &call->session->library->lt;
    void **const matrices[] = {&call->a, &call->b, &call->c, &call->d};
    for (size_t i = 0; i < COUNT_OF(matrices); i++) {
        if (*matrices[i])
            (void)lt->matrix_destroy(*matrices[i]);
        *matrices[i] = NULL;
    }
    if (call->preference)
        (void)lt->preference_destroy(call->preference);
    if (call->product)
        (void)(transform ? lt->transform_destroy : lt->product_destroy)(call->product);
    call->preference = call->product = NULL;
}

/* The factors, here or in the image. */
static const void *factor(const Call *call, int number)
{
    if (!call->session->library->mode.words.device)
        return call->factors[number];
    return image_address(&call->image, call->factor_at + (size_t)number * CELL_BYTES);
}

static int multiply(Call *call, const LtProduct *planned)
{
    const LtSession *session = call->session;
    const CublasLt *lt = &session->library->lt;
    LtAlgorithm found[LT_ALGORITHMS_MAX];
    int status = make_descriptors(call, planned), choice = session->library->mode.choice;
    if (!status)
        status = lt->heuristics(session->handle, call->product, call->a, call->b, call->c, call->d,
                                call->preference, LT_ALGORITHMS_MAX, found, &call->algorithms);
    if (!status && (choice >= call->algorithms || found[choice].state))
        status = STATUS_NOT_SUPPORTED;
    if (!status)
        status = lt->multiply(
            session->handle, call->product, factor(call, ALPHA),
            address_of(call, planned->a.operand), call->a, address_of(call, planned->b.operand),
            call->b, factor(call, BETA), address_of(call, planned->c.operand), call->c,
            address_of(call, planned->d.operand), call->d, found[choice].algorithm,
            session->workspace, LT_WORKSPACE, session->cuda.stream);
    destroy_descriptors(call, false);
    return status;
}

static int transform(Call *call, const LtProduct *planned)
{
    const LtSession *session = call->session;
    int status = make_descriptors(call, planned), first = planned->plain ? PLAIN : ALPHA;
    if (!status)
        status = session->library->lt.transform(
            session->handle, call->product, factor(call, first),
            address_of(call, planned->a.operand), call->a, factor(call, first + BETA),
            planned->b.operand >= 0 ? address_of(call, planned->b.operand) : NULL, call->b,
            address_of(call, planned->c.operand), call->c, session->cuda.stream);
    destroy_descriptors(call, true);
    return status;
}

static int invoke(void *context)
{
    Call *call = context;
    int status = 0;
    for (int i = 0; i < call->plan.count && !status; i++)
        status = (call->plan.products[i].transform ? transform : multiply)(call,
                                                                           &call->plan.products[i]);
    return status;
}

static void put_factors(Call *call)
{
    const Scalar factors[CELLS] = {call->plan.alpha, call->plan.beta, {1, 0}, {0, 0}};
    call->factor_at = image_reserve(&call->image, sizeof call->factors);
    for (int i = 0; i < CELLS; i++) {
        dtype_store(call->plan.factors, call->factors[i], 0, factors[i].re);
        if (dtype_components(call->plan.factors) == 2)
            dtype_store(call->plan.factors, call->factors[i], 1, factors[i].im);
    }
    memcpy(call->session->cuda.image + call->factor_at, call->factors, sizeof call->factors);
    call->scale_at = image_reserve(&call->image, LT_SCALES_MAX * CELL_BYTES);
    for (size_t i = 0; i < LT_SCALES_MAX; i++)
        memcpy(call->session->cuda.image + call->scale_at + i * CELL_BYTES, &lt_scales[i].value,
               sizeof lt_scales[i].value);
}

/* The elements of an operand to their copy, or back. */
static void copy_elements(const Call *call, const LtScratch *scratch, unsigned char *copy,
                          bool back)
{
    const CudaPlace *place = &call->image.places[scratch->operand];
    const Tensor *layout = &call->image.shapes.tensor[scratch->operand].layout;
    for (int64_t i = 0; i < layout->extent[0]; i++)
        for (int64_t j = 0; j < layout->extent[1]; j++) {
            int64_t at = scratch->turned ? j + i * scratch->rows : i + j * scratch->rows;
            int64_t own = tensor_origin_offset(layout) + tensor_offset(layout, i, j);
            unsigned char *element = place->host + own * (int64_t)place->element;
            unsigned char *other = copy + at * (int64_t)place->element;
            memcpy(back ? element : other, back ? other : element, place->element);
        }
}

static bool place_scratch(Call *call)
{
    for (int i = 0; i < call->plan.scratch_count; i++) {
        const LtScratch *scratch = &call->plan.scratch[i];
        unsigned char *here = image_add_scratch(&call->image, (size_t)scratch->bytes);
        if (!here)
            return false;
        if (scratch->operand >= 0)
            copy_elements(call, scratch, here, false);
        for (int64_t k = 0; k < scratch->diagonal; k++)
            dtype_store(scratch->dtype, here, k * (scratch->diagonal + 1), 1);
    }
    return true;
}

static void take_results(const Call *call)
{
    for (int i = 0; i < call->plan.scratch_count; i++)
        if (call->plan.scratch[i].result)
            copy_elements(call, &call->plan.scratch[i],
                          call->session->cuda.image_after + call->image.scratch[i].at, true);
}

static bool is_finite(const Call *call)
{
    int operand = call->plan.finite;
    if (operand < 0)
        return true;
    const Tensor *layout = &call->image.shapes.tensor[operand].layout;
    const void *data = native_data(call->image.request, operand);
    for (int64_t i = 0; i < tensor_count(layout); i++)
        if (!isfinite(dtype_load(layout->dtype, data, i)))
            return false;
    return true;
}

uint32_t cublaslt_call(LtSession *session, const NativeRequest *request)
{
    const LtLibrary *library = session->library;
    const Case *c = &request->call->c;
    Call call = {.session = session, .image = {.session = &session->cuda, .request = request}};
    int status = 0;
    if (session->cuda.failure[0])
        return cuda_fail(request, REPLY_LOST, session->cuda.failure);
    op_shape(c->op, c->params, &call.image.shapes);
    if (!image_is_plain(&call.image) ||
        !cublaslt_plan(&call.plan, c, &call.image.shapes, &library->mode) || !is_finite(&call))
        return cuda_fail(request, REPLY_DECLINED, "no such product");
    put_factors(&call);
    if (!image_place_all(&call.image) || !place_scratch(&call))
        return cuda_fail(request, REPLY_DECLINED, "larger than the device's arena");
    uint32_t reply = image_run(&call.image, invoke, &call, &status);
    if (reply == REPLY_DONE && status == STATUS_SUCCESS)
        take_results(&call);
    if (reply != REPLY_DONE || status == STATUS_SUCCESS)
        return reply;
    bool declined = status == STATUS_NOT_SUPPORTED || status == STATUS_ALLOC_FAILED;
    return cuda_fail(request, declined ? REPLY_DECLINED : REPLY_RAISED,
                     library->lt.status_name(status));
}
