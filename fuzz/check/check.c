/* Runs a case: builds its operands and references, calls each backend on them, has the outputs
 * judged, and repeats, relates or confirms calls as the case asks for. */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "admission.h"
#include "aftermath.h"
#include "check_relation.h"
#include "count.h"
#include "frame.h"
#include "leak.h"
#include "memcheck.h"
#include "ops/case/illegal.h"
#include "ops/case/large.h"
#include "ops/plugin/relation.h"
#include "oracle/symptom.h"
#include "outputs.h"
#include "refer.h"
#include "reference/alone.h"
#include "reference/fpstate.h"
#include "reference/product.h"
#include "stray.h"
#include "sums.h"
#include "timer.h"
#include "turn.h"
#include "uncompiled_class.h"

static Phase enter_phase(BlackBox *box, Phase phase, uint64_t *since)
{
    uint64_t now = clock_nanoseconds();
    Phase before = (Phase)box->phase;
    box->nanoseconds[before] += now - *since;
    *since = now;
    box->phase = (int)phase;
    return before;
}

static void report_contract(CheckResult *result, const char *text, const char *where)
{
    result->judgement.kind = VERDICT_CONTRACT;
    result->judgement.tier = TIER_CONTRACT;
    (void)snprintf(result->detail, sizeof result->detail, "%s%s%s", text, where[0] ? ": " : "",
                   where);
}

const char *check_decline_reason(const char *said)
{
    static const char none[] = "no reason is given, which is a fault of the backend's adapter";
    size_t length = strlen(said);
    bool ends_open = length >= 2 && said[length - 2] == ':' && said[length - 1] == ' ';
    return length > 0 && !ends_open ? said : none;
}

static void decline(CheckResult *result, const char *reason)
{
    result->judgement.kind = VERDICT_DECLINED;
    (void)snprintf(result->detail, sizeof result->detail, "%s", check_decline_reason(reason));
}

/* Calls the kernel once on restored operands, in a clean floating-point environment; *changed is
 * what it left of that, or NULL.  A process that the kernel forked, and that returns from it too,
 * ends; and so does one whose bell it used, or whose record it wrote over. */
static RunStatus call_kernel(Checker *checker, Operands *o, int number, const char **changed,
                             uint64_t *since)
{
    Backend *backend = &checker->backends[number];
    BlackBox *box = checker->box;
    int threads = (int)o->source->exec.threads;
    if (o->called)
        operands_restore(o);
    o->called = true;
    if (threads != 1 && backend->kind->set_threads)
        backend->kind->set_threads(backend, threads);
    fpstate_reset();
    /* A thread that an earlier kernel left may have been there. */
    aftermath_check_record(checker);
    aftermath_note_call(box, number);
    checker->touch.slot = checker->written = -1;
    box->fault_detail[0] = '\0';
    box->fault_address = 0;
    (void)enter_phase(box, PHASE_KERNEL, since);
    if (backend->kind->expect) {
        workspace_unlock(&checker->workspace);
    } else {
        atomic_store(&box->kernel_started, *since);
        operands_lock(o);
    }
    memcheck_begin(o);
    backend->message[0] = '\0';
    checker->called = number + 1;
    uint64_t begun = turn_begin(checker, number);
    RunStatus status = backend->kind->run(backend, o);
    box->joined += backend->is_together;
    aftermath_check(checker, threads == 1 && !backend->kind->expect);
    checker->called = 0;
    checker->memory_errors = memcheck_end(o);
    atomic_store(&box->kernel_started, 0);
    turn_note_rate(checker, o->source, number, begun);
    (void)enter_phase(box, PHASE_ORACLE, since);
    if (checker->touch.slot >= 0)
        guard_close(&checker->workspace.slot[checker->touch.slot], (GuardSide)checker->touch.side);
    *changed = fpstate_settle();
    if (threads != 1 && backend->kind->set_threads)
        backend->kind->set_threads(backend, 1);
    atomic_fetch_add(&box->executions, 1);
    return status;
}

static bool nothing_is_known(Checker *checker, const Operands *o)
{
    if (!o->source->op->judged_by_residual)
        return false;
    operands_reference(o, checker->refs, &checker->workspace.arena);
    return refs_have_open_part(checker->refs, o->shapes.count, operands_problems(o));
}

