/* Whom a database may make this program open: names of backends in its rows are data of whoever
 * wrote it.  A name without a place means a library of the system or one that was fetched, and may
 * be opened.  What stands at a place (NAME@WHERE: a library, an environment, functions of users) is
 * opened only where the command line names the same place, be it by another mode.
 */
#ifndef OPS_BACKEND_TRUST_H
#define OPS_BACKEND_TRUST_H

#include "backend.h"

/* Notes a name of the command line. */
void trust_name(const char *backend);

/* True when a backend may be opened by a name; else false with one sentence in *error. */
MUST_USE bool trust_allows(const char *backend, Text *error);

/* Appends the option that lets a command open the backend, behind a space and quoted for a shell;
 * nothing where it needs none. */
void trust_put_option(const char *backend, Text *words);

#endif
