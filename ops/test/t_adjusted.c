/* What normalisers change of drawn values: each such parameter has a row with a reason, and each
 * row a parameter.  With the argument `shares` how often of each. */
#include <string.h>

#include "ops/contract/adjustment.h"
#include "tests/check.h"

enum { DRAWS = 2000, ROWS_MAX = 128 };
static bool met[ROWS_MAX];

static bool has_reason(const OpDesc *op, const char *parameter)
{
    bool found = false;
    for (int i = 0; contract_adjustments[i].parameters; i++)
        if (adjustment_is_of(&contract_adjustments[i], op, parameter))
            found = met[i] = true;
    return found;
}

static void check_operator(const OpDesc *op, bool shares)
{
    int counts[OP_PARAMS_MAX];
    adjustment_count(op, DRAWS, counts);
    for (int p = 0; op->params[p].name; p++) {
        if (shares && counts[p] > 0)
            printf("%s/%s %s %.1f %%\n", op->family, op->name, op->params[p].name,
                   100.0 * counts[p] / DRAWS);
        if (counts[p] == 0 || has_reason(op, op->params[p].name))
            continue;
        printf("%s/%s: %s is changed in %d of %d draws, and no row says why\n", op->family,
               op->name, op->params[p].name, counts[p], DRAWS);
        CHECK(counts[p] == 0);
    }
}

int main(int argc, char **argv)
{
    for (int i = 0; op_registry[i]; i++)
        check_operator(op_registry[i], argc > 1 && !strcmp(argv[1], "shares"));
    for (int i = 0; contract_adjustments[i].parameters; i++) {
        CHECK(i < ROWS_MAX && strlen(contract_adjustments[i].why) > 3);
        if (!met[i])
            printf("nothing changes %s of %s\n", contract_adjustments[i].parameters,
                   contract_adjustments[i].operators);
        CHECK(met[i]);
    }
    return check_end("ops/t_adjusted");
}
