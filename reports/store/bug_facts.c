/* Facts are read from the columns of a finding and from the line of its minimal case. */
#include "bug_facts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "ops/case/illegal.h"
#include "ops/case/transfer.h"
#include "ops/contract/policy.h"
#include "oracle/symptom.h"
#include "store.h"

static const char facts_sql[] =
    "SELECT id, coalesce(bug, 0), signature, backend, kind, defect, coalesce(finding.symptom, ''), "
    "coalesce(frame, ''), detail, coalesce(min_line, finding.line), coalesce(needed, ''), "
    "min_line IS NULL OR unfinished, flaky, flaky AND min_line = finding.line, "
    "coalesce((SELECT kind = 'apart' FROM event e WHERE e.finding = finding.id AND "
    "e.kind IN ('apart', 'together') ORDER BY at DESC, sequence DESC, uuid DESC LIMIT 1), 0), "
    "coalesce(p.symptom, ''), coalesce(p.line, ''), finding.op, (SELECT group_concat(policy) FROM "
    "finding_policy WHERE finding = finding.id) FROM finding LEFT JOIN probe p ON p.finding = "
    "finding.id AND p.op = finding.op AND p.dtype = finding.dtype WHERE finding.id BETWEEN ? AND ? "
    "ORDER BY finding.id";

static const char *spoilt_by(const Case *c)
{
    Shapes shapes;
    Illegal illegal;
    if (!illegal_is_stray(c))
        return NULL;
    op_shape(c->op, c->params, &shapes);
    bool changes = illegal_make(c, &shapes, &illegal) && illegal.reshaped >= 0;
    return changes ? c->op->tensors[illegal.reshaped] : NULL;
}

/* The library alone: without its path, version or settings. */
static char *library_of(const char *backend)
{
    char *library = memory_duplicate(backend);
    library[strcspn(library, "@:")] = '\0';
    return library;
}

/* The library's own message in a detail: the text behind the first colon, with each number replaced
 * by one sign.  Short texts are names of operands or arguments, and no message. */
static char *message_of(const char *kind, const char *detail)
{
    enum { SHORTEST = 16 };
    Text message = {0};
    const char *colon = strstr(detail, ": ");
    bool says = !strcmp(kind, "STATUS") || !strcmp(kind, "FAULT");
    for (const char *at = says && colon ? colon + 2 : ""; *at; at++) {
        bool again = isdigit((unsigned char)*at) && message.length > 0 &&
                     message.data[message.length - 1] == '#';
        if (!again)
            text_append(&message, isdigit((unsigned char)*at) ? "#" : at, 1);
    }
    char *copy = memory_duplicate(message.length >= SHORTEST ? text_string(&message) : "");
    text_release(&message);
    return copy;
}

/* A scalar goes by what it is to other operators. */
static void put_common_name(Text *text, const OpDesc *op, const char *name, size_t length)
{
    const Param *param = op_param(op, name, length);
    if (param)
        text_printf(text, "%s ", param_common_name(param));
    else
        text_printf(text, "%.*s ", (int)length, name);
}

static char *plain_meaning_of(const OpDesc *op, const char *meaning)
{
    Text plain = {0};
    while (*meaning) {
        size_t word = strcspn(meaning, " "), name = strcspn(meaning, "= ");
        bool data = !strncmp(meaning, "input=", 6) || !strncmp(meaning, "output=", 7);
        if (data && !strstr(text_string(&plain), "data "))
            text_put(&plain, "data ");
        else if (!data)
            put_common_name(&plain, op, meaning, name);
        meaning += word + (meaning[word] == ' ');
    }
    char *copy = memory_duplicate(text_string(&plain));
    text_release(&plain);
    return copy;
}

/* A convention's name stands behind its kind in the signature. */
static char *policy_of(const char *kind, const char *signature)
{
    const char *at = strcmp(kind, "POLICY") ? NULL : strstr(signature, " POLICY ");
    return memory_duplicate(at ? at + strlen(" POLICY ") : "");
}