/* A refused call: declined for a documented rank, and with a matrix that may be refused. */
static void refuse(Checker *checker, const Operands *o, CheckResult *result)
{
    const Backend *backend = &checker->backends[result->backend];
    Text says = {0};
    int rank = 0;
    for (int i = 0; i < o->shapes.count; i++)
        rank = o->view[i].rank > rank ? o->view[i].rank : rank;
    if (admission_of_rank(&(Documented){backend, o->source->op, case_dtype(o->source)}, rank,
                          &says))
        decline(result, text_string(&says));
    else if (nothing_is_known(checker, o))
        decline(result, "it refuses operands of which nothing is known");
    else
        (void)snprintf(result->detail, sizeof result->detail, "%s%s%s",
                       symptom_detail(SYMPTOM_REFUSED), backend->message[0] ? ": " : "",
                       backend->message);
    text_release(&says);
}

/* Calls the kernel; false when the verdict is already clear. */
static bool call_and_inspect(Checker *checker, Operands *o, CheckResult *result, uint64_t *since)
{
    const Backend *backend = &checker->backends[result->backend];
    const char *changed;
    int which = 0;
    struct itimerval timer = timer_noted();
    RunStatus status = call_kernel(checker, o, result->backend, &changed, since);
    if (status == RUN_BREACHED) {
        report_contract(result, breach_text(BREACH_OUTSIDE), backend->message);
        return false;
    }
    if (status != RUN_DONE) {
        result->judgement.kind = status == RUN_DIED ? VERDICT_FAULT : VERDICT_STATUS;
        result->judgement.tier = TIER_CONTRACT;
        if (status == RUN_DECLINED)
            decline(result, backend->message);
        if (status == RUN_DIED)
            (void)snprintf(result->detail, sizeof result->detail, "%s", backend->message);
        if (status == RUN_REFUSED)
            refuse(checker, o, result);
        return false;
    }
    Breach breach = operands_breach(o, &checker->workspace.arena, &which);
    if (breach != BREACH_NONE)
        workspace_unlock(&checker->workspace);
    if (timer_call_off(&timer))
        report_contract(result, "leaves a timer running", "");
    else if (changed)
        report_contract(result, symptom_detail(SYMPTOM_ENVIRONMENT), changed);
    else if (breach != BREACH_NONE)
        report_contract(result, breach_text(breach), o->source->op->tensors[which]);
    else if (checker->written >= 0)
        report_contract(result, INPUT_WRITTEN, o->source->op->tensors[checker->written]);
    else if (checker->memory_errors > 0)
        report_contract(result, symptom_detail(SYMPTOM_MEMORY_ERROR), "");
    return result->judgement.kind != VERDICT_CONTRACT;
}

/* A call with one illegal argument: it must be reported by its number, and nothing be written. */
static void run_illegal(Checker *checker, Operands *o, CheckResult *result, uint64_t *since)
{
    Backend *backend = &checker->backends[result->backend];
    Judgement *j = &result->judgement;
    const char *changed, *name = NULL;
    if (backend->kind->illegal_argument)
        name = backend->kind->illegal_argument(backend, o);
    if (!name) {
        decline(result, CHECK_NOT_GIVEN);
        return;
    }
    RunStatus status = call_kernel(checker, o, result->backend, &changed, since);
    j->kind = status == RUN_DIED ? VERDICT_FAULT : VERDICT_STATUS;
    j->tier = TIER_CONTRACT;
    const char *reason = status == RUN_DECLINED ? backend->message : NULL;
    if (illegal_is_stray(o->source) && !reason)
        reason = stray_judge(result, status, backend->message, name);
    if (reason)
        decline(result, reason);
    else if (illegal_is_stray(o->source))
        return;
    else if (status == RUN_DIED)
        (void)snprintf(result->detail, sizeof result->detail, "%s on an illegal %s",
                       backend->message, name);
    else if (status == RUN_REFUSED && !operands_untouched(o))
        (void)snprintf(result->detail, sizeof result->detail, "writes despite an illegal %s", name);
    else if (status != RUN_REFUSED)
        (void)snprintf(result->detail, sizeof result->detail, "%s %s",
                       symptom_detail(SYMPTOM_ACCEPTED), name);
    else if (backend->kind->expect && backend->refused_argument == 0)
        (void)snprintf(result->detail, sizeof result->detail,
                       "%s %s by an exception that is not documented: %s",
                       symptom_detail(SYMPTOM_MISREPORTED), name, backend->message);
    else if (backend->refused_argument != o->source->exec.illegal) {
        (void)snprintf(result->detail, sizeof result->detail, "%s argument by another number",
                       symptom_detail(SYMPTOM_MISREPORTED));
        admission_name(&(Documented){backend, o->source->op, case_dtype(o->source)},
                       POLICY_ARGUMENT_NUMBER, j);
        j->expected_high = (double)o->source->exec.illegal;
        j->got = backend->refused_argument;
    } else {
        j->kind = VERDICT_AGREE;
        j->tier = TIER_NONE;
    }
}

