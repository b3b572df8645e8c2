/* Whom a database may make this program open: names of backends in its rows are data of whoever
 * wrote it.  Code of users (BackendKind.user_code) is opened only where the command line names it.
 */
#ifndef OPS_BACKEND_TRUST_H
#define OPS_BACKEND_TRUST_H

#include "backend.h"

/* Notes a name of the command line. */
void trust_name(const char *backend);

/* True when a backend of a kind may be opened by a name; else false with one sentence in *error. */
MUST_USE bool trust_allows(const BackendKind *kind, const char *backend, Text *error);

#endif
