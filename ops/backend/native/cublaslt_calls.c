/* One product: descriptors as the plan says, the algorithm that the mode names, and the call. */
#include <stdio.h>
#include <string.h>

#include "cublas.h"
#include "cublaslt.h"

enum { CELL_BYTES = 16, CELLS = 2 };

typedef struct Call {
    LtSession *session;
    CudaImage image;
    LtPlan plan;
    unsigned char factors[CELLS][CELL_BYTES]; /* alpha and beta */
    size_t factor_at;                         /* where they lie in the image */
    void *product, *a, *b, *c, *preference;
    int algorithms; /* that the heuristics returned */
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
    return image_address(&call->image, call->image.places[operand].at);
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

static int make_product(Call *call)
{
    const CublasLt *lt = &call->session->library->lt;
    const LtPlan *plan = &call->plan;
    int status = lt->product_create(&call->product, plan->compute, plan->scale);
    if (!status)
        status = apply(lt->product_set, call->product, plan->settings, plan->setting_count);
    if (!status && plan->bias >= 0) {
        void *bias = address_of(call, plan->bias);
        status = lt->product_set(call->product, LT_BIAS_POINTER, &bias, sizeof bias);
    }
    return status;
}

/* What algorithms may use: a workspace, and addresses as they are aligned. */
static int make_preference(Call *call)
{
    const CublasLt *lt = &call->session->library->lt;
    const int operands[] = {call->plan.a.operand, call->plan.b.operand, call->plan.c.operand,
                            call->plan.c.operand};
    uint64_t workspace = LT_WORKSPACE;
    int status = lt->preference_create(&call->preference);
    if (!status)
        status = lt->preference_set(call->preference, LT_PREFERENCE_WORKSPACE, &workspace,
                                    sizeof workspace);
    for (int i = 0; i < (int)COUNT_OF(operands) && !status; i++) {
        uint32_t aligned = LT_ALIGNMENT_MOST;
        while ((uintptr_t)address_of(call, operands[i]) % aligned)
            aligned /= 2;
        status = lt->preference_set(call->preference, LT_PREFERENCE_ALIGNMENT_A + i, &aligned,
                                    sizeof aligned);
    }
    return status;
}

static int make_descriptors(Call *call)
{
    int status = make_product(call);
    if (!status)
        status = make_matrix(call, &call->plan.a, &call->a);
    if (!status)
        status = make_matrix(call, &call->plan.b, &call->b);
    if (!status)
        status = make_matrix(call, &call->plan.c, &call->c);
    return status ? status : make_preference(call);
}

static void destroy_descriptors(const Call *call)
{
    const CublasLt *lt = &call->session->library->lt;
    void *const matrices[] = {call->a, call->b, call->c};
    for (size_t i = 0; i < COUNT_OF(matrices); i++)
        if (matrices[i])
            (void)lt->matrix_destroy(matrices[i]);
    if (call->preference)
        (void)lt->preference_destroy(call->preference);
    if (call->product)
        (void)lt->product_destroy(call->product);
}

/* The factors, here or in the image. */
static const void *factor(const Call *call, int number)
{
    if (!call->session->library->mode.words.device)
        return call->factors[number];
    return image_address(&call->image, call->factor_at + (size_t)number * CELL_BYTES);
}

static int invoke(void *context)
{
    Call *call = context;
    const LtSession *session = call->session;
    const CublasLt *lt = &session->library->lt;
    LtAlgorithm found[LT_ALGORITHMS_MAX];
    int status = make_descriptors(call), choice = session->library->mode.choice;
    if (!status)
        status = lt->heuristics(session->handle, call->product, call->a, call->b, call->c, call->c,
                                call->preference, LT_ALGORITHMS_MAX, found, &call->algorithms);
    if (!status && (choice >= call->algorithms || found[choice].state))
        status = STATUS_NOT_SUPPORTED;
    if (!status)
        status = lt->multiply(
            session->handle, call->product, factor(call, 0), address_of(call, call->plan.a.operand),
            call->a, address_of(call, call->plan.b.operand), call->b, factor(call, 1),
            address_of(call, call->plan.c.operand), call->c, address_of(call, call->plan.c.operand),
            call->c, found[choice].algorithm, session->workspace, LT_WORKSPACE,
            session->cuda.stream);
    destroy_descriptors(call);
    return status;
}

static void put_factors(Call *call)
{
    const Scalar factors[CELLS] = {call->plan.alpha, call->plan.beta};
    call->factor_at = image_reserve(&call->image, sizeof call->factors);
    for (int i = 0; i < CELLS; i++) {
        dtype_store(call->plan.factors, call->factors[i], 0, factors[i].re);
        if (dtype_components(call->plan.factors) == 2)
            dtype_store(call->plan.factors, call->factors[i], 1, factors[i].im);
    }
    memcpy(call->session->cuda.image + call->factor_at, call->factors, sizeof call->factors);
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
        !cublaslt_plan(&call.plan, c, &call.image.shapes, &library->mode))
        return cuda_fail(request, REPLY_DECLINED, "no such product");
    put_factors(&call);
    if (!image_place_all(&call.image))
        return cuda_fail(request, REPLY_DECLINED, "larger than the device's arena");
    uint32_t reply = image_run(&call.image, invoke, &call, &status);
    if (reply != REPLY_DONE || status == STATUS_SUCCESS)
        return reply;
    bool declined = status == STATUS_NOT_SUPPORTED || status == STATUS_ALLOC_FAILED;
    return cuda_fail(request, declined ? REPLY_DECLINED : REPLY_RAISED,
                     library->lt.status_name(status));
}
