/* Writes the members of JSON objects one by one, and reads a member of an object. */
#ifndef REPORTS_JSON_H
#define REPORTS_JSON_H

#include "reference/base.h"

/* Appends the string in quotation marks, with escapes. */
void json_put_string(Text *json, const char *string);
/* Append a member to an object, after the "{" or another member.  json_put_name appends the name
 * and the colon; the caller appends the value. */
void json_put_name(Text *json, const char *name);
void json_put_member(Text *json, const char *name, const char *value);
void json_put_integer(Text *json, const char *name, int64_t value);
/* JSON has finite numbers only: other values become the strings "Inf", "-Inf" and "NaN". */
void json_put_number(Text *json, const char *name, double value);

/* Appends the value of a member as text; false where the object is not valid JSON or lacks it. */
MUST_USE bool json_member(const char *object, const char *name, Text *value);

#endif
