/* Strings of JSON. */
#ifndef REPORTS_JSON_H
#define REPORTS_JSON_H

#include "reference/base.h"

/* Appends the string in quotation marks, with what must be escaped. */
void json_put_string(Text *json, const char *string);
/* Members of the object that was begun with "{". */
void json_put_member(Text *json, const char *name, const char *value);
void json_put_integer(Text *json, const char *name, int64_t value);

#endif
