/* The only orchestrator of a case. */
#include "check.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "reference/fpstate.h"
#include "reference/product.h"

static Phase enter_phase(BlackBox *box, Phase phase, uint64_t *since)
{
    uint64_t now = clock_nanoseconds();
    Phase before = (Phase)box->phase;
    box->nanoseconds[before] += now - *since;
    *since = now;
    box->phase = (int)phase;
    return before;
}

bool checker_open(Checker *checker, BlackBox *box, const char *const *names, Text *error)
{
    *checker = (Checker){.box = box, .touch = {-1, 0, false}};
    if (!workspace_init(&checker->workspace)) {
        text_printf(error, "not enough address space for the operands");
        return false;
    }
    for (; *names; names++) {
        if (checker->backend_count == BOX_BACKENDS_MAX) {
            text_printf(error, "at most %d backends at once", BOX_BACKENDS_MAX);
            return false;
        }
        if (!backend_open(&checker->backends[checker->backend_count], *names, error))
            return false;
        checker->backend_count++;
    }
    return true;
}

void checker_close(Checker *checker)
{
    for (int i = 0; i < checker->backend_count; i++)
        backend_close(&checker->backends[i]);
    workspace_release(&checker->workspace);
}

static void report_contract(CheckResult *result, const char *text, const char *where)
{
    result->judgement.kind = VERDICT_CONTRACT;
    result->judgement.tier = TIER_CONTRACT;
    (void)snprintf(result->detail, sizeof result->detail, "%s%s%s", text, where[0] ? ": " : "",
                   where);
}

/* Calls the kernel once on restored operands; false when the verdict is already clear. */
static bool call_kernel(Checker *checker, const BackendOp *row, Operands *o, CheckResult *result,
                        uint64_t *since)
{
    Backend *backend = &checker->backends[result->backend];
    BlackBox *box = checker->box;
    int threads = (int)o->source->exec.threads;
    operands_restore(o);
    if (threads != 1 && backend->kind->set_threads)
        backend->kind->set_threads(backend, threads);
    fpstate_reset();
    FpState before = fpstate_read();
    checker->touch.slot = -1;
    box->fault_detail[0] = '\0';
    (void)enter_phase(box, PHASE_KERNEL, since);
    atomic_store(&box->kernel_started, *since);
    RunStatus status = row->run(backend, o);
    atomic_store(&box->kernel_started, 0);
    (void)enter_phase(box, PHASE_ORACLE, since);
    if (checker->touch.slot >= 0)
        guard_close(&checker->workspace.slot[checker->touch.slot], (GuardSide)checker->touch.side);
    const char *changed = fpstate_difference(before, fpstate_read());
    fpstate_reset();
    if (threads != 1 && backend->kind->set_threads)
        backend->kind->set_threads(backend, 1);
    atomic_fetch_add(&box->executions, 1);
    if (status == RUN_DECLINED) {
        result->judgement.kind = VERDICT_DECLINED;
        return false;
    }
    if (status == RUN_REFUSED) {
        result->judgement.kind = VERDICT_STATUS;
        return false;
    }
    int which = 0;
    Breach breach = operands_breach(o, &checker->workspace.arena, &which);
    if (changed)
        report_contract(result, "left the floating-point environment changed", changed);
    else if (breach != BREACH_NONE)
        report_contract(result, breach_text(breach), o->source->op->tensors[which]);
    return !changed && breach == BREACH_NONE;
}

/* Two calls on the same data must give the same bits: demanded of one thread only, since no library
 * here promises an order of summation across threads. */
static void judge_repeat(const Ref *ref, const double *first, const double *again,
                         CheckResult *result)
{
    for (size_t i = 0; i < ref->count; i++) {
        if (memcmp(&first[i], &again[i], sizeof *first) == 0)
            continue;
        Judgement *j = &result->judgement;
        j->kind = VERDICT_INVARIANCE;
        j->worst = i;
        j->expected_high = first[i];
        j->expected_low = 0;
        j->got = again[i];
        (void)snprintf(result->detail, sizeof result->detail, "a repeated call gives other bits");
        return;
    }
}

static void run_backend(Checker *checker, Operands *o, const Ref *ref, CheckResult *result,
                        uint64_t *since)
{
    Arena *arena = &checker->workspace.arena;
    const BackendOp *row = backend_op(&checker->backends[result->backend], o->source->op);
    size_t mark = arena->used;
    if (!row) {
        result->judgement.kind = VERDICT_DECLINED;
        return;
    }
    checker->box->backend = result->backend;
    double *got = arena_take(arena, ref->count + 1, sizeof *got);
    uint8_t *canary = arena_take(arena, ref->count + 1, 1);
    const Model *models = checker->backends[result->backend].kind->models;
    bool judged = false;
    Touch touch = {-1, 0, false};
    if (avoid_matches(&checker->box->avoid, o->source, result->backend, &checker->avoided)) {
        result->judgement.kind = VERDICT_DECLINED;
        return;
    }
    for (o->call = 0; o->call < o->source->exec.repeat; o->call++) {
        if (!call_kernel(checker, row, o, result, since))
            break;
        touch = checker->touch.slot >= 0 ? checker->touch : touch;
        if (!judged) {
            operands_output(o, got, canary);
            result->judgement = judge_output(ref, models, &checker->bounds, got, canary, arena);
            judged = true;
            if (verdict_is_finding(result->judgement.kind) || o->source->exec.threads > 1)
                break;
            continue;
        }
        double *again = arena_take(arena, ref->count + 1, sizeof *again);
        operands_output(o, again, canary);
        judge_repeat(ref, got, again, result);
        if (result->judgement.kind == VERDICT_INVARIANCE)
            break;
    }
    o->call = 0;
    arena->used = mark;
    if (touch.slot >= 0 && !verdict_is_finding(result->judgement.kind))
        report_contract(result,
                        touch.written             ? breach_text(BREACH_OUTSIDE)
                        : touch.side == GUARD_END ? "reads past the end"
                                                  : "reads before the start",
                        o->source->op->tensors[touch.slot]);
}

