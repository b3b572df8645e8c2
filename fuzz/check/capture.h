/* Redirects the standard output and error of processes that run libraries into a file in memory, so
 * that the libraries' own messages do not mix with ours. */
#ifndef FUZZ_CAPTURE_H
#define FUZZ_CAPTURE_H

#include "reference/base.h"

/* Makes a file for this process and those that it starts, in the place of an earlier one; without
 * one the functions below do nothing. */
void capture_open(void);

/* From here to its end, the standard output and error of this process and of those that it starts
 * go there.  Processes that were started meanwhile stay so. */
void capture_begin(void);
void capture_end(void);
/* The same to the end of this process: nothing of its own output is left open in it. */
void capture_stay(void);

/* Empties the file.  Lines of our own, which begin with "opconform: ", are appended to ours; how
 * many others there were is returned. */
uint64_t capture_drain(Text *ours);

/* The beginning of what the file holds, without the last ends of lines. */
void capture_read(char *text, size_t size);

#endif
