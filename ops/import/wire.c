#include "wire.h"

bool wire_number(Bytes *packed, uint64_t *number)
{
    *number = 0;
    for (unsigned shift = 0; shift < 64 && packed->length > 0; shift += 7) {
        unsigned char byte = *packed->at++;
        packed->length--;
        *number |= (uint64_t)(byte & 127) << shift;
        if (byte < 128)
            return true;
    }
    return false;
}

bool wire_fixed(Bytes *packed, size_t width, uint64_t *number)
{
    *number = 0;
    if (packed->length < width)
        return false;
    for (size_t i = 0; i < width; i++)
        *number |= (uint64_t)packed->at[i] << 8 * i;
    packed->at += width;
    packed->length -= width;
    return true;
}

static bool take_bytes(Bytes *message, Bytes *bytes)
{
    uint64_t length;
    if (!wire_number(message, &length) || length > message->length)
        return false;
    *bytes = (Bytes){message->at, (size_t)length};
    message->at += length;
    message->length -= (size_t)length;
    return true;
}

static bool take_value(Bytes *message, WireField *field)
{
    switch (field->kind) {
    case WIRE_NUMBER:
        return wire_number(message, &field->number);
    case WIRE_DOUBLE:
        return wire_fixed(message, 8, &field->number);
    case WIRE_FLOAT:
        return wire_fixed(message, 4, &field->number);
    case WIRE_BYTES:
        return take_bytes(message, &field->bytes);
    default:
        return false;
    }
}

WireStep wire_next(Bytes *message, WireField *field)
{
    uint64_t key;
    if (message->length == 0)
        return WIRE_END;
    if (!wire_number(message, &key))
        return WIRE_BROKEN;
    *field = (WireField){.field = key >> 3, .kind = (WireKind)(key & 7)};
    return take_value(message, field) ? WIRE_FIELD : WIRE_BROKEN;
}
