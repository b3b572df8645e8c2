/* The side of the protocol that asks: batches of requests, what came of them, and workers that end.
 *
 * A worker serves the slots of a batch in their order, writes the number of each into its reply,
 * and the batch's bell when it is through.  Hence the first slot without its number is the one that
 * a worker died of, or hangs in; a new worker is given those behind it.  A library whose calls
 * return before they are computed may have been at a later one: a new worker is given what is open
 * one by one, and nobody is blamed before. */
#include "process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "ops/case/illegal.h"
#include "ops/case/large.h"
#include "protocol.h"
#include "reference/patience.h"
#include "reply.h"
#include "request.h"
#include "server.h"

enum {
    BATCH_SLOTS = 32,
    CALLS_MAX = 3, /* of one case: exec.repeat */
    BATCHES = 3,   /* two that are filled in turn, and one for single requests */
    SINGLE = BATCHES - 1,
    SLOTS = SINGLE * BATCH_SLOTS + 1,
    LOOK_MILLISECONDS = 20,      /* between looks at a worker that does not answer */
    PATIENCE_MILLISECONDS = 2000 /* for what a server says of a worker's end */
};

/* Of processor time, for the first answer of a worker. */
static const uint64_t START_NANOSECONDS = 5000000000u;

/* Room for the largest case of any operator; untouched pages cost nothing.  A batch is full when
 * its operands fill more than BATCH_BYTES, so that memory stays in caches. */
static const size_t ARENA_BYTES = (size_t)1 << 30, BATCH_BYTES = (size_t)4 << 20;

_Static_assert(SLOTS *SLOT_BYTES <= HEAP_START, "the slots lie before the heap");

typedef struct Slot {
    Case c;
    int call;
    uint64_t id;
    bool died;
    char message[96]; /* how the worker ended, if it died */
    size_t places[OP_TENSORS_MAX];
} Slot;

/* Slots `first` onwards: count are filled, the worker is through with `answered` of them, and
 * nobody will ask for `taken` of them again.  sent: its bell has rung. */
typedef struct Batch {
    int first, count, answered, taken;
    bool sent;
    size_t start, used; /* of the heap */
} Batch;

typedef struct Worker {
    Backend *backend;
    const Server *server;
    bool keeps_alignment;
    /* One worker of this process; owner is 0 where there is none. */
    pid_t owner, process;
    int request, reply, ended, memory_file;
    unsigned char *memory;
    uint64_t id;
    bool fresh;      /* nothing was answered yet: a library may start what it computes with */
    bool lost;       /* its server has ended, and no library is to blame */
    bool one_by_one; /* what is open is asked for alone */
    uint64_t alone;  /* the id of the last one that was */
    int filling;     /* the batch that takes the next request: 0 or 1; the other is served first */
    Patience patience;
    Text words; /* of the request that is being written */
    Batch batches[BATCHES];
    Slot slots[SLOTS];
} Worker;

/* Why a case was not run: a server that has ended takes its workers along, and no call is to blame.
 */
#define PROCESS_LOST "the process that serves it has ended"

/* A server has ended that a worker of this process is of. */
static bool any_lost;

static void close_end(int *end)
{
    if (*end >= 0)
        (void)close(*end);
    *end = -1;
}

static void empty_batch(Batch *batch)
{
    batch->count = batch->answered = batch->taken = 0;
    batch->sent = false;
    batch->used = batch->start;
}

/* Ends the worker, if there is one; the memory stays. */
static void end_process(Worker *w)
{
    if (w->owner == getpid() && w->process > 0)
        (void)kill(w->process, SIGKILL);
    w->process = 0;
    close_end(&w->request);
    close_end(&w->reply);
    close_end(&w->ended);
}

static void forget_worker(Worker *w)
{
    end_process(w);
    close_end(&w->memory_file);
    if (w->memory) {
        (void)munmap(w->memory, ARENA_BYTES);
        server_raise_limit(-(int64_t)ARENA_BYTES);
    }
    w->memory = NULL;
    w->owner = 0;
}

