/* Reads the reply in a slot.  A worker whose memory is corrupt may have written anything there. */
#ifndef OPS_BACKEND_PROCESS_REPLY_H
#define OPS_BACKEND_PROCESS_REPLY_H

#include <stddef.h>

#include "protocol.h"

/* Its status, or -1 for none that the protocol knows.  What it says goes to message, at most room -
 * 1 bytes and a NUL; the reply may change meanwhile. */
int reply_read(const volatile Reply *reply, char *message, size_t room);

#endif
