/* The cases that were drawn last from choices. */
#ifndef OPS_CASE_DRAWN_H
#define OPS_CASE_DRAWN_H

#include "case.h"

enum { DRAWN_KEPT = 128 };

/* A ring; key 0: none. */
typedef struct Drawn {
    uint64_t keys[DRAWN_KEPT];
    Case cases[DRAWN_KEPT];
    int next;
} Drawn;

/* Copies the case of a key to *c; false where it is not kept. */
bool drawn_find(const Drawn *drawn, uint64_t key, Case *c);
/* Keeps a case in the place of the oldest one. */
void drawn_keep(Drawn *drawn, uint64_t key, const Case *c);

#endif
