/* Set cover over features: the case that shows most of what is still missing comes next.  That is
 * at most ln(n) + 1 times as many cases as need be (Chvatal 1979). */
#include "corpus.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "fuzz/check/batch.h"
#include "fuzz/engine/feature.h"
#include "reference/list.h"
#include "reports/files.h"

void corpus_add(Corpus *corpus, const Case *c)
{
    corpus->entries =
        list_grow(corpus->entries, corpus->count, &corpus->room, sizeof *corpus->entries);
    corpus->entries[corpus->count++] = (CorpusEntry){.c = *c};
}

static void add_case(Corpus *corpus, const Case *c, const Scope *scope)
{
    bool wanted = false;
    for (int i = 0; i < scope->op_count; i++)
        wanted = wanted || scope->ops[i] == c->op;
    if (!wanted || !(scope_dtypes(scope, c->op) >> case_dtype(c) & 1))
        return;
    corpus_add(corpus, c);
}

static bool read_lines(Corpus *corpus, const char *path, const Scope *scope, Text *error)
{
    Text lines = {0}, why = {0};
    bool ok = file_read(path, &lines, error) && file_is_text(path, &lines, error);
    char *rest = ok ? lines.data : NULL;
    for (int number = 1; ok && rest; number++) {
        Case c;
        char *line = strsep(&rest, "\n");
        line += strspn(line, " \t");
        line[strcspn(line, "\r")] = '\0';
        if (*line == '\0' || *line == '#')
            continue;
        ok = case_parse(&c, line, &why);
        if (ok)
            add_case(corpus, &c, scope);
        else
            text_printf(error, "%s, line %d: %s", path, number, text_string(&why));
    }
    text_release(&lines);
    text_release(&why);
    return ok;
}

static bool read_folder(Corpus *corpus, const char *path, const Scope *scope, Text *error)
{
    DIR *folder = opendir(path);
    Text name = {0}, bytes = {0};
    bool ok = folder != NULL;
    if (!ok)
        text_printf(error, "%s: %s", path, strerror(errno));
    for (struct dirent *entry; ok && (entry = readdir(folder));) {
        Case c;
        struct stat facts;
        text_clear(&name);
        text_clear(&bytes);
        text_printf(&name, "%s/%s", path, entry->d_name);
        if (stat(text_string(&name), &facts) != 0 || !S_ISREG(facts.st_mode))
            continue;
        ok = file_read(text_string(&name), &bytes, error);
        case_decode(&c, scope, (const uint8_t *)text_string(&bytes), bytes.length);
        if (ok)
            add_case(corpus, &c, scope);
    }
    if (folder)
        (void)closedir(folder);
    text_release(&name);
    text_release(&bytes);
    return ok;
}

bool corpus_read(Corpus *corpus, const char *path, const Scope *scope, Text *error)
{
    struct stat facts;
    bool folder = stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
    return folder ? read_folder(corpus, path, scope, error)
                  : read_lines(corpus, path, scope, error);
}

static void release_entry(CorpusEntry *entry)
{
    free(entry->why);
    free(entry->slots);
}

void corpus_release(Corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++)
        release_entry(&corpus->entries[i]);
    free(corpus->entries);
    *corpus = (Corpus){0};
}

/* Entries by the numbers that they have among those that are run. */
typedef struct Measured {
    CorpusEntry *const *entries;
    int backend_count;
} Measured;

static void put_features(CorpusEntry *entry, const uint32_t *slots, uint32_t count)
{
    entry->count = entry->missing = count;
    entry->slots = memory_allocate(count, sizeof *entry->slots);
    memcpy(entry->slots, slots, count * sizeof *slots);
}

static void note_features(void *context, size_t number, const CheckResult *results)
{
    const Measured *measured = context;
    CorpusEntry *entry = measured->entries[number];
    uint32_t slots[FEATURES_LISTED_MAX];
    int count = feature_list(&entry->c, results, measured->backend_count, slots);
    put_features(entry, slots, (uint32_t)count);
}

/* Whether processes that are forked have the entries too: to fork what a hundred megabytes of them
 * are mapped by takes longer than most cases. */
static void set_forked(const Corpus *corpus, bool forked)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)corpus->entries;
    uintptr_t end = begin + corpus->count * sizeof *corpus->entries;
    begin = (begin + page - 1) / page * page;
    end = end / page * page;
    if (end > begin)
        (void)madvise((char *)corpus->entries + (begin - (uintptr_t)corpus->entries), end - begin,
                      forked ? MADV_DOFORK : MADV_DONTFORK);
}

/* What is known of the entries; the others, each case once, go to *unknown, and their number is
 * returned. */
static size_t find_unknown(Corpus *corpus, const Measures *measures, CorpusEntry **unknown)
{
    size_t count = 0;
    for (size_t i = 0; i < corpus->count; i++) {
        CorpusEntry *entry = &corpus->entries[i];
        const Measure *known = measures_find(measures, case_hash(&entry->c));
        if (known)
            put_features(entry, known->slots, known->count);
        else if (i == 0 || !case_equal(&entry->c, &entry[-1].c))
            unknown[count++] = entry;
    }
    return count;
}