static void judge_outputs(Checker *checker, Operands *o, const Outputs *outputs,
                          CheckResult *result, uint64_t *since)
{
    if (checker->large) {
        sums_judge(checker, o, result);
        return;
    }
    if (o->source->op->judged_by_residual) {
        (void)enter_phase(checker->box, PHASE_REFERENCE, since);
        checker_refer(checker, o);
        (void)enter_phase(checker->box, PHASE_ORACLE, since);
    }
    outputs_judge(checker, o, outputs, result);
}

/* True when further calls on the same data leave more and more memory behind. */
static bool is_leak(Checker *checker, Operands *o, int backend, uint64_t *since)
{
    const char *changed;
    for (int window = 0; window < LEAK_WINDOWS; window++) {
        MemoryUse before = memory_use();
        for (int i = 0; i < LEAK_CALLS; i++)
            (void)call_kernel(checker, o, backend, &changed, since);
        if (memory_growth(before, memory_use()) < LEAK_BYTES)
            return false;
    }
    return true;
}

/* Whether a case that shows nothing else is worth the calls that show a leak. */
static bool is_leak_wanted(const Checker *checker, const Operands *o, const CheckResult *result)
{
    const Exec *exec = &o->source->exec;
    return o->call == LEAK_REPEAT && exec->threads == 1 &&
           !checker->backends[result->backend].kind->expect &&
           !verdict_is_finding(result->judgement.kind) && case_work(o->source) < LEAK_WORK_MAX;
}

static void report_relation(CheckResult *result, const PluginRelated *related,
                            const Outputs *second)
{
    Judgement *j = &result->judgement;
    j->kind = VERDICT_INVARIANCE;
    j->worst = related->element;
    j->expected_high = related->expected;
    j->expected_low = 0;
    j->got = second->got[related->output][related->element];
    result->output = related->output;
    (void)snprintf(result->detail, sizeof result->detail, RELATION_BROKEN "%s",
                   related->relation->name);
}

/* The relations of an operator's own, by a second call each.  Where nothing else is known of the
 * results, they are what it agrees with. */
static void run_own_relations(Checker *checker, Operands *o, const Outputs *first,
                              CheckResult *result, uint64_t *since)
{
    const opconform_relation *const *relation = plugin_relations(o->source->op);
    Arena *arena = &checker->workspace.arena;
    PluginRelated *related = *relation ? arena_take(arena, 1, sizeof *related) : NULL;
    for (; *relation && !verdict_is_finding(result->judgement.kind); relation++) {
        Outputs second;
        const char *changed;
        if (!plugin_relation_begin(related, *relation, o, first->got, arena))
            return;
        bool done = call_kernel(checker, o, result->backend, &changed, since) == RUN_DONE;
        outputs_read(o, &second, arena);
        if (done && !plugin_relation_holds(related, second.got))
            report_relation(result, related, &second);
        else if (done && result->judgement.kind == VERDICT_VACUOUS)
            result->judgement.kind = VERDICT_AGREE;
        plugin_relation_end(related, o);
    }
}

/* Names the place that touched memory beside an operand, which is a breach where nothing else is
 * wrong. */
static void report_touch(const Checker *checker, const Operands *o, Touch touch,
                         CheckResult *result)
{
    if (touch.slot < 0)
        return;
    frame_name(result->frame, sizeof result->frame, checker->box->fault_address);
    if (!verdict_is_finding(result->judgement.kind))
        report_contract(result,
                        touch.written             ? breach_text(BREACH_OUTSIDE)
                        : touch.side == GUARD_END ? "reads past the end"
                                                  : "reads before the start",
                        o->source->op->tensors[touch.slot]);
}

