/* Builds and runs a program that shows a finding, as its reader would. */
#ifndef REPORTS_PROGRAM_RUN_H
#define REPORTS_PROGRAM_RUN_H

#include "reference/base.h"

enum { PROGRAM_NOT_BUILT = -1, PROGRAM_NOT_ENDED = -2 };

/* How a program is run, besides the commands in its source; NULL where there is nothing to say. */
typedef struct ProgramSetting {
    const char *interpreter; /* a command that runs it, in place of those of its source */
    const char *variables;   /* NAME=VALUE ... of the environment */
} ProgramSetting;

/* Runs it in a folder of its own, for a minute at most: by the interpreter, or by the commands
 * behind "build:" and "run:" at the top of its source.  Appends what it prints.  Returns its exit
 * status, or 128 and the number of the signal that ended it. */
int program_run(const char *file, const Text *source, const ProgramSetting *setting, Text *output);

/* Runs a command of the shell so, and appends what it prints; its exit status, or a negative number
 * where it did not end. */
int command_run(const char *command, Text *output);

#endif