/* Memory whose size nobody can change any more, and batches with their shares of it. */
static void share_memory(Worker *w)
{
    static const size_t shares = BATCHES + 1;
    w->memory_file = memfd_create("opconform", MFD_CLOEXEC | MFD_ALLOW_SEALING);
    if (w->memory_file < 0 || ftruncate(w->memory_file, (off_t)ARENA_BYTES) != 0 ||
        fcntl(w->memory_file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
        BUG("no memory to share: %s", strerror(errno));
    server_raise_limit((int64_t)ARENA_BYTES);
    w->memory = mmap(NULL, ARENA_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, w->memory_file, 0);
    if (w->memory == MAP_FAILED)
        BUG("no memory to share: %s", strerror(errno));
    for (int i = 0; i < BATCHES; i++) {
        w->batches[i] = (Batch){.first = i * BATCH_SLOTS,
                                .start = i == 0 ? HEAP_START : ARENA_BYTES / shares * (size_t)i};
        empty_batch(&w->batches[i]);
    }
    w->filling = 0;
    w->owner = getpid();
}

/* Starts a process on the memory; false when the server is gone. */
static bool start_process(Worker *w)
{
    int request[2], reply[2], ended[2], process = 0;
    end_process(w);
    if (pipe2(request, O_CLOEXEC) != 0 || pipe2(reply, O_CLOEXEC) != 0 ||
        pipe2(ended, O_CLOEXEC) != 0)
        BUG("no pipe: %s", strerror(errno));
    const int ends[SERVER_ENDS] = {[END_MEMORY] = w->memory_file,
                                   [END_REQUESTS] = request[0],
                                   [END_REPLIES] = reply[1],
                                   [END_FATE] = ended[1]};
    bool sent = server_fork(w->server, ends);
    (void)close(request[0]);
    (void)close(reply[1]);
    (void)close(ended[1]);
    w->request = request[1];
    w->reply = reply[0];
    w->ended = ended[0];
    sent = sent && read(w->ended, &process, sizeof process) == (ssize_t)sizeof process;
    w->process = process;
    w->fresh = true;
    return sent;
}

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
    return any_lost;
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
    forget_worker(w);
    text_release(&w->words);
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

/* Puts the text of a case into a request; false where the library is not asked, with the reason in
 * the backend's message. */
static bool put_text(Worker *w, Request *request, const Case *c, const Illegal *illegal)
{
    Text why = {0};
    bool asked = request_fill(request, &w->words, w->server->bindings, c, illegal, &why);
    if (!asked)
        (void)snprintf(w->backend->message, sizeof w->backend->message, "%s", text_string(&why));
    text_release(&why);
    if (asked && w->backend->uncompiled)
        request_put_plain(request);
    return asked;
}

/* Describes operand i and copies its block to a place of the memory. */
static void put_tensor(const Worker *w, Request *request, const Operands *o, int i, size_t place)
{
    RequestTensor *to = &request->tensors[i];
    const Tensor *view = &o->view[i];
    const GuardBlock *block = &o->block[i];
    size_t size = dtype_size(view->dtype),
           start = (size_t)((char *)view->origin - (char *)block->data);
    *to = (RequestTensor){.dtype = (uint8_t)view->dtype,
                          .rank = (uint8_t)view->rank,
                          .role = operands_is_output(o, i)      ? REQUEST_OUTPUT
                                  : o->shapes.tensor[i].ignored ? REQUEST_IGNORED
                                                                : REQUEST_INPUT,
                          .offset = place + start};
    for (int axis = 0; axis < view->rank; axis++) {
        to->extent[axis] = view->extent[axis];
        to->stride[axis] = view->stride[axis] * (int64_t)size;
    }
    memcpy(w->memory + place, block->data, block->bytes);
}

/* Where operand i begins in its room. */
static size_t operand_start(const Worker *w, const Operands *o, int i)
{
    size_t offset = (size_t)o->source->exec.align * dtype_size(o->view[i].dtype);
    return w->keeps_alignment ? offset % PROCESS_ALIGNMENT : 0;
}

static size_t operand_room(const Worker *w, const Operands *o, int i)
{
    size_t bytes = operand_start(w, o, i) + o->block[i].bytes;
    return (bytes + PROCESS_ALIGNMENT - 1) / PROCESS_ALIGNMENT * PROCESS_ALIGNMENT;
}

typedef enum Placed { PLACED, PLACED_NOWHERE /* no room */, PLACED_NEVER /* not asked */ } Placed;

/* What an illegal argument makes of a case. */
typedef struct Spoilt {
    Illegal illegal, *any; /* NULL where none is */
    char position[16];
    const Case *asked; /* the case that the library is asked for */
} Spoilt;

/* Where no rule makes it so an argument is meant by its number. */
static void spoil(const Operands *o, Spoilt *spoilt)
{
    int64_t number = o->source->exec.illegal;
    *spoilt = (Spoilt){{.reshaped = -1, .attribute = -1}, .asked = o->source};
    spoilt->any = number ? &spoilt->illegal : NULL;
    if (!number)
        return;
    if (illegal_make(o->source, &o->shapes, &spoilt->illegal)) {
        spoilt->asked = &spoilt->illegal.altered;
        return;
    }
    (void)snprintf(spoilt->position, sizeof spoilt->position, "%d", (int)number);
    spoilt->illegal.name = spoilt->position;
}

/* Writes a request into the next slot of a batch. */
static Placed put_request(Worker *w, Batch *batch, const Operands *o)
{
    int number = batch->first + batch->count;
    Slot *slot = &w->slots[number];
    Request *request = slot_request(w->memory, number);
    size_t need = 0, most = ARENA_BYTES / (BATCHES + 1);
    if (batch == &w->batches[SINGLE])
        most *= 2;
    for (int i = 0; i < o->shapes.count; i++)
        need += operand_room(w, o, i);
    Spoilt spoilt;
    spoil(o, &spoilt);
    if (batch->used + need > batch->start + most - HEAP_START)
        return PLACED_NOWHERE;
    if (!put_text(w, request, spoilt.asked, spoilt.any))
        return PLACED_NEVER;
    case_copy(&slot->c, o->source);
    slot->call = o->call;
    slot->died = false;
    slot->id = request->id = ++w->id;
    request->count = (uint32_t)o->shapes.count;
    for (int i = 0; i < o->shapes.count; i++) {
        slot->places[i] = batch->used + operand_start(w, o, i);
        put_tensor(w, request, o, i, slot->places[i]);
        batch->used += operand_room(w, o, i);
    }
    if (spoilt.illegal.reshaped >= 0)
        request_reshape(&spoilt.illegal, &request->tensors[spoilt.illegal.reshaped]);
    batch->count++;
    return PLACED;
}

static bool is_answered(const Worker *w, int slot)
{
    return w->slots[slot].died ||
           atomic_load(&slot_reply(w->memory, slot)->id) == w->slots[slot].id;
}

/* How many slots of a batch wait for answers. */
static int count_open(const Worker *w, Batch *batch)
{
    while (batch->answered < batch->count && is_answered(w, batch->first + batch->answered))
        batch->answered++;
    return batch->count - batch->answered;
}

static void write_bell(const Worker *w, int first, int count)
{
    Bell bell = {(uint16_t)first, (uint16_t)count};
    /* A pipe that is closed is seen when the answer is read. */
    if (count > 0 && write(w->request, &bell, sizeof bell) < 0 && errno != EPIPE)
        BUG("cannot write to a worker: %s", strerror(errno));
}

/* Batches in the order in which they are served. */
static Batch *served(Worker *w, int position)
{
    int order[BATCHES] = {1 - w->filling, w->filling, SINGLE};
    return &w->batches[order[position]];
}

/* The slot that the worker was at, or -1. */
static int present_slot(Worker *w)
{
    for (int i = 0; i < BATCHES; i++) {
        Batch *batch = served(w, i);
        if (batch->sent && count_open(w, batch) > 0)
            return batch->first + batch->answered;
    }
    return -1;
}

/* Rings for the present slot alone, once; what is filled later is asked for in batches again. */
static void ring_one(Worker *w)
{
    int slot = present_slot(w);
    w->one_by_one = slot >= 0;
    if (slot < 0 || w->slots[slot].id == w->alone)
        return;
    w->alone = w->slots[slot].id;
    write_bell(w, slot, 1);
}

/* Rings for the slots of a batch that are not answered. */
static void ring(Worker *w, Batch *batch)
{
    int count = count_open(w, batch);
    batch->sent = true;
    if (w->one_by_one)
        ring_one(w);
    else
        write_bell(w, batch->first + batch->answered, count);
}

static void note_lost(Worker *w)
{
    w->lost = any_lost = true;
}

/* How the worker ended, in words; the server knows, with which its workers end. */
static void describe_end(Worker *w, char message[96])
{
    int status = 0;
    Text end = {0};
    struct pollfd ready = {.fd = w->ended, .events = POLLIN};
    bool known = poll(&ready, 1, PATIENCE_MILLISECONDS) > 0 &&
                 read(w->ended, &status, sizeof status) == (ssize_t)sizeof status;
    text_put_end(&end, status);
    if (!known && server_is_gone(w->server))
        note_lost(w);
    (void)snprintf(message, 96, "%s", known ? text_string(&end) : "the worker is lost");
    text_release(&end);
}

/* Ends the worker and gives a new one what is not answered. */
static void restart_worker(Worker *w)
{
    end_process(w);
    if (present_slot(w) < 0)
        return;
    (void)start_process(w);
    w->alone = 0;
    for (int i = 0; i < BATCHES; i++)
        if (served(w, i)->sent)
            ring(w, served(w, i));
}

/* True when the present slot was asked for with others, of which any may be to blame. */
static bool is_one_of_several(Worker *w, int slot)
{
    if (!w->server->asynchronous || w->one_by_one || slot < 0)
        return false;
    const Batch *batch = &w->batches[slot / BATCH_SLOTS];
    return batch->count - batch->answered > 1;
}

/* Blames the slot that the worker was at; message is NULL where the worker ended by itself. */
static void replace_worker(Worker *w, const char *message)
{
    int slot = present_slot(w);
    char end[96];
    if (is_one_of_several(w, slot)) {
        w->one_by_one = true;
        restart_worker(w);
        return;
    }
    if (message)
        (void)snprintf(end, sizeof end, "%s", message);
    else
        describe_end(w, end);
    if (slot >= 0) {
        w->slots[slot].died = true;
        memcpy(w->slots[slot].message, end, sizeof end);
    }
    restart_worker(w);
}

/* The worker waits for its end: it has said so in a slot, which may have been given up. */
static bool says_lost(const Bell *bells, ssize_t size)
{
    bool lost = false;
    for (size_t i = 0; i < (size_t)size / sizeof *bells; i++)
        lost = lost || bells[i].first == BELL_LOST;
    return lost;
}

/* True when the worker has hung in a slot: the time of a call begins anew with each. */
static bool is_hung(Worker *w, int slot, uint64_t deadline)
{
    uint64_t limit = w->fresh && deadline < START_NANOSECONDS ? START_NANOSECONDS : deadline;
    return deadline != 0 && slot >= 0 &&
           patience_ends(&w->patience, w->process, w->slots[slot].id, limit);
}

/* Waits for a bell of the worker, as long as one call may last. */
static void wait_bell(Worker *w, uint64_t deadline)
{
    struct pollfd ready = {.fd = w->reply, .events = POLLIN};
    int at = present_slot(w), count = poll(&ready, 1, LOOK_MILLISECONDS);
    Bell bells[BATCHES];
    ssize_t size = 0;
    if (count < 0 && errno == EINTR)
        return;
    w->fresh = w->fresh && present_slot(w) == at;
    if (count == 0 && present_slot(w) == at && is_hung(w, at, deadline))
        replace_worker(w, "hang");
    else if (count != 0 && (size = read(w->reply, bells, sizeof bells)) <= 0)
        replace_worker(w, NULL);
    else if (count != 0 && says_lost(bells, size))
        restart_worker(w);
    else if (w->one_by_one)
        ring_one(w);
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
        restart_worker(w);
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

/* A worker of this process: one that a parent made is the parent's. */
static bool have_worker(Worker *w)
{
    if (w->owner != getpid()) {
        forget_worker(w);
        share_memory(w);
    }
    return w->process > 0 || start_process(w);
}

static bool holds(const Slot *slot, const Operands *o)
{
    return slot->call == o->call && case_equal(&slot->c, o->source);
}

/* The slot of a request that was expected; those before it are given up.  -1 when there is none. */
static int expected_slot(Worker *w, const Operands *o)
{
    for (int i = 0; i < SINGLE; i++) {
        Batch *batch = served(w, i);
        for (int at = batch->taken; at < batch->count; at++) {
            if (!holds(&w->slots[batch->first + at], o))
                continue;
            for (int before = 0; before < i; before++)
                served(w, before)->taken = served(w, before)->count;
            batch->taken = at;
            return batch->first + at;
        }
    }
    return -1;
}

bool process_expect(Backend *backend, const Operands *o)
{
    Worker *w = backend->context;
    if (!have_worker(w))
        return false;
    Batch *batch = &w->batches[w->filling], *other = &w->batches[1 - w->filling];
    /* A case that is announced twice, as one of the calls of the last case, keeps its slot. */
    for (int i = batch->count - 1; i >= 0 && i >= batch->count - CALLS_MAX; i--)
        if (holds(&w->slots[batch->first + i], o))
            return true;
    bool full = batch->count == BATCH_SLOTS || batch->used > batch->start + BATCH_BYTES;
    if (batch->sent || full) {
        if (!batch->sent)
            ring(w, batch);
        if (other->taken < other->count || count_open(w, other) > 0)
            return false;
        empty_batch(other);
        w->filling = 1 - w->filling;
        batch = other;
    }
    return put_request(w, batch, o) != PLACED_NOWHERE;
}

static void await(Worker *w, Batch *batch, int slot, uint64_t deadline)
{
    if (!batch->sent)
        ring(w, batch);
    while (!is_answered(w, slot))
        wait_bell(w, deadline);
}

bool process_takes(const Backend *backend, const Operands *o, Text *why)
{
    Worker *w = backend->context;
    Spoilt spoilt;
    spoil(o, &spoilt);
    text_clear(&w->words);
    return request_may_have_form(w->server->bindings, o, why) &&
           request_put(w->server->bindings, spoilt.asked, spoilt.any, &w->words, why);
}

uint64_t process_time_elsewhere(const Backend *backend)
{
    return patience_time(((const Worker *)backend->context)->process);
}

RunStatus process_run(Backend *backend, const Operands *o)
{
    Worker *w = backend->context;
    const ProcessSource *source = backend->kind->source;
    int patience = w->server->patience > 0 ? w->server->patience : source->patience;
    double times = large_patience(o->source) * (patience > 0 ? patience : 1);
    uint64_t deadline = (uint64_t)(times * (double)backend->deadline);
    if (!have_worker(w)) {
        note_lost(w);
        return decline_lost(backend);
    }
    int slot = backend->alone ? -1 : expected_slot(w, o);
    backend->is_together = false;
    Batch *batch = &w->batches[slot < 0 ? SINGLE : slot / BATCH_SLOTS];
    if (slot < 0) {
        slot = batch->first;
        empty_batch(batch);
        Placed placed = put_request(w, batch, o);
        if (placed == PLACED_NOWHERE)
            (void)snprintf(backend->message, sizeof backend->message,
                           "its operands are more than a worker holds");
        if (placed != PLACED)
            return RUN_DECLINED;
    }
    await(w, batch, slot, deadline);
    RunStatus status = take_answer(backend, w, slot, o);
    batch->taken = slot - batch->first + 1;
    return status;
}
