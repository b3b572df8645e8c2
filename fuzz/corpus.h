/* Cases worth keeping: read from lines or from an engine's folder, and chosen so that few of them
 * show every feature that all of them show. */
#ifndef FUZZ_CORPUS_H
#define FUZZ_CORPUS_H

#include "fuzz/check/check.h"
#include "measures.h"

typedef struct CorpusEntry {
    Case c;
    char *why;        /* what the case is kept for, owned; NULL before corpus_distil */
    uint32_t *slots;  /* features it shows, owned; NULL where it is not measured */
    uint32_t count;   /* of them */
    uint32_t missing; /* of them, not shown by any case chosen so far; an upper limit */
} CorpusEntry;

typedef struct Corpus {
    CorpusEntry *entries;
    size_t count, room;
} Corpus;

/* Adds the cases of a file of lines (empty ones and those that begin with # are left out), or of a
 * folder of files as engines keep them.  Cases outside the scope are left out.  False with one
 * sentence in *error that begins with the path, and names the line. */
MUST_USE bool corpus_read(Corpus *corpus, const char *path, const Scope *scope, Text *error);
/* Adds one case. */
void corpus_add(Corpus *corpus, const Case *c);
void corpus_release(Corpus *corpus);

/* Runs each case that is not among the measures, in other processes where it could end this one,
 * and keeps a small set of them that shows every feature of any; in the order of operators and
 * lines, each once.  Of those that are kept the measures have what they showed.  Cases for which
 * there is no time are kept.  Returns how many these are. */
size_t corpus_distil(Corpus *corpus, Checker *checker, uint64_t deadline, Measures *measures,
                     uint64_t until);

/* A comment with the reason, and the line, for each case. */
void corpus_put(const Corpus *corpus, Text *lines);

/* Writes the bytes of each case into a file of a folder, as engines take their seeds; the folder is
 * made.  False with one sentence in *error. */
MUST_USE bool corpus_unpack(const Corpus *corpus, const char *folder, Text *error);

/* A dictionary for libFuzzer, AFL++ and honggfuzz: each value of a parameter that some case has, as
 * it stands in its bytes, once. */
void corpus_put_dictionary(const Corpus *corpus, Text *lines);

#endif
