/* Findings are nodes, ties are edges, bugs are what the edges connect. */
#include <stdlib.h>
#include <string.h>

#include "bug.h"
#include "bug_ties.h"
#include "bug_title.h"
#include "reviewed.h"

typedef struct Node {
    size_t parent; /* its own place for the first of a bug */
    size_t entry;  /* of the reviewed list, which the finding is; the count for none */
    size_t of_bug; /* that of one of the findings of its bug, where it is the first */
    bool is_told;  /* an earlier finding speaks for it: no evidence tells the two apart */
    size_t next;   /* the next finding of its bug once these are known; the count behind the last */
    size_t last;   /* of the first of a bug: the last one */
} Node;

typedef struct Grouping {
    Store *store;
    Text *error;
    BugFactsList list;
    ProbeList probes;
    ReviewedList reviewed;
    Node *nodes; /* of each finding */
} Grouping;

static size_t first_of(const Grouping *g, size_t i)
{
    while (g->nodes[i].parent != i) {
        g->nodes[i].parent = g->nodes[g->nodes[i].parent].parent;
        i = g->nodes[i].parent;
    }
    return i;
}

static bool unite(Grouping *g, size_t a, size_t b)
{
    size_t first = first_of(g, a), second = first_of(g, b);
    size_t low = first < second ? first : second, high = first < second ? second : first;
    if (first == second)
        return false;
    g->nodes[high].parent = low;
    if (g->nodes[low].of_bug == g->reviewed.entry_count)
        g->nodes[low].of_bug = g->nodes[high].of_bug;
    return true;
}

/* Whether people have looked at both bugs and entered them as two: then a case of one that also
 * shows at the other's operator says no more than that both are wrong there, and one rule that both
 * depart from no more than that the library breaks it twice. */
static bool are_two_entries(const Grouping *g, size_t a, size_t b)
{
    size_t none = g->reviewed.entry_count;
    size_t of_a = g->nodes[first_of(g, a)].of_bug, of_b = g->nodes[first_of(g, b)].of_bug;
    return of_a != none && of_b != none && of_a != of_b;
}

static bool put_tie(Grouping *g, size_t a, size_t b, const char *evidence, const char *detail)
{
    Statement s = statement_begin(
        g->store->db,
        "INSERT OR REPLACE INTO tie (finding, other, evidence, detail) VALUES (?, ?, ?, ?)");
    statement_int(&s, g->list.facts[a].id);
    statement_int(&s, g->list.facts[b].id);
    statement_text(&s, evidence);
    statement_text(&s, detail);
    (void)statement_row(&s);
    return statement_end(&s, g->store->path, g->error);
}

/* Ties of the events `bugs join`, each of which names the other finding by its signature. */
static bool tie_by_person(Grouping *g)
{
    bool ok = true;
    Statement s = statement_begin(
        g->store->db,
        "SELECT e.finding, o.id, e.actor || coalesce(': ' || json_extract(e.payload, '$.reason'), "
        "'') "
        "FROM event e JOIN finding o ON o.signature = json_extract(e.payload, '$.of') "
        "WHERE e.kind = 'together' ORDER BY e.finding, o.id");
    while (ok && statement_row(&s)) {
        size_t a = bug_facts_find(&g->list, sqlite3_column_int64(s.statement, 0));
        size_t b = bug_facts_find(&g->list, sqlite3_column_int64(s.statement, 1));
        bool both = a < g->list.count && b < g->list.count;
        if (both && !g->list.facts[a].apart && unite(g, a, b))
            ok = put_tie(g, a, b, "person", statement_column(&s, 2));
    }
    return statement_end(&s, g->store->path, g->error) && ok;
}

/* Each finding by itself, of which is known which entry of the reviewed list it is. */
static void make_nodes(Grouping *g)
{
    g->nodes = memory_allocate(g->list.count + 1, sizeof *g->nodes);
    for (size_t i = 0; i < g->list.count; i++) {
        const BugFacts *f = &g->list.facts[i];
        bool none = f->whole || f->apart;
        size_t entry = none ? g->reviewed.entry_count : reviewed_find(&g->reviewed, &f, 1);
        g->nodes[i] = (Node){.parent = i, .entry = entry, .of_bug = entry};
    }
}

