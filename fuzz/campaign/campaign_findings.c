/* A finding is filed at once under its raw signature, minimised by a process of its own, and then
 * filed under its final signature.  The counts of the run are written here as well. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "aside.h"
#include "fuzz/check/isolate.h"
#include "record.h"
#include "reference/list.h"
#include "reports/store/signature.h"
#include "uncompiled.h"
#include "untrusted.h"

/* Nanoseconds for one minimisation, the least where many wait, and what is expected of the first
 * ones. */
static const uint64_t shrink_budget = 20000000000u, shrink_least = 200000000u,
                      shrink_expected = 500000000u;

static Pending *enqueue(Campaign *campaign, const FindingMessage *message, int64_t id)
{
    RawName *raw = raw_find(campaign, message->raw_key);
    campaign->waiting++;
    if (raw)
        raw->waiting++;
    return waiting_add(&campaign->queue, message, id);
}

static void share_rules(Campaign *campaign)
{
    for (int i = 0; i < campaign->options->jobs; i++)
        avoid_share(&campaign->jobs[i].shared->avoid, &campaign->avoid);
}

/* Messages about deaths of one raw signature, of which each showed something new. */
enum { DEATHS_TOLD = 4 };

/* Cases like this one are avoided until its minimal case says which are, and to the end where no
 * more of the signature get one. */
static void avoid_at_once(Campaign *campaign, const FindingMessage *message)
{
    const RawName *raw = raw_find(campaign, message->raw_key);
    if (campaign->options->no_avoid || !raw || (raw->waiting == 0 && raw->messages < DEATHS_TOLD) ||
        avoid_explains(&campaign->avoid, &message->c, message->result.backend))
        return;
    avoid_early(&campaign->avoid, message->raw_key, message->result.backend, &message->c);
    share_rules(campaign);
}

/* One finding less waits for its minimal case. */
static void note_served(Campaign *campaign, const FindingMessage *message)
{
    RawName *raw = raw_find(campaign, message->raw_key);
    campaign->waiting--;
    if (!raw || --raw->waiting > 0)
        return;
    avoid_end_early(&campaign->avoid, message->raw_key, message->result.backend);
    share_rules(campaign);
}

static bool file_and_enqueue(Campaign *campaign, const FindingMessage *message, bool unlike)
{
    RecordTexts texts = {0};
    const char *backend = campaign->options->backends[message->result.backend];
    FindingRecord record = record_of(&texts, &message->c, &message->result, backend, NULL);
    record.signature = record.raw;
    int64_t id = 0;
    bool ok = store_put_finding(campaign->store, &record, &id, campaign->error);
    raw_remember(campaign, message->raw_key, id);
    if (ok)
        enqueue(campaign, message, id)->unlike = unlike;
    /* One that ran in a process of its backend's took that with it. */
    if (message->result.judgement.kind == VERDICT_FAULT && backend_kind(backend)->expect)
        avoid_at_once(campaign, message);
    record_release(&texts);
    return ok;
}

bool findings_file(Campaign *campaign, const FindingMessage *message)
{
    return file_and_enqueue(campaign, message, false);
}

/* Files the next case that no minimal case explains, if there is one. */
static bool file_unlike(Campaign *campaign)
{
    FindingMessage message;
    return !unlike_next(campaign, &message) || file_and_enqueue(campaign, &message, true);
}

bool findings_explain(Campaign *campaign, const FindingMessage *message)
{
    const RawName *raw = raw_find(campaign, message->raw_key);
    return campaign->options->no_avoid || (raw && raw->waiting > 0) ||
           avoid_explains(&campaign->avoid, &message->c, message->result.backend);
}

/* Whether a death tells of a cause that those of its raw signature did not. */
static bool is_unexplained(Campaign *campaign, const FindingMessage *message)
{
    const RawName *raw = raw_find(campaign, message->raw_key);
    return raw && raw->messages < DEATHS_TOLD && !findings_explain(campaign, message);
}

