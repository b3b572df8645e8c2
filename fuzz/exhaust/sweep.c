/* One call for as many inputs as a case holds; what its bounds do not settle at once is judged as a
 * case of its own. */
#include "sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/check/aftermath.h"
#include "fuzz/check/refer.h"
#include "oracle/symptom.h"
#include "reference/function.h"

/* Calls of a block that are divided at most. */
enum { SPLITS_MAX = 64 };

/* The function that an operator of one number is, where there are fast values of it. */
static const Function *screened(const Space *space)
{
    if (space->inputs != 1 || space->dtype != DT_F32)
        return NULL;
    for (const Function *f = functions; f->name; f++)
        if (!strcmp(f->name, space->op->name) && screen_has(f))
            return f;
    return NULL;
}

bool sweep_open(Sweep *sweep, Checker *checker, const Space *space)
{
    *sweep = (Sweep){.checker = checker, .space = space, .function = screened(space)};
    if (sweep->function) {
        sweep->screen = memory_allocate(1, sizeof *sweep->screen);
        sweep->known = memory_allocate(SCREEN_MAX, 1);
    }
    return workspace_init(&sweep->judging);
}

void sweep_close(Sweep *sweep)
{
    workspace_release(&sweep->judging);
    free(sweep->screen);
    free(sweep->known);
}

/* The results of one call with what is known of them. */
typedef struct Results {
    Ref ref;
    BoundTable bounds;
    CheckOutput output;
    uint64_t first;
    const uint64_t *inputs; /* of each, or NULL: from `first` on */
    DType dtype;
} Results;

static uint64_t input_of(const Results *r, size_t i)
{
    return r->inputs ? r->inputs[i] : r->first + i;
}

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
    uint64_t input = input_of(r, i);
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

static void wait_for_judge(Waiting *w, const Results *r, size_t i, double ulps)
{
    int k = w->count++;
    w->inputs[k] = input_of(r, i);
    w->got[k] = r->output.got[i];
    w->canary[k] = r->output.canary[i];
    w->ulps[k] = ulps;
}

static void count_results(Sweep *sweep, const Results *r, uint64_t count, Tally *tally)
{
    Waiting waiting = {.count = 0};
    for (size_t i = 0; i < count; i++) {
        double ulps = count_rounding(r, i, tally);
        if (is_admitted(r, i))
            continue;
        wait_for_judge(&waiting, r, i, ulps);
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

/* The operands of a call, with these inputs. */
static Operands *place(Sweep *sweep, uint64_t first, uint64_t count)
{
    Checker *checker = sweep->checker;
    bool built = sweep->built_count == count;
    if (!built)
        space_case(sweep->space, count, &sweep->call);
    aftermath_note(checker->box, &sweep->call);
    checker->box->phase = PHASE_FILL;
    if (!built) {
        operands_build(&sweep->operands, &checker->workspace, &sweep->call);
        sweep->arena_used = checker->workspace.arena.used;
        sweep->built_count = count;
    }
    checker->workspace.arena.used = sweep->arena_used;
    space_put(sweep->space, &sweep->operands, first);
    return &sweep->operands;
}

/* Results that are asked of the reference one by one. */
static void ask_reference(Sweep *sweep, Waiting *w, Tally *tally)
{
    Checker *checker = sweep->checker;
    Operands o;
    Case c;
    if (w->count == 0)
        return;
    space_case_of(sweep->space, w->inputs, w->count, 1, &c);
    Workspace kept = checker->workspace;
    checker->workspace = sweep->judging;
    operands_build(&o, &checker->workspace, &c);
    checker_refer(checker, &o);
    int last = o.shapes.count - 1;
    Waiting asked = *w;
    Results results = {.ref = checker->refs[last],
                       .bounds = checker->bounds[last],
                       .output = {asked.got, asked.canary},
                       .inputs = asked.inputs,
                       .dtype = o.view[last].dtype};
    Waiting unsettled = {.count = 0};
    for (int i = 0; i < asked.count; i++) {
        double ulps = count_rounding(&results, (size_t)i, tally);
        if (!is_admitted(&results, (size_t)i))
            wait_for_judge(&unsettled, &results, (size_t)i, ulps);
    }
    sweep->judging = checker->workspace;
    checker->workspace = kept;
    judge_waiting(sweep, &unsettled, tally);
    w->count = 0;
}

static bool is_unwritten(float result)
{
    uint32_t pattern;
    memcpy(&pattern, &result, sizeof pattern);
    return isnan(result) && !(pattern & 0x400000);
}

/* Counts a piece: what its values leave open waits for the reference. */
static void count_piece(Sweep *sweep, const ScreenPiece *piece, const float *results,
                        Waiting *waiting, Tally *tally)
{
    const double *values = sweep->screen->values + (piece->first - sweep->screen->pieces[0].first);
    uint8_t *known = sweep->known;
    double worst = 0;
    if (piece->is_known)
        worst = screen_compare(sweep->screen, piece, sweep->function, results, known);
    else
        memset(known, 0, piece->count);
    for (uint32_t i = 0; i < piece->count; i++) {
        uint64_t input = (uint64_t)piece->first + i;
        if (known[i] & SCREEN_RIGHT) {
            tally->right++;
        } else if ((known[i] & SCREEN_WRONG) && (known[i] & SCREEN_ADMITTED)) {
            tally->wrong++;
            tally_put_error(tally, input, screen_ulps(values[i], results[i]));
        } else {
            int k = waiting->count++;
            waiting->inputs[k] = input;
            waiting->got[k] = (double)results[i];
            waiting->canary[k] = is_unwritten(results[i]);
            if (waiting->count == PARAM_LIST_MAX)
                ask_reference(sweep, waiting, tally);
        }
    }
    for (uint32_t i = 0; worst > tally->worst_ulps && i < piece->count; i++)
        if ((known[i] & SCREEN_RIGHT) && isfinite(values[i]))
            tally_note_worst(tally, (uint64_t)piece->first + i, screen_ulps(values[i], results[i]));
}

static void count_screened(Sweep *sweep, const Operands *o, uint64_t first, Tally *tally)
{
    const float *results = (const void *)o->block[o->shapes.count - 1].data;
    Waiting waiting = {.count = 0};
    screen_fill(sweep->screen, sweep->function, (uint32_t)first,
                (uint32_t)tensor_count(&o->view[0]));
    for (int i = 0; i < sweep->screen->count; i++) {
        const ScreenPiece *piece = &sweep->screen->pieces[i];
        count_piece(sweep, piece, results + (piece->first - (uint32_t)first), &waiting, tally);
    }
    ask_reference(sweep, &waiting, tally);
}

static bool run_call(Sweep *sweep, uint64_t first, uint64_t count, Tally *tally)
{
    Checker *checker = sweep->checker;
    CheckResult result = {.backend = 0};
    Operands *o = place(sweep, first, count);
    int last = o->shapes.count - 1;
    Results results = {.first = first, .dtype = o->view[last].dtype};
    bool screened = sweep->function && count >= SCREEN_LEAST;
    if (!screened) {
        checker_refer(checker, o);
        results.ref = checker->refs[last];
        results.bounds = checker->bounds[last];
    }
    bool called = checker_call(checker, o, &result, screened ? NULL : &results.output);
    if (result.judgement.kind == VERDICT_DECLINED) {
        memcpy(sweep->declined, result.detail, sizeof sweep->declined);
        return false;
    }
    if (!called)
        return divide(sweep, &result, first, count, tally);
    tally->inputs += count;
    if (screened)
        count_screened(sweep, o, first, tally);
    else
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
