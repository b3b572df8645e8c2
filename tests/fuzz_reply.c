/* Fuzzes what a worker may have written into a slot of the shared memory: a status that the
 * protocol knows and a text with an end come of it, whatever it is. */
#include <stdlib.h>
#include <string.h>

#include "ops/backend/process/reply.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    /* At the end of its allocation, so that reading on is seen. */
    Reply *reply = calloc(1, sizeof *reply);
    size_t room = size > 0 ? 1 + data[0] : 1;
    char *message = malloc(room);
    if (!reply || !message)
        abort();
    size_t count = size < sizeof *reply ? size : sizeof *reply;
    if (count > 0)
        memcpy((void *)reply, data, count);
    int status = reply_read(reply, message, room);
    if (status < -1 || status >= REPLY_KINDS || !memchr(message, '\0', room))
        abort();
    free(message);
    free(reply);
    return 0;
}
