/* This program once more, in a process of its own. */
#ifndef FUZZ_SELF_H
#define FUZZ_SELF_H

#include "command.h"
#include "reference/child.h"

/* Starts a command with arguments, ended by NULL, and with those of the options that it takes; its
 * output and its libraries' is added to the file of the log.  False where there is no process. */
MUST_USE bool self_start(Child *child, const char *log, const Command *command,
                         const Options *options, const char *const *arguments);

#endif