bool findings_file_death(Campaign *campaign, const FindingMessage *message, uint64_t hits_before)
{
    if ((hits_before < MESSAGES_PER_RAW || is_unexplained(campaign, message)) &&
        !findings_file(campaign, message))
        return false;
    avoid_at_once(campaign, message);
    return true;
}

void findings_end_at(Campaign *campaign, double seconds)
{
    campaign->shrink_end = isinf(seconds) ? 0 : campaign->started + (uint64_t)(seconds * 1e9);
}

/* Nanoseconds that one takes on average, with the start of the library's process. */
static uint64_t usual_time(const Campaign *campaign)
{
    return campaign->minimised ? campaign->minimised_time / campaign->minimised : shrink_expected;
}

double findings_seconds(const Campaign *campaign)
{
    return (double)usual_time(campaign) * (double)waiting_count_needed(&campaign->queue) /
           (double)campaign->options->jobs / 1e9;
}

/* Twice an equal share of the time that is left, or twice what is usual: most need less, and with
 * too little for one none would become minimal. */
static uint64_t share_budget(const Campaign *campaign)
{
    uint64_t now = clock_nanoseconds(), waiting = campaign->waiting;
    if (campaign->shrink_end == 0)
        return shrink_budget;
    uint64_t left = campaign->shrink_end > now ? campaign->shrink_end - now : 0;
    uint64_t share = left * (waiting > 1 ? 2 : 1) / (waiting ? waiting : 1);
    uint64_t usual = campaign->minimised ? 2 * usual_time(campaign) : 0;
    usual = usual < left ? usual : left;
    share = share > usual ? share : usual;
    return share < shrink_least ? shrink_least : share > shrink_budget ? shrink_budget : share;
}

static bool was_shown(Campaign *campaign, int64_t id)
{
    for (size_t i = 0; i < campaign->shown_count; i++)
        if (campaign->shown[i] == id)
            return true;
    campaign->shown = list_grow(campaign->shown, campaign->shown_count, &campaign->shown_room,
                                sizeof *campaign->shown);
    campaign->shown[campaign->shown_count++] = id;
    return false;
}

/* The others that share the finding, or those that agree with the reference. */
static void show_peers(const FindingRecord *record, bool agree)
{
    const char *before = agree ? "    agree: " : "    also apart: ";
    bool any = false;
    for (int i = 0; i < record->peer_count; i++) {
        const PeerRecord *peer = &record->peers[i];
        bool agrees = !strcmp(peer->verdict, verdict_name(VERDICT_AGREE));
        if (agrees != agree || !strcmp(peer->verdict, verdict_name(VERDICT_DECLINED)))
            continue;
        escape_print(stderr, "%s%s", any ? ", " : before, peer->backend);
        any = true;
    }
    if (any)
        escape_print(stderr, "\n");
}

static void show(Campaign *campaign, int64_t id, const FindingRecord *record)
{
    if (was_shown(campaign, id))
        return;
    (void)snprintf(campaign->last_shown, sizeof campaign->last_shown, "%s", record->signature);
    if (!campaign->options->verbose)
        return;
    progress_clear(campaign);
    escape_print(stderr, "#%lld %s%s\n    %s\n", (long long)id, record->signature,
                 record->flaky ? " (not reproducible)" : "", record->min_line);
    if (record->got[0])
        escape_print(stderr, "    expected %s, got %s, bound %s\n", record->expected, record->got,
                     record->bound);
    show_peers(record, true);
    show_peers(record, false);
}

/* The backend that is blamed is no peer of its own. */
static int put_peers(PeerRecord records[BOX_BACKENDS_MAX], const Campaign *campaign,
                     const Peer *peers, const char *blamed)
{
    int count = 0;
    for (int i = 0; campaign->options->backends[i]; i++)
        if (peers[i].tried && strcmp(campaign->options->backends[i], blamed) != 0)
            records[count++] =
                (PeerRecord){campaign->options->backends[i],
                             verdict_name((VerdictKind)peers[i].kind), fmin(peers[i].ratio, 1e300)};
    return count;
}

