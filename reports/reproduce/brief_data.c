/* Arrays: as a list where it is short or has many values, else by their most frequent value. */
#include "brief_data.h"

#include <stdlib.h>
#include <string.h>

#include "ops/backend/c_source.h"

enum { LIST_MAX = 12, COLUMNS_MAX = 100, STACK_BYTES_MAX = 1 << 16 };

/* The elements of an operand's memory; a complex one has two components. */
typedef struct Elements {
    DType dtype;
    unsigned char *data;
    int64_t count; /* of whole elements */
    int unit;      /* components of each */
    size_t size;   /* of a component */
} Elements;

static const unsigned char *component_at(const Elements *e, int64_t i, int part)
{
    return e->data + (size_t)(i * e->unit + part) * e->size;
}

/* Any NaN is as good as another, except in formats that are written as their bits. */
static bool is_same_part(const Elements *e, int64_t i, int64_t k, int part)
{
    double x = dtype_load(e->dtype, e->data, i * e->unit + part);
    double y = dtype_load(e->dtype, e->data, k * e->unit + part);
    return memcmp(component_at(e, i, part), component_at(e, k, part), e->size) == 0 ||
           (x != x && y != y && !c_lacks(e->dtype));
}

static bool is_same(const Elements *e, int64_t i, int64_t k)
{
    return is_same_part(e, i, k, 0) && (e->unit == 1 || is_same_part(e, i, k, 1));
}

static int64_t count_same(const Elements *e, int64_t i)
{
    int64_t same = 0;
    for (int64_t k = 0; k < e->count; k++)
        same += is_same(e, i, k);
    return same;
}

/* An element whose value more than half of all have, or -1. */
static int64_t find_majority(const Elements *e)
{
    int64_t candidate = 0, votes = 0;
    for (int64_t i = 0; i < e->count; i++) {
        if (votes == 0)
            candidate = i;
        votes += is_same(e, candidate, i) ? 1 : -1;
    }
    return 2 * count_same(e, candidate) > e->count ? candidate : -1;
}

static void put_part(Text *source, const Elements *e, int64_t i, int part)
{
    c_put_number(source, e->dtype, dtype_load(e->dtype, e->data, i * e->unit + part));
}

static bool is_positive_zero(const Elements *e, int64_t i)
{
    static const unsigned char zeros[16];
    return memcmp(component_at(e, i, 0), zeros, e->size * (size_t)e->unit) == 0;
}

static void put_list(Text *source, const Elements *e)
{
    text_put(source, " = {");
    for (int64_t i = 0; i < e->count * e->unit; i++) {
        text_put(source, i ? ", " : "");
        put_part(source, e, i / e->unit, (int)(i % e->unit));
    }
    text_put(source, e->count ? "};\n" : "0};\n");
}

static long long component_of(const Elements *e, int64_t i, int part)
{
    int64_t component = i * e->unit + part;
    return component;
}

/* Zeros but for some. */
static void put_designated(Text *source, const Elements *e, int64_t base)
{
    bool any = false;
    text_put(source, " = {");
    for (int64_t i = 0; i < e->count; i++)
        for (int part = 0; part < e->unit; part++) {
            if (is_same_part(e, base, i, part))
                continue;
            text_printf(source, "%s[%lld] = ", any ? ", " : "", component_of(e, i, part));
            put_part(source, e, i, part);
            any = true;
        }
    text_put(source, any ? "};\n" : "0};\n");
}

/* Long runs of one value as ranges, as GNU C has them. */
static void put_ranges(Text *source, const Elements *e)
{
    enum { LONG_RUN = 4 };
    text_put(source, " = {");
    for (int64_t i = 0, end = 0; i < e->count; i = end) {
        for (end = i + 1; end < e->count && is_same(e, i, end);)
            end++;
        if (end - i < LONG_RUN)
            end = i + 1;
        else
            text_printf(source, "[%lld ... %lld] = ", (long long)i, (long long)end - 1);
        put_part(source, e, i, 0);
        text_put(source, end < e->count ? ", " : "};\n");
    }
}

/* Pairs by a loop, and statements for those that differ. */
static void put_pairs(Text *source, const Elements *e, int64_t base, const char *name)
{
    text_printf(source, ";\n    for (int i = 0; i < %lld; i += 2)\n        %s[i] = ",
                component_of(e, e->count, 0), name);
    put_part(source, e, base, 0);
    text_printf(source, ", %s[i + 1] = ", name);
    put_part(source, e, base, 1);
    text_put(source, ";\n");
    for (int64_t i = 0; i < e->count; i++)
        for (int part = 0; part < e->unit; part++) {
            if (is_same_part(e, base, i, part))
                continue;
            text_printf(source, "    %s[%lld] = ", name, component_of(e, i, part));
            put_part(source, e, i, part);
            text_put(source, ";\n");
        }
}

