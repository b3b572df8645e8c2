/* Which findings are tied, and by what evidence; private to the files of bugs. */
#ifndef REPORTS_BUG_TIES_H
#define REPORTS_BUG_TIES_H

#include "bug_facts.h"

/* The result of a probe: the minimal case of finding `from`, carried over to an operator and type.
 */
typedef struct ProbeFact {
    int64_t from;
    const OpDesc *op;
    DType dtype;
    char *symptom; /* "" where it agreed */
} ProbeFact;

typedef struct ProbeList {
    ProbeFact *probes; /* by finding, operator's name and type */
    size_t count, room;
} ProbeList;

/* Probes one by one in that order, of operators and types that this program knows; the caller frees
 * the symptom, or adds the probe to a list.  False behind the last. */
Statement probe_rows_begin(Store *store);
bool probe_rows_next(Statement *rows, ProbeFact *probe);
void probe_list_add(ProbeList *list, ProbeFact probe);

MUST_USE bool probe_list_read(Store *store, ProbeList *list, Text *error);
void probe_list_release(ProbeList *list);
const ProbeFact *probe_list_find(const ProbeList *list, int64_t from, const OpDesc *op,
                                 DType dtype);

/* True where a probe can tell whether two findings are one bug: of one library and symptom, and
 * asking for values of the same meaning. */
bool bugs_may_be_one(const BugFacts *a, const BugFacts *b);

/* The evidence by which two findings are one bug, NULL where there is none; *detail says more in
 * words of at most 160 bytes. */
const char *bugs_tie(const BugFacts *a, const BugFacts *b, const ProbeList *probes,
                     char detail[160]);

/* Appends all that evidence looks at in a finding, but for the cases of what takes illegal
 * arguments: findings of equal words are tied, and to others alike. */
void bugs_put_looks(const BugFacts *f, const ProbeList *probes, Text *words);

#endif