/* Blames the library without its compiler, which shows the same; the compiler's backend shows it
 * too, where it was not asked again. */
static void blame_uncompiled(Minimised *minimised, int compiled, const char **backend,
                             char name[600])
{
    const Judgement *j = &minimised->shrunk.result.judgement;
    if (!minimised->uncompiled || !uncompiled_name(*backend, name))
        return;
    *backend = name;
    if (!minimised->peers[compiled].tried)
        minimised->peers[compiled] = (Peer){true, (uint8_t)j->kind, (float)j->ratio};
}

static void note_refile(Pending *pending, int64_t provisional, int64_t id)
{
    if (!pending || pending->id != provisional)
        return;
    pending->refile = true;
    pending->id = id;
}

/* The provisional row is that of a finding now, and no other message's any more. */
static void note_resolved(Campaign *campaign, int64_t provisional, int64_t id)
{
    for (Pending *other = campaign->queue.first; other; other = other->next)
        note_refile(other, provisional, id);
    for (int i = 0; i < MINIMISERS; i++)
        note_refile(campaign->minimisers[i].pending, provisional, id);
}

static bool resolve(Campaign *campaign, const Pending *pending, Minimised *minimised)
{
    const ShrinkResult *shrunk = &minimised->shrunk;
    PeerRecord peers[BOX_BACKENDS_MAX];
    RecordTexts texts = {0};
    int64_t id = 0;
    bool fresh = false;
    char uncompiled[600];
    int number = pending->message.result.backend;
    const char *backend = campaign->options->backends[number];
    blame_uncompiled(minimised, number, &backend, uncompiled);
    FindingRecord record = record_of(&texts, &pending->message.c, &shrunk->result, backend, shrunk);
    record.output = minimised->output[0] ? minimised->output : NULL;
    record.peers = peers;
    record.peer_count = put_peers(peers, campaign, minimised->peers, backend);
    bool ok =
        store_resolve_finding(campaign->store, pending->id, &record, &id, &fresh, campaign->error);
    RawName *raw = raw_find(campaign, pending->message.raw_key);
    if (ok && raw && raw->finding == pending->id)
        raw->finding = id;
    if (ok)
        note_resolved(campaign, pending->id, id);
    bool avoided = shrunk->reproduced > 0 && shrunk->result.judgement.kind == VERDICT_FAULT &&
                   !campaign->options->no_avoid;
    if (avoided) {
        avoid_add(&campaign->avoid, number, &shrunk->minimal);
        share_rules(campaign);
    }
    unlike_learn(campaign, pending, shrunk);
    campaign->ungrouped = campaign->unsure = true;
    if (ok && fresh)
        show(campaign, id, &record);
    record_release(&texts);
    return ok;
}

/* Makes another provisional row where the message's own has become a finding already. */
static bool refile(Campaign *campaign, Pending *pending)
{
    if (!pending->refile)
        return true;
    pending->refile = false;
    RecordTexts texts = {0};
    const char *backend = campaign->options->backends[pending->message.result.backend];
    FindingRecord record =
        record_of(&texts, &pending->message.c, &pending->message.result, backend, NULL);
    record.signature = record.raw;
    bool ok =
        store_split_finding(campaign->store, pending->id, &record, &pending->id, campaign->error);
    record_release(&texts);
    return ok;
}

/* A call that took long once and no more is said, and not filed. */
static bool drop_hang(Campaign *campaign, const Pending *pending)
{
    Text line = {0};
    case_print(&pending->message.c, &line);
    campaign->doubtful++;
    if (!campaign->options->quiet) {
        progress_clear(campaign);
        escape_print(
            stderr,
            "not filed: %s took too long once (--deadline), and returned when it ran alone: %s\n",
            campaign->options->backends[pending->message.result.backend], text_string(&line));
    }
    bool ok =
        store_drop_observation(campaign->store, pending->id, text_string(&line), campaign->error);
    text_release(&line);
    return ok;
}

