/* Parameters as the text of lines, and as the bytes of tagged records. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "param.h"
#include "param_code.h"
#include "reference/nearest.h"

static void print_scalar(const Scalar *scalar, Text *text)
{
    if (scalar->im == 0 && !signbit(scalar->im)) {
        text_put_double(text, scalar->re);
        return;
    }
    text_printf(text, "(");
    text_put_double(text, scalar->re);
    text_printf(text, ",");
    text_put_double(text, scalar->im);
    text_printf(text, ")");
}

static void print_shape(const Shape *shape, Text *text)
{
    text_put(text, shape->rank == 0 ? "scalar" : "");
    for (int64_t axis = 0; axis < shape->rank; axis++) {
        text_put(text, axis ? "x" : "");
        text_put_integer(text, shape->extent[axis]);
    }
}

void param_print(const Param *param, const void *values, Text *text)
{
    const void *at = (const char *)values + param->offset;
    const ValueList *list = at;
    long long number = param->kind == PARAM_SCALAR ? 0 : (long long)*(const int64_t *)at;
    switch (param->kind) {
    case PARAM_DTYPE:
    case PARAM_CHOICE:
        text_put(text, param->names[number]);
        break;
    case PARAM_PAD:
        text_printf(text, number ? "+%lld" : "%lld", number);
        break;
    case PARAM_SEED:
        text_printf(text, "%llx", number);
        break;
    case PARAM_SCALAR:
        print_scalar(at, text);
        break;
    case PARAM_SHAPE:
    case PARAM_TUPLE:
        print_shape(at, text);
        break;
    case PARAM_CODE:
        code_print(param, at, text);
        break;
    case PARAM_LIST:
        for (int64_t i = 0; i < list->count; i++) {
            text_put(text, i ? ";" : "");
            text_put_double(text, list->values[i]);
        }
        break;
    default:
        text_put_integer(text, number);
    }
}

static bool parse_double(const char *text, char **end, double *value)
{
    if (!strncmp(text, "nan", 3)) {
        *end = (char *)(uintptr_t)(text + 3);
        *value = NAN;
        return true;
    }
    *value = strtod(text, end);
    if (isnan(*value))
        *value = NAN;
    return *end != text;
}

static bool parse_scalar(Scalar *scalar, const char *text)
{
    char *end;
    *scalar = (Scalar){0};
    if (*text != '(')
        return parse_double(text, &end, &scalar->re) && *end == '\0';
    if (!parse_double(text + 1, &end, &scalar->re) || *end != ',')
        return false;
    return parse_double(end + 1, &end, &scalar->im) && !strcmp(end, ")");
}

static bool parse_list(ValueList *list, const char *text)
{
    ValueList parsed = {0};
    while (*text) {
        char *end;
        if (parsed.count == PARAM_LIST_MAX ||
            !parse_double(text, &end, &parsed.values[parsed.count++]))
            return false;
        if (*end != '\0' && (*end != ';' || end[1] == '\0'))
            return false;
        text = *end ? end + 1 : end;
    }
    *list = parsed;
    return true;
}

static bool parse_shape(const Param *param, Shape *shape, const char *text)
{
    Shape parsed = {0};
    bool tuple = param->kind == PARAM_TUPLE;
    int64_t least = tuple ? param->rank : param->minimum,
            most = tuple ? param->rank : param->maximum;
    char *end = (char *)(uintptr_t)text;
    while (strcmp(text, "scalar") != 0) {
        errno = 0;
        long long extent = strtoll(text, &end, 10);
        if (end == text || errno != 0 || extent < 0 || extent > SHAPE_EXTENT_MAX ||
            parsed.rank == most || (*end != 'x' && *end != '\0'))
            return false;
        parsed.extent[parsed.rank++] = extent;
        if (*end == '\0')
            break;
        text = end + 1;
    }
    if (parsed.rank < least || (!tuple && shape_count(&parsed) > SHAPE_COUNT_MAX))
        return false;
    for (int64_t axis = 0; tuple && axis < parsed.rank; axis++)
        if (parsed.extent[axis] < param->minimum || parsed.extent[axis] > param->maximum)
            return false;
    *shape = parsed;
    return true;
}

static bool parse_choice(const Param *param, int64_t *value, const char *text)
{
    for (int64_t i = 0; i <= param->maximum; i++) {
        if (!strcmp(param->names[i], text)) {
            *value = i;
            return true;
        }
    }
    return false;
}

static bool parse_number(const Param *param, int64_t *value, const char *text)
{
    char *end;
    errno = 0;
    long long number = strtoll(text, &end, param->kind == PARAM_SEED ? 16 : 10);
    if (end == text || *end != '\0' || errno != 0 || number < param->minimum ||
        number > param->maximum || (number == 0 && param_excludes_zero(param)))
        return false;
    *value = number;
    return true;
}

static void put_nearest(const Param *param, const char *text, Text *error)
{
    Nearest nearest = nearest_begin(text, strlen(text));
    for (int64_t i = 0; i <= param->maximum; i++)
        nearest_offer(&nearest, param->names[i]);
    nearest_put(&nearest, error);
}

bool param_parse(const Param *param, void *values, const char *text, Text *error)
{
    int64_t *integer = param_integer(param, values);
    switch (param->kind) {
    case PARAM_DTYPE:
    case PARAM_CHOICE:
        if (parse_choice(param, integer, text))
            return true;
        text_printf(error, "%s=%s: expected one of", param->name, text);
        for (int64_t i = 0; i <= param->maximum; i++)
            text_printf(error, "%s %s", i ? "," : "", param->names[i]);
        put_nearest(param, text, error);
        return false;
    case PARAM_SCALAR:
        if (parse_scalar(param_scalar(param, values), text))
            return true;
        text_printf(error, "%s=%s: expected a number or (re,im)", param->name, text);
        return false;
    case PARAM_TUPLE:
        if (parse_shape(param, param_shape(param, values), text))
            return true;
        text_printf(error, "%s=%s: expected %lld numbers in %lld..%lld with x between them",
                    param->name, text, (long long)param->rank, (long long)param->minimum,
                    (long long)param->maximum);
        return false;
    case PARAM_SHAPE:
        if (parse_shape(param, param_shape(param, values), text))
            return true;
        text_printf(error, "%s=%s: expected %lld to %lld extents such as 2x3", param->name, text,
                    (long long)param->minimum, (long long)param->maximum);
        return false;
    case PARAM_CODE:
        if (code_parse(param, param_code(param, values), text))
            return true;
        text_printf(error,
                    "%s=%s: expected up to %d statements with commas between them, such as add.1.2",
                    param->name, text, CODE_MAX);
        return false;
    case PARAM_LIST:
        if (parse_list(param_list(param, values), text))
            return true;
        text_printf(error, "%s:%s: expected up to %d numbers with ; between them", param->name,
                    text, PARAM_LIST_MAX);
        return false;
    default:
        if (parse_number(param, integer, text))
            return true;
        text_printf(error, "%s=%s: expected a %snumber in %lld..%lld", param->name, text,
                    param->kind == PARAM_SEED    ? "hexadecimal "
                    : param_excludes_zero(param) ? "non-zero "
                                                 : "",
                    (long long)param->minimum, (long long)param->maximum);
        return false;
    }
}

void param_encode(const Param *param, const void *values, Text *bytes)
{
    const char *at = (const char *)values + param->offset;
    const ValueList *list = (const void *)at;
    int64_t number;
    switch (param->kind) {
    case PARAM_SCALAR:
        text_append(bytes, at, sizeof(Scalar));
        break;
    case PARAM_SHAPE:
    case PARAM_TUPLE:
        text_append(bytes, at, sizeof(int64_t) * (size_t)(*(const int64_t *)(const void *)at + 1));
        break;
    case PARAM_CODE:
        code_encode(param, (const void *)at, bytes);
        break;
    case PARAM_LIST:
        text_append(bytes, (const char *)list->values, (size_t)list->count * sizeof(double));
        break;
    case PARAM_DTYPE:
    case PARAM_CHOICE: {
        memcpy(&number, at, sizeof number);
        uint16_t tag = name_tag("", param->names[number]);
        text_append(bytes, (const char *)&tag, sizeof tag);
        break;
    }
    default: {
        memcpy(&number, at, sizeof number);
        size_t size = number == (int8_t)number ? 1 : number == (int16_t)number ? 2 : 8;
        text_append(bytes, (const char *)&number, size);
    }
    }
}

static double canonical(double value)
{
    return isnan(value) ? NAN : value;
}

static int64_t decode_number(const uint8_t *payload, size_t size)
{
    uint64_t raw = 0;
    size_t used = size < 8 ? size : 8;
    for (size_t i = 0; i < used; i++)
        raw |= (uint64_t)payload[i] << (8 * i);
    if (used > 0 && used < 8 && (payload[used - 1] & 0x80))
        raw |= ~0ull << (8 * used);
    return (int64_t)raw;
}

static int64_t fold(int64_t number, int64_t low, int64_t high)
{
    if (number >= low && number <= high)
        return number;
    return low + (int64_t)((uint64_t)number % ((uint64_t)(high - low) + 1));
}

static void decode_shape(const Param *param, Shape *shape, const uint8_t *payload, size_t size)
{
    int64_t numbers[TENSOR_RANK_MAX + 1] = {0};
    memcpy(numbers, payload, size < sizeof numbers ? size : sizeof numbers);
    *shape = (Shape){.rank = fold(numbers[0], param->minimum, param->maximum)};
    for (int64_t axis = 0; axis < shape->rank; axis++)
        shape->extent[axis] = fold(numbers[axis + 1], 0, SHAPE_EXTENT_MAX);
    int64_t room = SHAPE_COUNT_MAX;
    bool fits = shape_count(shape) <= room;
    for (int64_t axis = 0; axis < shape->rank && !fits; axis++) {
        shape->extent[axis] =
            fold(shape->extent[axis], 0, room < SHAPE_EXTENT_MAX ? room : SHAPE_EXTENT_MAX);
        room /= shape->extent[axis] > 1 ? shape->extent[axis] : 1;
    }
}

static void decode_tuple(const Param *param, Shape *tuple, const uint8_t *payload, size_t size)
{
    int64_t numbers[TENSOR_RANK_MAX + 1] = {0};
    memcpy(numbers, payload, size < sizeof numbers ? size : sizeof numbers);
    *tuple = (Shape){.rank = param->rank};
    for (int64_t axis = 0; axis < param->rank; axis++)
        tuple->extent[axis] = fold(numbers[axis + 1], param->minimum, param->maximum);
}

void param_decode(const Param *param, void *values, const uint8_t *payload, size_t size)
{
    double numbers[PARAM_LIST_MAX] = {0};
    int64_t *integer = param_integer(param, values), number = decode_number(payload, size);
    size_t count = size / sizeof(double);
    count = count < PARAM_LIST_MAX ? count : PARAM_LIST_MAX;
    for (size_t i = 0; i < count; i++) {
        memcpy(&numbers[i], payload + i * sizeof(double), sizeof(double));
        numbers[i] = canonical(numbers[i]);
    }
    switch (param->kind) {
    case PARAM_SCALAR:
        *param_scalar(param, values) = (Scalar){numbers[0], numbers[1]};
        break;
    case PARAM_TUPLE:
        decode_tuple(param, param_shape(param, values), payload, size);
        break;
    case PARAM_SHAPE:
        decode_shape(param, param_shape(param, values), payload, size);
        break;
    case PARAM_CODE:
        code_decode(param, param_code(param, values), payload, size);
        break;
    case PARAM_LIST:
        *param_list(param, values) = (ValueList){.count = (int64_t)count};
        memcpy(param_list(param, values)->values, numbers, count * sizeof(double));
        break;
    case PARAM_DTYPE:
    case PARAM_CHOICE:
        *integer = 0;
        for (int64_t i = 0; i <= param->maximum; i++)
            if (name_tag("", param->names[i]) == (uint16_t)number)
                *integer = i;
        break;
    default: {
        uint64_t span = (uint64_t)(param->maximum - param->minimum) + 1;
        if (number < param->minimum || number > param->maximum)
            number = param->minimum + (int64_t)((uint64_t)number % span);
        if (number == 0 && param_excludes_zero(param))
            number = param->simplest;
        *integer = number;
    }
    }
}
