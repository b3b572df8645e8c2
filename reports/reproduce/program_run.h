/* Builds and runs a program that shows a finding, as its reader would. */
#ifndef REPORTS_PROGRAM_RUN_H
#define REPORTS_PROGRAM_RUN_H

#include "reference/base.h"

/* With what the names of the folders begin that programs run in. */
#define PROGRAM_FOLDER "/tmp/opconform-program-"

enum { PROGRAM_NOT_BUILT = -1, PROGRAM_NOT_ENDED = -2 };

/* Runs a program in a folder of its own, for a minute at most: source is in the file there, command
 * is the shell's that builds and runs it, and variables are NAME=VALUE ... of the environment, or
 * NULL.  Appends what it prints.  Returns its exit status, or 128 and the number of the signal that
 * ended it. */
int program_run(const char *file, const Text *source, const char *command, const char *variables,
                Text *output);

/* Runs a command of the shell so, and appends what it prints; its exit status, or a negative number
 * where it did not end. */
int command_run(const char *command, Text *output);

#endif