static bool file_minimised(Campaign *campaign, Pending *pending, Minimised *minimised, bool arrived)
{
    if (!refile(campaign, pending))
        return false;
    if (arrived && minimised->doubtful)
        return drop_hang(campaign, pending);
    if (!arrived && !pending->isolate) {
        Pending *again = enqueue(campaign, &pending->message, pending->id);
        again->isolate = true;
        again->unlike = pending->unlike;
        return true;
    }
    if (!arrived)
        *minimised = (Minimised){
            .shrunk = {.minimal = pending->message.c, .result = pending->message.result}};
    return resolve(campaign, pending, minimised);
}

/* Hangs take seconds each, and have a process of their own.  While workers run, one other is enough
 * for them to go on; afterwards there are as many as there were workers. */
static WaitingKind kind_of(const Campaign *campaign, int place)
{
    bool workers_run = campaign->ended == 0;
    return place == 0                                                         ? WAITING_HANGS
           : place == 1 || (!workers_run && place <= campaign->options->jobs) ? WAITING_OTHERS
                                                                              : WAITING_NOTHING;
}

static bool start_next(Campaign *campaign, int place)
{
    Minimiser *minimiser = &campaign->minimisers[place];
    WaitingKind kind = kind_of(campaign, place);
    if (kind == WAITING_OTHERS && !waiting_has_new(&campaign->queue, kind) &&
        !file_unlike(campaign))
        return false;
    Pending *next = waiting_take(&campaign->queue, kind);
    if (!next)
        return true;
    next->begun = clock_nanoseconds();
    minimiser->options = campaign->options;
    minimiser->holders = campaign->holders;
    minimiser->pending = next;
    minimiser->known = &campaign->known;
    uint64_t share = share_budget(campaign), most = unlike_budget(campaign);
    minimiser->budget = next->unlike && most < share ? most : share;
    minimiser->aside = aside_mask(campaign);
    if (minimiser_start(minimiser))
        return refile(campaign, next);
    text_printf(campaign->error, "cannot start a minimisation: %s", strerror(errno));
    return false;
}

static bool serve_place(Campaign *campaign, int place)
{
    Minimiser *minimiser = &campaign->minimisers[place];
    Minimised minimised;
    Pending *pending;
    bool arrived;
    if (!minimiser_runs(minimiser))
        return start_next(campaign, place);
    minimiser_watch(minimiser);
    if (!minimiser_collect(minimiser, &pending, &minimised, &arrived))
        return true;
    bool ok = file_minimised(campaign, pending, &minimised, arrived);
    if (arrived && minimised.shrunk.complete && !fault_is_hang(&pending->message.result)) {
        campaign->minimised_time += clock_nanoseconds() - pending->begun;
        campaign->minimised++;
    }
    note_served(campaign, &pending->message);
    unlike_served(campaign, pending);
    free(pending);
    return ok;
}

bool findings_serve(Campaign *campaign, bool *busy)
{
    bool ok = true;
    *busy = false;
    for (int i = 0; ok && i < MINIMISERS; i++) {
        ok = serve_place(campaign, i);
        *busy = *busy || minimiser_runs(&campaign->minimisers[i]);
    }
    *busy = *busy || campaign->queue.first || unlike_waits(campaign);
    return ok;
}

/* Adds the hits of one slot that no message has brought already. */
static bool flush_slot(Campaign *campaign, Job *job, int slot)
{
    uint64_t counted = job->shared->raw[slot].hits;
    /* They begin anew where a kernel wrote over them; and none takes less than a nanosecond. */
    if (counted > clock_nanoseconds() - campaign->started)
        return true;
    job->taken[slot] = job->taken[slot] > counted ? 0 : job->taken[slot];
    uint64_t hits = counted - job->taken[slot];
    RawName *raw = hits ? raw_find(campaign, job->shared->raw[slot].key) : NULL;
    if (!raw)
        return true;
    job->taken[slot] += hits;
    uint64_t known = raw->filed < hits ? raw->filed : hits;
    raw->filed -= known;
    raw->counted += hits - known;
    return hits == known ||
           store_add_hits(campaign->store, raw->finding, (int64_t)(hits - known), campaign->error);
}

