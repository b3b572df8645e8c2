/* Two signatures of a divergence.  The raw one is cheap and made at capture; the one that findings
 * are filed under is made from the minimal case, whose parameters are all needed.  Neither holds
 * sizes, values, versions, hosts or seeds. */
#ifndef REPORTS_SIGNATURE_H
#define REPORTS_SIGNATURE_H

#include "ops/case/case.h"
#include "oracle/judge.h"

/* op · element type · backend without its path · kind · detail, or else symptom · pattern */
void signature_raw(Text *text, const Case *c, const char *backend, const Judgement *j,
                   const char *detail);
uint64_t signature_hash(const char *signature);

/* op · element type · backend without its path · kind · detail · pattern · facets of the minimal
 * case: its parameters that are not at their simplest, special values, and whether values must
 * differ or be rounded; more holds facets that a contrast showed to be needed, such as "beta=0 ".
 */
void signature_final(Text *text, const Case *minimal, const char *backend, const Judgement *j,
                     const char *detail, const char *more);

/* What a library says, with # for numbers, or lists of them, that do not belong to a name:
 * addresses, lines, counters and data. */
void signature_put_detail(Text *text, const char *detail);

/* Of a finding of a library as a whole: backend without its path · kind · detail. */
void signature_of_library(Text *text, const char *backend, VerdictKind kind, const char *detail);

/* A value as decimal and as hexadecimal float; low is what a double-double adds. */
void signature_put_value(Text *text, double high, double low);

#endif
