/* Cases are drawn as the generator draws them; those that are small are computed too. */
#include "self_check.h"

#include <math.h>
#include <string.h>

#include "ops/case/operands.h"
#include "reference/random.h"

enum { DRAWS = 64, CHECKED_WORK = 1 << 16 };

static void draw(Case *c, const OpDesc *op, uint64_t seed)
{
    Scope scope = {.dtypes = ~0u, .op_count = 1};
    scope.ops[0] = op;
    case_draw_seeded(c, &scope, seed);
}

/* Rules that undo each other. */
static bool stays(const Case *c)
{
    Case again = *c;
    case_normalise(&again, NULL);
    return case_equal(&again, c);
}

typedef struct Checked {
    const Operands *operands;
    Arena *arena;
    opconform_call call;
    Ref refs[OP_TENSORS_MAX];
} Checked;

static void compute(void *context)
{
    Checked *checked = context;
    const Operands *o = checked->operands;
    Tensor views[OP_TENSORS_MAX];
    operands_dense(o, views, checked->arena);
    ReferenceInput input = {.op = o->source->op, .params = o->source->params, .tensors = views};
    memset(checked->refs, 0, sizeof checked->refs);
    plugin_refer(&checked->call, checked->refs, &input, checked->arena);
}

/* Every element of every output must be put, where there is a reference. */
static bool check_reference(const Case *c, Workspace *workspace, Text *why)
{
    Operands o;
    Checked *checked = memory_allocate(1, sizeof *checked);
    operands_build(&o, workspace, c);
    checked->operands = &o;
    checked->arena = &workspace->arena;
    bool ok = plugin_run(compute, checked, why);
    const PluginOperator *op = c->op->detail;
    bool puts = op->given->reference || op->given->compute;
    for (int i = 0; ok && puts && i < o.shapes.count; i++)
        if (operands_is_output(&o, i) && plugin_missing(&checked->call, i) > 0) {
            text_printf(why, "the reference leaves out %lld of %lld elements of %s",
                        (long long)plugin_missing(&checked->call, i),
                        (long long)checked->call.tensors[i].count, c->op->tensors[i]);
            ok = false;
        }
    return ok;
}

static bool check_case(const Case *c, Workspace *workspace, Text *why)
{
    if (!stays(c))
        text_put(why, "its conditions (legal) undo each other");
    else if (!case_returns_from_line(c))
        text_put(why, "its line is not that of the same case");
    else if (!(case_work(c) >= 0) || case_components(c) > CASE_COMPONENTS_MAX)
        text_put(why, "there is no room for its operands");
    else
        return case_work(c) > CHECKED_WORK || check_reference(c, workspace, why);
    return false;
}

bool plugin_self_check(const OpDesc *op, Text *error)
{
    Workspace workspace;
    Text why = {0}, line = {0};
    bool ok = workspace_init(&workspace);
    if (!ok)
        BUG("no address space");
    for (uint64_t i = 0; ok && i < DRAWS; i++) {
        Case c;
        draw(&c, op, random_at(i, 11));
        ok = check_case(&c, &workspace, &why);
        if (!ok)
            case_print_call(&c, &line);
    }
    if (!ok)
        text_printf(error, "operator %s: %s, as in %s", op->name, text_string(&why),
                    text_string(&line));
    workspace_release(&workspace);
    text_release(&why);
    text_release(&line);
    return ok;
}