/* Takes back the hits that were counted before their messages came, which counted them again. */
static bool take_back(Campaign *campaign, RawName *raw)
{
    uint64_t twice = raw->filed < raw->counted ? raw->filed : raw->counted;
    raw->filed -= twice;
    raw->counted -= twice;
    return twice == 0 ||
           store_add_hits(campaign->store, raw->finding, -(int64_t)twice, campaign->error);
}

bool findings_flush_hits(Campaign *campaign)
{
    for (int i = 0; i < campaign->options->jobs; i++)
        for (int slot = 0; campaign->jobs[i].shared && slot < RAW_MAX; slot++)
            if (!flush_slot(campaign, &campaign->jobs[i], slot))
                return false;
    for (size_t i = 0; i < campaign->raw_count; i++)
        if (!take_back(campaign, &campaign->raw[i]))
            return false;
    return true;
}

static size_t coverage_of_job(const Campaign *campaign, const BlackBox *box,
                              CoverageRecord *records)
{
    size_t count = 0;
    for (int slot = 0; box && slot < BOX_CELLS_MAX; slot++) {
        const CoverageCell *cell = &box->cells[slot];
        if (cell->key == 0)
            continue;
        records[count++] = (CoverageRecord){
            .op = cell->op->name,
            .dtype = dtype_name(cell->dtype),
            .fill = cell->fill,
            .backend = campaign->options->backends[cell->backend],
            .executions = cell->executions,
            .declined = cell->declined,
            .vacuous = cell->vacuous,
            .undecided = cell->undecided,
            .worst_ratio = fmin(cell->worst_ratio, 1e300),
            .nanoseconds = cell->nanoseconds,
            .ladder = cell->ladder,
            .ladder_steps = LADDER_STEPS,
            .models = box->models[cell->backend],
            .agreed = cell->agreed,
            .model_count = BOX_MODELS_MAX,
        };
    }
    return count;
}

static bool put_policy_counts(Campaign *campaign)
{
    static PolicyRecord records[BOX_BACKENDS_MAX * POLICY_MAX];
    size_t count = 0;
    for (int b = 0; campaign->options->backends[b]; b++)
        for (int i = 0; policies[i].name; i++) {
            PolicyRecord *record = &records[count++];
            *record = (PolicyRecord){policies[i].name,
                                     contract_demand(policies[i].name, NULL)->demand,
                                     contract_demand(policies[i].name, NULL)->source,
                                     campaign->options->backends[b],
                                     0,
                                     0};
            for (int job = 0; job < campaign->options->jobs; job++) {
                const BlackBox *box = campaign->jobs[job].box;
                record->executions += box ? box->policy[b][i].executions : 0;
                record->documented += box ? box->policy[b][i].documented : 0;
            }
        }
    return store_put_policy_counts(campaign->store, records, count, campaign->error);
}

/* How often each construct of programs was run, and those that no program had. */
static bool put_construct_counts(Campaign *campaign)
{
    static ConstructRecord records[BOX_BACKENDS_MAX * CONSTRUCTS_MAX];
    const OpDesc *op = NULL;
    size_t count = 0;
    for (int job = 0; job < campaign->options->jobs; job++)
        op = campaign->jobs[job].box && campaign->jobs[job].box->program
                 ? campaign->jobs[job].box->program
                 : op;
    for (int b = 0; op && campaign->options->backends[b]; b++)
        for (int i = 1; i < CONSTRUCTS_MAX && op_code(op)->names[i]; i++) {
            ConstructRecord *record = &records[count++];
            *record = (ConstructRecord){
                op->name, op_code(op)->names[i], campaign->options->backends[b], 0, 0, 0};
            for (int job = 0; job < campaign->options->jobs; job++) {
                const BlackBox *box = campaign->jobs[job].box;
                record->executions += box ? box->construct[b][i].executions : 0;
                record->declined += box ? box->construct[b][i].declined : 0;
                record->findings += box ? box->construct[b][i].findings : 0;
            }
        }
    return store_put_construct_counts(campaign->store, records, count, campaign->error);
}

