/* Builds and runs a program that shows a finding, as its reader would. */
#ifndef REPORTS_PROGRAM_RUN_H
#define REPORTS_PROGRAM_RUN_H

#include "reference/base.h"

enum { PROGRAM_NOT_BUILT = -1, PROGRAM_NOT_ENDED = -2 };

/* Runs it in a folder of its own, for a minute at most: by the interpreter, a command, or where
 * that is NULL by the commands behind "build:" and "run:" at the top of its source.  Appends what
 * it prints.  Returns its exit status, or 128 and the number of the signal that ended it. */
int program_run(const char *file, const Text *source, const char *interpreter, Text *output);

#endif
