/* Writes JSON with the escapes of RFC 8259, and has SQLite read it. */
#include "json.h"

#include "reference/escape.h"

#include <math.h>
#include <sqlite3.h>

void json_put_string(Text *json, const char *string)
{
    text_append(json, "\"", 1);
    for (size_t length; *string; string += length ? length : 1) {
        unsigned char byte = (unsigned char)*string;
        length = escape_printed(string);
        if (byte == '"' || byte == '\\')
            text_printf(json, "\\%c", byte);
        else if (length > 0)
            text_append(json, string, length);
        else
            text_printf(json, byte < 0x80 ? "\\u%04x" : "\\\\x%02x", byte);
    }
    text_append(json, "\"", 1);
}

void json_put_name(Text *json, const char *name)
{
    bool first = json->length > 0 && json->data[json->length - 1] == '{';
    text_put(json, first ? "" : ",");
    json_put_string(json, name);
    text_put(json, ":");
}

void json_put_member(Text *json, const char *name, const char *value)
{
    json_put_name(json, name);
    json_put_string(json, value);
}

void json_put_integer(Text *json, const char *name, int64_t value)
{
    json_put_name(json, name);
    text_printf(json, "%lld", (long long)value);
}

void json_put_number(Text *json, const char *name, double value)
{
    if (isfinite(value)) {
        json_put_name(json, name);
        text_printf(json, "%.17g", value);
    } else
        json_put_member(json, name, isnan(value) ? "NaN" : value > 0 ? "Inf" : "-Inf");
}

bool json_member(const char *object, const char *name, Text *value)
{
    sqlite3 *memory = NULL;
    sqlite3_stmt *statement = NULL;
    bool found = sqlite3_open(":memory:", &memory) == SQLITE_OK &&
                 sqlite3_prepare_v2(memory, "SELECT value FROM json_each(?1) WHERE key = ?2", -1,
                                    &statement, NULL) == SQLITE_OK &&
                 sqlite3_bind_text(statement, 1, object, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_bind_text(statement, 2, name, -1, SQLITE_STATIC) == SQLITE_OK &&
                 sqlite3_step(statement) == SQLITE_ROW;
    if (found)
        text_put(value, (const char *)sqlite3_column_text(statement, 0));
    (void)sqlite3_finalize(statement);
    (void)sqlite3_close(memory);
    return found;
}
