/* Whatever of a campaign takes longer than it should, nothing is begun behind its time. */
#include "fuzz/campaign/budget.h"

#include <math.h>
#include <stdbool.h>

#include "tests/check.h"

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-9;
}

static void test_order(void)
{
    static const double times[] = {0.01, 1, 10, 60, 3600, 86400};
    static const double needs[] = {0, 1, 1e6};
    for (size_t i = 0; i < sizeof times / sizeof *times; i++)
        for (size_t k = 0; k < sizeof needs / sizeof *needs; k++) {
            double all = times[i], cases = budget_cases_end(all, needs[k]);
            double minimising = budget_minimising_end(all);
            CHECK(0 < cases && cases < minimising && minimising < all);
            CHECK(budget_minimising_end_after(all, cases) <= minimising);
            CHECK(budget_workers_end(all, cases) <= all);
            CHECK(is_near(minimising + budget_probing(all, minimising), all));
        }
}

/* What came before took until a moment that it should not have come to. */
static void test_late(void)
{
    CHECK(is_near(budget_probing(60, 58), 2));
    CHECK(budget_probing(60, 60) == 0 && budget_probing(60, 64.7) == 0);
    CHECK(budget_workers_end(10, 9.5) == 10);
    CHECK(budget_workers_end(60, 30) == budget_minimising_end(60));
    CHECK(budget_minimising_end_after(60, 59) == budget_minimising_end(60));
}

static void test_untimed(void)
{
    CHECK(isinf(budget_cases_end(0, 5)) && isinf(budget_minimising_end(0)));
    CHECK(is_near(budget_minimising_end_after(0, 100), 220));
    CHECK(is_near(budget_workers_end(0, 100), 220));
    CHECK(is_near(budget_probing(0, 1), 3) && is_near(budget_probing(0, 1e6), 300));
}

int main(void)
{
    test_order();
    test_late();
    test_untimed();
    return check_end("budget");
}
