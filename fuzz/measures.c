/* A file of 64-bit numbers: a mark, the key, and of each case its hash, how many features it has,
 * and these, two to a number. */
#include "measures.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "reference/list.h"
#include "reference/random.h"
#include "reports/files.h"

static const uint64_t mark = 0x31736572756d6f63u;

/* A file by its size and the time of its last change: libraries are large. */
static uint64_t fold_file(uint64_t hash, const char *path)
{
    struct stat facts;
    if (stat(path, &facts) != 0)
        return random_mix(hash);
    hash = random_mix(hash ^ (uint64_t)facts.st_size);
    hash = random_mix(hash ^ (uint64_t)facts.st_mtim.tv_sec);
    return random_mix(hash ^ (uint64_t)facts.st_mtim.tv_nsec);
}

static uint64_t library_key(const Checker *checker, uint64_t deadline)
{
    uint64_t hash = fold_file(mark, "/proc/self/exe");
    for (int b = 0; b < checker->backend_count; b++) {
        const Backend *backend = &checker->backends[b];
        const BackendFacts *f = &backend->facts;
        const char *const texts[] = {backend->name, f->version, f->build,
                                     f->core,       f->path,    f->setting};
        for (size_t i = 0; i < COUNT_OF(texts); i++)
            hash = random_fold(hash, texts[i], strlen(texts[i]) + 1);
        hash = fold_file(hash, f->path);
    }
    return random_fold(hash, &deadline, sizeof deadline);
}

static int compare_measures(const void *left, const void *right)
{
    const Measure *a = left, *b = right;
    return a->hash < b->hash ? -1 : a->hash > b->hash;
}

/* Takes one number from behind *at; false where the file ends. */
static bool take(const Text *bytes, size_t *at, uint64_t *number)
{
    if (bytes->length - *at < sizeof *number)
        return false;
    memcpy(number, bytes->data + *at, sizeof *number);
    *at += sizeof *number;
    return true;
}

/* False where it ends in the middle of a case. */
static bool take_rows(Measures *m, const Text *bytes, size_t at)
{
    uint64_t hash, count;
    while (at < bytes->length) {
        if (!take(bytes, &at, &hash) || !take(bytes, &at, &count) || count % 2 != 0 ||
            count > (bytes->length - at) / sizeof(uint32_t))
            return false;
        uint32_t *slots = memory_allocate(count, sizeof *slots);
        memcpy(slots, bytes->data + at, count * sizeof *slots);
        at += count * sizeof *slots;
        count -= count > 0 && slots[count - 1] == UINT32_MAX;
        measures_add(m, hash, slots, (uint32_t)count);
        free(slots);
    }
    return true;
}

void measures_read(Measures *m, const char *path, const Checker *checker, uint64_t deadline)
{
    Text bytes = {0}, ignored = {0};
    uint64_t marked = 0, key = 0;
    size_t at = 0;
    *m = (Measures){.key = library_key(checker, deadline)};
    bool whole = file_read(path, &bytes, &ignored) && take(&bytes, &at, &marked) &&
                 take(&bytes, &at, &key) && marked == mark && key == m->key &&
                 take_rows(m, &bytes, at);
    if (!whole) {
        measures_clear(m);
    } else if (m->count > 0) {
        qsort(m->rows, m->count, sizeof *m->rows, compare_measures);
    }
    text_release(&bytes);
    text_release(&ignored);
}

const Measure *measures_find(const Measures *m, uint64_t hash)
{
    const Measure wanted = {.hash = hash};
    return m->count == 0 ? NULL
                         : bsearch(&wanted, m->rows, m->count, sizeof *m->rows, compare_measures);
}

void measures_add(Measures *m, uint64_t hash, const uint32_t *slots, uint32_t count)
{
    m->rows = list_grow(m->rows, m->count, &m->room, sizeof *m->rows);
    Measure *row = &m->rows[m->count++];
    *row = (Measure){.hash = hash, .count = count};
    row->slots = memory_allocate(count, sizeof *row->slots);
    memcpy(row->slots, slots, count * sizeof *row->slots);
}

bool measures_write(const Measures *m, const char *path, Text *error)
{
    static const uint32_t filler = UINT32_MAX;
    Text bytes = {0};
    text_append(&bytes, (const char *)&mark, sizeof mark);
    text_append(&bytes, (const char *)&m->key, sizeof m->key);
    for (size_t i = 0; i < m->count; i++) {
        const Measure *row = &m->rows[i];
        uint64_t count = row->count + row->count % 2;
        text_append(&bytes, (const char *)&row->hash, sizeof row->hash);
        text_append(&bytes, (const char *)&count, sizeof count);
        text_append(&bytes, (const char *)row->slots, row->count * sizeof *row->slots);
        if (row->count % 2)
            text_append(&bytes, (const char *)&filler, sizeof filler);
    }
    bool ok = file_replace(path, &bytes, false, error);
    text_release(&bytes);
    return ok;
}

void measures_clear(Measures *m)
{
    uint64_t key = m->key;
    measures_release(m);
    m->key = key;
}

void measures_release(Measures *m)
{
    for (size_t i = 0; i < m->count; i++)
        free(m->rows[i].slots);
    free(m->rows);
    *m = (Measures){0};
}
