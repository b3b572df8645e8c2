/* What operators admit where operands are NaN or infinite.  An element that may be anything is not
 * judged at all: only operators that a clause names as unspecified may have one, and those do. */
#include <string.h>

#include "ops/case/operands.h"
#include "ops/contract/contract.h"
#include "reference/random.h"
#include "tests/check.h"

enum { DRAWS = 40, WORK_MAX = 10000 };

typedef struct Situation {
    const char *name, *special, *place;
    bool everywhere; /* in all operands at once, else in one after the other */
} Situation;

static const Situation situations[] = {
    {"NaN everywhere", "nan", "all", true},
    {"one NaN", "nan", "middle", false},
    {"one infinity", "inf", "middle", false},
    {"one -infinity", "-inf", "middle", false},
};

/* Elements of results that may be anything, of all; the rest are judged. */
typedef struct Census {
    long anything, all;
    long open; /* may be anything without special values as well */
} Census;

static int64_t choice_of(const char *param, const char *word)
{
    for (const Param *p = fill_params; p->name; p++)
        for (int64_t i = 0; !strcmp(p->name, param); i++)
            if (!strcmp(p->names[i], word))
                return i;
    return 0;
}

static Case draw(const OpDesc *op, DType dtype, uint64_t seed)
{
    Scope scope = scope_all();
    Case c;
    scope.ops[0] = op;
    scope.op_count = 1;
    scope.dtypes = 1u << dtype;
    scope.threads = 1;
    case_draw_seeded(&c, &scope, seed);
    c.exec.illegal = c.exec.overlap = c.exec.relation = 0;
    for (int i = 0; op->tensors[i]; i++)
        c.fill[i] = (Fill){.kind = FILL_NORMAL, .seed = i + 1};
    case_limit(&c, WORK_MAX);
    case_normalise(&c, &scope);
    return c;
}

static void refer(const Case *c, Workspace *workspace, Ref *refs, Operands *o)
{
    memset(refs, 0, OP_TENSORS_MAX * sizeof *refs);
    operands_build(o, workspace, c);
    operands_reference(o, refs, &workspace->arena);
}

/* Counts what may be anything with the special values and is judged without. */
static void compare(const Case *c, const Case *special, Workspace *plain, Workspace *other,
                    Census *census)
{
    Operands o;
    Ref before[OP_TENSORS_MAX], after[OP_TENSORS_MAX];
    refer(c, plain, before, &o);
    refer(special, other, after, &o);
    for (int k = 0; k < o.shapes.count; k++)
        for (size_t i = 0; operands_is_output(&o, k) && i < after[k].count; i++) {
            bool judged = before[k].classes[i] != CLASS_ANY;
            census->all += judged;
            census->open += !judged;
            census->anything += judged && after[k].classes[i] == CLASS_ANY;
        }
}

/* One input after the other. */
static int input_of(const Case *c, int draw)
{
    Shapes shapes;
    int inputs[OP_TENSORS_MAX], count = 0;
    op_shape(c->op, c->params, &shapes);
    for (int k = 0; k < shapes.count; k++)
        if (shapes.tensor[k].role != ROLE_OUT && !shapes.tensor[k].ignored)
            inputs[count++] = k;
    return count ? inputs[draw % count] : 0;
}

static Census survey(const OpDesc *op, DType dtype, const Situation *situation, Workspace *plain,
                     Workspace *other)
{
    Census census = {0};
    for (int i = 0; i < DRAWS; i++) {
        Case c = draw(op, dtype, random_at(11, (uint64_t)i));
        int count = op_tensor_count(op), at = input_of(&c, i);
        Case special = c;
        for (int k = 0; k < count; k++) {
            if (!situation->everywhere && k != at)
                continue;
            c.fill[k].special = choice_of("special", "one_up");
            c.fill[k].place = choice_of("place", situation->place);
            special.fill[k] = c.fill[k];
            special.fill[k].special = choice_of("special", situation->special);
        }
        compare(&c, &special, plain, other, &census);
    }
    return census;
}

/* Clauses whose operators were seen to admit anything. */
enum { CLAUSES_MAX = 512 };
typedef struct Seen {
    bool clause[CLAUSES_MAX];
} Seen;

static void check_covered(const OpDesc *op, Seen *seen)
{
    bool covered = false;
    for (int i = 0; contract_clauses[i].name; i++)
        if (contract_is_unspecified(&contract_clauses[i]) &&
            contract_covers(contract_clauses[i].operators, op))
            covered = seen->clause[i] = true;
    if (!covered)
        fprintf(stderr, "%s/%s admits anything\n", op->family, op->name);
    CHECK(covered);
}

/* Of an operator on integers alone, or whose results are judged once they are there, there is
 * nothing to survey; and where other values leave something open, that is what a clause says. */
static void leave_out(const OpDesc *op, Seen *seen)
{
    for (int i = 0; contract_clauses[i].name; i++)
        if (contract_covers(contract_clauses[i].operators, op))
            seen->clause[i] = true;
}

/* No clause leaves open what is judged. */
static void check_needed(const Seen *seen)
{
    for (int i = 0; contract_clauses[i].name; i++)
        CHECK(!contract_is_unspecified(&contract_clauses[i]) || seen->clause[i]);
}

int main(int argc, char **argv)
{
    Workspace plain, other;
    Seen seen = {{false}};
    bool tells = argc > 1 && !strcmp(argv[1], "--tell");
    for (int i = 0; contract_clauses[i].name; i++)
        CHECK(i < CLAUSES_MAX);
    CHECK(workspace_init(&plain) && workspace_init(&other));
    for (const OpDesc *const *op = op_registry; *op; op++) {
        bool any = false;
        if ((*op)->judged_by_residual || !(op_dtypes(*op) & (DTYPES_FLOAT | DTYPES_COMPLEX))) {
            leave_out(*op, &seen);
            continue;
        }
        DType dtype = op_dtypes(*op) & 1u << DT_F32 ? DT_F32 : (DType)__builtin_ctz(op_dtypes(*op));
        for (size_t k = 0; k < COUNT_OF(situations); k++) {
            Census census = survey(*op, dtype, &situations[k], &plain, &other);
            any = any || census.anything > 0;
            if (census.open > 0)
                leave_out(*op, &seen);
            if (tells && census.anything > 0)
                printf("%s/%s: %s: %ld of %ld\n", (*op)->family, (*op)->name, situations[k].name,
                       census.anything, census.all);
        }
        if (any)
            check_covered(*op, &seen);
    }
    check_needed(&seen);
    workspace_release(&plain);
    workspace_release(&other);
    return check_end("ops/t_special");
}
