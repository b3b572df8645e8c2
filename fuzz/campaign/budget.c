#include "budget.h"

#include <math.h>

/* What minimisation may take after the last case where no time is set. */
static const double overtime = 120;
/* What minimisation may have of the time after the last case, and what it has at least: for what
 * the last cases found. */
static const double minimising_most = 0.33, minimising_least = 0.02;
/* What workers have to finish their case. */
static const double grace = 2;
/* What probes have of the time, and at most; at least, where no time is set. */
static const double probing_share = 0.1, probing_most = 300, probing_least = 3;

static double probing_of(double seconds)
{
    return fmin(probing_share * seconds, probing_most);
}

double budget_minimising_end(double seconds)
{
    return seconds > 0 ? seconds - probing_of(seconds) : (double)INFINITY;
}

double budget_minimising_end_after(double seconds, double stopped)
{
    return fmin(stopped + overtime, budget_minimising_end(seconds));
}

double budget_cases_end(double seconds, double needed)
{
    double share = fmax(fmin(needed, minimising_most * seconds), minimising_least * seconds);
    return budget_minimising_end(seconds) - share;
}

double budget_workers_end(double seconds, double stopped)
{
    double end = fmax(stopped + grace, budget_minimising_end_after(seconds, stopped));
    return seconds > 0 ? fmin(end, seconds) : end;
}

double budget_probing(double seconds, double begun)
{
    if (seconds > 0)
        return fmax(fmin(probing_of(seconds), seconds - begun), 0);
    return fmax(probing_of(begun), probing_least);
}
