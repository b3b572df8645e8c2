/* The memory that a worker and whoever asks it both map, and what travels through their pipes;
 * protocol.py has the same. */
#ifndef OPS_BACKEND_PROCESS_PROTOCOL_H
#define OPS_BACKEND_PROCESS_PROTOCOL_H

#include <stdatomic.h>

#include "ops/op.h"

enum { REQUEST_TEXT = 6144, SLOT_BYTES = 12288, REPLY_BYTES = 1024, HEAP_START = 1 << 20 };
/* Of operands in the memory. */
enum { PROCESS_ALIGNMENT = 64 };

/* The reply of a worker, at the start of a slot.  The id is written last: it says that the rest is
 * complete. */
enum {
    REPLY_DONE,
    REPLY_DECLINED,
    REPLY_RAISED,
    REPLY_DIFFERENT,
    REPLY_BREACH,   /* memory beside an operand was written: which one */
    REPLY_LOST,     /* nothing that this worker says from now on can be trusted: why */
    REPLY_TOGETHER, /* done in one function with other calls: which ones */
    REPLY_KINDS
};
enum { REPLY_TEXT = REPLY_BYTES - 16 };
typedef struct Reply {
    _Atomic uint64_t id;
    uint32_t status, length;
    char text[REPLY_TEXT];
} Reply;

/* One operand of a request. */
enum { REQUEST_INPUT, REQUEST_OUTPUT, REQUEST_IGNORED };
typedef struct RequestTensor {
    uint8_t dtype, role, rank, padding[5];
    uint64_t offset; /* of its first element, in the memory */
    int64_t extent[TENSOR_RANK_MAX], stride[TENSOR_RANK_MAX]; /* stride in bytes */
} RequestTensor;

typedef struct Request {
    uint64_t id;
    uint32_t count, length; /* of tensors; of the text */
    RequestTensor tensors[OP_TENSORS_MAX];
    char
        text[REQUEST_TEXT]; /* of the case up to its fills, and after | the names of the operands */
} Request;

/* The message of the pipes: a range of slots in the memory; BELL_LOST from a worker whose device is
 * lost and that waits to be ended. */
enum { BELL_LOST = UINT16_MAX };
typedef struct Bell {
    uint16_t first, count;
} Bell;

_Static_assert(sizeof(Reply) == REPLY_BYTES, "the reply has its room");
_Static_assert(REPLY_BYTES + sizeof(Request) <= SLOT_BYTES, "the request fits behind the reply");

/* The descriptors that a server is sent for each worker: the memory, the end where the worker reads
 * bells, the end where it writes them, and the end where the server writes its process number, and
 * how it ended.
 */
enum { END_MEMORY, END_REQUESTS, END_REPLIES, END_FATE, SERVER_ENDS };

/* The socket of a server, as it finds it when it starts. */
enum { CONTROL_FD = 3 };

static inline Reply *slot_reply(unsigned char *memory, int slot)
{
    return (Reply *)(void *)(memory + (size_t)slot * SLOT_BYTES);
}

static inline Request *slot_request(unsigned char *memory, int slot)
{
    return (Request *)(void *)(memory + (size_t)slot * SLOT_BYTES + REPLY_BYTES);
}

#endif
