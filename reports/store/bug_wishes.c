/* Findings are read one by one: of those that no wish tells apart but by their cases the facts are
 * kept once, and of each a number; the few cases that wishes need are read again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bug.h"
#include "bug_ties.h"
#include "key_set.h"
#include "ops/backend/trust.h"
#include "ops/case/transfer.h"
#include "reference/list.h"

typedef struct Asker {
    int64_t id;
    size_t kind;
} Asker;

/* Two bugs, in the order in which one asks for the other. */
typedef struct BugPair {
    int64_t from, at;
} BugPair;

typedef struct Wishing {
    Store *store;
    ProbeList probes;
    KeySet kinds;    /* of findings that probes can tell something of */
    BugFacts *first; /* of each kind the first finding, without its case */
    bool *opened;    /* of each kind: whether its library may be opened */
    size_t kind_room;
    Asker *askers; /* findings of the kinds, by rising number */
    size_t count, room;
    ProbeWish *wishes;
    BugPair *pairs; /* of the wishes */
    size_t wished, most;
} Wishing;

static void copy_name(char *to, size_t size, const char *name)
{
    (void)snprintf(to, size, "%s", name);
}

static bool is_wished(const Wishing *w, int64_t finding, const BugFacts *at)
{
    for (size_t i = 0; i < w->wished; i++)
        if (w->wishes[i].finding == finding && w->wishes[i].op == at->op &&
            w->wishes[i].dtype == at->dtype)
            return true;
    return false;
}

/* Puts all but the case. */
static void put_wish(Wishing *w, int64_t finding, const BugFacts *from, const BugFacts *at)
{
    ProbeWish *wish = &w->wishes[w->wished];
    *wish = (ProbeWish){.finding = finding,
                        .op = at->op,
                        .dtype = at->dtype,
                        .plain = from == at,
                        .varied = from->wrong,
                        .bare = from->bare};
    copy_name(wish->other, sizeof wish->other, at->symptom);
    copy_name(wish->backend, sizeof wish->backend, from->backend);
    copy_name(wish->symptom, sizeof wish->symptom, from->symptom);
    w->pairs[w->wished++] = (BugPair){from->bug, at->bug};
}

/* True when the finding departs from a rule, and it is not known yet whether it also shows in the
 * case without the values that the rule is about. */
static bool is_plain_wanted(const BugFacts *f, const ProbeList *probes)
{
    Case plain = *f->minimal, wide = *f->minimal;
    bool asks = case_make_plain(&plain) || f->unwritten || (f->policy[0] && case_widen(&wide));
    return asks && !f->whole && !f->memory && !f->unfinished && !f->flaky &&
           !probe_list_find(probes, f->id, f->op, f->dtype);
}

/* All that decides between two findings whether a probe is wanted, and says of a wish. */
static Key key_of_asker(const BugFacts *f)
{
    Text words = {0};
    text_printf(&words, "%lld %d %d %d %d %d\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s\x1f%s",
                (long long)f->bug, f->dtype, f->memory, f->leaves_range, f->wrong, f->bare,
                f->op->name, f->backend, f->kind, f->symptom, f->message, f->plain_meaning);
    const Key key = key_of(&words);
    text_release(&words);
    return key;
}

static void make_room(Wishing *w)
{
    if (w->kinds.count > w->kind_room) {
        w->kind_room = w->kind_room ? 2 * w->kind_room : 64;
        w->first = memory_resize(w->first, w->kind_room, sizeof *w->first);
        w->opened = memory_resize(w->opened, w->kind_room, sizeof *w->opened);
    }
    w->askers = list_grow(w->askers, w->count, &w->room, sizeof *w->askers);
}

/* Takes the facts over. */
static void add_asker(Wishing *w, BugFacts *f, bool opened)
{
    const size_t known = w->kinds.count;
    const Key key = key_of_asker(f);
    const size_t kind = key_set_put(&w->kinds, &key);
    make_room(w);
    w->askers[w->count++] = (Asker){f->id, kind};
    if (kind < known) {
        bug_facts_release_one(f);
        return;
    }
    bug_facts_shed_case(f);
    w->first[kind] = *f;
    w->opened[kind] = opened;
}

