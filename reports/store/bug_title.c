/* A title is made of words that all findings of a bug share. */
#include "bug_title.h"

#include <stdlib.h>
#include <string.h>

#include "bug_words.h"
#include "severity.h"

enum { OPERATORS_SHOWN = 3, CONDITIONS_MAX = 16 };

static bool has_word(const char *words, const char *word, size_t length)
{
    for (const char *at = words; *at; at += strcspn(at, " "), at += strspn(at, " "))
        if (strcspn(at, " ") == length && strncmp(at, word, length) == 0)
            return true;
    return false;
}

typedef const char *TextOf(const BugFacts *f);

static const char *meaning_of(const BugFacts *f)
{
    return text_string(&f->trigger.meaning);
}

static const char *loose_meaning_of(const BugFacts *f)
{
    return f->plain_meaning;
}

static const char *structure_of(const BugFacts *f)
{
    return text_string(&f->trigger.structure);
}

/* Words that are shared by all members, each a noun. */
typedef struct Conditions {
    Text words[CONDITIONS_MAX];
    int count;
} Conditions;

/* Adds the words that all members have; the number of them. */
static int add_shared(Conditions *conditions, TextOf *words_of, bool values,
                      const BugFacts *const *members, size_t count)
{
    int before = conditions->count;
    const char *words = words_of(members[0]);
    for (const char *at = words; *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        bool all = conditions->count < CONDITIONS_MAX;
        for (size_t i = 1; i < count && all; i++)
            all = has_word(words_of(members[i]), at, length);
        if (!all)
            continue;
        Text *word = &conditions->words[conditions->count];
        bug_put_condition(word, at, length, values);
        for (int i = 0; i < conditions->count; i++)
            all = all && strcmp(text_string(&conditions->words[i]), text_string(word)) != 0;
        if (all)
            conditions->count++;
        else
            text_clear(word);
    }
    return conditions->count - before;
}

/* Operators in the order in which they were found, each once. */
static void put_operators(Text *title, const BugFacts *const *members, size_t count)
{
    const OpDesc **seen = memory_allocate(count, sizeof(OpDesc *));
    size_t operators = 0;
    for (size_t i = 0; i < count; i++) {
        size_t at = 0;
        while (at < operators && seen[at] != members[i]->op)
            at++;
        if (at == operators)
            seen[operators++] = members[i]->op;
    }
    size_t shown = operators <= OPERATORS_SHOWN + 1 ? operators : OPERATORS_SHOWN;
    for (size_t i = 0; i < shown; i++) {
        text_put(title, i == 0 ? "" : i + 1 == operators ? " and " : ", ");
        bug_put_operator(title, seen[i]->name);
    }
    if (shown < operators)
        text_printf(title, " and %zu more", operators - shown);
    free(seen);
}

static const char *detail_of(const BugFacts *f)
{
    return f->detail;
}

static const char *frame_of(const BugFacts *f)
{
    return f->frame;
}

/* The text that all members have, or "". */
static const char *shared_text(TextOf *text_of, const BugFacts *const *members, size_t count)
{
    const char *text = text_of(members[0]);
    for (size_t i = 1; i < count; i++)
        if (strcmp(text_of(members[i]), text) != 0)
            return "";
    return text;
}

static void put_symptom(Text *title, const BugFacts *const *members, size_t count)
{
    const BugFacts *first = members[0];
    const char *detail =
        first->memory || first->accepts ? shared_text(detail_of, members, count) : "";
    const char *frame = shared_text(frame_of, members, count);
    text_printf(title, ": %s", detail[0] ? detail : bug_symptom(first->symptom));
    if (first->message[0])
        text_printf(title, ": %s", first->message);
    if (frame[0])
        text_printf(title, " (in %s)", frame);
}

/* The values and the ways to call that all members need. */
static void put_conditions(Text *to, const BugFacts *const *members, size_t count)
{
    Conditions conditions = {0};
    if (add_shared(&conditions, meaning_of, true, members, count) == 0)
        (void)add_shared(&conditions, loose_meaning_of, true, members, count);
    (void)add_shared(&conditions, structure_of, false, members, count);
    for (int i = 0; i < conditions.count; i++)
        text_printf(to, "%s%s",
                    i == 0                      ? ""
                    : i + 1 == conditions.count ? " and "
                                                : ", ",
                    text_string(&conditions.words[i]));
    for (int i = 0; i < CONDITIONS_MAX; i++)
        text_release(&conditions.words[i]);
}

/* The sentence of a rule, as the run that met it has stored it. */
static void put_rule(Store *store, const char *policy, Text *title)
{
    Text ignored = {0};
    Statement s = statement_begin(store->db, "SELECT sentence FROM policy WHERE name = ?");
    statement_text(&s, policy);
    text_printf(title, "%s: ", policy);
    text_put(title, statement_row(&s) ? statement_column(&s, 0) : "another reading");
    (void)!statement_end(&s, store->path, &ignored);
    text_release(&ignored);
}

static void put_cause(const BugFacts *const *members, size_t count, const Text *condition,
                      Text *title)
{
    if (members[0]->whole) {
        text_printf(title, "the library: %s", members[0]->detail);
        return;
    }
    put_operators(title, members, count);
    put_symptom(title, members, count);
    if (condition->length)
        text_printf(title, " for %s", text_string(condition));
}

/* The words of the reviewed list, which may name other operators than those that show the bug here.
 */
static void put_reviewed(const char *reviewed, const BugFacts *const *members, size_t count,
                         Text *title)
{
    bool several = false;
    for (size_t i = 1; i < count; i++)
        several = several || members[i]->op != members[0]->op;
    text_put(title, reviewed);
    if (!several)
        return;
    text_put(title, " (");
    put_operators(title, members, count);
    text_put(title, ")");
}

/* The minimal members where there are some: other cases have facets that are not needed. */
static size_t list_minimal(const BugFacts *const *members, size_t count, const BugFacts **minimal)
{
    size_t minimal_count = 0;
    for (size_t i = 0; i < count; i++)
        if (!members[i]->unfinished)
            minimal[minimal_count++] = members[i];
    for (size_t i = 0; i < count && minimal_count == 0; i++)
        minimal[i] = members[i];
    return minimal_count ? minimal_count : count;
}

void bug_put_words(Store *store, const char *reviewed, const BugFacts *const *members, size_t count,
                   BugWords *words)
{
    const BugFacts *first = members[0];
    const BugFacts **minimal = memory_allocate(count, sizeof(BugFacts *));
    size_t minimal_count = list_minimal(members, count, minimal);
    if (!first->whole && !first->policy[0])
        put_conditions(&words->condition, minimal, minimal_count);
    if (reviewed)
        put_reviewed(reviewed, members, count, &words->title);
    else if (first->policy[0])
        put_rule(store, first->policy, &words->title);
    else
        put_cause(minimal, minimal_count, &words->condition, &words->title);
    free(minimal);
}

void bug_words_release(BugWords *words)
{
    text_release(&words->title);
    text_release(&words->condition);
}

int bug_severity(const BugFacts *const *members, size_t count)
{
    int worst = SEVERITY_CONVENTION;
    for (size_t i = 0; i < count; i++) {
        const BugFacts *f = members[i];
        int level = severity_of(f->kind, f->defect, f->detail)->level;
        if (level < SEVERITY_CORNER && f->trigger.meaning.length > 0)
            level = SEVERITY_CORNER;
        worst = level < worst ? level : worst;
    }
    return worst;
}
