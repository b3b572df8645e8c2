/* Whole files as text, and folders. */
#ifndef REPORTS_FILES_H
#define REPORTS_FILES_H

#include <stdio.h>

#include "reference/base.h"

/* All functions return false with one sentence in *error, which begins with the path. */

/* Appends what is left of an open file, or all of the one at path. */
void file_append(FILE *file, Text *text);
MUST_USE bool file_read(const char *path, Text *text, Text *error);

MUST_USE bool file_write(const char *path, const Text *text, Text *error);
/* Puts the text in the place of the file at once, so that nobody reads half of it; durable also
 * waits until it would survive a loss of power. */
MUST_USE bool file_replace(const char *path, const Text *text, bool durable, Text *error);

/* One that is there already is as good. */
MUST_USE bool folder_make(const char *path, Text *error);

#endif
