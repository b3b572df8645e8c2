/* Signatures from the stored facts of minimal cases. */
#include "resign.h"

#include <stdlib.h>
#include <string.h>

#include "connection_parts.h"
#include "signature.h"

static bool find_pattern(const char *name, Pattern *pattern)
{
    for (int i = 0; i < PATTERN_COUNT; i++) {
        *pattern = (Pattern)i;
        if (!strcmp(pattern_name(*pattern), name))
            return true;
    }
    return false;
}

/* One finding as stored: the columns of the statement below. */
static bool compute_signature(const Statement *s, Text *signature)
{
    enum { LINE = 2, BACKEND, KIND, PATTERN, DETAIL, NEEDED, FLAKY };
    const char *text[FLAKY];
    for (int i = LINE; i < FLAKY; i++)
        text[i] = statement_column(s, i);
    Judgement j = {0};
    Case c;
    Text ignored = {0};
    bool ok = verdict_find(text[KIND], &j.kind) && j.kind != VERDICT_POLICY &&
              find_pattern(text[PATTERN], &j.pattern) && case_parse(&c, text[LINE], &ignored);
    if (ok)
        signature_final(signature, &c, text[BACKEND], &j, text[DETAIL], text[NEEDED]);
    if (ok && sqlite3_column_int(s->statement, FLAKY))
        text_put(signature, " | flaky");
    text_release(&ignored);
    return ok;
}

/* A finding whose signature is another one now, and the rest of them. */
typedef struct Renamed {
    int64_t id;
    char *signature;
    struct Renamed *next;
} Renamed;

static Renamed *add_renamed(Renamed *next, int64_t id, const char *signature)
{
    Renamed *renamed = memory_allocate(1, sizeof *renamed);
    renamed->signature = memory_duplicate(signature);
    renamed->id = id;
    renamed->next = next;
    return renamed;
}

static bool collect(Store *store, Renamed **renamed, Text *error)
{
    Statement s = statement_begin(
        store->db,
        "SELECT id, signature, min_line, backend, kind, pattern, detail, needed, flaky "
        "FROM finding WHERE min_line IS NOT NULL AND needed IS NOT NULL ORDER BY id DESC");
    Text signature = {0};
    while (statement_row(&s)) {
        text_clear(&signature);
        if (compute_signature(&s, &signature) &&
            strcmp(text_string(&signature), statement_column(&s, 1)) != 0)
            *renamed = add_renamed(*renamed, sqlite3_column_int64(s.statement, 0),
                                   text_string(&signature));
    }
    text_release(&signature);
    return statement_end(&s, store->path, error);
}

bool resign_findings(Store *store, bool dry_run, ResignCounts *counts, Text *error)
{
    Renamed *renamed = NULL;
    *counts = (ResignCounts){0};
    if (!store_begin(store, error))
        return false;
    bool ok = collect(store, &renamed, error);
    while (renamed) {
        Renamed *next = renamed->next;
        bool folded = false;
        ok = ok && store_rename_finding(store, renamed->id, renamed->signature, &folded, error);
        counts->changed++;
        counts->folded += folded;
        free(renamed->signature);
        free(renamed);
        renamed = next;
    }
    return store_finish(store, ok && !dry_run, error) || (ok && dry_run);
}
