/* One call for as many inputs as a case holds; what its bounds do not settle at once is judged as a
 * case of its own. */
#include "sweep.h"

#include <math.h>
#include <string.h>

#include "fuzz/check/aftermath.h"
#include "oracle/symptom.h"
#include "reference/function.h"

/* Calls of a block that are divided at most. */
enum { SPLITS_MAX = 64 };

bool sweep_open(Sweep *sweep, Checker *checker, const Space *space)
{
    *sweep = (Sweep){.checker = checker, .space = space};
    return workspace_init(&sweep->judging);
}

void sweep_close(Sweep *sweep)
{
    workspace_release(&sweep->judging);
}

/* The results of one call with what is known of them. */
typedef struct Results {
    Ref ref;
    BoundTable bounds;
    CheckOutput output;
    uint64_t first;
    DType dtype;
} Results;

/* Results that wait to be judged as a case. */
typedef struct Waiting {
    uint64_t inputs[PARAM_LIST_MAX];
    double got[PARAM_LIST_MAX], ulps[PARAM_LIST_MAX];
    uint8_t canary[PARAM_LIST_MAX];
    int count;
} Waiting;

static double ulp_of(DType dtype, double value)
{
    return dtype_is_integer(dtype) ? 1 : format_ulp(dtype_format(dtype), value);
}

/* The verdict on results from..from+count-1 of those that wait. */
static CheckResult judge_some(Sweep *sweep, Waiting *w, int from, int count)
{
    Checker *checker = sweep->checker;
    CheckResult result = {0};
    Case c;
    space_case_of(sweep->space, w->inputs + from, count, 1, &c);
    /* The operands of the call keep their memory. */
    Workspace kept = checker->workspace;
    checker->workspace = sweep->judging;
    checker_judge(checker, &c, &(CheckOutput){w->got + from, w->canary + from}, &result);
    sweep->judging = checker->workspace;
    checker->workspace = kept;
    return result;
}

static void put_departure(Tally *tally, const CheckResult *result, uint64_t input, uint64_t count,
                          double ulps)
{
    const Judgement *j = &result->judgement;
    const char *what = j->kind == VERDICT_POLICY && j->reading
                           ? j->reading
                           : symptom_name(symptom_of(j, result->detail));
    tally_put_departure(tally, what, j->kind, input, count, ulps);
}

static void judge_waiting(Sweep *sweep, Waiting *w, Tally *tally)
{
    if (w->count > 0 && verdict_is_finding(judge_some(sweep, w, 0, w->count).judgement.kind))
        for (int i = 0; i < w->count; i++) {
            CheckResult result = judge_some(sweep, w, i, 1);
            if (verdict_is_finding(result.judgement.kind))
                put_departure(tally, &result, w->inputs[i], 1, w->ulps[i]);
        }
    w->count = 0;
}

typedef enum Rounding { ROUNDING_RIGHT, ROUNDING_WRONG, ROUNDING_UNDECIDED } Rounding;

/* Whether a finite number is the exact value, within `error` of high + low, rounded to nearest.
 * Numbers of the type lie an ulp of the exact value apart where that lies, so that half of one
 * decides, at powers of two as well. */
static Rounding rounding_of(DType dtype, double got, double high, double low, double error,
                            double *ulps)
{
    double ulp = ulp_of(dtype, high), apart = fabs((got - high) - low);
    double doubt = error + apart * 0x1p-50;
    *ulps = apart / ulp;
    if (error == 0 && apart == ulp / 2)
        return fmod(got / ulp, 2) == 0 ? ROUNDING_RIGHT : ROUNDING_WRONG;
    if (apart == 0 || apart + doubt < ulp / 2)
        return ROUNDING_RIGHT;
    return apart - doubt > ulp / 2 ? ROUNDING_WRONG : ROUNDING_UNDECIDED;
}

/* Whether the reference has a value: not where any may be, none is finite, or it is beyond the
 * largest and told by its class alone. */
static bool has_value(const Results *r, size_t i)
{
    bool clipped = fabs(r->ref.high[i]) == dtype_format(r->dtype)->largest &&
                   (r->ref.classes[i] & CLASS_INFINITE);
    return (r->ref.classes[i] & CLASS_FINITE) && r->ref.classes[i] != CLASS_ANY && !clipped;
}