/* Why cases were declined, or what was drawn gave way; the counts of several jobs are added up by
 * the database. */
static bool put_decline_counts(Campaign *campaign, DeclineKind kind)
{
    size_t jobs = (size_t)campaign->options->jobs, count = 0;
    DeclineRecord *records = memory_allocate(jobs * DECLINES_MAX, sizeof *records);
    for (size_t job = 0; job < jobs; job++) {
        const Shared *shared = campaign->jobs[job].shared;
        for (int i = 0; shared && i < DECLINES_MAX; i++) {
            const Decline *entry =
                kind == REDRAWN_CASES ? &shared->redrawn.entries[i] : &shared->declines.entries[i];
            if (entry->key != 0)
                records[count++] = (DeclineRecord){
                    entry->op->name, campaign->options->backends[entry->backend], entry->reason,
                    entry->taken ? 0 : entry->count, entry->taken ? entry->count : 0};
        }
    }
    bool ok = store_put_decline_counts(campaign->store, kind, records, count, campaign->error);
    free(records);
    return ok;
}

static bool is_recorded(const CoverageRecord *records, size_t count, const CoverageRecord *cell)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(records[i].op, cell->op) && !strcmp(records[i].dtype, cell->dtype) &&
            !strcmp(records[i].backend, cell->backend))
            return true;
    return false;
}

/* Cells that a backend offers and that no case has reached: they are what coverage is asked for
 * first.  The records grow by them. */
static size_t add_unreached(const Campaign *campaign, CoverageRecord **records, size_t count,
                            size_t room)
{
    static uint32_t offers[OP_MAX];
    const Scope *scope = &campaign->options->scope;
    size_t recorded = count;
    Text ignored = {0};
    for (int b = 0; campaign->options->backends[b]; b++) {
        if (!backend_probe_offers(campaign->options->backends[b], offers, &ignored))
            continue;
        for (int i = 0; i < scope->op_count * DT_COUNT; i++) {
            const OpDesc *op = scope->ops[i / DT_COUNT];
            int dtype = i % DT_COUNT;
            CoverageRecord cell = {.op = op->name,
                                   .dtype = dtype_names[dtype],
                                   .fill = "none",
                                   .backend = campaign->options->backends[b]};
            if (!(offers[op_number(op)] & scope_dtypes(scope, op) & 1u << dtype) ||
                is_recorded(*records, recorded, &cell))
                continue;
            *records = list_grow(*records, count, &room, sizeof **records);
            (*records)[count++] = cell;
        }
    }
    text_release(&ignored);
    return count;
}

bool findings_put_coverage(Campaign *campaign)
{
    size_t jobs = (size_t)campaign->options->jobs, count = 0, room = jobs * BOX_CELLS_MAX;
    CoverageRecord *records = memory_allocate(room, sizeof *records);
    for (size_t i = 0; i < jobs; i++)
        count += coverage_of_job(campaign, campaign->jobs[i].box, records + count);
    count = add_unreached(campaign, &records, count, room);
    bool ok = store_put_coverage(campaign->store, records, count, campaign->error);
    free(records);
    return ok && put_policy_counts(campaign) && put_construct_counts(campaign) &&
           put_decline_counts(campaign, DECLINED_CASES) &&
           put_decline_counts(campaign, REDRAWN_CASES);
}

void findings_release(Campaign *campaign)
{
    for (int i = 0; i < MINIMISERS; i++)
        minimiser_release(&campaign->minimisers[i]);
    for (int i = 0; i < BOX_BACKENDS_MAX; i++)
        holder_end(&campaign->holders[i]);
    waiting_release(&campaign->queue);
    unlike_release(campaign);
    free(campaign->shown);
}
