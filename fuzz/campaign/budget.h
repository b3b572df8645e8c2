/* How the time of a campaign is shared out: to cases, then to minimal cases of what they found,
 * then to probes that join bugs.  All in seconds, and moments in seconds since the campaign began,
 * which is when its libraries are open; a campaign of 0 seconds has no set time. */
#ifndef FUZZ_BUDGET_H
#define FUZZ_BUDGET_H

/* When the last case begins, by what minimisations are likely to need; INFINITY without a time. */
double budget_cases_end(double seconds, double needed);
/* When minimisations end; INFINITY without a time. */
double budget_minimising_end(double seconds);
/* The same for a campaign whose workers were told to stop at a moment. */
double budget_minimising_end_after(double seconds, double stopped);
/* When workers that were told to stop are ended. */
double budget_workers_end(double seconds, double stopped);
/* What probes may take that begin at a moment. */
double budget_probing(double seconds, double begun);

#endif
