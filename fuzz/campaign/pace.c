#include "pace.h"

#include "ops/case/large.h"

void pace_begin(Pace *pace, const Case *c, uint64_t now)
{
    uint64_t passed = pace->since ? now - pace->since : 0;
    *(pace->large ? &pace->large_time : &pace->other_time) += passed;
    pace->since = now;
    pace->large = large_is(c);
    pace->large_cases += pace->large;
    pace->turns += !pace->large && op_has_sums(c->op, c->params);
}

/* One of a quarter of a second is counted beside those that were met.  Engines choose among draws,
 * large ones more often than others, so that the time itself bounds their share. */
int64_t pace_one_in(const Pace *pace, int64_t before)
{
    const double usual = 0.25e9, most = 1e9;
    if (pace->turns == 0 || pace->other_time == 0)
        return before;
    if (PACE_SHARE * pace->large_time > pace->large_time + pace->other_time)
        return 0;
    double of_large = ((double)pace->large_time + usual) / ((double)pace->large_cases + 1);
    double of_turn = (double)pace->other_time / (double)pace->turns;
    double one_in = (PACE_SHARE - 1) * of_large / of_turn;
    return one_in < 1 ? 1 : one_in > most ? (int64_t)most : (int64_t)one_in;
}
