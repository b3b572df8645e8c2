/* What happens to the file of a database while it is written: it is removed or replaced, its disk
 * fills up, or the process comes to the size that it may write. */
#ifndef REPORTS_PLACE_H
#define REPORTS_PLACE_H

#include "connection_parts.h"

/* Notes which file the name means now. */
void place_note(Store *store);
/* To be called before each transaction, when no statement of the store is being run.  Where the
 * file is not there any more, the database is written anew under its name, or beside it where the
 * name means another file.  Where there is little room left, it is kept in memory from now on. Both
 * are said on standard error. */
void place_watch(Store *store);
/* Before the store is closed: writes what is in memory to a spool file, which `opconform merge`
 * brings into the database; without room anywhere, prints the cases.  Both are said on standard
 * error. */
void place_leave(Store *store);

#endif
