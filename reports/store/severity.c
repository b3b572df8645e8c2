/* Severities, the first row that fits. */
#include "severity.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const Severity severities[] = {
    {"DIVERGE", "value", NULL, 1, "wrong finite value", "error"},
    {"DIVERGE", "unwritten", NULL, 1, "element not written", "error"},
    {"FAULT", NULL, NULL, 2, "crash or hang", "error"},
    {"CONTRACT", NULL, "reads ", 4, "reads memory that is not its own", "error"},
    {"CONTRACT", NULL, NULL, 2, "writes where it must not, or not where it must", "error"},
    {"DIVERGE", "lost special", NULL, SEVERITY_CORNER, "NaN or infinity lost", "error"},
    {"DIVERGE", NULL, NULL, SEVERITY_CORNER, "wrong class of value", "error"},
    {"STATUS", NULL, NULL, 5, "refuses what is legal, or takes what is not", "warning"},
    {"INVARIANCE", "none", NULL, 6, "two ways to the same result differ", "warning"},
    {"INVARIANCE", NULL, NULL, SEVERITY_CORNER, "two ways to the same result differ in class",
     "error"},
    {"SUSPECT", NULL, NULL, 6, "suspiciously large error", "warning"},
    {"POLICY", NULL, NULL, SEVERITY_CONVENTION, "documented departure", "note"},
    {NULL, NULL, NULL, SEVERITY_CONVENTION, "divergence", "warning"},
};

static bool fits(const Severity *s, const char *kind, const char *defect, const char *detail)
{
    return !strcmp(s->kind, kind) && (!s->defect || !strcmp(s->defect, defect)) &&
           (!s->detail || !strncmp(s->detail, detail, strlen(s->detail)));
}

const Severity *severity_of(const char *kind, const char *defect, const char *detail)
{
    const Severity *s = severities;
    while (s->kind && !fits(s, kind, defect, detail))
        s++;
    return s;
}

const char *severity_words(const char *level)
{
    static const char *const words[SEVERITY_CONVENTION + 1] = {
        "",
        "1: wrong finite values in plain cases",
        "2: crash, hang or overwritten memory",
        "3: wrong where values are special",
        "4: reads memory that is not its own",
        "5: arguments refused or accepted wrongly",
        "6: two ways to one result differ",
        "7: a convention"};
    long number = strtol(level, NULL, 10);
    return number > 0 && number <= SEVERITY_CONVENTION ? words[number] : level;
}
