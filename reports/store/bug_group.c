/* Kinds of findings are nodes, ties are edges, bugs are what the edges connect. */
#include <stdlib.h>
#include <string.h>

#include "bug.h"
#include "bug_kinds.h"
#include "bug_title.h"
#include "reviewed.h"

typedef struct Node {
    size_t parent; /* its own place for the first of a bug */
    size_t entry;  /* of the reviewed list, which the kind is; the count for none */
    size_t of_bug; /* that of one of the kinds of its bug, where it is the first */
    size_t like;   /* the kind that speaks for it, since no evidence tells the two apart */
    size_t next;   /* the next kind of its bug once these are known; the count behind the last */
    size_t last;   /* of the first of a bug: the last one */
    int64_t bug;   /* of the first of a bug: its number, 0 where it is none yet */
    bool told;     /* of the first of a bug: one of its kinds is not raw */
} Node;

typedef struct Grouping {
    Store *store;
    Text *error;
    BugKinds kinds;
    ReviewedList reviewed;
    Node *nodes;   /* of each kind */
    Statement tie; /* puts a tie */
} Grouping;

static const BugFacts *facts_of(const Grouping *g, size_t kind)
{
    return &g->kinds.first.facts[kind];
}

static size_t count_of(const Grouping *g)
{
    return g->kinds.first.count;
}

static bool speaks(const Grouping *g, size_t kind)
{
    return g->nodes[kind].like == kind;
}

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
    g->nodes[low].told = g->nodes[low].told || g->nodes[high].told;
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

static bool put_tie_of(Grouping *g, int64_t finding, int64_t other, const char *evidence,
                       const char *detail)
{
    statement_again(&g->tie);
    statement_int(&g->tie, finding);
    statement_int(&g->tie, other);
    statement_text(&g->tie, evidence);
    statement_text(&g->tie, detail);
    (void)statement_row(&g->tie);
    return g->tie.code == SQLITE_DONE;
}

static bool put_tie(Grouping *g, size_t a, size_t b, const char *evidence, const char *detail)
{
    return put_tie_of(g, facts_of(g, a)->id, facts_of(g, b)->id, evidence, detail);
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
        int64_t finding = sqlite3_column_int64(s.statement, 0);
        int64_t other = sqlite3_column_int64(s.statement, 1);
        size_t a = bug_kinds_find(&g->kinds, finding), b = bug_kinds_find(&g->kinds, other);
        bool both = a < count_of(g) && b < count_of(g);
        if (both && !facts_of(g, a)->apart && unite(g, a, b))
            ok = put_tie_of(g, finding, other, "person", statement_column(&s, 2));
    }
    return statement_end(&s, g->store->path, g->error) && ok;
}