/* Returns how many cases there was no time for. */
static size_t measure_all(Corpus *corpus, Checker *checker, uint64_t deadline,
                          const Measures *measures, uint64_t until)
{
    enum { TOGETHER = 512 };
    CorpusEntry **unknown = memory_allocate(corpus->count, sizeof(CorpusEntry *));
    const Case **cases = memory_allocate(corpus->count, sizeof(const Case *));
    size_t count = find_unknown(corpus, measures, unknown), done = 0;
    for (size_t i = 0; i < count; i++)
        cases[i] = &unknown[i]->c;
    set_forked(corpus, false);
    while (done < count && clock_nanoseconds() < until) {
        size_t some = count - done < TOGETHER || until == UINT64_MAX ? count - done : TOGETHER;
        batch_run(checker, cases + done, some, deadline, note_features,
                  &(Measured){unknown + done, checker->backend_count});
        done += some;
    }
    set_forked(corpus, true);
    for (size_t i = done; i < count; i++)
        unknown[i]->why = memory_duplicate("not measured yet");
    free(cases);
    free(unknown);
    return count - done;
}

/* Counts anew what of an entry is missing; with `why`, takes it and says what it is taken for. */
static uint32_t count_missing(CorpusEntry *entry, bool *shown, Text *why)
{
    uint32_t by_domain[FEATURE_DOMAINS] = {0};
    entry->missing = 0;
    for (uint32_t i = 0; i < entry->count; i++) {
        uint32_t slot = feature_slot(entry->slots[i]);
        entry->missing += !shown[slot];
        if (why && !shown[slot]) {
            shown[slot] = true;
            by_domain[feature_domain(entry->slots[i])]++;
        }
    }
    for (int d = 0; why && d < FEATURE_DOMAINS; d++)
        if (by_domain[d])
            text_printf(why, "%s%s %u", why->length ? ", " : "", feature_domain_name(d),
                        by_domain[d]);
    return entry->missing;
}

/* The entry that shows most of what is missing, or NULL when nothing is.  What an entry adds only
 * shrinks, so that one whose old count is not above the best need not be counted again. */
static CorpusEntry *best_entry(Corpus *corpus, bool *shown)
{
    CorpusEntry *best = NULL;
    for (size_t i = 0; i < corpus->count; i++) {
        CorpusEntry *entry = &corpus->entries[i];
        uint32_t least = best ? best->missing : 0;
        if (!entry->why && entry->missing > least && count_missing(entry, shown, NULL) > least)
            best = entry;
    }
    return best;
}

static int compare_entries(const void *left, const void *right)
{
    const CorpusEntry *a = left, *b = right;
    int by_op = strcmp(a->c.op->name, b->c.op->name), by_line = 0;
    Text one = {0}, other = {0};
    if (by_op == 0) {
        case_print(&a->c, &one);
        case_print(&b->c, &other);
        by_line = one.length != other.length ? (one.length > other.length ? 1 : -1)
                                             : strcmp(text_string(&one), text_string(&other));
    }
    text_release(&one);
    text_release(&other);
    return by_op ? by_op : by_line;
}

/* Leaves the entries that are kept, and their measures. */
static void keep_chosen(Corpus *corpus, Measures *measures)
{
    size_t kept = 0;
    measures_clear(measures);
    for (size_t i = 0; i < corpus->count; i++) {
        CorpusEntry *entry = &corpus->entries[i];
        if (entry->why && entry->slots)
            measures_add(measures, case_hash(&entry->c), entry->slots, entry->count);
        if (entry->why)
            corpus->entries[kept++] = *entry;
        else
            release_entry(entry);
    }
    corpus->count = kept;
}

size_t corpus_distil(Corpus *corpus, Checker *checker, uint64_t deadline, Measures *measures,
                     uint64_t until)
{
    static bool shown[FEATURE_SLOTS];
    memset(shown, 0, sizeof shown);
    /* Shorter lines first, since the first of equals is taken. */
    qsort(corpus->entries, corpus->count, sizeof *corpus->entries, compare_entries);
    size_t left = measure_all(corpus, checker, deadline, measures, until);
    for (CorpusEntry *entry; (entry = best_entry(corpus, shown));) {
        Text why = {0};
        (void)count_missing(entry, shown, &why);
        entry->why = memory_duplicate(text_string(&why));
        text_release(&why);
    }
    keep_chosen(corpus, measures);
    return left;
}

void corpus_put(const Corpus *corpus, Text *lines)
{
    for (size_t i = 0; i < corpus->count; i++) {
        text_printf(lines, "# %s\n", corpus->entries[i].why);
        case_print(&corpus->entries[i].c, lines);
        text_put(lines, "\n");
    }
}