/* Whether two findings that are one entry of the reviewed list are one bug: an entry that names
 * several operators may be one mistake that was made in each of them, unless it says what they
 * share. */
static bool is_one_of_entry(const BugFacts *a, const BugFacts *b, const ReviewedEntry *entry)
{
    return !strcmp(a->library, b->library) && (a->op == b->op || entry->shared[0]);
}

static bool tie_as_reviewed(Grouping *g, size_t a, size_t b, const ReviewedEntry *entry)
{
    Text detail = {0};
    text_printf(&detail, "%s%s%s", entry->title, entry->shared[0] ? "; they share " : "",
                entry->shared);
    bool ok = !unite(g, a, b) || put_tie(g, a, b, "review", text_string(&detail));
    text_release(&detail);
    return ok;
}

/* Ties findings that each are the same entry of the reviewed list. */
static bool tie_by_review(Grouping *g)
{
    const ReviewedList *list = &g->reviewed;
    bool ok = true;
    for (size_t b = 0; ok && b < g->list.count; b++) {
        size_t entry = g->nodes[b].entry;
        for (size_t a = 0; ok && a < b && entry < list->entry_count; a++)
            if (g->nodes[a].entry == entry &&
                is_one_of_entry(&g->list.facts[a], &g->list.facts[b], &list->entries[entry])) {
                ok = tie_as_reviewed(g, a, b, &list->entries[entry]);
                break;
            }
    }
    return ok;
}

/* A finding by all that evidence looks at, but for its own probes. */
typedef struct Alike {
    Text words;
    size_t place;
} Alike;

static int compare_alike(const void *a, const void *b)
{
    const Alike *first = a, *second = b;
    int order = strcmp(text_string(&first->words), text_string(&second->words));
    return order ? order : (first->place > second->place) - (first->place < second->place);
}

static void put_words(const BugFacts *f, Text *words)
{
    const char *texts[] = {f->library,
                           f->kind,
                           f->symptom,
                           f->policy,
                           f->reading,
                           f->frame,
                           f->message,
                           f->detail,
                           f->op->name,
                           f->plain_meaning,
                           text_string(&f->trigger.structure)};
    const bool flags[] = {f->unwritten, f->unfinished, f->memory, f->leaves_range,
                          f->wrong,     f->bare,       f->always};
    text_printf(words, "%d", f->dtype);
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        text_printf(words, " %d", flags[i]);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        text_printf(words, "\x1f%s", texts[i]);
}

/* Whether others that are alike may speak for a finding: of illegal arguments the case itself is
 * evidence, and what has probes is asked by itself. */
static bool has_likes(const Grouping *g, const BugFacts *f, bool unfinished)
{
    return !f->whole && !f->apart && !f->accepts && f->unfinished == unfinished &&
           !probe_list_any(&g->probes, f->id);
}

/* Ties findings that no evidence tells apart, so that pairs are formed of one of each kind. */
static bool tie_alike(Grouping *g, bool unfinished)
{
    Alike *all = memory_allocate(g->list.count + 1, sizeof *all);
    size_t count = 0;
    char detail[160];
    bool ok = true;
    for (size_t i = 0; i < g->list.count; i++)
        if (has_likes(g, &g->list.facts[i], unfinished)) {
            all[count] = (Alike){.place = i};
            put_words(&g->list.facts[i], &all[count++].words);
        }
    qsort(all, count, sizeof *all, compare_alike);
    for (size_t i = 1, first = 0; ok && i < count; i++) {
        size_t a = all[first].place, b = all[i].place;
        const char *evidence = NULL;
        if (!strcmp(text_string(&all[first].words), text_string(&all[i].words)))
            evidence = bugs_tie(&g->list.facts[a], &g->list.facts[b], &g->probes, detail);
        else
            first = i;
        g->nodes[b].is_told = evidence != NULL;
        ok = !evidence || !unite(g, a, b) || put_tie(g, a, b, evidence, detail);
    }
    for (size_t i = 0; i < count; i++)
        text_release(&all[i].words);
    free(all);
    return ok;
}