/* Counts how a result is rounded; its error in ulps, negative where it has none. */
static double count_rounding(const Results *r, size_t i, Tally *tally)
{
    double got = r->output.got[i], ulps = -1;
    unsigned admitted = r->ref.classes[i];
    uint64_t input = r->first + i;
    Rounding rounding = ROUNDING_UNDECIDED;
    if (admitted == CLASS_ANY) {
        tally->open++;
        return ulps;
    }
    if (!(value_class(got) & admitted) || (!isfinite(got) && !(admitted & CLASS_FINITE)))
        rounding = value_class(got) & admitted ? ROUNDING_RIGHT : ROUNDING_WRONG;
    else if (isfinite(got) && has_value(r, i))
        rounding =
            rounding_of(r->dtype, got, r->ref.high[i], r->ref.low[i], r->ref.error[i], &ulps);
    tally->right += rounding == ROUNDING_RIGHT;
    tally->wrong += rounding == ROUNDING_WRONG;
    tally->undecided += rounding == ROUNDING_UNDECIDED;
    if (rounding == ROUNDING_WRONG)
        tally_put_error(tally, input, ulps < 0 ? INFINITY : ulps);
    else if (ulps >= 0)
        tally_note_worst(tally, input, ulps);
    return ulps;
}

/* Whether a result is admitted by the first model of the promise, as the judge would find too. */
static bool is_admitted(const Results *r, size_t i)
{
    double got = r->output.got[i], high = r->ref.high[i], low = r->ref.low[i];
    unsigned admitted = r->bounds.classes[i], class = value_class(got);
    if (r->output.canary[i] || !(class & admitted))
        return false;
    if (class != CLASS_FINITE || admitted == CLASS_ANY)
        return true;
    if (r->ref.exponent != 0 || r->ref.match[i] == MATCH_SET || r->bounds.exact[i] ||
        (high == 0 && low == 0))
        return got == high && low == 0 && signbit(got) == signbit(high);
    return fabs((got - high) - low) <= r->bounds.bounds[i].hard;
}

static void count_results(Sweep *sweep, const Results *r, uint64_t count, Tally *tally)
{
    Waiting waiting = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        double ulps = count_rounding(r, i, tally);
        if (is_admitted(r, i))
            continue;
        int k = waiting.count++;
        waiting.inputs[k] = r->first + i;
        waiting.got[k] = r->output.got[i];
        waiting.canary[k] = r->output.canary[i];
        waiting.ulps[k] = ulps;
        if (waiting.count == PARAM_LIST_MAX)
            judge_waiting(sweep, &waiting, tally);
    }
    judge_waiting(sweep, &waiting, tally);
}

static bool run_call(Sweep *sweep, uint64_t first, uint64_t count, Tally *tally);

/* Of a call that ends without values: in halves, or counted. */
static bool divide(Sweep *sweep, const CheckResult *result, uint64_t first, uint64_t count,
                   Tally *tally)
{
    if (count > 1 && sweep->splits < SPLITS_MAX) {
        sweep->splits++;
        return run_call(sweep, first, count / 2, tally) &&
               run_call(sweep, first + count / 2, count / 2, tally);
    }
    tally->inputs += count;
    tally->unjudged += count;
    put_departure(tally, result, first, count, -1);
    return true;
}

static bool run_call(Sweep *sweep, uint64_t first, uint64_t count, Tally *tally)
{
    Checker *checker = sweep->checker;
    CheckResult result = {.backend = 0};
    Operands o;
    Case c;
    space_case(sweep->space, count, &c);
    aftermath_note(checker->box, &c);
    checker->box->phase = PHASE_FILL;
    operands_build(&o, &checker->workspace, &c);
    space_put(sweep->space, &o, first);
    checker_refer(checker, &o);
    int last = o.shapes.count - 1;
    Results results = {.ref = checker->refs[last],
                       .bounds = checker->bounds[last],
                       .first = first,
                       .dtype = o.view[last].dtype};
    bool called = checker_call(checker, &o, &result, &results.output);
    if (result.judgement.kind == VERDICT_DECLINED) {
        memcpy(sweep->declined, result.detail, sizeof sweep->declined);
        return false;
    }
    if (!called)
        return divide(sweep, &result, first, count, tally);
    tally->inputs += count;
    count_results(sweep, &results, count, tally);
    return true;
}

bool sweep_range(Sweep *sweep, uint64_t first, uint64_t count, Tally *tally)
{
    uint64_t most = sweep->space->call;
    sweep->splits = 0;
    for (uint64_t done = 0; done < count; done += most)
        if (!run_call(sweep, first + done, count - done < most ? count - done : most, tally))
            return false;
    return true;
}
