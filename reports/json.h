/* Strings of JSON. */
#ifndef REPORTS_JSON_H
#define REPORTS_JSON_H

#include "reference/base.h"

/* Appends the string in quotation marks, with what must be escaped. */
void json_put_string(Text *json, const char *string);

#endif
