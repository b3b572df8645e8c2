/* Whether a library takes a case, by asking its worker for it before it is one: what has no such
 * form, or no kernel for the types of its operands, shows when the call is made. */
#ifndef OPS_BACKEND_PROCESS_ASK_H
#define OPS_BACKEND_PROCESS_ASK_H

#include "worker.h"

enum { ASKED_KINDS = 8192 };

/* Calls of one kind: of a row, in a form, with operands of some types. */
typedef struct AskedKind {
    uint64_t key; /* 0: none */
    uint32_t taken, declined;
} AskedKind;

typedef struct Asked {
    AskedKind kinds[ASKED_KINDS];
    bool died[OP_MAX]; /* a worker did of a question for a case of the operator */
} Asked;

/* False where the worker declines the case of operands that were described, whose request is in
 * w->words, and which are given memory and values of its recipes for this.  Cases in another form
 * are asked each, others of a kind of which none was taken yet, or one was declined; none of a kind
 * of which many were declined and none was taken.  What a call comes to otherwise, and a worker
 * that dies of it, is for the case to show: true; cases of an operator that a worker died of are
 * asked no more, since that takes long. */
bool ask_worker(Worker *w, const Operands *operands, uint64_t deadline, Text *why);

/* Notes that a case was declined when it was run, so that others of its kind are asked before. */
void ask_note_declined(Worker *w, const Operands *operands);

#endif
