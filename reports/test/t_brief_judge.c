/* The conditions of brief programs are C and hold for what the expectation admits. */
#include "reports/reproduce/brief_judge.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

typedef struct Row {
    Expectation e;
    double wrong;
    const char *expected, *condition;
} Row;

static const Row rows[] = {
    {{.high = 3, .classes = CLASS_FINITE}, 4, "3", "y == 3"},
    {{.high = 0, .classes = CLASS_FINITE, .exact = true}, -0.0, "0", "y == 0 && !signbit(y)"},
    {{.high = 1, .bound = 0.5, .classes = CLASS_FINITE}, 4, "1", "fabs(y - 1) <= 5.3e-01"},
    {{.bound = INFINITY, .classes = CLASS_FINITE}, NAN, "a finite number", "isfinite(y)"},
    {{.high = 2, .classes = CLASS_FINITE | CLASS_NAN}, 4, "2 or NaN", "y == 2 || isnan(y)"},
    /* Where the value overflows, finite numbers within the bound would do, and there are none. */
    {{.high = INFINITY, .bound = 1, .classes = CLASS_FINITE | CLASS_POSITIVE_INFINITY},
     4,
     "infinity",
     "y == INFINITY"},
    {{.high = -INFINITY, .bound = 1, .classes = CLASS_FINITE | CLASS_NEGATIVE_INFINITY},
     4,
     "-infinity",
     "y == -INFINITY"},
};

int main(void)
{
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        Text expected = {0}, condition = {0};
        CHECK(!brief_admits(&rows[i].e, rows[i].wrong));
        brief_put_condition(&rows[i].e, "y", rows[i].wrong, &expected, &condition);
        CHECK(!strcmp(text_string(&expected), rows[i].expected));
        CHECK(!strcmp(text_string(&condition), rows[i].condition));
        text_release(&expected);
        text_release(&condition);
    }
    return check_end("reports/t_brief_judge");
}
