/* What a worker, which may be out of its mind, wrote into a slot. */
#ifndef OPS_BACKEND_WORKER_REPLY_H
#define OPS_BACKEND_WORKER_REPLY_H

#include <stddef.h>

#include "worker_protocol.h"

/* Its status, or -1 for none that the protocol knows.  What it says goes to message, at most room -
 * 1 bytes and a NUL; the reply may change meanwhile. */
int worker_read_reply(const volatile Reply *reply, char *message, size_t room);

#endif
