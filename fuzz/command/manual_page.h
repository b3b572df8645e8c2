/* What the tables of commands and options become beside --help: pages for man, and completions for
 * shells. */
#ifndef FUZZ_COMMAND_MANUAL_PAGE_H
#define FUZZ_COMMAND_MANUAL_PAGE_H

#include "command.h"

/* Prints the page opconform(1), or of a command opconform-COMMAND(1), as man reads it; name is ""
 * for the former.  False where there is no such command among these, which a NULL ends. */
bool manual_page(const Command *const *commands, const char *name);

/* Prints what a shell (bash, zsh or fish) reads to complete commands, options, and the names of
 * operators, backends, element types and queries.  False where the shell is none of these. */
bool completion(const Command *const *commands, const char *shell);

#endif
