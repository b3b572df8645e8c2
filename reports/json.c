/* Escapes of RFC 8259. */
#include "json.h"

void json_put_string(Text *json, const char *string)
{
    text_append(json, "\"", 1);
    for (; *string; string++) {
        unsigned char byte = (unsigned char)*string;
        if (byte < 0x20)
            text_printf(json, "\\u%04x", byte);
        else
            text_printf(json, byte == '"' || byte == '\\' ? "\\%c" : "%c", byte);
    }
    text_append(json, "\"", 1);
}
