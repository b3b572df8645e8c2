/* Which backends run a drawn case. */
#include "turn.h"

#include <math.h>
#include <stdio.h>

#include "ops/case/large.h"

static void note_slower(float *rate, double now)
{
    if (*rate == 0 || now < *rate)
        *rate = (float)now;
}

/* Not by the clock: a busy machine makes no library slow. */
uint64_t turn_begin(const Checker *checker, int backend)
{
    const Backend *of = &checker->backends[backend];
    if (!checker->large)
        return 0;
    return processor_nanoseconds() + (of->kind->time_elsewhere ? of->kind->time_elsewhere(of) : 0);
}

/* Of a call that takes too little time to tell, that it is at least as fast as that: a library
 * whose calls all do is quick, and not unknown.  Times elsewhere are told in steps.  Of a process
 * that ended nothing is known. */
void turn_note_rate(Checker *checker, const Case *c, int backend, uint64_t begun)
{
    const double least = checker->backends[backend].kind->time_elsewhere ? 20e6 : 4e6;
    uint64_t now = turn_begin(checker, backend);
    if (!checker->large || now < begun)
        return;
    double nanoseconds = fmax((double)(now - begun), least);
    note_slower(&checker->rate[backend], case_work(c) / nanoseconds);
    note_slower(&checker->rate_of[backend][op_number(c->op)], case_work(c) / nanoseconds);
}

bool turn_takes_seconds(const Checker *checker, int backend, const Case *c)
{
    const double first_work = 1e9, longest = 4e9;
    if (!large_is(c))
        return false;
    double own = checker->rate_of[backend][op_number(c->op)], work = case_work(c);
    double rate = own > 0 ? own : checker->rate[backend];
    bool is_quick = rate > 0 && work / rate < longest;
    return !is_quick && (own > 0 || work >= first_work);
}

/* Backends that take long are given a sample, by the case without its data: what one of them
 * compiles is run on all data that the case is drawn with.  The fastest is given every case, and so
 * is what has as many of each call as it takes to compile it. */
bool turn_is(const Checker *checker, int backend, const Case *c)
{
    int sample = checker->sample[backend];
    if (sample <= 1 || (checker->backends[backend].facts.draws > 0 && !c->op->source))
        return true;
    Text call = {0};
    case_print_call(c, &call);
    bool turn = name_tag("", text_string(&call)) % sample == 0;
    text_release(&call);
    return turn;
}

int turn_decline_all(const Checker *checker, int only, CheckResult *results)
{
    int count = 0;
    for (int i = 0; i < checker->backend_count; i++) {
        if (only >= 0 && i != only)
            continue;
        results[count] = (CheckResult){.backend = i, .judgement.kind = VERDICT_DECLINED};
        (void)snprintf(results[count].detail, sizeof results[count].detail,
                       "its operands have no room");
        count++;
    }
    return count;
}