static bool is_overruled(const Grouping *g, size_t a, size_t b, const char *evidence)
{
    bool weak = !strcmp(evidence, "probe") || !strcmp(evidence, "reading");
    return weak && are_two_entries(g, a, b);
}

/* What probes tell comes last, when it is known of all that is tied otherwise what it was entered
 * as. */
static bool counts_now(const Grouping *g, size_t a, size_t b, const char *evidence, bool probes)
{
    return evidence && !strcmp(evidence, "probe") == probes && !is_overruled(g, a, b, evidence);
}

/* Of each pair whose bugs are not one yet; a bug keeps as many ties as connect it. */
static bool tie_pairs(Grouping *g, bool unfinished, bool probes)
{
    char detail[160];
    for (size_t b = 0; b < g->list.count; b++)
        for (size_t a = 0; a < b && !g->nodes[b].is_told; a++) {
            const BugFacts *first = &g->list.facts[a], *second = &g->list.facts[b];
            bool pass = (first->unfinished || second->unfinished) == unfinished;
            if (g->nodes[a].is_told || !pass || first->apart || second->apart ||
                first_of(g, a) == first_of(g, b) || (unfinished && first_of(g, b) != b))
                continue;
            const char *evidence = bugs_tie(first, second, &g->probes, detail);
            if (counts_now(g, a, b, evidence, probes) && unite(g, a, b) &&
                !put_tie(g, a, b, evidence, detail))
                return false;
        }
    return true;
}

static bool tie_all(Grouping *g, bool unfinished)
{
    return tie_alike(g, unfinished) && tie_pairs(g, unfinished, false) &&
           tie_pairs(g, unfinished, true);
}

static bool get_bug(Grouping *g, const BugFacts *founder, int64_t *bug)
{
    Statement s = statement_begin(
        g->store->db,
        "SELECT id FROM bug WHERE founder = ?1 UNION ALL SELECT id FROM bug WHERE id = ?2 "
        "AND founder NOT IN (SELECT signature FROM finding) LIMIT 1");
    statement_text(&s, founder->signature);
    statement_int(&s, founder->bug);
    *bug = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    return statement_end(&s, g->store->path, g->error);
}

/* The entry of the reviewed list that a bug is, or NULL. */
static const ReviewedEntry *find_entry(const ReviewedList *list, const BugFacts *const *members,
                                       size_t count)
{
    size_t at = members[0]->whole ? list->entry_count : reviewed_find(list, members, count);
    return at < list->entry_count ? &list->entries[at] : NULL;
}

/* Binds two parameters: what is known of an entry of the reviewed list, and its link. */
static void bind_known(Statement *s, const ReviewedList *list, const ReviewedEntry *entry)
{
    Text known = {0};
    if (entry)
        text_printf(&known, "number %zu of the reviewed list, %s; upstream: %s",
                    (size_t)(entry - list->entries) + 1, entry->title, entry->upstream);
    statement_text(s, text_string(&known));
    statement_text(s, entry ? entry->link : "");
    text_release(&known);
}

static bool put_bug(Grouping *g, const BugFacts *const *members, size_t count, int64_t *bug)
{
    const BugFacts *founder = members[0];
    BugWords words = {0};
    if (!get_bug(g, founder, bug))
        return false;
    const ReviewedEntry *entry = find_entry(&g->reviewed, members, count);
    bug_put_words(g->store, entry ? entry->title : NULL, members, count, &words);
    Statement s = statement_begin(
        g->store->db,
        "INSERT INTO bug (id, founder, library, title, condition, severity, kind, symptom, known, "
        "known_link) VALUES (nullif(?, 0), ?, ?, ?, ?, ?, ?, ?, nullif(?, ''), nullif(?, '')) ON "
        "CONFLICT (id) DO UPDATE SET founder = excluded.founder, library = excluded.library, title "
        "= "
        "excluded.title, condition = excluded.condition, severity = excluded.severity, "
        "kind = excluded.kind, symptom = excluded.symptom, known = excluded.known, "
        "known_link = excluded.known_link, part_of = NULL RETURNING id");
    statement_int(&s, *bug);
    statement_text(&s, founder->signature);
    statement_text(&s, founder->library);
    statement_text(&s, text_string(&words.title));
    statement_text(&s, text_string(&words.condition));
    statement_int(&s, bug_severity(members, count));
    statement_text(&s, founder->kind);
    statement_text(&s, founder->symptom);
    bind_known(&s, &g->reviewed, entry);
    *bug = statement_row(&s) ? sqlite3_column_int64(s.statement, 0) : 0;
    bug_words_release(&words);
    return statement_end(&s, g->store->path, g->error);
}

