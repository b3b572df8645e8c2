/* Zeros of references whose sign counts: of an operator that has one, a row of its table says so,
 * with a text where references demand it to the bit and without where they have the usual one; and
 * rows speak of nothing else. */
#include <math.h>
#include <string.h>

#include "ops/backend/backend.h"
#include "ops/case/operands.h"
#include "ops/contract/policy.h"
#include "reference/random.h"
#include "tests/check.h"

enum { DRAWS = 200, WORK_MAX = 5000 };

/* Which zeros an operator was seen to have, and which its rows speak of. */
typedef struct Zeros {
    bool demanded, usual;
} Zeros;

static Zeros said(const OpDesc *op)
{
    Zeros zeros = {false, false};
    for (const ZeroSign *row = op->zeros; row && row->which; row++) {
        zeros.demanded = zeros.demanded || row->source;
        zeros.usual = zeros.usual || !row->source;
    }
    return zeros;
}

static void note(const Ref *ref, Zeros *seen)
{
    for (size_t i = 0; i < ref->count && !dtype_is_integer(ref->dtype); i++) {
        bool zero = ref->classes[i] == CLASS_FINITE && ref->high[i] == 0 && ref->low[i] == 0;
        seen->demanded = seen->demanded || (zero && ref->match[i] == MATCH_BITS);
        seen->usual = seen->usual || (zero && ref->match[i] == MATCH_USUAL);
    }
}

/* Half of the cases have zeros alone, the others ones beside sparse numbers, an infinity beside
 * ones or in all operands, or what was drawn. */
static void fill(Case *c, uint64_t number, int operand)
{
    Fill *f = &c->fill[operand];
    const FillKind others[] = {FILL_ONES, FILL_SPARSE};
    if (number % 2 == 0)
        *f = (Fill){.kind = FILL_ZEROS};
    else if (number % 6 == 1)
        *f = (Fill){.kind = others[(number / 6 + (uint64_t)operand) % 2], .seed = operand + 1};
    else if (number % 6 == 3 && number / 6 % 3 == (uint64_t)operand)
        *f = (Fill){.kind = FILL_ONES};
    else if (number % 6 == 3)
        *f = (Fill){.kind = FILL_LIST, .values = {1, {number % 4 == 3 ? INFINITY : -INFINITY}}};
}

static void draw(Case *c, const Scope *scope, uint64_t number)
{
    case_draw_seeded(c, scope, random_at(5, number));
    c->exec.illegal = c->exec.overlap = c->exec.relation = 0;
    for (int i = 0; c->op->tensors[i]; i++)
        fill(c, number, i);
    case_limit(c, WORK_MAX);
    case_normalise(c, scope);
}

static void survey(const OpDesc *op, DType dtype, Workspace *workspace, Zeros *seen)
{
    Scope scope = scope_all();
    scope.ops[0] = op;
    scope.op_count = 1;
    scope.dtypes = 1u << dtype;
    scope.threads = 1;
    for (uint64_t n = 0; n < DRAWS; n++) {
        Case c;
        Operands o;
        Ref refs[OP_TENSORS_MAX] = {0};
        draw(&c, &scope, n);
        operands_build(&o, workspace, &c);
        operands_reference(&o, refs, &workspace->arena);
        for (int k = 0; k < o.shapes.count; k++)
            if (operands_is_output(&o, k))
                note(&refs[k], seen);
    }
}

static void check_operator(const OpDesc *op, Workspace *workspace)
{
    DType dtype = op_dtypes(op) & 1u << DT_F32 ? DT_F32 : (DType)__builtin_ctz(op_dtypes(op));
    Zeros seen = {false, false}, rows = said(op);
    survey(op, dtype, workspace, &seen);
    /* Bits of integers that are read as numbers. */
    if (rows.demanded && op_dtypes(op) & 1u << DT_I32)
        survey(op, DT_I32, workspace, &seen);
    if (seen.demanded != rows.demanded || seen.usual != rows.usual)
        fprintf(stderr, "%s/%s: demanded %d, said %d; usual %d, said %d\n", op->family, op->name,
                seen.demanded, rows.demanded, seen.usual, rows.usual);
    CHECK(seen.demanded == rows.demanded);
    CHECK(seen.usual == rows.usual);
}

/* Where no text demands a sign, the departure holds for all libraries, and nowhere else. */
static void check_departure(const OpDesc *op)
{
    bool departs = contract_admits((ContractParty){"a library", "", "1"}, op, DT_F32,
                                   POLICY_OTHER_ZERO) != NULL;
    CHECK(departs == said(op).usual);
}

/* All libraries are judged under that reading. */
static void test_readings(void)
{
    for (int i = 0; backend_registry[i]; i++) {
        bool found = false;
        const Model *model = backend_registry[i]->promise.readings;
        for (; model && model->name; model++)
            found = found || (model->any_zero && !strcmp(model->name, POLICY_OTHER_ZERO));
        if (!found)
            fprintf(stderr, "%s has no reading %s\n", backend_registry[i]->name, POLICY_OTHER_ZERO);
        CHECK(found);
    }
}

int main(void)
{
    Workspace workspace;
    CHECK(workspace_init(&workspace));
    for (const OpDesc *const *op = op_registry; *op; op++) {
        check_departure(*op);
        if (!(*op)->judged_by_residual && op_dtypes(*op) & (DTYPES_FLOAT | DTYPES_COMPLEX))
            check_operator(*op, &workspace);
    }
    test_readings();
    workspace_release(&workspace);
    return check_end("ops/t_zeros");
}