/* Calls the kernel as often as the case says; the first call is judged, the others must repeat
 * it, or are judged as well where a kernel chooses at random or sums in any order. */
static void run_calls(Checker *checker, Operands *o, CheckResult *result, Outputs *first,
                      uint64_t *since)
{
    Arena *arena = &checker->workspace.arena;
    Outputs again = {0};
    Touch touch = {-1, 0, false};
    for (o->call = 0; o->call < o->source->exec.repeat; o->call++) {
        if (!call_and_inspect(checker, o, result, since))
            break;
        touch = checker->touch.slot >= 0 ? checker->touch : touch;
        if (!checker->large)
            outputs_read(o, o->call == 0 ? first : &again, arena);
        bool random = o->source->op->random || checker->backends[result->backend].promise.unordered;
        if (o->call == 0 || random)
            judge_outputs(checker, o, o->call == 0 ? first : &again, result, since);
        else
            outputs_judge_repeat(o, checker->refs, first, &again, result);
        if (verdict_is_finding(result->judgement.kind) || o->source->exec.threads > 1)
            break;
    }
    if (first->got[result->output])
        run_own_relations(checker, o, first, result, since);
    if (is_leak_wanted(checker, o, result) && is_leak(checker, o, result->backend, since))
        report_contract(result, symptom_detail(SYMPTOM_LEAK), "");
    o->call = 0;
    report_touch(checker, o, touch, result);
}

/* What a call shows that was compiled with others counts as it shows alone.  A wrong value that
 * does not is theirs as well: they are named. */
static void confirm_alone(Checker *checker, Operands *o, CheckResult *result, Outputs *first,
                          uint64_t *since)
{
    Backend *backend = &checker->backends[result->backend];
    CheckResult alone = {.backend = result->backend};
    char others[sizeof backend->message];
    if (!backend->is_together || !verdict_is_finding(result->judgement.kind))
        return;
    memcpy(others, backend->message, sizeof others);
    backend->alone = true;
    run_calls(checker, o, &alone, first, since);
    backend->alone = false;
    if (result->judgement.kind != VERDICT_DIVERGE || verdict_is_finding(alone.judgement.kind))
        *result = alone;
    else
        (void)snprintf(result->detail, sizeof result->detail, "only in one function with %s",
                       others);
}

/* Of sums in another order each time two runs say nothing of each other's bits. */
static bool relation_holds_of(const Checker *checker, const CheckResult *result, bool same_answer)
{
    return relation_concerns(result, same_answer) &&
           (same_answer || !checker->backends[result->backend].promise.unordered);
}

/* Keeps the outputs for a related call, while there is what the reference says of them. */
static void keep_outputs(const Checker *checker, const Operands *o, const CheckResult *result,
                         KeptOutputs *kept, Arena *arena)
{
    const Exec *exec = &o->source->exec;
    const Ref *refs = checker->large || exec->illegal ? NULL : checker->refs;
    if (exec->relation != RELATION_NONE && relation_holds_of(checker, result, true))
        outputs_keep(kept, o, refs, arena);
}

/* drawn: by a campaign, which has other cases for a library that takes long.  kept: the outputs,
 * where a related call is to be held against them; or NULL. */
static void run_backend(Checker *checker, Operands *o, bool drawn, CheckResult *result,
                        KeptOutputs *kept, uint64_t *since)
{
    Arena *arena = &checker->workspace.arena;
    const Backend *backend = &checker->backends[result->backend];
    const Case *c = o->source;
    size_t mark = arena->used;
    Outputs first = {0};
    checker->box->backend = result->backend;
    const char *avoided = checker->is_avoided ? checker->is_avoided(c, result->backend) : NULL;
    const char *refusal = avoided ? avoided : backend_refusal(backend, c->op, case_dtype(c));
    result->avoided = avoided != NULL;
    if (refusal)
        decline(result, refusal);
    else if (checker->large && !backend->kind->large)
        decline(result, "has no room for operands of this size");
    else if (drawn && turn_takes_seconds(checker, result->backend, c))
        decline(result, "takes seconds for a case of this size");
    else if (c->exec.illegal)
        run_illegal(checker, o, result, since);
    else
        run_calls(checker, o, result, &first, since);
    confirm_alone(checker, o, result, &first, since);
    uncompiled_compare(checker, o, first.got, checker_call, result);
    if (kept)
        keep_outputs(checker, o, result, kept, arena);
    arena->used = mark;
}

