/* Every row of every library is met by some case: of those that are drawn, or of those that are
 * changed until its conditions hold, as a campaign changes them.  A row whose conditions say what a
 * library lacks, which no case meets, gives its reason alone. */
#include <string.h>

#include "ops/backend/binding/binding.h"
#include "ops/case/condition.h"
#include "ops/case/gradient.h"
#include "reference/random.h"
#include "tests/check.h"

enum { CASES = 20000 };

static bool holds(const char *conditions, const Case *c)
{
    Text why = {0};
    int held;
    bool ok = conditions_hold(conditions, c, NULL, &held, &why);
    text_release(&why);
    return ok;
}

static void mend(const char *conditions, Case *c)
{
    conditions_mend(conditions, c);
    op_normalise(c->op, c->params);
}

/* Whether a row takes a case, for what is asked of the case of a gradient, as a campaign has it or
 * changed until it does. */
static bool takes(const BindingCall *call, Case c, const OpDesc *forward)
{
    Case of = c;
    if (forward) {
        if (!holds(call->gradient_conditions, &c))
            mend(call->gradient_conditions, &c);
        gradient_forward_case(&c, forward, &of);
    }
    if (!holds(call->conditions, &of))
        mend(call->conditions, forward ? &c : &of);
    if (forward)
        gradient_forward_case(&c, forward, &of);
    return holds(call->conditions, &of) && (!forward || holds(call->gradient_conditions, &c));
}

/* Whether one of many cases of the operator meets the row. */
static bool is_met(const BindingCall *call, const OpDesc *op, const OpDesc *forward)
{
    uint64_t state = 1;
    Scope scope = scope_all();
    scope.op_count = 1;
    scope.ops[0] = op;
    scope.dtypes = call->dtypes & op_dtypes(op);
    for (int i = 0; i < CASES && scope.dtypes; i++) {
        uint8_t bytes[256];
        Case c;
        for (size_t k = 0; k < sizeof bytes; k++)
            bytes[k] = (uint8_t)random_next(&state);
        case_decode(&c, &scope, bytes, sizeof bytes);
        if (takes(call, c, forward))
            return true;
    }
    return false;
}

/* Whether a row says by a condition that it is for no case. */
static bool is_reason(const char *conditions)
{
    char *copy = memory_duplicate(conditions), *rest = copy;
    bool found = false;
    for (char *word; (word = strsep(&rest, ", "));)
        for (const ConditionRow *row = condition_rows; row->name; row++)
            found = found || (!row->mend && strcmp(row->name, word) == 0);
    free(copy);
    return found;
}

static bool is_reached(const BindingCall *call, const OpDesc *op)
{
    return is_reason(call->conditions) || is_met(call, op, NULL);
}

/* The same of the gradients, of which one suffices. */
static bool is_reached_by_gradient(const BindingCall *call, const OpDesc *op)
{
    if (!*call->gradient_conditions || is_reason(call->gradient_conditions))
        return true;
    for (int i = 0; op_registry[i]; i++)
        if (gradient_forward(op_registry[i]) == op && is_met(call, op_registry[i], op))
            return true;
    return false;
}

static int unreached(const Bindings *bindings, const char *name, BindingTarget target)
{
    int count = 0;
    for (int i = 0; op_registry[i]; i++) {
        const OpDesc *op = op_registry[i];
        for (const BindingCall *call = bindings_calls(bindings, target, op); call;
             call = call->next) {
            bool forward = is_reached(call, op);
            if (forward && is_reached_by_gradient(call, op))
                continue;
            fprintf(stderr, "%s.bindings, line %d: no case of %s meets \"%s\"%s%s\n", name,
                    call->line, op->name, call->conditions, forward ? " gradient " : "",
                    forward ? call->gradient_conditions : "");
            count++;
        }
    }
    return count;
}

static void test_files(void)
{
    for (int i = 0; binding_files[i].name; i++)
        for (int target = 0; target < TARGET_COUNT; target++) {
            const Bindings *bindings = bindings_find(binding_files[i].name);
            CHECK(unreached(bindings, binding_files[i].name, (BindingTarget)target) == 0);
        }
}

/* Rows that no case can meet are told, one by its conditions and one by those of its gradients. */
static void test_planted(void)
{
    static const char rows[] = "names f\ngradients\n"
                               "conv2d | float | f(x, w) requires groups=1, groups=3\n"
                               "exp | float | f(x) requires rank=2, shape=7\n"
                               "tanh | float | f(x) gradient requires rank=2, rank=3\n"
                               "sin | float | f(x) gradient requires rank=2\n";
    Text error = {0};
    Bindings *bindings = bindings_read("planted", rows, &error);
    CHECK(bindings && unreached(bindings, "planted", TARGET_PYTHON) == 2);
    text_release(&error);
    if (bindings)
        bindings_release(bindings);
}

int main(void)
{
    test_files();
    test_planted();
    return check_end("t_reach");
}
