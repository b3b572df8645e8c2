/* What came of the requests of a worker, and what a backend says of its library. */
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ask.h"
#include "ops/case/large.h"
#include "reply.h"
#include "request.h"
#include "worker.h"

enum { CALLS_MAX = 3 /* of one case: exec.repeat */ };

/* A batch is full when its operands fill more than this, so that memory stays in caches. */
static const size_t BATCH_BYTES = (size_t)4 << 20;

/* Why a case was not run: a server that has ended takes its workers along, and no call is to blame.
 */
#define PROCESS_LOST "the process that serves it has ended"

void process_layout(Text *layout)
{
    text_printf(layout, "%d %d %d %d", SLOT_BYTES, REPLY_BYTES, TENSOR_RANK_MAX, OP_TENSORS_MAX);
    for (int dtype = 0; dtype < DT_COUNT; dtype++)
        text_printf(layout, " %s", dtype_names[dtype]);
}

static const Server *find_server(const Backend *backend, Text *error)
{
    Text layout = {0};
    process_layout(&layout);
    const Server *server = server_of(backend, text_string(&layout), error);
    text_release(&layout);
    return server;
}

bool process_met_lost(void)
{
    return worker_any_lost();
}

const char *process_revive(bool *started)
{
    Text layout = {0};
    process_layout(&layout);
    const char *name = server_revive(text_string(&layout), started);
    text_release(&layout);
    return name;
}

bool process_ask(const Backend *backend, const Bindings **rows, Text *error)
{
    const Server *server = find_server(backend, error);
    *rows = server ? server->bindings : NULL;
    return server != NULL;
}

bool process_open(Backend *backend, Text *error)
{
    Worker *w = memory_allocate(1, sizeof *w);
    w->request = w->reply = w->ended = w->memory_file = -1;
    w->backend = backend;
    w->asked = memory_allocate(1, sizeof *w->asked);
    w->keeps_alignment = ((const ProcessSource *)backend->kind->source)->keeps_alignment;
    backend->context = w;
    w->server = find_server(backend, error);
    if (w->server) {
        backend->facts = w->server->facts;
        return true;
    }
    process_close(backend);
    return false;
}

void process_close(Backend *backend)
{
    Worker *w = backend->context;
    if (!w)
        return;
    worker_forget(w);
    text_release(&w->words);
    free(w->asked);
    free(w);
    backend->context = NULL;
}

bool process_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    const Worker *w = backend->context;
    return server_dtypes(w->server, op) >> dtype & 1;
}

const Bindings *process_bindings(const Backend *backend)
{
    const Worker *w = backend->context;
    return server_is_native(backend) ? bindings_find(backend->kind->name) : w->server->bindings;
}

/* Copies the blocks back, outputs and whatever else was changed. */
static void take_tensors(const Worker *w, const Operands *o, const size_t *places)
{
    for (int i = 0; i < o->shapes.count; i++)
        if (memcmp(o->block[i].data, w->memory + places[i], o->block[i].bytes) != 0)
            memcpy(o->block[i].data, w->memory + places[i], o->block[i].bytes);
}

/* True when the exception is of a class that libraries document for arguments that they refuse. */
static bool is_documented(const ProcessSource *source, const char *message)
{
    static const char *const classes[] = {"ValueError", "TypeError", "IndexError", "RuntimeError",
                                          "NotImplementedError"};
    size_t length = strcspn(message, ":");
    for (size_t i = 0; i < COUNT_OF(classes); i++)
        if (strlen(classes[i]) == length && !strncmp(message, classes[i], length))
            return true;
    return source->exception && strlen(source->exception) == length &&
           !strncmp(message, source->exception, length);
}

const char *process_illegal_argument(const Backend *backend, const Operands *o)
{
    const Worker *w = backend->context;
    bool asks = !illegal_is_stray(o->source) || !server_is_native(backend);
    return asks ? request_illegal(w->server->bindings, o) : NULL;
}

/* The outcome of an illegal argument.  A result of other extents counts as one: it was accepted. */
static RunStatus take_refusal(Backend *backend, int status, const Operands *o)
{
    Illegal illegal;
    bool raised = status == REPLY_RAISED,
         is_illegal = illegal_make(o->source, &o->shapes, &illegal);
    bool empty = is_illegal && illegal.may_be_empty && status == REPLY_DIFFERENT;
    bool documented = empty || is_documented(backend->kind->source, backend->message);
    backend->refused_argument = documented ? (int)o->source->exec.illegal : 0;
    return raised || empty ? RUN_REFUSED : RUN_DONE;
}

static RunStatus decline_lost(Backend *backend)
{
    (void)snprintf(backend->message, sizeof backend->message, "%s", PROCESS_LOST);
    return RUN_DECLINED;
}