/* Each kind by itself, of which is known which entry of the reviewed list it is. */
static void make_nodes(Grouping *g)
{
    g->nodes = memory_allocate(count_of(g) + 1, sizeof *g->nodes);
    for (size_t i = 0; i < count_of(g); i++) {
        const BugFacts *f = facts_of(g, i);
        bool none = f->whole || f->apart;
        size_t entry = none ? g->reviewed.entry_count : reviewed_find(&g->reviewed, &f, 1);
        g->nodes[i] =
            (Node){.parent = i, .entry = entry, .of_bug = entry, .like = i, .told = !f->raw};
    }
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

/* Ties kinds of a library that each are the same entry of the reviewed list: what people have
 * entered as one bug is one, whatever operators show it. */
static bool tie_by_review(Grouping *g)
{
    const ReviewedList *list = &g->reviewed;
    bool ok = true;
    for (size_t b = 0; ok && b < count_of(g); b++) {
        size_t entry = g->nodes[b].entry;
        for (size_t a = 0; ok && a < b && entry < list->entry_count; a++)
            if (g->nodes[a].entry == entry &&
                !strcmp(facts_of(g, a)->library, facts_of(g, b)->library)) {
                ok = tie_as_reviewed(g, a, b, &list->entries[entry]);
                break;
            }
    }
    return ok;
}

/* A kind by the key of all that evidence looks at. */
typedef struct Alike {
    Key looks;
    size_t place;
} Alike;

static int compare_alike(const void *a, const void *b)
{
    const Alike *first = a, *second = b;
    int order = key_compare(&first->looks, &second->looks);
    return order ? order : (first->place > second->place) - (first->place < second->place);
}

/* Whether others that are alike may speak for a finding: of illegal arguments the case itself is
 * evidence. */
static bool has_likes(const BugFacts *f, bool raw)
{
    return !f->whole && !f->apart && !f->accepts && f->raw == raw;
}

/* How late evidence counts.  What the library tells of itself, a function or a message, says the
 * most, and needs of one operator say less; then comes a rule that two operators depart from, and
 * what a probe tells last: these come when it is known of all that is tied otherwise what it was
 * entered as. */
typedef enum Pass { PASS_LIBRARY, PASS_OPERATOR, PASS_READING, PASS_PROBE, PASS_COUNT } Pass;

static Pass pass_of(const char *evidence)
{
    static const char *const late[] = {"operator", "raw", "reading", "probe"};
    static const Pass passes[] = {PASS_OPERATOR, PASS_OPERATOR, PASS_READING, PASS_PROBE};
    for (size_t i = 0; i < COUNT_OF(late); i++)
        if (!strcmp(evidence, late[i]))
            return passes[i];
    return PASS_LIBRARY;
}

/* Two findings of one operator that need the like, or of which one does not tell what it needs, are
 * one bug, unless their bugs were entered as two. */
static bool is_overruled(const Grouping *g, size_t a, size_t b, const char *evidence)
{
    size_t none = g->reviewed.entry_count, of_a = g->nodes[a].entry, of_b = g->nodes[b].entry;
    bool weak = pass_of(evidence) != PASS_LIBRARY;
    bool two = of_a != none && of_b != none && of_a != of_b;
    return weak && (two || are_two_entries(g, a, b));
}

/* Ties a kind to one of the same words, which speaks for it from now on. */
static bool tie_like(Grouping *g, size_t a, size_t b)
{
    char detail[160];
    const char *evidence = bugs_tie(facts_of(g, a), facts_of(g, b), &g->kinds.probes, detail);
    if (!evidence || is_overruled(g, a, b, evidence))
        return true;
    g->nodes[b].like = a;
    return !unite(g, a, b) || put_tie(g, a, b, evidence, detail);
}

/* Ties kinds that no evidence tells apart, so that pairs are formed of one of each. */
static bool tie_alike(Grouping *g, bool raw)
{
    Alike *all = memory_allocate(count_of(g) + 1, sizeof *all);
    size_t count = 0;
    bool ok = true;
    for (size_t i = 0; i < count_of(g); i++)
        if (has_likes(facts_of(g, i), raw))
            all[count++] = (Alike){g->kinds.looks[i], i};
    qsort(all, count, sizeof *all, compare_alike);
    for (size_t i = 1, first = 0; ok && i < count; i++) {
        if (!key_compare(&all[first].looks, &all[i].looks))
            ok = tie_like(g, all[first].place, all[i].place);
        else
            first = i;
    }
    free(all);
    return ok;
}

static bool counts_now(const Grouping *g, size_t a, size_t b, const char *evidence, Pass pass)
{
    return evidence && pass_of(evidence) == pass && !is_overruled(g, a, b, evidence);
}

/* What is raw joins one bug, and does not join two bugs to each other: it is the second of the two
 * and not tied yet, or of none that is not raw. */
static bool may_join(Grouping *g, size_t a, size_t b)
{
    return first_of(g, b) == b || !g->nodes[first_of(g, a)].told;
}

/* Of a pair whose bugs are not one yet. */
static bool tie_pair(Grouping *g, size_t a, size_t b, bool raw, Pass pass)
{
    char detail[160];
    const BugFacts *first = facts_of(g, a), *second = facts_of(g, b);
    bool now = (first->raw || second->raw) == raw;
    if (!now || first_of(g, a) == first_of(g, b) || (raw && !may_join(g, a, b)))
        return true;
    const char *evidence = bugs_tie(first, second, &g->kinds.probes, detail);
    return !counts_now(g, a, b, evidence, pass) || !unite(g, a, b) ||
           put_tie(g, a, b, evidence, detail);
}

/* Of all pairs of kinds that speak; a bug keeps as many ties as connect it. */
static bool tie_pairs(Grouping *g, bool raw, Pass pass)
{
    size_t *speakers = memory_allocate(count_of(g) + 1, sizeof *speakers), count = 0;
    bool ok = true;
    for (size_t i = 0; i < count_of(g); i++)
        if (speaks(g, i) && !facts_of(g, i)->apart)
            speakers[count++] = i;
    for (size_t b = 0; b < count; b++)
        for (size_t a = 0; ok && a < b; a++)
            ok = tie_pair(g, speakers[a], speakers[b], raw, pass);
    free(speakers);
    return ok;
}

static bool tie_all(Grouping *g, bool raw)
{
    bool ok = tie_alike(g, raw);
    for (Pass pass = PASS_LIBRARY; ok && pass < PASS_COUNT; pass++)
        ok = tie_pairs(g, raw, pass);
    return ok;
}

/* Ties the findings of each kind to the first one of the kind that speaks for them. */
static bool tie_members(Grouping *g)
{
    const BugKinds *kinds = &g->kinds;
    char detail[160];
    bool ok = true;
    for (size_t i = 0; ok && i < kinds->count; i++) {
        size_t kind = kinds->members[i].kind, like = g->nodes[kind].like;
        if (kinds->members[i].id == facts_of(g, kind)->id)
            continue;
        const char *evidence =
            bugs_tie(facts_of(g, like), facts_of(g, kind), &kinds->probes, detail);
        ok = !evidence ||
             put_tie_of(g, facts_of(g, like)->id, kinds->members[i].id, evidence, detail);
    }
    return ok;
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

/* Gives each finding the number of its bug, and lets numbers that are not used any more refer to
 * those of their findings. */
static bool put_members(Grouping *g)
{
    const BugKinds *kinds = &g->kinds;
    Statement s =
        statement_begin(g->store->db, "UPDATE finding SET bug = nullif(?, 0) WHERE id = ?");
    for (size_t i = 0; i < kinds->count; i++) {
        int64_t bug = g->nodes[first_of(g, kinds->members[i].kind)].bug;
        if (bug == kinds->members[i].bug)
            continue;
        statement_again(&s);
        statement_int(&s, bug);
        statement_int(&s, kinds->members[i].id);
        (void)statement_row(&s);
    }
    return statement_end(&s, g->store->path, g->error) &&
           store_execute(g->store,
                         "UPDATE bug SET part_of = f.bug FROM finding f "
                         "WHERE f.signature = bug.founder AND f.bug <> bug.id",
                         g->error);
}

/* Chains the kinds of each bug behind its first one. */
static void chain(Grouping *g)
{
    for (size_t i = 0; i < count_of(g); i++) {
        size_t first = first_of(g, i);
        g->nodes[i].next = count_of(g);
        if (first != i)
            g->nodes[g->nodes[first].last].next = i;
        g->nodes[first].last = i;
    }
}

/* The first findings of the kinds of which one is the first, and how many findings all are; true
 * where one of them is minimal. */
static bool get_members(Grouping *g, size_t first, const BugFacts **members, size_t *count,
                        size_t *findings)
{
    bool minimal = false;
    *count = *findings = 0;
    for (size_t i = first; i < count_of(g); i = g->nodes[i].next) {
        members[(*count)++] = facts_of(g, i);
        *findings += g->kinds.sizes[i];
        minimal = minimal || !facts_of(g, i)->unfinished;
    }
    return minimal;
}

/* Findings of which none is minimal are no bug of their own yet. */
static bool put_bugs(Grouping *g, BugCounts *counts)
{
    const BugFacts **members = memory_allocate(count_of(g) + 1, sizeof(BugFacts *));
    bool ok = true;
    *counts = (BugCounts){.findings = (int64_t)g->kinds.count};
    chain(g);
    for (size_t first = 0; ok && first < count_of(g); first++) {
        size_t count, findings;
        if (first_of(g, first) != first)
            continue;
        if (!get_members(g, first, members, &count, &findings)) {
            counts->unfinished += (int64_t)findings;
            continue;
        }
        ok = put_bug(g, members, count, &g->nodes[first].bug);
        if (members[0]->policy[0])
            counts->conventions++;
        else
            counts->bugs++;
    }
    free(members);
    return ok;
}

static bool tie(Grouping *g)
{
    g->tie = statement_begin(
        g->store->db,
        "INSERT OR REPLACE INTO tie (finding, other, evidence, detail) VALUES (?, ?, ?, ?)");
    bool ok = tie_by_person(g) && tie_by_review(g) && tie_all(g, false) && tie_all(g, true) &&
              tie_members(g);
    return statement_end(&g->tie, g->store->path, g->error) && ok;
}

static bool group(Grouping *g, BugCounts *counts)
{
    bool ok =
        bug_kinds_read(g->store, &g->kinds, g->error) && reviewed_read_own(&g->reviewed, g->error);
    make_nodes(g);
    ok = ok && store_execute(g->store, "DELETE FROM tie", g->error) && tie(g) &&
         put_bugs(g, counts) && put_members(g);
    free(g->nodes);
    bug_kinds_release(&g->kinds);
    reviewed_release(&g->reviewed);
    return ok;
}

bool bugs_group_within(Store *store, BugCounts *counts, Text *error)
{
    Grouping g = {.store = store, .error = error};
    return group(&g, counts);
}

bool bugs_group(Store *store, BugCounts *counts, Text *error)
{
    return store_begin(store, error) &&
           store_finish(store, bugs_group_within(store, counts, error), error);
}
