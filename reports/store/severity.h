/* How bad a finding is, in words that do not depend on its size. */
#ifndef REPORTS_SEVERITY_H
#define REPORTS_SEVERITY_H

/* By the names of its kind and its defect and by its detail, as the database has them.  level is
 * for sorting: 1 is the worst; sarif is the level in that format. */
typedef struct Severity {
    const char *kind, *defect, *detail; /* NULL: any; detail: how it begins */
    int level;
    const char *word, *sarif;
} Severity;

enum { SEVERITY_CORNER = 3, SEVERITY_CONVENTION = 7 };

/* What bugs of a level are, after its number: "2: crash, hang or overwritten memory". */
const char *severity_words(const char *level);

const Severity *severity_of(const char *kind, const char *defect, const char *detail);

#endif
