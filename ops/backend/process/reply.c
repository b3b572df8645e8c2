#include "reply.h"

int reply_read(const volatile Reply *reply, char *message, size_t room)
{
    uint32_t status = reply->status, length = reply->length;
    size_t count = length < REPLY_TEXT ? length : REPLY_TEXT;
    count = count < room - 1 ? count : room - 1;
    for (size_t i = 0; i < count; i++)
        message[i] = reply->text[i];
    message[count] = '\0';
    return status >= REPLY_KINDS ? -1 : (int)status;
}
