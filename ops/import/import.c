#include "import.h"

#include <stdlib.h>
#include <string.h>

#include "reference/escape.h"
#include "reference/list.h"

void import_skip(Import *import, uint64_t calls, const char *reason)
{
    size_t at = 0;
    import->calls += calls;
    import->calls_skipped += calls;
    while (at < import->skipped_count && strcmp(import->skipped[at].reason, reason) != 0)
        at++;
    if (at == import->skipped_count) {
        import->skipped =
            list_grow(import->skipped, at, &import->skipped_room, sizeof *import->skipped);
        import->skipped[import->skipped_count++] = (SkippedCalls){memory_duplicate(reason), 0};
    }
    import->skipped[at].calls += calls;
}

static void take_line(Import *import, const char *line, uint64_t calls, const char *of,
                      bool reduced)
{
    size_t at = 0;
    while (at < import->case_count && strcmp(import->cases[at].line, line) != 0)
        at++;
    if (at == import->case_count) {
        import->cases = list_grow(import->cases, at, &import->case_room, sizeof *import->cases);
        import->cases[import->case_count++] =
            (ImportedCase){memory_duplicate(line), memory_duplicate(of), 0, false};
    }
    import->calls += calls;
    import->cases[at].calls += calls;
    import->cases[at].reduced = import->cases[at].reduced || reduced;
}

bool import_draft(Import *import, Draft *draft, uint64_t calls, const char *of)
{
    Text line = {0};
    bool legal = draft_end(draft, import->scale);
    if (legal) {
        case_print(&draft->c, &line);
        take_line(import, text_string(&line), calls, of, draft->reduced);
    }
    text_release(&line);
    return legal;
}

static int compare_cases(const void *left, const void *right)
{
    const ImportedCase *a = left, *b = right;
    if (a->calls != b->calls)
        return a->calls < b->calls ? 1 : -1;
    return strcmp(a->line, b->line);
}

void import_put(const Import *import, Text *lines)
{
    size_t count = import->case_count;
    ImportedCase *sorted = memory_allocate(count + 1, sizeof *sorted);
    if (count > 0)
        memcpy(sorted, import->cases, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_cases);
    for (size_t i = 0; i < count; i++) {
        text_printf(lines, "# %llu of ", (unsigned long long)sorted[i].calls);
        escape_put_line(lines, sorted[i].of);
        text_printf(lines, "%s\n%s\n", sorted[i].reduced ? ", made smaller" : "", sorted[i].line);
    }
    free(sorted);
}

void import_tell(const Import *import, Text *words)
{
    size_t reduced = 0;
    for (size_t i = 0; i < import->case_count; i++)
        reduced += import->cases[i].reduced;
    text_printf(words, "%llu calls, %zu different cases", (unsigned long long)import->calls,
                import->case_count);
    if (reduced > 0)
        text_printf(words, ", %zu of them made smaller", reduced);
    text_printf(words, "; %llu calls skipped\n", (unsigned long long)import->calls_skipped);
    if (import->assumed > 0)
        text_printf(words, "%llu extents have no number, and are 1\n",
                    (unsigned long long)import->assumed);
    for (size_t i = 0; i < import->skipped_count; i++) {
        text_printf(words, "skipped %llu: ", (unsigned long long)import->skipped[i].calls);
        escape_put_line(words, import->skipped[i].reason);
        text_put(words, "\n");
    }
}

void import_release(Import *import)
{
    for (size_t i = 0; i < import->case_count; i++) {
        free(import->cases[i].line);
        free(import->cases[i].of);
    }
    for (size_t i = 0; i < import->skipped_count; i++)
        free(import->skipped[i].reason);
    free(import->cases);
    free(import->skipped);
    *import = (Import){0};
}