/* Of the policies that a finding speaks about, with commas between them, the one that its reading
 * has named; findings without a reading speak about none of these. */
static char *reading_of(const char *kind, const char *names)
{
    bool alone = strcmp(kind, "POLICY") != 0 && policy_is_reading(names);
    return memory_duplicate(alone ? names : "");
}

static bool is_wrong(const char *symptom)
{
    return !strcmp(symptom, symptom_name(SYMPTOM_VALUE)) ||
           !strcmp(symptom, symptom_name(SYMPTOM_UNWRITTEN));
}

/* Only words that name an end of the range: what overflows or underflows on the way. */
static bool is_of_range(const char *meaning)
{
    size_t ends = 0, words = 0;
    for (const char *at = meaning; *at; at++)
        words += *at == ' ';
    for (const char *at = meaning; (at = strchr(at, '=')) != NULL; at++)
        ends += !strncmp(at, "=tiny ", 6) || !strncmp(at, "=huge ", 6);
    return words > 0 && ends == words;
}

static void put_string(char **string, const char *text)
{
    free(*string);
    *string = memory_duplicate(text);
}

/* Takes the case without what asks for a rule in its place. */
static void unmask(BugFacts *f, const char *probed, const char *line)
{
    Text ignored = {0};
    Case plain;
    bool hides = f->policy[0] ? symptom_is_numeric(symptom_find(probed))
                              : is_wrong(probed) && (f->unwritten || !is_wrong(f->symptom));
    f->masked = hides && case_parse(&plain, line, &ignored);
    text_release(&ignored);
    if (!f->masked)
        return;
    *f->minimal = plain;
    put_string(&f->symptom, probed);
    put_string(&f->kind, verdict_name(VERDICT_DIVERGE));
    put_string(&f->policy, "");
    put_string(&f->reading, "");
}

/* Every operand is of ones. */
static bool is_of_ones(const Case *c)
{
    double special;
    bool ones = true;
    for (int i = 0, count = op_tensor_count(c->op); i < count; i++)
        ones = ones && c->fill[i].kind == FILL_ONES && c->fill[i].scale == 0 &&
               !fill_special(&c->fill[i], case_dtype(c), &special);
    return ones;
}

/* What the symptom says of the finding, with its trigger. */
static void read_symptom(BugFacts *f)
{
    f->accepts = !strcmp(f->symptom, symptom_name(SYMPTOM_ACCEPTED));
    f->memory =
        !strcmp(f->symptom, symptom_name(SYMPTOM_READS_OUTSIDE)) ||
        (!strcmp(f->symptom, symptom_name(SYMPTOM_SEGFAULT)) && strstr(f->detail, "guard page"));
    f->leaves_range = is_of_range(text_string(&f->trigger.meaning)) &&
                      (!strcmp(f->symptom, symptom_name(SYMPTOM_NAN_MADE)) ||
                       !strcmp(f->symptom, symptom_name(SYMPTOM_INFINITY_MADE)));
    f->wrong = is_wrong(f->symptom) && f->trigger.meaning.length == 0;
    f->bare = f->wrong && f->trigger.structure.length == 0;
    f->always = f->bare && f->trigger.size.length == 0 && is_of_ones(f->minimal);
}

static void read_trigger(BugFacts *f, const char *needed)
{
    if (!f->whole) {
        f->needed = strlen(needed);
        case_trigger(f->minimal, needed, &f->trigger);
    }
    f->plain_meaning = plain_meaning_of(f->op, text_string(&f->trigger.meaning));
}

