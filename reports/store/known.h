/* Known issues: a reviewed list, whose entries are matched with the findings. */
#ifndef REPORTS_KNOWN_H
#define REPORTS_KNOWN_H

#include "connection.h"

/* Replaces the known issues by those of a JSON array: objects with match (an object of GLOB
 * patterns by column of finding), reason, owner, expires and perhaps link. */
MUST_USE bool store_put_known(Store *store, const char *json, const char *source, Text *error);

/* Notes which known issue a finding, or each where it is 0, matches; within a transaction. */
MUST_USE bool store_match_known(Store *store, int64_t finding, Text *error);

/* Whether the list could be put, without a database, and each pattern of an operator, an element
 * type or a kind matches one that there is; false with one sentence in *error. */
MUST_USE bool store_check_known(const char *json, const char *source, Text *error);

#endif
