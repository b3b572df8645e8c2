/* The folder in which frameworks keep files: what their compilers make, and what they cache.  It is
 * the user's, for all runs, since a program that was compiled once need not be compiled again. */
#ifndef REFERENCE_SCRATCH_H
#define REFERENCE_SCRATCH_H

/* Makes it where it is not there yet; NULL where no folder for temporary files takes one. */
const char *scratch_folder(void);

/* Lets this process and those that come of it keep their files there. */
void scratch_use(void);

#endif