/* Reads all findings, and puts the wishes that each has of itself. */
static bool read_askers(Wishing *w, int64_t *closed, Text *error)
{
    BugFacts f;
    Text refusal = {0};
    Statement rows = bug_facts_begin(w->store);
    *closed = 0;
    while (bug_facts_next(&rows, &f)) {
        text_clear(&refusal);
        bool opened = trust_allows(f.backend, &refusal);
        *closed += !opened;
        if (opened && w->wished < w->most && is_plain_wanted(&f, &w->probes))
            put_wish(w, f.id, &f, &f);
        if (f.whole || f.policy[0] || f.unfinished || f.flaky)
            bug_facts_release_one(&f);
        else
            add_asker(w, &f, opened);
    }
    text_release(&refusal);
    return statement_end(&rows, w->store->path, error);
}

/* One operator at another type is tied without a probe. */
static bool may_ask(const BugFacts *from, const BugFacts *at)
{
    return from->op != at->op && (from->bug != at->bug || from->bug == 0) &&
           bugs_may_be_one(from, at);
}

static bool asks_already(const Wishing *w, const BugFacts *from, const BugFacts *at)
{
    for (size_t i = 0; i < w->wished; i++)
        if (w->pairs[i].from == from->bug && w->pairs[i].at == at->bug)
            return true;
    return false;
}

/* Probes of findings of some kinds at the operator and type of one; of `each` pair of bugs at most
 * one. */
static void wish_at(Wishing *w, const BugFacts *at, const bool *asks, bool each)
{
    for (size_t i = 0; i < w->count && w->wished < w->most; i++) {
        const BugFacts *from = &w->first[w->askers[i].kind];
        int64_t finding = w->askers[i].id;
        if (!asks[w->askers[i].kind] || probe_list_find(&w->probes, finding, at->op, at->dtype) ||
            (each && asks_already(w, from, at)) || is_wished(w, finding, at))
            continue;
        put_wish(w, finding, from, at);
    }
}

static void wish_of_two(Wishing *w, bool each)
{
    bool *asks = memory_allocate(w->kinds.count, sizeof *asks);
    for (size_t at = 0; at < w->kinds.count && w->wished < w->most; at++) {
        bool any = false;
        for (size_t from = 0; from < w->kinds.count; from++) {
            asks[from] = w->opened[from] && may_ask(&w->first[from], &w->first[at]);
            any = any || asks[from];
        }
        if (any)
            wish_at(w, &w->first[at], asks, each);
    }
    free(asks);
}

static bool read_cases(Wishing *w, Text *error)
{
    bool ok = true;
    for (size_t i = 0; ok && i < w->wished; i++) {
        BugFacts f;
        ok = bug_facts_get(w->store, w->wishes[i].finding, &f, error);
        if (ok) {
            w->wishes[i].minimal = *f.minimal;
            bug_facts_release_one(&f);
        }
    }
    return ok;
}

size_t bugs_wish(Store *store, ProbeWish *wishes, size_t most, int64_t *closed, Text *error)
{
    Wishing w = {.store = store, .wishes = wishes, .most = most};
    w.pairs = memory_allocate(most, sizeof *w.pairs);
    bool ok = probe_list_read(store, &w.probes, error) && read_askers(&w, closed, error);
    if (ok) {
        wish_of_two(&w, true);
        wish_of_two(&w, false);
        ok = read_cases(&w, error);
    }
    for (size_t i = 0; i < w.kinds.count; i++)
        bug_facts_release_one(&w.first[i]);
    free(w.first);
    free(w.opened);
    free(w.askers);
    free(w.pairs);
    key_set_release(&w.kinds);
    probe_list_release(&w.probes);
    return ok ? w.wished : 0;
}
