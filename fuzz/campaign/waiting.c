/* Ranks are found anew for each choice, since what is taken changes those of the others. */
#include "waiting.h"

#include <stdlib.h>
#include <string.h>

#include "ops/contract/policy.h"

/* The lowest goes first. */
typedef enum Rank { FRESH, OTHER_TYPE, UNLIKE, AGAIN, FILED_TWICE, SAME_READING } Rank;

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
    bool one_bug =
        result->judgement.kind == VERDICT_POLICY || (reading && policy_is_reading(reading));
    return (Taken){result->backend, pending->message.c.op, case_dtype(&pending->message.c),
                   pending->symptom, one_bug ? reading : NULL};
}

static bool same_reading(const char *a, const char *b)
{
    return a && b && strcmp(a, b) == 0;
}

static Rank rank_of(const Waiting *waiting, const Pending *pending)
{
    const Taken own = describe(pending);
    Rank rank = FRESH;
    for (size_t i = 0; i < waiting->taken_count; i++) {
        const Taken *t = &waiting->taken[i];
        if (t->backend == own.backend && same_reading(t->reading, own.reading))
            return SAME_READING;
        if (t->backend == own.backend && t->op == own.op && t->symptom == own.symptom) {
            Rank found = t->dtype == own.dtype ? AGAIN : OTHER_TYPE;
            rank = found > rank ? found : rank;
        }
    }
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
            t->symptom == own.symptom && t->reading == own.reading)
            return;
    }
    waiting->taken =
        memory_resize(waiting->taken, waiting->taken_count + 1, sizeof *waiting->taken);
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

Pending *waiting_take(Waiting *waiting, WaitingKind kind)
{
    Pending *best = NULL, *before_best = NULL, *before = NULL;
    Rank least = SAME_READING;
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
