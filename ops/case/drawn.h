/* What is known of the cases that a campaign draws from choices. */
#ifndef OPS_CASE_DRAWN_H
#define OPS_CASE_DRAWN_H

#include "case.h"

enum { DRAWN_KEPT = 128 };

/* Those that were drawn last, in a ring; key 0: none.  takes_none: whether a library takes no case
 * of an operator in an element type, the one that Scope.takes asks at that turn; a few cases are
 * asked for all the same.  NULL: nobody knows. */
typedef struct Drawn {
    uint64_t keys[DRAWN_KEPT];
    Case cases[DRAWN_KEPT];
    int next;
    bool (*takes_none)(const Scope *scope, const OpDesc *op, DType dtype, uint64_t turn);
} Drawn;

/* Copies the case of a key to *c; false where it is not kept. */
bool drawn_find(const Drawn *drawn, uint64_t key, Case *c);
/* Keeps a case in the place of the oldest one. */
void drawn_keep(Drawn *drawn, uint64_t key, const Case *c);

#endif
