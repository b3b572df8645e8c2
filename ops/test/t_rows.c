/* Every row of a library in C has a meaning for each of its operators: names of routines, operands,
 * parameters, conditions; a word without one ends the program.  Each operator that a library has by
 * its rows is asked of it in some case, and other cases are declined with a reason. */
#include "ops/backend/cuda/cublas_bindings.h"
#include "ops/backend/onednn/plan.h"
#include "ops/backend/xnnpack/bindings.h"
#include "ops/backend/xnnpack/plan.h"
#include "reference/random.h"
#include "tests/check.h"

static void check_routine(const CblasRoutine *routine)
{
    const OpDesc *op = op_find(routine->op);
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    char name[64];
    bool named = false;
    CHECK(cblas_arguments(routine, op, arguments) > 0);
    for (int dtype = 0; dtype < DT_COUNT; dtype++)
        named = named || (op_dtypes(op) >> dtype & 1 &&
                          cblas_spell(routine, (DType)dtype, name, sizeof name));
    CHECK(named);
}

static void test_routines(void)
{
    for (int i = 0; op_registry[i]; i++)
        for (const CblasRoutine *routine = cblas_routine(op_registry[i]->name); routine;
             routine = cblas_next_routine(routine))
            check_routine(routine);
    for (const CblasRoutine *routine = cublas_routines(); routine->op; routine++)
        check_routine(routine);
}

/* A library that is asked by rows. */
typedef struct Library {
    bool (*knows)(const OpDesc *op, DType dtype);
    bool (*takes)(const Operands *operands, Text *why);
} Library;

static bool dnnl_takes_2(const Operands *o, Text *why)
{
    static DnnlPlan plan;
    return dnnl_plan(&plan, 2, o, why);
}

static bool dnnl_takes_3(const Operands *o, Text *why)
{
    static DnnlPlan plan;
    return dnnl_plan(&plan, 3, o, why);
}

static bool xnnpack_takes(const Operands *o, Text *why)
{
    static XnnPlan plan;
    return xnnpack_plan(&plan, o, why);
}

/* Random cases of an operator: how many the library takes; the others must have a reason. */
static int count_taken(const Library *library, const OpDesc *op, DType dtype, Workspace *workspace)
{
    enum { CASES = 80 };
    Scope scope = scope_all();
    uint64_t state = 1;
    int taken = 0;
    scope.op_count = 1;
    scope.ops[0] = op;
    scope.dtypes = 1u << dtype;
    for (int i = 0; i < CASES; i++) {
        uint8_t bytes[256];
        Case c;
        Operands o;
        Text why = {0};
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)random_next(&state);
        case_decode(&c, &scope, bytes, sizeof bytes);
        operands_build(&o, workspace, &c);
        bool takes = library->takes(&o, &why);
        CHECK(takes || why.length > 0);
        taken += takes;
        text_release(&why);
    }
    return taken;
}

static void test_plans(Workspace *workspace)
{
    static const Library libraries[] = {
        {dnnl_knows, dnnl_takes_2}, {dnnl_knows, dnnl_takes_3}, {xnnpack_knows, xnnpack_takes}};
    for (size_t l = 0; l < COUNT_OF(libraries); l++)
        for (int i = 0; op_registry[i]; i++) {
            const OpDesc *op = op_registry[i];
            int known = 0, taken = 0;
            for (int dtype = 0; dtype < DT_COUNT; dtype++)
                if (op_dtypes(op) >> dtype & 1 && libraries[l].knows(op, (DType)dtype)) {
                    known++;
                    taken += count_taken(&libraries[l], op, (DType)dtype, workspace);
                }
            bool taken_somewhere = taken > 0 || libraries[l].takes == dnnl_takes_2;
            if (known > 0 && !taken_somewhere)
                fprintf(stderr, "library %zu takes no case of %s\n", l, op->name);
            CHECK(known == 0 || taken_somewhere);
        }
}

int main(void)
{
    static Workspace workspace;
    if (!workspace_init(&workspace))
        return 1;
    test_routines();
    test_plans(&workspace);
    workspace_release(&workspace);
    return check_end("t_rows");
}
