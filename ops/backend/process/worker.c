/* A worker's memory, and the batches in it: workers that end are replaced.
 *
 * A worker serves the slots of a batch in their order, writes the number of each into its reply,
 * and the batch's bell when it is through.  Hence the first slot without its number is the one that
 * a worker died of, or hangs in; a new worker is given those behind it.  A library whose calls
 * return before they are computed may have been at a later one: a new worker is given what is open
 * one by one, and nobody is blamed before. */
#include "worker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "request.h"

enum {
    LOOK_MILLISECONDS = 20,      /* between looks at a worker that does not answer */
    PATIENCE_MILLISECONDS = 2000 /* for what a server says of a worker's end */
};

/* Of processor time, for the first answer of a worker. */
static const uint64_t START_NANOSECONDS = 5000000000u;

/* Room for the largest case of any operator; untouched pages cost nothing. */
static const size_t ARENA_BYTES = (size_t)1 << 30;

_Static_assert(SLOTS *SLOT_BYTES <= HEAP_START, "the slots lie before the heap");

/* A server has ended that a worker of this process is of. */
static bool any_lost;

bool worker_any_lost(void)
{
    return any_lost;
}

static void close_end(int *end)
{
    if (*end >= 0)
        (void)close(*end);
    *end = -1;
}

void worker_empty(Batch *batch)
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

void worker_forget(Worker *w)
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
        worker_empty(&w->batches[i]);
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

/* A worker of this process: one that a parent made is the parent's. */
bool worker_have(Worker *w)
{
    if (w->owner != getpid()) {
        worker_forget(w);
        share_memory(w);
    }
    return w->process > 0 || start_process(w);
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

/* Where no rule makes it so an argument is meant by its number. */
void worker_spoil(const Operands *o, Spoilt *spoilt)
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
Placed worker_put(Worker *w, Batch *batch, const Operands *o)
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
    worker_spoil(o, &spoilt);
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
int worker_count_open(const Worker *w, Batch *batch)
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
Batch *worker_batch(Worker *w, int position)
{
    int order[BATCHES] = {1 - w->filling, w->filling, SINGLE};
    return &w->batches[order[position]];
}

/* The slot that the worker was at, or -1. */
static int present_slot(Worker *w)
{
    for (int i = 0; i < BATCHES; i++) {
        Batch *batch = worker_batch(w, i);
        if (batch->sent && worker_count_open(w, batch) > 0)
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
void worker_ring(Worker *w, Batch *batch)
{
    int count = worker_count_open(w, batch);
    batch->sent = true;
    if (w->one_by_one)
        ring_one(w);
    else
        write_bell(w, batch->first + batch->answered, count);
}

void worker_note_lost(Worker *w)
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
        worker_note_lost(w);
    (void)snprintf(message, 96, "%s", known ? text_string(&end) : "the worker is lost");
    text_release(&end);
}

/* Ends the worker and gives a new one what is not answered. */
void worker_restart(Worker *w)
{
    end_process(w);
    if (present_slot(w) < 0)
        return;
    (void)start_process(w);
    w->alone = 0;
    for (int i = 0; i < BATCHES; i++)
        if (worker_batch(w, i)->sent)
            worker_ring(w, worker_batch(w, i));
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
        worker_restart(w);
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
    worker_restart(w);
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
        worker_restart(w);
    else if (w->one_by_one)
        ring_one(w);
}

void worker_await(Worker *w, Batch *batch, int slot, uint64_t deadline)
{
    if (!batch->sent)
        worker_ring(w, batch);
    while (!is_answered(w, slot))
        wait_bell(w, deadline);
}