static void build_case(Checker *checker, const Case *c, Operands *o, uint64_t *since)
{
    (void)enter_phase(checker->box, PHASE_FILL, since);
    operands_build(o, &checker->workspace, c);
    checker->large = large_is(c);
    (void)enter_phase(checker->box, PHASE_REFERENCE, since);
    if (checker->large)
        sums_begin(checker, o);
    else if (!c->op->judged_by_residual && !c->exec.illegal)
        checker_refer_draft(checker, o, c->exec.relation == RELATION_NONE);
    (void)enter_phase(checker->box, PHASE_ORACLE, since);
}

bool checker_call(Checker *checker, Operands *o, CheckResult *result, CheckOutput *output)
{
    uint64_t since = clock_nanoseconds();
    Outputs all = {0};
    int last = o->shapes.count - 1;
    checker->box->backend = result->backend;
    bool called = call_and_inspect(checker, o, result, &since);
    if (called && output)
        outputs_read(o, &all, &checker->workspace.arena);
    if (output)
        *output = (CheckOutput){all.got[last], all.canary[last]};
    report_touch(checker, o, checker->touch, result);
    return called && !verdict_is_finding(result->judgement.kind);
}

void checker_judge(Checker *checker, const Case *c, const CheckOutput *output, CheckResult *result)
{
    uint64_t since = clock_nanoseconds();
    Operands o;
    build_case(checker, c, &o, &since);
    int last = o.shapes.count - 1;
    Outputs all = {0};
    all.got[last] = output->got;
    all.canary[last] = output->canary;
    judge_outputs(checker, &o, &all, result, &since);
}

/* A suspicion stands when fresh data of the same recipe raise it again: once for the bound over the
 * generator's own coins, twice for the one over assumed roundings. */
static void confirm_suspicion(Checker *checker, const Case *c, CheckResult *result, uint64_t *since)
{
    int draws = result->judgement.tier == TIER_PROBABLE ? 1 : 2;
    for (int draw = 1; draw <= draws; draw++) {
        Case redrawn = *c;
        Operands o;
        CheckResult again = {.backend = result->backend};
        for (int i = 0; i < OP_TENSORS_MAX; i++)
            redrawn.fill[i].seed = (redrawn.fill[i].seed + draw * 7919) & UINT32_MAX;
        build_case(checker, &redrawn, &o, since);
        run_backend(checker, &o, false, &again, NULL, since);
        if (verdict_is_finding(again.judgement.kind))
            continue;
        result->judgement.kind = VERDICT_AGREE;
        return;
    }
}

/* A kernel that is as wrong without the overlap departs from another rule. */
static void confirm_overlap(Checker *checker, const Case *c, CheckResult *result, uint64_t *since)
{
    Case apart = *c;
    Operands o;
    CheckResult again = {.backend = result->backend};
    apart.exec.overlap = OVERLAP_NONE;
    build_case(checker, &apart, &o, since);
    run_backend(checker, &o, false, &again, NULL, since);
    if (verdict_is_finding(again.judgement.kind))
        *result = again;
}

static bool is_overlap(const Judgement *j)
{
    return j->reading && !strcmp(j->reading, POLICY_IN_PLACE);
}

/* Builds the operands of the second call; false where nothing follows for it. */
static bool build_related(Checker *checker, const Case *c, Related *related, Operands *o,
                          const KeptReference *reference, uint64_t *since)
{
    RelatedElements kept = {0};
    (void)enter_phase(checker->box, PHASE_FILL, since);
    case_normalise(&related->c, NULL);
    if (related->data == RELATED_PLACED) {
        operands_build(o, &checker->workspace, c);
        relation_keep(&kept, related, o);
    }
    operands_build(o, &checker->workspace, &related->c);
    relation_change(related, &kept, o);
    relation_release(&kept);
    if (related->data == RELATED_SAME && !related->same_answer)
        return true;
    (void)enter_phase(checker->box, PHASE_REFERENCE, since);
    operands_reference(o, checker->refs, &checker->workspace.arena);
    return relation_is_true(related, o, reference, checker->refs);
}

/* Runs the related case on the backends that agreed, and compares; the number that were compared.
 */
