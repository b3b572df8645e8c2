/* Rows of evidence, the first that holds. */
#include "bug_ties.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/contract/policy.h"
#include "oracle/judge.h"
#include "reference/list.h"

Statement probe_rows_begin(Store *store)
{
    return statement_begin(
        store->db, "SELECT finding, op, dtype, symptom FROM probe ORDER BY finding, op, dtype");
}

bool probe_rows_next(Statement *rows, ProbeFact *probe)
{
    while (statement_row(rows)) {
        const OpDesc *op = op_find(statement_column(rows, 1));
        DType dtype;
        if (!op || !dtype_find(statement_column(rows, 2), &dtype))
            continue;
        *probe = (ProbeFact){sqlite3_column_int64(rows->statement, 0), op, dtype,
                             memory_duplicate(statement_column(rows, 3))};
        return true;
    }
    return false;
}

void probe_list_add(ProbeList *list, ProbeFact probe)
{
    list->probes = list_grow(list->probes, list->count, &list->room, sizeof *list->probes);
    list->probes[list->count++] = probe;
}

bool probe_list_read(Store *store, ProbeList *list, Text *error)
{
    ProbeFact probe;
    *list = (ProbeList){0};
    Statement rows = probe_rows_begin(store);
    while (probe_rows_next(&rows, &probe))
        probe_list_add(list, probe);
    return statement_end(&rows, store->path, error);
}

void probe_list_release(ProbeList *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->probes[i].symptom);
    free(list->probes);
    *list = (ProbeList){0};
}

/* The place of the first probe of the finding, or of those behind it. */
static size_t first_probe(const ProbeList *list, int64_t from)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (list->probes[middle].from < from)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const ProbeFact *probe_list_find(const ProbeList *list, int64_t from, const OpDesc *op, DType dtype)
{
    size_t low = first_probe(list, from);
    for (; low < list->count && list->probes[low].from == from; low++)
        if (list->probes[low].op == op && list->probes[low].dtype == dtype)
            return &list->probes[low];
    return NULL;
}

