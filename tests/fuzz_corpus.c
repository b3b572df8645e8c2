/* Fuzzes what reads files of cases: taken or refused in words that name the file, and what was
 * taken is printed as lines that are taken again. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fuzz/corpus.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory, by its name. */
static int put_file(const void *data, size_t size, char path[64])
{
    int file = memfd_create("corpus", MFD_CLOEXEC);
    if (file < 0 || write(file, data, size) != (ssize_t)size)
        abort();
    (void)snprintf(path, 64, "/proc/self/fd/%d", file);
    return file;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Scope scope = scope_all();
    Corpus corpus = {0}, again = {0};
    Text error = {0}, lines = {0};
    char path[64];
    int file = put_file(data, size, path);
    bool taken = corpus_read(&corpus, path, &scope, &error);
    if (!taken && (strncmp(text_string(&error), path, strlen(path)) != 0 ||
                   strchr(text_string(&error), '\n')))
        abort();
    (void)close(file);
    for (size_t i = 0; i < corpus.count; i++) {
        case_print(&corpus.entries[i].c, &lines);
        text_put(&lines, "\n");
    }
    file = put_file(text_string(&lines), lines.length, path);
    if (!corpus_read(&again, path, &scope, &error) && taken)
        abort();
    for (size_t i = 0; taken && i < corpus.count; i++)
        if (again.count != corpus.count || !case_equal(&again.entries[i].c, &corpus.entries[i].c))
            abort();
    (void)close(file);
    corpus_release(&corpus);
    corpus_release(&again);
    text_release(&error);
    text_release(&lines);
    return 0;
}
