#include "ask.h"

#include <stdlib.h>
#include <string.h>

#include "ops/case/large.h"
#include "reference/random.h"
#include "reply.h"
#include "request.h"

enum { NONE_TAKEN = 64 };
/* Of operands, above which a question takes too long. */
static const size_t ASKED_BYTES = (size_t)1 << 20;

/* The text of the request without its attributes, and the types of the operands. */
static uint64_t hash_of(const Operands *o, const Text *words)
{
    uint64_t key = 1;
    const char *at = text_string(words), *end = at + words->length;
    while (at < end) {
        const char *line = memchr(at, '\n', (size_t)(end - at)), *next = line ? line + 1 : end;
        if (strncmp(at, "with ", strlen("with ")) != 0)
            key = random_fold(key, at, (size_t)(next - at));
        at = next;
    }
    for (int i = 0; i < o->shapes.count; i++) {
        const uint8_t kind[] = {(uint8_t)o->view[i].dtype, (uint8_t)o->shapes.tensor[i].ignored};
        key = random_fold(key, kind, sizeof kind);
    }
    return key ? key : 1;
}

/* The place of the request in w->words, that of another kind where there is no room. */
static AskedKind *kind_of(Worker *w, const Operands *o)
{
    uint64_t key = hash_of(o, &w->words);
    size_t at = key % ASKED_KINDS;
    for (int tries = 0; tries < ASKED_KINDS / 2 && w->asked->kinds[at].key != 0; tries++) {
        if (w->asked->kinds[at].key == key)
            return &w->asked->kinds[at];
        at = (at + 1) % ASKED_KINDS;
    }
    if (w->asked->kinds[at].key == 0)
        w->asked->kinds[at].key = key;
    return &w->asked->kinds[at];
}

/* Room for an operand, so that the next one is aligned. */
static size_t room_of(const Tensor *view)
{
    size_t bytes = (size_t)tensor_span(view) * dtype_size(view->dtype);
    return (bytes / PROCESS_ALIGNMENT + 1) * PROCESS_ALIGNMENT;
}

static size_t bytes_of(const Operands *o)
{
    size_t bytes = 0;
    for (int i = 0; i < o->shapes.count; i++)
        bytes += room_of(&o->view[i]);
    return bytes;
}

/* Whether the worker declines a request in the batch of single ones. */
static bool declines(Worker *w, const Operands *o, uint64_t deadline, Text *why)
{
    Batch *batch = &w->batches[SINGLE];
    w->slots[batch->first].died = false;
    worker_empty(batch);
    if (worker_put(w, batch, o) != PLACED)
        return false;
    worker_await(w, batch, batch->first, deadline);
    batch->taken = 1;
    char said[sizeof w->backend->message] = "";
    bool declined = !w->slots[batch->first].died && reply_read(slot_reply(w->memory, batch->first),
                                                               said, sizeof said) == REPLY_DECLINED;
    text_put(why, declined ? said : "");
    return declined;
}

static bool declines_described(Worker *w, const Operands *described, uint64_t deadline, Text *why)
{
    Operands o = *described;
    char *memory = memory_allocate(bytes_of(described), 1), *next = memory;
    for (int i = 0; i < o.shapes.count; i++) {
        operands_place(&o, i, next);
        next += room_of(&o.view[i]);
    }
    bool declined = declines(w, &o, deadline, why);
    free(memory);
    return declined;
}

static bool is_asked(const AskedKind *kind, const Operands *o)
{
    return kind->taken == 0 || kind->declined > 0 || o->source->exec.form != FORM_PLAIN;
}

bool ask_worker(Worker *w, const Operands *o, uint64_t deadline, Text *why)
{
    AskedKind *kind = kind_of(w, o);
    if (w->asked->died[op_number(o->source->op)] || !is_asked(kind, o) || large_is(o->source) ||
        bytes_of(o) > ASKED_BYTES || !worker_have(w))
        return true;
    if (kind->taken == 0 && kind->declined >= NONE_TAKEN) {
        text_put(why, "it took no call of this kind");
        return false;
    }
    bool declined = declines_described(w, o, deadline, why);
    w->asked->died[op_number(o->source->op)] |= w->slots[SINGLE * BATCH_SLOTS].died;
    kind->taken += !declined;
    kind->declined += declined;
    return !declined;
}

void ask_note_declined(Worker *w, const Operands *o)
{
    Spoilt spoilt;
    Text why = {0};
    worker_spoil(o, &spoilt);
    text_clear(&w->words);
    if (request_put(w->server->bindings, spoilt.asked, spoilt.any, &w->words, &why))
        kind_of(w, o)->declined++;
    text_release(&why);
}