/* The outcome of the case in a slot that the worker has answered, or died of. */
static RunStatus take_answer(Backend *backend, Worker *w, int number, const Operands *o)
{
    const Slot *slot = &w->slots[number];
    if (slot->died && w->lost)
        return decline_lost(backend);
    if (slot->died) {
        memcpy(backend->message, slot->message, sizeof backend->message);
        return RUN_DIED;
    }
    int status =
        reply_read(slot_reply(w->memory, number), backend->message, sizeof backend->message);
    if (status < 0)
        (void)snprintf(backend->message, sizeof backend->message, "the worker answers nonsense");
    if (status < 0 || status == REPLY_LOST) {
        worker_restart(w);
        return RUN_DIED;
    }
    take_tensors(w, o, slot->places);
    backend->is_together = status == REPLY_TOGETHER;
    if (o->source->exec.illegal && status != REPLY_DECLINED)
        return take_refusal(backend, status, o);
    static const RunStatus meanings[REPLY_KINDS] = {
        [REPLY_DONE] = RUN_DONE,       [REPLY_DECLINED] = RUN_DECLINED,
        [REPLY_RAISED] = RUN_REFUSED,  [REPLY_DIFFERENT] = RUN_REFUSED,
        [REPLY_BREACH] = RUN_BREACHED, [REPLY_TOGETHER] = RUN_DONE,
    };
    return meanings[status];
}

static bool holds(const Slot *slot, const Operands *o)
{
    return slot->call == o->call && case_equal(&slot->c, o->source);
}

/* The slot of a request that was expected; those before it are given up.  -1 when there is none. */
static int expected_slot(Worker *w, const Operands *o)
{
    for (int i = 0; i < SINGLE; i++) {
        Batch *batch = worker_batch(w, i);
        for (int at = batch->taken; at < batch->count; at++) {
            if (!holds(&w->slots[batch->first + at], o))
                continue;
            for (int before = 0; before < i; before++)
                worker_batch(w, before)->taken = worker_batch(w, before)->count;
            batch->taken = at;
            return batch->first + at;
        }
    }
    return -1;
}

bool process_expect(Backend *backend, const Operands *o)
{
    Worker *w = backend->context;
    if (!worker_have(w))
        return false;
    Batch *batch = &w->batches[w->filling], *other = &w->batches[1 - w->filling];
    /* A case that is announced twice, as one of the calls of the last case, keeps its slot. */
    for (int i = batch->count - 1; i >= 0 && i >= batch->count - CALLS_MAX; i--)
        if (holds(&w->slots[batch->first + i], o))
            return true;
    bool full = batch->count == BATCH_SLOTS || batch->used > batch->start + BATCH_BYTES;
    if (batch->sent || full) {
        if (!batch->sent)
            worker_ring(w, batch);
        if (other->taken < other->count || worker_count_open(w, other) > 0)
            return false;
        worker_empty(other);
        w->filling = 1 - w->filling;
        batch = other;
    }
    return worker_put(w, batch, o) != PLACED_NOWHERE;
}

/* Processor time that a call of the case may take. */
static uint64_t deadline_of(const Worker *w, const Operands *o)
{
    const ProcessSource *source = w->backend->kind->source;
    int patience = w->server->patience > 0 ? w->server->patience : source->patience;
    double times = large_patience(o->source) * (patience > 0 ? patience : 1);
    return (uint64_t)(times * (double)w->backend->deadline);
}

/* A worker in C has tables in place of questions, what compiles each call takes too long, and so
 * does a program. */
static bool can_ask(const Backend *backend, const Operands *o)
{
    return !server_is_native(backend) && backend->facts.draws == 0 && !o->source->op->source;
}

bool process_takes(const Backend *backend, const Operands *o, Text *why)
{
    Worker *w = backend->context;
    Spoilt spoilt;
    worker_spoil(o, &spoilt);
    text_clear(&w->words);
    if (refusals_have(&w->server->refusals, o->source, why) ||
        !request_may_have_form(w->server->bindings, o, why) ||
        !request_put(w->server->bindings, spoilt.asked, spoilt.any, &w->words, why))
        return false;
    return !can_ask(backend, o) || ask_worker(w, o, deadline_of(w, o), why);
}

bool process_asks_no_more(const Backend *backend, const Case *c)
{
    const Worker *w = backend->context;
    return w->asked->died[op_number(c->op)];
}

uint64_t process_time_elsewhere(const Backend *backend)
{
    return patience_time(((const Worker *)backend->context)->process);
}

RunStatus process_run(Backend *backend, const Operands *o)
{
    Worker *w = backend->context;
    if (!worker_have(w)) {
        worker_note_lost(w);
        return decline_lost(backend);
    }
    int slot = backend->alone ? -1 : expected_slot(w, o);
    backend->is_together = false;
    Batch *batch = &w->batches[slot < 0 ? SINGLE : slot / BATCH_SLOTS];
    if (slot < 0) {
        slot = batch->first;
        worker_empty(batch);
        Placed placed = worker_put(w, batch, o);
        if (placed == PLACED_NOWHERE)
            (void)snprintf(backend->message, sizeof backend->message,
                           "its operands are more than a worker holds");
        if (placed != PLACED)
            return RUN_DECLINED;
    }
    worker_await(w, batch, slot, deadline_of(w, o));
    RunStatus status = take_answer(backend, w, slot, o);
    batch->taken = slot - batch->first + 1;
    if (status == RUN_DECLINED && can_ask(backend, o))
        ask_note_declined(w, o);
    return status;
}