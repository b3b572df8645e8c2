/* A text in JSON, read from front to back; only what is asked for is kept.  Source: RFC 8259. */
#ifndef OPS_IMPORT_JSON_H
#define OPS_IMPORT_JSON_H

#include "reference/base.h"

/* broken: the text is no JSON from `at` on; nothing more is read then. */
typedef struct Json {
    const char *at, *end;
    bool broken;
} Json;

enum { JSON_TEXT_BYTES = 160 };

/* The first byte of the value that follows: { [ " or another one; 0 at the end. */
char json_peek(Json *json);
/* Goes into an object or a list; false where it is none, which is skipped. */
MUST_USE bool json_enter(Json *json, char open);
/* The next key of the object, cut where it is too long; false at its end. */
MUST_USE bool json_key(Json *json, char key[JSON_TEXT_BYTES]);
/* True where the list has one more value; false at its end. */
MUST_USE bool json_item(Json *json);
/* A text, or a number or word as it stands; cut where it is too long.  Other values are skipped and
 * give "". */
void json_text(Json *json, char text[JSON_TEXT_BYTES]);
/* A number; 0 where the value is none. */
double json_number(Json *json);
void json_skip(Json *json);

#endif