static bool same(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static bool is_convention(const BugFacts *f)
{
    return f->policy[0] != '\0';
}

/* An access far enough beside an operand ends the process, one that is nearer may not.  Where an
 * intermediate value leaves the range it becomes infinite, or NaN one step later. */
static bool same_symptom(const BugFacts *a, const BugFacts *b)
{
    return same(a->symptom, b->symptom) || (a->memory && b->memory) ||
           (a->leaves_range && b->leaves_range);
}

static bool same_meaning(const BugFacts *a, const BugFacts *b)
{
    return same(a->plain_meaning, b->plain_meaning);
}

/* False only where the library gave a message in both findings and the messages differ. */
static bool same_message(const BugFacts *a, const BugFacts *b)
{
    return !a->message[0] || !b->message[0] || same(a->message, b->message);
}

static bool same_structure(const BugFacts *a, const BugFacts *b)
{
    return same(text_string(&a->trigger.structure), text_string(&b->trigger.structure));
}

/* A frame without a plus is the name of a function; else it is the place of one instruction. */
static bool is_function(const char *frame)
{
    return !strchr(frame, '+');
}

/* The operand that memory is touched beside is the last word. */
static bool same_operand(const BugFacts *a, const BugFacts *b)
{
    const char *of_a = strrchr(a->detail, ' '), *of_b = strrchr(b->detail, ' ');
    return of_a && of_b && same(of_a, of_b);
}

/* Functions that touch memory tell causes apart, unless they serve two types of one operator alike.
 */
static bool is_apart(const BugFacts *a, const BugFacts *b)
{
    bool differ = a->memory && b->memory && a->frame[0] && b->frame[0] &&
                  !same(a->frame, b->frame) && (is_function(a->frame) || is_function(b->frame));
    return differ && !(a->op == b->op && same_operand(a, b));
}

static bool same_components(const BugFacts *a, const BugFacts *b)
{
    return dtype_components(a->dtype) == dtype_components(b->dtype);
}

/* Operators of networks compute with complex numbers in code of their own: the data of a complex
 * case are parts of all sizes, at which real functions fail in ways of theirs.  Where any case is
 * wrong, they say nothing of each other, unless they are called alike.  Routines of BLAS and LAPACK
 * share their kernels. */
static bool may_tell(const BugFacts *a, const BugFacts *b)
{
    bool alike = a->op->params == b->op->params || (!a->always && !b->always);
    return (same_components(a, b) && alike) || !same(a->op->family, "nn");
}

/* Whether the minimal case of one shows where the other was found what the other shows. */
static bool shows(const ProbeList *probes, const BugFacts *from, const BugFacts *at)
{
    const ProbeFact *probe = probe_list_find(probes, from->id, at->op, at->dtype);
    return probe && may_tell(from, at) && same(probe->symptom, at->symptom);
}

static bool by_policy(const BugFacts *a, const BugFacts *b, const ProbeList *probes)
{
    (void)probes;
    return is_convention(a) && same(a->policy, b->policy);
}

/* Complex functions of networks depart by formulas of their own. */
static bool is_kin(const BugFacts *a, const BugFacts *b)
{
    return same_components(a, b) || !same(a->op->family, "nn");
}

/* Of two operators only what is minimal says what it departs from: other elements of a case that is
 * not may depart from other rules. */
static bool by_reading(const BugFacts *a, const BugFacts *b, const ProbeList *probes)
{
    (void)probes;
    bool one = a->reading[0] && same(a->reading, b->reading);
    bool minimal = !a->raw && !b->raw;
    return one && is_kin(a, b) &&
           (a->op == b->op || (minimal && !policy_is_of_operator(a->reading, a->dtype)));
}

/* The function that touches memory beside an operand explains no wrong value that shows each time:
 * that would be there without the memory as well. */
static bool is_of_frame(const BugFacts *f)
{
    return f->frame[0] && (!same(f->kind, verdict_name(VERDICT_DIVERGE)) || f->flaky);
}

static bool by_frame(const BugFacts *a, const BugFacts *b, const ProbeList *probes)
{
    (void)probes;
    return is_of_frame(a) && is_of_frame(b) && same(a->frame, b->frame);
}

/* "gives float32[#], not [#, #]" are words of ours, by which any two operators are alike whose
 * results have too few axes. */
static bool tells_of_shape(const BugFacts *f)
{
    return strstr(f->message, ", not [") != NULL;
}

static bool by_message(const BugFacts *a, const BugFacts *b, const ProbeList *probes)
{
    (void)probes;
    bool said = a->message[0] && same(a->message, b->message) && same(a->kind, b->kind);
    return said && (a->op == b->op || !tells_of_shape(a));
}

/* Where it is known of both what they depart from, two rules are two causes. */
static bool depart_from_two_rules(const BugFacts *a, const BugFacts *b)
{
    return a->reading[0] && b->reading[0] && !same(a->reading, b->reading);
}

static bool by_operator(const BugFacts *a, const BugFacts *b, const ProbeList *probes)
{
    (void)probes;
    bool alike = same_symptom(a, b) || (a->unwritten && b->unwritten);
    return a->op == b->op && is_kin(a, b) && alike && same_meaning(a, b) &&
           !depart_from_two_rules(a, b) && (a->memory || same_structure(a, b));
}

static int64_t choice_of(const Param *param, const Case *c)
{
    return *(const int64_t *)(const void *)(c->params + param->offset);
}

/* A way for operands to lie that both cases need, as the order of rows: not the simplest one,
 * though it says nothing of what is computed. */
static bool same_needed_placement(const BugFacts *a, const BugFacts *b)
{
    for (const Param *of_a = a->op->params; of_a->name; of_a++) {
        const Param *of_b = op_param(b->op, of_a->name, strlen(of_a->name));
        if (trigger_is_placement(of_a, a->minimal->params) &&
            !param_is_simplest(of_a, a->minimal->params) && of_b && of_b->names == of_a->names &&
            choice_of(of_a, a->minimal) == choice_of(of_b, b->minimal))
            return true;
    }
    return false;
}

/* The last word names the argument. */
static bool is_leading_dimension(const BugFacts *f)
{
    const char *name = strrchr(f->detail, ' ');
    const Param *param = name ? op_param(f->op, name + 1, strlen(name + 1)) : NULL;
    return param && param->kind == PARAM_PAD;
}

/* Of one name, or leading dimensions of any operands. */
static bool same_argument(const BugFacts *a, const BugFacts *b)
{
    return same(a->detail, b->detail) || (is_leading_dimension(a) && is_leading_dimension(b));
}

/* One argument; or any, in one way to lay operands out of complex numbers, which a
 * library converts before it looks at arguments. */
static bool by_argument(const BugFacts *a, const BugFacts *b, const ProbeList *probes)
{
    (void)probes;
    if (!a->accepts || !b->accepts)
        return false;
    bool one = same_argument(a, b) && same_structure(a, b);
    return one || (dtype_components(a->dtype) == 2 && dtype_components(b->dtype) == 2 &&
                   same_needed_placement(a, b));
}

/* A case that meets one fault by its extents alone may meet another one on its way, and so may one
 * of complex numbers of networks by parts of all sizes: then each must show at the other's place.
 */
static bool by_probe(const BugFacts *a, const BugFacts *b, const ProbeList *probes)
{
    bool forth = shows(probes, a, b), back = shows(probes, b, a);
    bool parts = same(a->op->family, "nn") && dtype_components(a->dtype) == 2;
    bool both = a->bare || b->bare || parts;
    return bugs_may_be_one(a, b) && (both ? forth && back : forth || back);
}

static bool by_raw(const BugFacts *a, const BugFacts *b, const ProbeList *probes)
{
    (void)probes;
    return (a->raw || b->raw) && a->op == b->op && a->dtype == b->dtype && same_symptom(a, b) &&
           same(a->reading, b->reading);
}

bool bugs_may_be_one(const BugFacts *a, const BugFacts *b)
{
    bool alike = (same_symptom(a, b) && same(a->kind, b->kind)) || (a->wrong && b->wrong);
    return same(a->library, b->library) && alike && !a->policy[0] && !b->policy[0] && !a->raw &&
           !b->raw && same_message(a, b) && same_meaning(a, b);
}

typedef struct EvidenceRow {
    const char *name, *sentence;
    bool (*holds)(const BugFacts *a, const BugFacts *b, const ProbeList *probes);
    bool of_conventions; /* counts between two departures from rules as well */
} EvidenceRow;

static const EvidenceRow rows[] = {
    {"policy", "both depart from the rule", by_policy, true},
    {"frame", "both touch memory from the function", by_frame, false},
    {"message", "both end with the words", by_message, false},
    {"argument", "each", by_argument, false},
    {"operator", "of one operator, they need values of one meaning and one structure", by_operator,
     false},
    {"reading", "nobody documents that both depart from the rule", by_reading, false},
    {"probe", "the minimal case of one, carried over to the other's operator and type, shows it",
     by_probe, false},
    {"raw", "one of them is not minimal, or never showed again", by_raw, false},
};

const char *bugs_tie(const BugFacts *a, const BugFacts *b, const ProbeList *probes,
                     char detail[160])
{
    if (a->whole || b->whole || !same(a->library, b->library) ||
        is_convention(a) != is_convention(b) || is_apart(a, b))
        return NULL;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        if (!rows[i].holds(a, b, probes) || (is_convention(a) && !rows[i].of_conventions))
            continue;
        const char *words[COUNT_OF(rows)] = {a->policy, a->frame, a->message,
                                             a->detail, NULL,     a->reading};
        (void)snprintf(detail, 160, words[i] ? "%s %s" : "%s", rows[i].sentence, words[i]);
        return rows[i].name;
    }
    return NULL;
}

void bugs_put_looks(const BugFacts *f, const ProbeList *probes, Text *words)
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
    const bool flags[] = {f->unwritten,    f->unfinished, f->flaky, f->raw,   f->memory,
                          f->leaves_range, f->wrong,      f->bare,  f->always};
    text_printf(words, "%d", f->dtype);
    for (size_t i = 0; i < COUNT_OF(flags); i++)
        text_printf(words, " %d", flags[i]);
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        text_printf(words, "\x1f%s", texts[i]);
    for (size_t i = first_probe(probes, f->id);
         i < probes->count && probes->probes[i].from == f->id; i++)
        text_printf(words, "\x1f%s %s %s", probes->probes[i].op->name,
                    dtype_name(probes->probes[i].dtype), probes->probes[i].symptom);
}
