/* What the system keeps from the kernels of a process: signals to others, files, and sockets. */
#ifndef REFERENCE_CONFINE_H
#define REFERENCE_CONFINE_H

#include "base.h"

/* Names folders, with ':' between them, in which kernels may write. */
#define CONFINE_VARIABLE "OPCONFORM_WRITABLE"

/* What it can keep from them. */
typedef struct Confinement {
    bool signals; /* Landlock 6, Linux 6.12 */
    bool files;   /* Landlock, Linux 5.13 */
    bool sockets; /* seccomp */
} Confinement;

/* Costs three system calls. */
Confinement confine_possible(void);

/* A file or a folder that the process itself writes to, once it is confined; a few at most, NULL
 * for none.  The text is kept by the caller. */
void confine_allow(const char *path);

/* From here to the end of the process, and of those that it forks, it sends no signal to processes
 * that were there before, changes no file or folder but those that are allowed, and opens no
 * socket: as far as the system can keep it from that.  What is open stays open. */
void confine_begin(void);

/* The same for a library that talks to itself by sockets: it opens them. */
void confine_begin_but_sockets(void);
/* The same for a process that ends others, which were there before. */
void confine_begin_but_signals(void);

#endif
