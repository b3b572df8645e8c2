/* Severities, the first row that fits. */
#include "severity.h"

#include <stddef.h>
#include <string.h>

static const Severity severities[] = {
    {"FAULT", NULL, 1, "crash or hang", "error"},
    {"CONTRACT", NULL, 1, "writes where it must not, or not where it must", "error"},
    {"DIVERGE", "value", 2, "wrong finite value", "error"},
    {"DIVERGE", "unwritten", 2, "element not written", "error"},
    {"DIVERGE", "lost special", 3, "NaN or infinity lost", "error"},
    {"DIVERGE", NULL, 3, "wrong class of value", "error"},
    {"STATUS", NULL, 4, "refuses what is legal, or takes what is not", "warning"},
    {"INVARIANCE", NULL, 4, "two ways to the same result differ", "warning"},
    {"SUSPECT", NULL, 5, "suspiciously large error", "warning"},
    {"POLICY", NULL, 6, "documented departure", "note"},
    {NULL, NULL, 7, "divergence", "warning"},
};

const Severity *severity_of(const char *kind, const char *defect)
{
    const Severity *s = severities;
    while (s->kind && (strcmp(s->kind, kind) != 0 || (s->defect && strcmp(s->defect, defect) != 0)))
        s++;
    return s;
}