/* Gives the findings of one bug their number, and numbers that are not used any more the new one.
 */
static bool put_members(Grouping *g, const BugFacts *const *members, size_t count, int64_t bug)
{
    for (size_t i = 0; i < count; i++)
        if (!store_run(g->store, "UPDATE finding SET bug = ?2 WHERE id = ?1", members[i]->id, bug,
                       NULL, g->error) ||
            !store_run(g->store,
                       "UPDATE bug SET part_of = ?2 WHERE ?1 >= 0 AND founder = ?3 AND id <> ?2", 0,
                       bug, members[i]->signature, g->error))
            return false;
    return true;
}

/* Chains the findings of each bug behind its first one, by their numbers. */
static void chain(Grouping *g)
{
    for (size_t i = 0; i < g->list.count; i++) {
        size_t first = first_of(g, i);
        g->nodes[i].next = g->list.count;
        if (first != i)
            g->nodes[g->nodes[first].last].next = i;
        g->nodes[first].last = i;
    }
}

/* The findings of which one is the first; true where one of them is minimal. */
static bool get_members(Grouping *g, size_t first, const BugFacts **members, size_t *count)
{
    bool minimal = false;
    *count = 0;
    for (size_t i = first; i < g->list.count; i = g->nodes[i].next) {
        members[(*count)++] = &g->list.facts[i];
        minimal = minimal || !g->list.facts[i].unfinished;
    }
    return minimal;
}

/* Findings of which none is minimal are no bug of their own yet. */
static bool put_bugs(Grouping *g, BugCounts *counts)
{
    const BugFacts **members = memory_allocate(g->list.count + 1, sizeof(BugFacts *));
    bool ok = true;
    *counts = (BugCounts){.findings = (int64_t)g->list.count};
    chain(g);
    for (size_t first = 0; ok && first < g->list.count; first++) {
        size_t count;
        int64_t bug;
        if (first_of(g, first) != first)
            continue;
        if (!get_members(g, first, members, &count)) {
            counts->unfinished += (int64_t)count;
            continue;
        }
        ok = put_bug(g, members, count, &bug) && put_members(g, members, count, bug);
        if (members[0]->policy[0])
            counts->conventions++;
        else
            counts->bugs++;
    }
    free(members);
    return ok;
}

static bool group(Grouping *g, BugCounts *counts)
{
    bool ok = bug_facts_read(g->store, &g->list, g->error) &&
              probe_list_read(g->store, &g->probes, g->error) &&
              reviewed_read_own(&g->reviewed, g->error);
    make_nodes(g);
    ok = ok && store_execute(g->store, "DELETE FROM tie", g->error) && tie_by_person(g) &&
         tie_by_review(g) && tie_all(g, false) && tie_all(g, true) &&
         store_execute(g->store, "UPDATE finding SET bug = NULL", g->error) && put_bugs(g, counts);
    free(g->nodes);
    probe_list_release(&g->probes);
    reviewed_release(&g->reviewed);
    bug_facts_release(&g->list);
    return ok;
}

bool bugs_group(Store *store, BugCounts *counts, Text *error)
{
    Grouping g = {.store = store, .error = error};
    if (!store_begin(store, error))
        return false;
    return store_finish(store, group(&g, counts), error);
}
