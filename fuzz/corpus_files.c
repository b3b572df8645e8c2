/* Corpora in the forms that engines read. */
#include <stdlib.h>

#include "corpus.h"
#include "reference/list.h"
#include "reference/random.h"
#include "reports/files.h"

bool corpus_unpack(const Corpus *corpus, const char *folder, Text *error)
{
    Text bytes = {0}, path = {0};
    bool ok = folder_make(folder, error);
    for (size_t i = 0; ok && i < corpus->count; i++) {
        text_clear(&bytes);
        text_clear(&path);
        case_encode(&corpus->entries[i].c, &bytes);
        text_printf(&path, "%s/%016llx", folder,
                    (unsigned long long)case_hash(&corpus->entries[i].c));
        ok = file_write(text_string(&path), &bytes, error);
    }
    text_release(&bytes);
    text_release(&path);
    return ok;
}

/* Words that were put, by their hashes; two words with one hash would leave out one of them, which
 * loses a hint and no case. */
typedef struct Words {
    uint64_t *hashes;
    size_t count, room;
} Words;

static bool add_word(Words *words, uint64_t hash)
{
    for (size_t i = 0; i < words->count; i++)
        if (words->hashes[i] == hash)
            return false;
    words->hashes = list_grow(words->hashes, words->count, &words->room, sizeof *words->hashes);
    words->hashes[words->count++] = hash;
    return true;
}

static void put_word(Text *lines, const char *bytes, size_t size)
{
    text_put(lines, "\"");
    for (size_t i = 0; i < size; i++)
        text_printf(lines, "\\x%02x", (unsigned char)bytes[i]);
    text_put(lines, "\"\n");
}

void corpus_put_dictionary(const Corpus *corpus, Text *lines)
{
    enum { WORD_MAX = 64 }; /* libFuzzer leaves longer ones out */
    Words words = {0};
    Text bytes = {0};
    for (size_t i = 0; i < corpus->count; i++) {
        text_clear(&bytes);
        case_encode(&corpus->entries[i].c, &bytes);
        size_t at = CASE_RECORD_HEAD;
        for (size_t size; (size = case_item_size(&bytes, at)); at += size)
            if (size <= WORD_MAX && add_word(&words, random_fold(size, bytes.data + at, size)))
                put_word(lines, bytes.data + at, size);
    }
    free(words.hashes);
    text_release(&bytes);
}
