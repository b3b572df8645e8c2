/* Findings by what grouping reads of them; private to the files of bugs.  Many findings differ in
 * nothing that evidence, titles or the reviewed list look at: of each such kind the facts of the
 * first one are kept, and of the others a number. */
#ifndef REPORTS_BUG_KINDS_H
#define REPORTS_BUG_KINDS_H

#include "bug_ties.h"
#include "key_set.h"

typedef struct BugMember {
    int64_t id, bug; /* bug: the one that it had, or 0 */
    size_t kind;
} BugMember;

typedef struct BugKinds {
    BugFactsList first; /* of each kind the first finding, by rising number */
    size_t *sizes;      /* of each kind */
    Key *looks;         /* of each kind: the key of what evidence looks at (bugs_put_looks) */
    ProbeList probes;   /* of the first findings */
    BugMember *members; /* all findings by rising number */
    size_t count;       /* of the members */
} BugKinds;

/* Reads all findings whose operator this program knows; what was read is to be released also where
 * it is false. */
MUST_USE bool bug_kinds_read(Store *store, BugKinds *kinds, Text *error);
void bug_kinds_release(BugKinds *kinds);

/* The kind of a finding, or the number of kinds where it is not among them. */
size_t bug_kinds_find(const BugKinds *kinds, int64_t finding);

#endif
