/* Arrays: as a list where it is short or has many values, else by their most frequent value. */
#include "brief_data.h"

#include <string.h>

#include "ops/backend/c_source.h"

enum { LIST_MAX = 12, COLUMNS_MAX = 100, STACK_BYTES_MAX = 1 << 16 };

/* The components of an operand's memory. */
typedef struct Components {
    DType dtype;
    const unsigned char *data;
    int64_t count;
} Components;

static bool is_same(const Components *c, int64_t i, int64_t k)
{
    size_t size = dtype_component_size(c->dtype);
    double x = dtype_load(c->dtype, c->data, i), y = dtype_load(c->dtype, c->data, k);
    bool same_bits = memcmp(c->data + (size_t)i * size, c->data + (size_t)k * size, size) == 0;
    return same_bits || (x != x && y != y && !c_lacks(c->dtype));
}

static int64_t count_same(const Components *c, int64_t i)
{
    int64_t same = 0;
    for (int64_t k = 0; k < c->count; k++)
        same += is_same(c, i, k);
    return same;
}

/* A component whose value more than half of all have, or -1. */
static int64_t find_majority(const Components *c)
{
    int64_t candidate = 0, votes = 0;
    for (int64_t i = 0; i < c->count; i++) {
        if (votes == 0)
            candidate = i;
        votes += is_same(c, candidate, i) ? 1 : -1;
    }
    return 2 * count_same(c, candidate) > c->count ? candidate : -1;
}

static void put_value(Text *source, const Components *c, int64_t i)
{
    c_put_number(source, c->dtype, dtype_load(c->dtype, c->data, i));
}

static bool is_positive_zero(const Components *c, int64_t i)
{
    static const unsigned char zeros[8];
    size_t size = dtype_component_size(c->dtype);
    return memcmp(c->data + (size_t)i * size, zeros, size) == 0;
}

static void put_list(Text *source, const Components *c)
{
    text_put(source, " = {");
    for (int64_t i = 0; i < c->count; i++) {
        text_put(source, i ? ", " : "");
        put_value(source, c, i);
    }
    text_put(source, c->count ? "};\n" : "0};\n");
}

/* Zeros but for some. */
static void put_designated(Text *source, const Components *c, int64_t base)
{
    bool any = false;
    text_put(source, " = {");
    for (int64_t i = 0; i < c->count; i++) {
        if (is_same(c, base, i))
            continue;
        text_printf(source, "%s[%lld] = ", any ? ", " : "", (long long)i);
        put_value(source, c, i);
        any = true;
    }
    text_put(source, any ? "};\n" : "0};\n");
}

static void put_loop(Text *source, const Components *c, int64_t base, const char *name)
{
    text_printf(source,
                ";\n    for (int i = 0; i < %lld; i++)\n        %s[i] = ", (long long)c->count,
                name);
    put_value(source, c, base);
    text_put(source, ";\n");
    for (int64_t i = 0; i < c->count; i++) {
        if (is_same(c, base, i))
            continue;
        text_printf(source, "    %s[%lld] = ", name, (long long)i);
        put_value(source, c, i);
        text_put(source, ";\n");
    }
}

void brief_put_array(Text *source, const Operands *o, int operand, const char *name, size_t slack)
{
    enum { FEW = 8 };
    DType dtype = o->view[operand].dtype;
    size_t bytes = o->block[operand].bytes;
    Components c = {dtype, o->block[operand].data, (int64_t)(bytes / dtype_component_size(dtype))};
    int64_t base = c.count > LIST_MAX ? find_majority(&c) : -1;
    text_printf(source, "    %s%s %s[%lld", bytes > STACK_BYTES_MAX ? "static " : "",
                c_number_type(dtype), name, (long long)(c.count ? c.count : 1));
    text_printf(source, slack ? " + %zu]" : "]", slack / dtype_component_size(dtype));
    if (base >= 0 && is_positive_zero(&c, base))
        put_designated(source, &c, base);
    else if (base >= 0 && c.count - count_same(&c, base) <= FEW)
        put_loop(source, &c, base, name);
    else
        put_list(source, &c);
}

/* The place behind the last comma outside quotes at which a line can be broken, or 0. */
static size_t find_break(const char *line, size_t length)
{
    size_t place = 0;
    bool quoted = false;
    for (size_t i = 0; i + 1 < length && i < COLUMNS_MAX; i++) {
        quoted = quoted != (line[i] == '"');
        if (!quoted && line[i] == ',' && line[i + 1] == ' ')
            place = i + 1;
    }
    return place;
}

void brief_put_wrapped(Text *text, const char *source)
{
    static const char indent[] = "        ";
    while (*source) {
        size_t length = strcspn(source, "\n"), room = COLUMNS_MAX;
        while (length > room) {
            size_t place = find_break(source, room);
            if (place == 0)
                break;
            text_append(text, source, place);
            text_printf(text, "\n%s", indent);
            source += place + 1;
            length -= place + 1;
            room = COLUMNS_MAX - strlen(indent);
        }
        text_append(text, source, length);
        source += length;
        if (*source) {
            text_put(text, "\n");
            source++;
        }
    }
}
