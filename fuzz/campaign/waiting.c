/* Ranks are found anew for each choice, since what is taken changes those of the others. */
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

#include "ops/contract/policy.h"
#include "reference/list.h"

/* The lowest goes first.  What is right under a reading only is tied to the bug of that by its
 * minimal case alone; a finding of the operator, type and symptom of another one is of its bug
 * already, and so is any departure that the library documents. */
typedef enum Rank {
    FRESH,
    OTHER_TYPE,
    UNLIKE,
    SAME_READING,
    AGAIN,
    FILED_TWICE,
    SAME_DEPARTURE
} Rank;

Pending *waiting_add(Waiting *waiting, const FindingMessage *message, int64_t id)
{
    Pending *pending = memory_allocate(1, sizeof *pending);
    *pending = (Pending){.message = *message,
                         .id = id,
                         .symptom = symptom_of(&message->result.judgement, message->result.detail)};
    if (waiting->last)
        waiting->last->next = pending;
    else
        waiting->first = pending;
    waiting->last = pending;
    return pending;
}

static Taken describe(const Pending *pending)
{
    const CheckResult *result = &pending->message.result;
    const char *reading = result->judgement.reading;
    bool documented = result->judgement.kind == VERDICT_POLICY;
    DType dtype = case_dtype(&pending->message.c);
    bool one_bug = documented || (reading && policy_is_reading(reading) &&
                                  !policy_is_of_operator(reading, dtype));
    return (Taken){result->backend,  pending->message.c.op,    dtype,
                   pending->symptom, one_bug ? reading : NULL, documented};
}

/* Real and complex functions depart by formulas of their own. */
static bool same_reading(const Taken *a, const Taken *b)
{
    return a->reading && b->reading && a->documented == b->documented &&
           (a->documented || dtype_components(a->dtype) == dtype_components(b->dtype)) &&
           strcmp(a->reading, b->reading) == 0;
}

static Rank rank_beside(const Taken *taken, const Taken *own)
{
    if (taken->backend != own->backend)
        return FRESH;
    bool one_reading = same_reading(taken, own);
    if (one_reading && own->documented)
        return SAME_DEPARTURE;
    if (taken->op == own->op && taken->symptom == own->symptom && taken->dtype == own->dtype)
        return AGAIN;
    if (one_reading)
        return SAME_READING;
    return taken->op == own->op && taken->symptom == own->symptom ? OTHER_TYPE : FRESH;
}

static Rank rank_of(const Waiting *waiting, const Pending *pending)
{
    const Taken own = describe(pending);
    Rank rank = FRESH;
    for (size_t i = 0; i < waiting->taken_count; i++) {
        Rank found = rank_beside(&waiting->taken[i], &own);
        rank = found > rank ? found : rank;
    }
    if (rank == SAME_DEPARTURE)
        return rank;
    if (pending->unlike && rank > UNLIKE)
        return UNLIKE;
    return pending->refile ? FILED_TWICE : rank;
}

static void note_taken(Waiting *waiting, const Pending *pending)
{
    const Taken own = describe(pending);
    for (size_t i = 0; i < waiting->taken_count; i++) {
        const Taken *t = &waiting->taken[i];
        if (t->backend == own.backend && t->op == own.op && t->dtype == own.dtype &&
            t->symptom == own.symptom && t->reading == own.reading &&
            t->documented == own.documented)
            return;
    }
    waiting->taken = list_grow(waiting->taken, waiting->taken_count, &waiting->taken_room,
                               sizeof *waiting->taken);
    waiting->taken[waiting->taken_count++] = own;
}

static bool is_of_kind(const Pending *pending, WaitingKind kind)
{
    bool lasts = pending->symptom == SYMPTOM_HANG || pending->symptom == SYMPTOM_MEMORY;
    return kind == (lasts ? WAITING_HANGS : WAITING_OTHERS);
}

bool waiting_has_new(const Waiting *waiting, WaitingKind kind)
{
    for (const Pending *at = waiting->first; at; at = at->next)
        if (is_of_kind(at, kind) && rank_of(waiting, at) < UNLIKE)
            return true;
    return false;
}

size_t waiting_count_needed(const Waiting *waiting)
{
    size_t count = 0;
    for (const Pending *at = waiting->first; at; at = at->next)
        count += rank_of(waiting, at) < AGAIN;
    return count;
}

Pending *waiting_take(Waiting *waiting, WaitingKind kind)
{
    Pending *best = NULL, *before_best = NULL, *before = NULL;
    Rank least = SAME_DEPARTURE;
    for (Pending *at = waiting->first; at && !(best && least == FRESH);
         before = at, at = at->next) {
        if (!is_of_kind(at, kind))
            continue;
        Rank rank = rank_of(waiting, at);
        if (!best || rank < least) {
            best = at;
            before_best = before;
            least = rank;
        }
    }
    if (!best)
        return NULL;
    *(before_best ? &before_best->next : &waiting->first) = best->next;
    waiting->last = waiting->last == best ? before_best : waiting->last;
    best->next = NULL;
    note_taken(waiting, best);
    return best;
}

void waiting_release(Waiting *waiting)
{
    while (waiting->first) {
        Pending *next = waiting->first->next;
        free(waiting->first);
        waiting->first = next;
    }
    free(waiting->taken);
    *waiting = (Waiting){0};
}
