/* Three real products for a complex one, with roundings that all go the same way: within the bound,
 * and beyond what it would be if the sums that are taken away had no errors. */
#include <math.h>

#include "ops/backend/promise.h"
#include "ops/case/operands.h"
#include "oracle/judge.h"
#include "tests/check.h"
#include "tests/check_admission.h"

enum { DEPTH_MOST = 512 };

typedef struct Factors {
    float x[DEPTH_MOST][2], w[DEPTH_MOST][2];
    int depth;
} Factors;

/* Behind a first product of 1 there is half a unit each time, a little less of real parts, which is
 * lost, and a little more of the sums, which becomes a whole unit. */
static Factors draw(int depth)
{
    Factors f = {.depth = depth};
    f.x[0][0] = f.w[0][0] = 1;
    for (int l = 1; l < depth; l++) {
        f.x[l][0] = 1;
        f.x[l][1] = 0x1p-8F;
        f.w[l][0] = 0x1p-24F * (1 - 0x1p-9F);
    }
    return f;
}

/* A kernel's imaginary part, without the products of imaginary parts where it forgets them. */
static float multiply(const Factors *f, bool forgets)
{
    float of_re = 0, of_im = 0, of_sums = 0;
    for (int l = 0; l < f->depth; l++) {
        const float *x = f->x[l], *w = f->w[l];
        float both = x[0] + x[1], of_w = w[0] + w[1];
        of_re += x[0] * w[0];
        of_im += forgets ? 0 : x[1] * w[1];
        of_sums += both * of_w;
    }
    return of_sums - of_re - of_im;
}

static VerdictKind judged(Workspace *workspace, const Factors *f, const double *got)
{
    static const Promise promise = {.models = models_ieee, .readings = models_readings};
    Case c;
    Text line = {0}, error = {0};
    Operands o;
    Ref refs[OP_TENSORS_MAX] = {0};
    text_printf(&line, "gemm3m/1 dtype=c64 m=1 n=1 k=%d | a=ones b=ones c=ones", f->depth);
    CHECK(case_parse(&c, text_string(&line), &error));
    text_release(&line);
    text_release(&error);
    operands_build(&o, workspace, &c);
    for (int64_t l = 0; l < f->depth; l++)
        for (int part = 0; part < 2; part++) {
            dtype_store(DT_C64, o.view[0].origin, 2 * tensor_offset(&o.view[0], 0, l) + part,
                        (double)f->x[l][part]);
            dtype_store(DT_C64, o.view[1].origin, 2 * tensor_offset(&o.view[1], l, 0) + part,
                        (double)f->w[l][part]);
        }
    operands_reference(&o, refs, &workspace->arena);
    CHECK(refs[2].count == 2);
    return judge_output(&refs[2], &promise, &check_admit_all, NULL, got, NULL, &workspace->arena)
        .kind;
}

static void test_depth(Workspace *workspace, int depth)
{
    Factors f = draw(depth);
    double re = 0, im = 0, size = 0, got[2];
    for (int l = 0; l < depth; l++) {
        double x = (double)f.x[l][0], y = (double)f.x[l][1], w = (double)f.w[l][0];
        re += x * w;
        im += y * w;
        size += (x + y) * w;
    }
    got[0] = re;
    got[1] = (double)multiply(&f, false);
    /* (k + 12) u P is no bound. */
    CHECK(got[1] - im > (depth + 12) * 0x1p-24 * size);
    CHECK(judged(workspace, &f, got) == VERDICT_AGREE);
    /* Nor is anything beyond the right one. */
    got[1] = im + 2.125 * (depth + 12) * 0x1p-24 * size;
    CHECK(judged(workspace, &f, got) == VERDICT_DIVERGE);
    got[0] = re + 1.125 * (depth + 12) * 0x1p-24 * size;
    got[1] = im;
    CHECK(judged(workspace, &f, got) == VERDICT_DIVERGE);
}

/* Products that are forgotten are found, though they are small. */
static void test_forgotten(Workspace *workspace)
{
    enum { DEPTH = 64 };
    Factors f = draw(DEPTH);
    double re = 0;
    for (int l = 0; l < DEPTH; l++)
        re += (double)f.x[l][0] * (double)f.w[l][0];
    f.x[1][1] = f.w[1][1] = 0x1p-6F;
    re -= 0x1p-12;
    double got[2] = {re, (double)multiply(&f, true)};
    CHECK(judged(workspace, &f, got) == VERDICT_DIVERGE);
    got[1] = (double)multiply(&f, false);
    CHECK(judged(workspace, &f, got) == VERDICT_AGREE);
}

int main(void)
{
    Workspace workspace;
    if (!workspace_init(&workspace))
        return 1;
    for (int depth = 16; depth <= DEPTH_MOST; depth *= 2)
        test_depth(&workspace, depth);
    test_forgotten(&workspace);
    workspace_release(&workspace);
    return check_end("gemm3m");
}
