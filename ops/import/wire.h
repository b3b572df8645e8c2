/* The wire format of protocol buffers: fields of a message one after the other, within its bytes.
 * Source: Protocol Buffers documentation, "Encoding". */
#ifndef OPS_IMPORT_WIRE_H
#define OPS_IMPORT_WIRE_H

#include "reference/base.h"

typedef struct Bytes {
    const unsigned char *at;
    size_t length;
} Bytes;

typedef enum WireKind { WIRE_NUMBER = 0, WIRE_DOUBLE = 1, WIRE_BYTES = 2, WIRE_FLOAT = 5 } WireKind;

/* number holds the value of WIRE_NUMBER, and the bits of WIRE_DOUBLE and WIRE_FLOAT. */
typedef struct WireField {
    uint64_t field;
    WireKind kind;
    uint64_t number;
    Bytes bytes;
} WireField;

typedef enum WireStep { WIRE_FIELD, WIRE_END, WIRE_BROKEN } WireStep;

/* Takes the next field off the front of a message. */
WireStep wire_next(Bytes *message, WireField *field);
/* Takes a number off the front of a packed field; false where there is none. */
MUST_USE bool wire_number(Bytes *packed, uint64_t *number);
/* The same with a number of 4 or 8 bytes. */
MUST_USE bool wire_fixed(Bytes *packed, size_t width, uint64_t *number);

#endif