static bool read_row(const Statement *s, BugFacts *f)
{
    enum {
        ID,
        BUG_COLUMN,
        SIGNATURE,
        BACKEND,
        KIND,
        DEFECT,
        SYMPTOM,
        FRAME,
        DETAIL,
        LINE,
        NEEDED,
        UNFINISHED,
        FLAKY,
        NEVER_AGAIN,
        APART,
        PROBED,
        PLAIN_LINE,
        OP,
        POLICIES,
    };
    Text ignored = {0};
    Case minimal;
    bool known = case_parse(&minimal, statement_column(s, LINE), &ignored);
    text_release(&ignored);
    if (!known)
        return false;
    *f = (BugFacts){.id = sqlite3_column_int64(s->statement, ID),
                    .bug = sqlite3_column_int64(s->statement, BUG_COLUMN),
                    .minimal = memory_allocate(1, sizeof(Case))};
    *f->minimal = minimal;
    const char *kind = statement_column(s, KIND);
    f->signature = memory_duplicate(statement_column(s, SIGNATURE));
    f->backend = memory_duplicate(statement_column(s, BACKEND));
    f->library = library_of(f->backend);
    f->kind = memory_duplicate(kind);
    f->defect = memory_duplicate(statement_column(s, DEFECT));
    f->detail = memory_duplicate(statement_column(s, DETAIL));
    f->symptom = memory_duplicate(statement_column(s, SYMPTOM));
    f->frame = memory_duplicate(statement_column(s, FRAME));
    f->message = message_of(kind, statement_column(s, DETAIL));
    f->policy = policy_of(kind, f->signature);
    f->reading = reading_of(kind, statement_column(s, POLICIES));
    f->unwritten = !strcmp(f->symptom, symptom_name(SYMPTOM_UNWRITTEN));
    unmask(f, statement_column(s, PROBED), statement_column(s, PLAIN_LINE));
    f->op = f->minimal->op;
    f->dtype = case_dtype(f->minimal);
    f->illegal = (int)f->minimal->exec.illegal;
    f->spoilt = spoilt_by(f->minimal);
    f->unfinished = sqlite3_column_int(s->statement, UNFINISHED);
    f->flaky = sqlite3_column_int(s->statement, FLAKY);
    f->raw = f->unfinished || sqlite3_column_int(s->statement, NEVER_AGAIN);
    f->apart = sqlite3_column_int(s->statement, APART);
    f->whole = !strcmp(statement_column(s, OP), STORE_WHOLE);
    read_trigger(f, f->masked || f->unwritten ? "" : statement_column(s, NEEDED));
    read_symptom(f);
    return true;
}

static Statement begin(Store *store, int64_t first, int64_t last)
{
    Statement rows = statement_begin(store->db, facts_sql);
    statement_int(&rows, first);
    statement_int(&rows, last);
    return rows;
}

Statement bug_facts_begin(Store *store)
{
    return begin(store, INT64_MIN, INT64_MAX);
}

bool bug_facts_next(Statement *rows, BugFacts *f)
{
    while (statement_row(rows))
        if (read_row(rows, f))
            return true;
    return false;
}

bool bug_facts_get(Store *store, int64_t id, BugFacts *f, Text *error)
{
    Statement row = begin(store, id, id);
    bool found = bug_facts_next(&row, f);
    if (!statement_end(&row, store->path, error)) {
        if (found)
            bug_facts_release_one(f);
        return false;
    }
    if (!found)
        text_printf(error, "%s: no finding %lld", store->path, (long long)id);
    return found;
}

void bug_facts_shed_case(BugFacts *f)
{
    free(f->minimal);
    f->minimal = NULL;
}

void bug_facts_release_one(BugFacts *f)
{
    char *texts[] = {f->signature, f->library, f->backend, f->kind,   f->defect,  f->detail,
                     f->symptom,   f->frame,   f->message, f->policy, f->reading, f->plain_meaning};
    for (size_t t = 0; t < COUNT_OF(texts); t++)
        free(texts[t]);
    trigger_release(&f->trigger);
    free(f->minimal);
}

void bug_facts_release(BugFactsList *list)
{
    for (size_t i = 0; i < list->count; i++)
        bug_facts_release_one(&list->facts[i]);
    free(list->facts);
    *list = (BugFactsList){0};
}
