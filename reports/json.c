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

static void put_name(Text *json, const char *name)
{
    bool first = json->length > 0 && json->data[json->length - 1] == '{';
    text_put(json, first ? "" : ",");
    json_put_string(json, name);
    text_put(json, ":");
}

void json_put_member(Text *json, const char *name, const char *value)
{
    put_name(json, name);
    json_put_string(json, value);
}

void json_put_integer(Text *json, const char *name, int64_t value)
{
    put_name(json, name);
    text_printf(json, "%lld", (long long)value);
}
