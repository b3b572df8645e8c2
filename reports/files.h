/* Whole files as text, and folders. */
#ifndef REPORTS_FILES_H
#define REPORTS_FILES_H

#include <stdio.h>

#include "reference/base.h"

/* All functions return false with one sentence in *error, which begins with the path. */

/* Append the rest of an open file, and the whole file at path. */
void file_append(FILE *file, Text *text);
MUST_USE bool file_read(const char *path, Text *text, Text *error);

MUST_USE bool file_write(const char *path, const Text *text, Text *error);
/* Replaces the file by the text in one step, so that no reader sees half of it.  With durable it
 * returns after the text is on the disk. */
MUST_USE bool file_replace(const char *path, const Text *text, bool durable, Text *error);

/* Puts a whole file in the place of another, or makes it, in one step: it is on the disk before it
 * has the name, and the name when this returns.  Both are on one file system. */
MUST_USE bool file_publish(const char *from, const char *to, Text *error);
/* Takes the lock of the file, made if there is none, which ends with the process; its descriptor.
 * -1 where there is none to be had, and *busy where another process has it. */
int file_lock(const char *path, bool *busy, Text *error);

/* Makes the folder; true as well where it exists. */
MUST_USE bool folder_make(const char *path, Text *error);

/* False with one sentence in *error where the text, of this file, has a NUL, behind which nobody
 * would look. */
MUST_USE bool file_is_text(const char *path, const Text *text, Text *error);

/* What the names of programs end with; NULL behind the last one. */
extern const char *const program_endings[];
bool is_program_ending(const char *ending);

#endif