/* One value, and statements for those that differ. */
static void put_filled(Text *source, const Elements *e, int64_t base, const char *name)
{
    text_printf(source, ";\n    std::fill_n(%s, %lld, ", name, component_of(e, e->count, 0));
    put_part(source, e, base, 0);
    text_put(source, ");\n");
    for (int64_t i = 0; i < e->count; i++) {
        if (is_same(e, base, i))
            continue;
        text_printf(source, "    %s[%lld] = ", name, (long long)i);
        put_part(source, e, i, 0);
        text_put(source, ";\n");
    }
}

/* Gives what lies between the elements the value of the first one. */
static void fill_gaps(const Elements *e, const Operands *o, int operand)
{
    uint8_t *covered = memory_allocate((size_t)e->count + 1, sizeof *covered);
    int64_t base = 0;
    size_t size = e->size * (size_t)e->unit;
    tensor_mark(&o->view[operand], o->block[operand].data, covered);
    while (base < e->count && !covered[base])
        base++;
    for (int64_t i = 0; base < e->count && i < e->count; i++)
        if (!covered[i])
            memcpy(e->data + (size_t)i * size, e->data + (size_t)base * size, size);
    free(covered);
}

void brief_put_array(Text *source, const Operands *o, int operand, const char *name,
                     const BriefArray *how)
{
    enum { FEW = 8 };
    DType dtype = o->view[operand].dtype;
    size_t bytes = o->block[operand].bytes;
    Elements e = {dtype, memory_allocate(bytes + 1, 1), 0, dtype_components(dtype),
                  dtype_component_size(dtype)};
    memcpy(e.data, o->block[operand].data, bytes);
    e.count = (int64_t)(bytes / e.size) / e.unit;
    if (!how->exact)
        fill_gaps(&e, o, operand);
    /* What is overwritten, as one declares it: no NaN shows that an integer was not. */
    if (!how->exact && dtype_is_integer(dtype) && o->shapes.tensor[operand].role == ROLE_OUT)
        memset(e.data, 0, bytes);
    int64_t parts = e.count * e.unit, base = parts > LIST_MAX ? find_majority(&e) : -1;
    text_printf(source, "    %s%s %s[%lld", bytes > STACK_BYTES_MAX ? "static " : "",
                c_number_type(dtype), name, (long long)(parts ? parts : 1));
    text_printf(source, how->slack ? " + %zu]" : "]", how->slack / e.size);
    if (how->cpp && base >= 0 && e.unit == 1 && e.count - count_same(&e, base) <= FEW)
        put_filled(source, &e, base, name);
    else if (how->cpp)
        put_list(source, &e);
    else if (base >= 0 && is_positive_zero(&e, base))
        put_designated(source, &e, base);
    else if (e.unit == 1 && parts > LIST_MAX)
        put_ranges(source, &e);
    else if (base >= 0 && e.count - count_same(&e, base) <= FEW)
        put_pairs(source, &e, base, name);
    else
        put_list(source, &e);
    free(e.data);
}

/* The place behind the comma outside quotes at which a line is broken, or 0: the last one that is
 * in the fewest brackets of those in its second half, or else of all. */
static size_t find_break(const char *line, size_t length)
{
    size_t place = 0;
    int depth = 0, fewest = 0;
    bool quoted = false;
    for (size_t i = 0; i + 1 < length && i < COLUMNS_MAX; i++) {
        quoted = quoted != (line[i] == '"');
        depth += !quoted && strchr("({[", line[i]) ? 1 : 0;
        depth -= !quoted && strchr(")}]", line[i]) ? 1 : 0;
        if (quoted || line[i] != ',' || line[i + 1] != ' ' ||
            (place > length / 2 && depth > fewest))
            continue;
        place = i + 1;
        fewest = depth;
    }
    return place;
}

/* The length of the type that a line declares one array with a list of, or 0. */
static size_t declared(const char *line)
{
    size_t length = strcspn(line, "\n");
    const char *name = memchr(line, '[', length), *list = memchr(line, '=', length);
    if (!name || !list || strncmp(list, "= {", 3) != 0 || line[length - 1] != ';')
        return 0;
    while (name > line && name[-1] != ' ')
        name--;
    return (size_t)(name - line);
}

void brief_join_arrays(Text *text, const char *declarations)
{
    const char *type = NULL;
    size_t type_length = 0, used = 0;
    while (*declarations) {
        size_t length = strcspn(declarations, "\n"), of = declared(declarations);
        bool joins = type && of && of == type_length && !strncmp(type, declarations, of) &&
                     used + length - of + 1 <= COLUMNS_MAX;
        if (joins)
            text->length -= strlen(";\n");
        text_put(text, joins ? ", " : "");
        text_append(text, declarations + (joins ? of : 0), length - (joins ? of : 0));
        text_put(text, "\n");
        used = joins ? used + length - of + 1 : length;
        type = of ? declarations : NULL;
        type_length = of;
        declarations += length + (declarations[length] == '\n');
    }
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
