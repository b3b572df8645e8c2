/* How a program in C or C++ is built and run. */
#ifndef REPORTS_BUILD_LINE_H
#define REPORTS_BUILD_LINE_H

#include "reproduce.h"

/* Appends a shell command that builds the program from its file and runs it, with more words for
 * the compiler, that of C++ or of C: the library by its short name where the linker finds it so,
 * else by its path. */
void build_line_put(Text *line, const ReproduceInput *input, const Text *words, bool cpp);

/* Append the two commands of the harness: one that builds it, one that runs it. */
void harness_line_put(Text *line, const ReproduceInput *input);
void harness_line_put_run(Text *line, const ReproduceInput *input);

#endif