static int run_relation(Checker *checker, const Case *c, CheckResult *results, int count,
                        KeptOutputs *kept, const KeptReference *reference, uint64_t *since)
{
    Related related;
    Operands o;
    int compared = 0;
    if (!relation_apply(c, &related) || !build_related(checker, c, &related, &o, reference, since))
        return 0;
    for (int i = 0; i < count; i++) {
        const char *changed;
        bool same_answer = relation_asks_answer(&related, &results[i]);
        if (!relation_holds_of(checker, &results[i], same_answer))
            continue;
        checker->box->backend = results[i].backend;
        const Backend *backend = &checker->backends[results[i].backend];
        RelatedCalls calls = {backend, c, &related, &o, checker->refs, same_answer, &kept[i]};
        if (call_kernel(checker, &o, results[i].backend, &changed, since) == RUN_DONE)
            compared += relation_judge(&calls, &results[i], &checker->workspace.arena);
    }
    return compared;
}

/* Another answer that does not follow for the numbers alone is none: the first call's verdict is
 * left. */
static void confirm_relation(Checker *checker, const Case *c, CheckResult *result, uint64_t *since)
{
    Case numbers = *c, alone = *c;
    Operands o;
    Related related;
    KeptReference reference = {0};
    for (int i = 0; i < OP_TENSORS_MAX; i++)
        numbers.fill[i].special = 0;
    build_case(checker, &numbers, &o, since);
    reference_keep(&reference, checker->refs);
    bool holds = relation_is_moderate(&o, checker->refs) && relation_apply(&numbers, &related) &&
                 build_related(checker, &numbers, &related, &o, &reference, since);
    reference_release(&reference);
    if (holds)
        return;
    alone.exec.relation = RELATION_NONE;
    *result = (CheckResult){.backend = result->backend};
    build_case(checker, &alone, &o, since);
    run_backend(checker, &o, false, result, NULL, since);
}

int checker_run(Checker *checker, const Case *c, int only, CheckResult *results)
{
    uint64_t since = clock_nanoseconds(), begun = since;
    Operands o;
    int count = 0;
    if (!case_has_room(c))
        return turn_decline_all(checker, only, results);
    aftermath_note(checker->box, c);
    checker->box->patience = large_patience(c);
    checker->box->phase = PHASE_FILL;
    KeptOutputs kept[BOX_BACKENDS_MAX] = {0};
    KeptBits bits[2] = {0};
    bool compares = checker->changes && only < 0 && !large_is(c);
    build_case(checker, c, &o, &since);
    KeptReference reference = {0};
    if (c->exec.relation > RELATION_FUNCTION && !c->op->judged_by_residual && !c->exec.illegal)
        reference_keep(&reference, checker->refs);
    for (int i = 0; i < checker->backend_count; i++) {
        if (only >= 0 ? i != only : !turn_is(checker, i, c))
            continue;
        results[count] = (CheckResult){.backend = i};
        run_backend(checker, &o, checker->drawn && only < 0, &results[count], &kept[count], &since);
        if (compares && i < 2)
            change_keep(&bits[i], checker, &o, &results[count]);
        count++;
    }
    if (compares && count >= 2)
        change_count(checker->changes, &o, results, bits);
    change_release(&bits[0]);
    change_release(&bits[1]);
    if (c->exec.relation != RELATION_NONE) {
        int compared = run_relation(checker, c, results, count, kept, &reference, &since);
        int ran = 0;
        for (int i = 0; i < count; i++)
            ran += results[i].judgement.kind != VERDICT_DECLINED;
        checker->box->related += (uint64_t)compared;
        checker->box->unrelated += (uint64_t)(ran - compared);
    }
    reference_release(&reference);
    for (int i = 0; i < count; i++) {
        outputs_release(&kept[i]);
        if (results[i].judgement.kind == VERDICT_SUSPECT)
            confirm_suspicion(checker, c, &results[i], &since);
        if (relation_needs_numbers(c, &results[i]))
            confirm_relation(checker, c, &results[i], &since);
        if (is_overlap(&results[i].judgement))
            confirm_overlap(checker, c, &results[i], &since);
    }
    count_on_all(checker->box, c, results, count, clock_nanoseconds() - begun);
    (void)enter_phase(checker->box, PHASE_ENGINE, &since);
    ProductCounts products = product_counts();
    checker->box->products_by_library = products.by_library;
    checker->box->products_rejected = products.rejected;
    return count;
}