static void build_case(Checker *checker, const Case *c, Operands *o, Ref *ref, uint64_t *since)
{
    (void)enter_phase(checker->box, PHASE_FILL, since);
    operands_build(o, &checker->workspace, c);
    (void)enter_phase(checker->box, PHASE_REFERENCE, since);
    operands_reference(o, ref, &checker->workspace.arena);
    (void)enter_phase(checker->box, PHASE_ORACLE, since);
    checker->bounds =
        bound_table(ref, checker->backends[0].kind->models, &checker->workspace.arena);
}

/* A suspicion stands when fresh data of the same recipe raise it again: once for the bound over the
 * generator's own coins, twice for the one over assumed roundings. */
static void confirm_suspicion(Checker *checker, const Case *c, CheckResult *result, uint64_t *since)
{
    int draws = result->judgement.tier == TIER_PROBABLE ? 1 : 2;
    for (int draw = 1; draw <= draws; draw++) {
        Case redrawn = *c;
        Operands o;
        Ref ref;
        CheckResult again = {.backend = result->backend};
        for (int i = 0; i < OP_TENSORS_MAX; i++)
            redrawn.fill[i].seed = (redrawn.fill[i].seed + draw * 7919) & UINT32_MAX;
        build_case(checker, &redrawn, &o, &ref, since);
        run_backend(checker, &o, &ref, &again, since);
        if (verdict_is_finding(again.judgement.kind))
            continue;
        result->judgement.kind = VERDICT_AGREE;
        return;
    }
}

static void count_result(Checker *checker, const Case *c, const CheckResult *result)
{
    CoverageCell *cell = blackbox_cell(checker->box, c, result->backend);
    if (!cell)
        return;
    VerdictKind kind = result->judgement.kind;
    cell->executions += kind != VERDICT_DECLINED;
    cell->declined += kind == VERDICT_DECLINED;
    cell->vacuous += kind == VERDICT_VACUOUS;
    cell->undecided += kind == VERDICT_UNDECIDED;
    double ratio = result->judgement.bound_ratio;
    cell->ladder[ladder_step(ratio)] += kind == VERDICT_AGREE || kind == VERDICT_DIVERGE;
    cell->worst_ratio = ratio > cell->worst_ratio ? ratio : cell->worst_ratio;
}

int checker_run(Checker *checker, const Case *c, int only, CheckResult *results)
{
    uint64_t since = clock_nanoseconds();
    Operands o;
    Ref ref;
    int count = 0;
    checker->box->current = *c;
    checker->box->phase = PHASE_FILL;
    build_case(checker, c, &o, &ref, &since);
    for (int i = 0; i < checker->backend_count; i++) {
        if (only >= 0 && i != only)
            continue;
        results[count] = (CheckResult){.backend = i};
        run_backend(checker, &o, &ref, &results[count], &since);
        count++;
    }
    for (int i = 0; i < count; i++) {
        if (results[i].judgement.kind == VERDICT_SUSPECT)
            confirm_suspicion(checker, c, &results[i], &since);
        count_result(checker, c, &results[i]);
    }
    atomic_fetch_add(&checker->box->cases, 1);
    (void)enter_phase(checker->box, PHASE_ENGINE, &since);
    ProductCounts products = product_counts();
    checker->box->products_by_library = products.by_library;
    checker->box->products_rejected = products.rejected;
    return count;
}

static Checker *watched;

static void put_touched(char *to, int slot, int side)
{
    static const char *const sides[] = {"the guard page after ", "the guard page before "};
    const char *text = sides[side], *name = watched->box->current.op->tensors[slot];
    while (*text)
        *to++ = *text++;
    while (name && *name)
        *to++ = *name++;
    *to = '\0';
}

/* Opens the guard page, first for reading; the same page again can only mean a write. */
static bool let_through(int slot, int side)
{
    Touch *touch = &watched->touch;
    bool again = touch->slot == slot && touch->side == side && !touch->written;
    if (touch->slot >= 0 && !again)
        return false;
    *touch = (Touch){slot, side, again};
    return guard_open(&watched->workspace.slot[slot], (GuardSide)side, again);
}

static void note_signal(int signal, siginfo_t *info, void *context)
{
    (void)context;
    bool in_kernel = watched->box->phase == PHASE_KERNEL;
    for (int i = 0; in_kernel && i < OP_TENSORS_MAX && (signal == SIGSEGV || signal == SIGBUS);
         i++) {
        int side = guard_page_of(&watched->workspace.slot[i], info->si_addr);
        if (side < 0)
            continue;
        put_touched(watched->box->fault_detail, i, side);
        if (let_through(i, side))
            return;
    }
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    (void)sigaction(signal, &by_default, NULL);
    (void)raise(signal);
}

void checker_watch_signals(Checker *checker)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = note_signal, .sa_flags = SA_SIGINFO | SA_NODEFER};
    watched = checker;
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        (void)sigaction(signals[i], &action, NULL);
}
