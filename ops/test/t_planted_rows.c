/* Every row of planted faults can be asked of its operator, has a name of its own, and is of a
 * known way; conditions that calls alone have hold where they should. */
#include <string.h>

#include "ops/backend/planted/effects.h"
#include "ops/backend/planted/when.h"
#include "tests/check.h"

enum { ROWS_LEAST = 200, OF_A_WAY_LEAST = 5 };

static void check_row(const PlantedRow *row, Text *error)
{
    const OpDesc *op = op_find(row->op);
    CHECK(op != NULL);
    bool fits = op && when_fits(row->when, op, error) && effect_fits(row->effect, op, error);
    if (!fits)
        (void)fprintf(stderr, "%s: %s\n", row->name, text_string(error));
    CHECK(fits);
    CHECK(planted_find_row(row->name) == row);
    text_clear(error);
}

static void check_rows(void)
{
    Text error = {0};
    int count = 0, of_way[32] = {0};
    for (const PlantedRow *row; (row = planted_row(count)); count++) {
        int way = 0;
        check_row(row, &error);
        while (planted_ways[way] && strcmp(planted_ways[way], row->way) != 0)
            way++;
        CHECK(planted_ways[way] != NULL);
        of_way[way]++;
    }
    CHECK(count >= ROWS_LEAST);
    for (int way = 0; planted_ways[way]; way++)
        CHECK(of_way[way] >= OF_A_WAY_LEAST);
    text_release(&error);
}

/* What cannot be asked is refused. */
static void check_refusals(void)
{
    static const struct {
        const char *op, *when, *effect;
    } wrong[] = {
        {"gemm", "equal=m.q", NULL},      {"gemm", "same=a.q", NULL},
        {"gemm", "lead.q=1", NULL},       {"gemm", "has.a=purple", NULL},
        {"gemm", "code=while", NULL},     {"gemm", "m=x", NULL},
        {"program", "code=purple", NULL}, {"gemm", NULL, "spoil some"},
        {"gemm", NULL, "set q=1"},        {"gemm", NULL, "as softmax"},
        {"gemm", NULL, "read a purple"},  {"gemm", NULL, "spoil last of q"},
    };
    for (size_t i = 0; i < COUNT_OF(wrong); i++) {
        Text error = {0};
        const OpDesc *op = op_find(wrong[i].op);
        CHECK(wrong[i].when ? !when_fits(wrong[i].when, op, &error)
                            : !effect_fits(wrong[i].effect, op, &error));
        CHECK(error.length > 0);
        text_release(&error);
    }
}

static Workspace workspace;

/* Whether conditions hold for the first call of a line. */
static bool holds(const char *when, const char *line, int64_t number)
{
    Text error = {0};
    Case c;
    Operands o;
    CHECK(case_parse(&c, line, &error));
    case_normalise(&c, NULL);
    operands_build(&o, &workspace, &c);
    PlantedCall call = {.operands = &o, .altered = c, .arena = &workspace.arena, .number = number};
    operands_dense(&o, call.view, &workspace.arena);
    bool held = when_holds(when, &call);
    CHECK(!held || when_may_hold(when, &c));
    text_release(&error);
    return held;
}

static void check_conditions(void)
{
    const char *square = "gemm m=3 n=3 k=3 | a=int b=int c=ones",
               *oblong = "gemm m=3 n=3 k=4 lda=5 | a=int,special:nan,place:last b=int c=ones";
    CHECK(holds("equal=m.n.k", square, 0));
    CHECK(!holds("equal=m.n.k", oblong, 0));
    CHECK(!holds("same=a.b", square, 0));
    CHECK(holds("same=a.b", "gemm m=3 n=3 k=3 | a=int b=int c=ones | exec=overlap:inputs", 0));
    CHECK(holds("has.a=nan", oblong, 0) && !holds("has.a=nan", square, 0));
    CHECK(holds("has.a=inf|nan,lead.a=8..", oblong, 0));
    CHECK(holds("calls%100=99", square, 199) && !holds("calls%100=99", square, 200));
    CHECK(holds("address.x%16=4", "copy n=3 | x=int | exec=align:1,guard:start", 0));
    CHECK(holds("call=0,count.a=9,work=1..", square, 0));
    CHECK(when_counts_calls("m=3,call=1..") && !when_counts_calls("m=3"));
    CHECK(!holds("m=4..,calls=5..", square, 9) && holds("m=3,calls=5..", square, 9));
}

int main(void)
{
    CHECK(workspace_init(&workspace));
    check_rows();
    check_refusals();
    check_conditions();
    return check_end("planted_rows");
}
