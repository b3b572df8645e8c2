/* Cases that are too large for a reference of every element: their results are checked by sums with
 * random vectors (reference/checksum.h), for operators that are products or solve a system
 * (OpDesc.product). */
#ifndef OPS_CASE_LARGE_H
#define OPS_CASE_LARGE_H

#include "case.h"

/* The most that case_components may be of a large case: three matrices of 4096 x 4096 with gaps. */
enum { LARGE_COMPONENTS_MAX = 3 * (1 << 24) + (1 << 20) };

/* True where the sums decide: of exact data from that much work on; of other data, whose sums are a
 * weaker check, where the full one would take seconds or has no room. */
bool large_is(const Case *c);

/* True where the data are such that every order of evaluation is exact: of half precision even
 * where each sum is rounded to it, but with a small probability. */
bool large_is_exact(const Case *c);

/* False for cases that neither the full check nor that by sums has room for. */
bool case_has_room(const Case *c);

/* The most that large_patience can be. */
enum { LARGE_PATIENCE_MOST = 400 };

/* How many times the usual time a call may take before it counts as a hang, by the work of any
 * case: 1 to LARGE_PATIENCE_MOST. */
double large_patience(const Case *c);

/* Makes a drawn case of such an operator a large one, which sums decide: one extent or more up to
 * the end of the table's range, and nothing else that is special.  The smaller its work, the more
 * often: each doubling of it takes about the same time. */
void large_draw(Case *c, Draw *draw);

/* True where some operator of the scope has large cases; one case in so many of such an operator is
 * one.  All operators together spend about the same share of their time on them. */
int64_t large_one_in(const Scope *scope);

#endif
