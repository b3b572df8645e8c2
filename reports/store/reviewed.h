/* The reviewed list: bugs of libraries that people have looked at, with where each was reported.  A
 * bug of a database is one of them where a case of the list shows the same by the same trigger. */
#ifndef REPORTS_REVIEWED_H
#define REPORTS_REVIEWED_H

#include "bug_facts.h"

typedef struct ReviewedEntry {
    char *title, *upstream;  /* upstream: a link, or that there is none and what was searched for */
    char *link;              /* the link alone, or "" */
    char *cause;             /* or "", as the following */
    char *expected;          /* of the first of its cases */
    char *shared;            /* what all its cases go through in a library, or "" */
    char *diverges, *agrees; /* versions of the library, and libraries */
} ReviewedEntry;

/* A case of an entry that says what it shows. */
typedef struct ReviewedCase {
    size_t entry; /* its place in the list */
    char *library, *symptom;
    char *version; /* of the library, or "" */
    char *mode;    /* how the library runs programs, "script" of "torch:script"; or "" */
    char *operand; /* the one beside which memory is touched, or "" */
    char *reading; /* the rule that the library departs from in all its operators, or "" */
    char *message; /* what the library says in all its operators, which tells the cause, or "" */
    char *stray;   /* the operand whose shape no stray call may change, in all operators; *: any
                      stray call; or "" */
    bool chance;   /* what it shows depends on what the process held or did before */
    bool suffices; /* what it needs tells the cause, whatever else a finding needs */
    const OpDesc *op;
    DType dtype;
    int64_t illegal; /* which argument is illegal; 0: none */
    Trigger trigger;
} ReviewedCase;

typedef struct ReviewedList {
    ReviewedEntry *entries; /* in the order of the file, whose first is number 1 */
    ReviewedCase *cases;
    size_t entry_count, case_count;
} ReviewedList;

/* Reads a list in the form of corpus/known.cases.  False with one sentence in *error, which names
 * the line, where a case stands in no entry or is none, or where a symptom has no name. */
MUST_USE bool reviewed_read(const char *text, ReviewedList *list, Text *error);
/* The list that this program carries. */
MUST_USE bool reviewed_read_own(ReviewedList *list, Text *error);
void reviewed_release(ReviewedList *list);

/* One operator, or operators that differ in their number of axes alone, as conv1d and conv2d do. */
bool reviewed_ops_are_alike(const OpDesc *a, const OpDesc *b);

/* The place of the entry that a bug is, the count where there is none.  One of its minimal findings
 * has library, operator (conv2d for conv1d too), symptom, values of the same meaning and structure
 * of a case; for memory the operand and the type in place of the structure, and the type too where
 * neither is needed, unless an illegal argument is accepted, which must be the same, or both need
 * the same empty extents; and for
 * programs the mode, since each is another compiler.  Where a case has a reading, a finding with
 * library, symptom and that reading is of its entry, and so where it has a message or what is
 * stray; where a case shows by chance, one of the
 * operator that has a wrong number not each time, and all words of the case's meaning and
 * structure; where what a case needs suffices, a minimal one with the symptom that needs all of it,
 * of its type where that is no structure.  A departure that the library documents is no entry. */
size_t reviewed_find(const ReviewedList *list, const BugFacts *const *members, size_t count);

#endif
