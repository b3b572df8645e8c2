/* Results of kernels that are right in another way than the reference is, and wrong ones beside
 * them: right_ways.txt says how each is judged. */
#include <math.h>
#include <string.h>

#include "ops/backend/promise.h"
#include "ops/case/operands.h"
#include "oracle/judge.h"
#include "tests/check.h"
#include "tests/check_admission.h"

enum { COUNT_MAX = 4096, LINE_BYTES = 1024 };

#define GIVEN "GIVEN"

/* A result of the file: elements of one output, and how they are judged. */
typedef struct Way {
    const char *output, *model; /* the policy, or NULL */
    VerdictKind verdict;
    size_t count;
    double values[COUNT_MAX];
} Way;

/* Reads the words of a row into way, which has no elements where they are not a way.  A row whose
 * second word is GIVEN is no way but another output, beside which those of the case are judged. */
static void way_read(Way *way, char *row)
{
    char *rest = row, *word, *end;
    way->output = strtok_r(row, " \n", &rest);
    word = strtok_r(NULL, " \n", &rest);
    way->count = 0;
    way->model = NULL;
    if (!word || (strcmp(word, GIVEN) != 0 && !verdict_find(word, &way->verdict)))
        return;
    if (way->verdict == VERDICT_POLICY)
        way->model = strtok_r(NULL, " \n", &rest);
    while ((word = strtok_r(NULL, " \n", &rest)) && way->count < COUNT_MAX) {
        way->values[way->count++] = strtod(word, &end);
        CHECK(end != word && *end == '\0');
    }
}

static int output_of(const Case *c, const char *name)
{
    int output = 0;
    while (output < op_tensor_count(c->op) - 1 && strcmp(c->op->tensors[output], name) != 0)
        output++;
    return output;
}

/* Where the reference takes what was computed, it is the way. */
static void write_way(const Operands *o, int output, const Way *way)
{
    const Tensor *view = &o->view[output];
    int components = dtype_components(view->dtype);
    for (size_t i = 0; o->source->op->judged_by_residual && i < way->count; i++)
        dtype_store(view->dtype, view->origin,
                    tensor_offset_of(view, (int64_t)i / components) * components +
                        (int64_t)i % components,
                    way->values[i]);
}

static Judgement way_judge(const char *line, const Way *way, const Way *given, Workspace *workspace)
{
    static const Promise promise = {.models = models_ieee, .readings = models_readings};
    Case c;
    Text error = {0};
    Operands o;
    Ref refs[OP_TENSORS_MAX] = {0};
    bool legal = case_parse(&c, line, &error);
    if (!legal)
        (void)fprintf(stderr, "%s: %s\n", line, text_string(&error));
    text_release(&error);
    if (!legal)
        return (Judgement){.kind = VERDICT_DECLINED};
    case_normalise(&c, NULL);
    operands_build(&o, workspace, &c);
    int output = output_of(&c, way->output);
    if (given->count > 0)
        write_way(&o, output_of(&c, given->output), given);
    write_way(&o, output, way);
    operands_reference(&o, refs, &workspace->arena);
    CHECK(refs[output].count == way->count);
    if (refs[output].count != way->count)
        return (Judgement){.kind = VERDICT_DECLINED};
    return judge_output(&refs[output], &promise, &check_admit_all, NULL, way->values, NULL,
                        &workspace->arena);
}

static void check_way(const char *line, const Way *way, const Way *given, Workspace *workspace)
{
    Judgement j = way_judge(line, way, given, workspace);
    bool right =
        j.kind == way->verdict && (!way->model || (j.model && !strcmp(j.model, way->model)));
    if (!right)
        (void)fprintf(stderr, "%s: %a is %s %s\n", line, way->values[0], verdict_name(j.kind),
                      j.model ? j.model : "");
    CHECK(right);
}

static void test_ways(Workspace *workspace)
{
    char row[LINE_BYTES], line[LINE_BYTES] = "";
    char given_row[LINE_BYTES];
    static Way way, given;
    int rows = 0;
    FILE *file = fopen("ops/test/right_ways.txt", "r");
    CHECK(file != NULL);
    while (file && fgets(row, sizeof row, file)) {
        if (*row == '#' || *row == '\n')
            continue;
        if (*row != ' ') {
            row[strcspn(row, "\n")] = '\0';
            memcpy(line, row, sizeof row);
            given.count = 0;
            continue;
        }
        if (strstr(row, " " GIVEN " ")) {
            memcpy(given_row, row, sizeof row);
            way_read(&given, given_row);
            continue;
        }
        way_read(&way, row);
        CHECK(way.count > 0);
        if (way.count > 0)
            check_way(line, &way, &given, workspace);
        rows++;
    }
    CHECK(rows > 100);
    if (file)
        (void)fclose(file);
}

/* The variance of a row whose mean is rounded, differentiated as it is computed: through the mean
 * as well. */
static void test_through_the_mean(Workspace *workspace)
{
    static const Promise promise = {.models = models_ieee, .readings = models_readings};
    Case c;
    Text error = {0};
    Operands o;
    Ref refs[OP_TENSORS_MAX] = {0};
    CHECK(case_parse(&c, "var_backward/1 dtype=f32 shape=19 axes=1 | dy=ones x=normal:5", &error));
    text_release(&error);
    operands_build(&o, workspace, &c);
    operands_reference(&o, refs, &workspace->arena);
    size_t count = refs[2].count;
    const float *x = (const float *)(const void *)o.view[1].origin;
    float mean = 0, rest = 0, gradient[COUNT_MAX];
    double got[COUNT_MAX];
    for (size_t i = 0; i < count; i++)
        mean += x[i];
    mean /= (float)count;
    for (size_t i = 0; i < count; i++) {
        gradient[i] = 2 * (x[i] - mean) / (float)count;
        rest += gradient[i];
    }
    for (size_t i = 0; i < count; i++)
        got[i] = gradient[i] - rest / (float)count;
    CHECK(judge_output(&refs[2], &promise, &check_admit_all, NULL, got, NULL, &workspace->arena)
              .kind == VERDICT_AGREE);
    for (size_t i = 0; i < count; i++)
        got[i] = gradient[i] * 1.00001;
    CHECK(judge_output(&refs[2], &promise, &check_admit_all, NULL, got, NULL, &workspace->arena)
              .kind == VERDICT_DIVERGE);
}

/* Libraries document targets between 0 and 1, whatever the recipe says. */
static void test_targets(Workspace *workspace)
{
    static const char *const fills[] = {
        "wide", "exponents", "ones,special:inf", "ones,special:-inf", "ones,special:max", "bits"};
    for (size_t k = 0; k < COUNT_OF(fills); k++) {
        Text line = {0}, error = {0};
        Case c;
        Operands o;
        text_printf(&line, "bce_with_logits/2 dtype=f64 shape=40 | x=wide target=%s", fills[k]);
        CHECK(case_parse(&c, text_string(&line), &error));
        operands_build(&o, workspace, &c);
        bool beyond = false;
        for (int64_t i = 0; i < 40; i++) {
            double target = tensor_value(&o.view[1], i);
            CHECK(isnan(target) || (target >= 0 && target <= 1));
            beyond = beyond || fabs(tensor_value(&o.view[0], i)) > 1;
        }
        CHECK(beyond);
        text_release(&line);
        text_release(&error);
    }
}

int main(void)
{
    Workspace workspace;
    if (!workspace_init(&workspace))
        return 1;
    test_ways(&workspace);
    test_through_the_mean(&workspace);
    test_targets(&workspace);
    workspace_release(&workspace);
    return check_end("right ways");
}
