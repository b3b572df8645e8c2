/* The key of a kind is that of the looks of its findings, and of what is read of them beyond. */
#include "bug_kinds.h"

#include <stdlib.h>

#include "reference/list.h"

/* What is needed while kinds are made. */
typedef struct Maker {
    BugKinds *kinds;
    KeySet keys; /* of the kinds */
    size_t kind_room, member_room;
    ProbeList own;   /* the probes of the present finding */
    ProbeFact ahead; /* the first one behind them */
    bool is_ahead;
} Maker;

/* Titles look at the meaning and the backend's mode, severities at the defect, the reviewed list at
 * plain values that are needed.  A finding that somebody set apart, or one of the library as a
 * whole, is a kind of its own; where the case is evidence, it is one by its case. */
static Key key_of_kind(const BugFacts *f, const Key *looks)
{
    Text words = {0};
    text_printf(&words, "\x1f%s\x1f%s\x1f%s\x1f%zu %d", f->defect, f->backend,
                text_string(&f->trigger.meaning), f->needed, f->illegal);
    if (f->whole || f->apart)
        text_printf(&words, " %lld", (long long)f->id);
    else if (f->accepts)
        case_print(f->minimal, &words);
    const Key key = key_behind(looks, words.data, words.length);
    text_release(&words);
    return key;
}

static Key key_of_looks(const BugFacts *f, const ProbeList *probes)
{
    Text words = {0};
    bugs_put_looks(f, probes, &words);
    const Key key = key_of(&words);
    text_release(&words);
    return key;
}

static void make_room(Maker *m)
{
    BugKinds *kinds = m->kinds;
    if (kinds->first.count < m->kind_room)
        return;
    m->kind_room = m->kind_room ? 2 * m->kind_room : 64;
    kinds->sizes = memory_resize(kinds->sizes, m->kind_room, sizeof *kinds->sizes);
    kinds->looks = memory_resize(kinds->looks, m->kind_room, sizeof *kinds->looks);
    kinds->first.facts = memory_resize(kinds->first.facts, m->kind_room, sizeof(BugFacts));
}

/* The kind of a finding, which is made where it is the first one; takes the facts over. */
static size_t kind_of(Maker *m, BugFacts *f)
{
    BugKinds *kinds = m->kinds;
    const Key looks = key_of_looks(f, &m->own), key = key_of_kind(f, &looks);
    const size_t kind = key_set_put(&m->keys, &key);
    if (kind < kinds->first.count) {
        bug_facts_release_one(f);
        return kind;
    }
    make_room(m);
    kinds->first.count++;
    kinds->sizes[kind] = 0;
    kinds->looks[kind] = looks;
    if (!f->accepts)
        bug_facts_shed_case(f);
    kinds->first.facts[kind] = *f;
    for (size_t i = 0; i < m->own.count; i++)
        probe_list_add(&kinds->probes, m->own.probes[i]);
    m->own.count = 0;
    return kind;
}

static void add_member(Maker *m, BugFacts *f)
{
    BugKinds *kinds = m->kinds;
    kinds->members = list_grow(kinds->members, kinds->count, &m->member_room, sizeof(BugMember));
    BugMember member = {.id = f->id, .bug = f->bug};
    member.kind = kind_of(m, f);
    kinds->sizes[member.kind]++;
    kinds->members[kinds->count++] = member;
}

static void forget_probes(ProbeList *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->probes[i].symptom);
    list->count = 0;
}

/* The probes of a finding, of rows that come by rising number of findings, some of which are not
 * known here. */
static void take_probes(Maker *m, Statement *rows, int64_t finding)
{
    forget_probes(&m->own);
    while (m->is_ahead && m->ahead.from <= finding) {
        if (m->ahead.from == finding)
            probe_list_add(&m->own, m->ahead);
        else
            free(m->ahead.symptom);
        m->is_ahead = probe_rows_next(rows, &m->ahead);
    }
}

bool bug_kinds_read(Store *store, BugKinds *kinds, Text *error)
{
    Maker m = {.kinds = kinds};
    BugFacts f;
    *kinds = (BugKinds){0};
    Statement rows = bug_facts_begin(store), probes = probe_rows_begin(store);
    m.is_ahead = probe_rows_next(&probes, &m.ahead);
    while (bug_facts_next(&rows, &f)) {
        take_probes(&m, &probes, f.id);
        add_member(&m, &f);
    }
    if (m.is_ahead)
        free(m.ahead.symptom);
    probe_list_release(&m.own);
    key_set_release(&m.keys);
    bool ok = statement_end(&rows, store->path, error);
    return statement_end(&probes, store->path, error) && ok;
}

void bug_kinds_release(BugKinds *kinds)
{
    bug_facts_release(&kinds->first);
    probe_list_release(&kinds->probes);
    free(kinds->sizes);
    free(kinds->looks);
    free(kinds->members);
    *kinds = (BugKinds){0};
}

static int compare_members(const void *a, const void *b)
{
    const BugMember *first = a, *second = b;
    return (first->id > second->id) - (first->id < second->id);
}

size_t bug_kinds_find(const BugKinds *kinds, int64_t finding)
{
    const BugMember wanted = {.id = finding}, *found = NULL;
    if (kinds->count > 0)
        found = bsearch(&wanted, kinds->members, kinds->count, sizeof wanted, compare_members);
    return found ? found->kind : kinds->first.count;
}
