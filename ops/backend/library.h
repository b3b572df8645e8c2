/* Shared libraries: where they are, in which variants and versions, and loading them with private
 * symbols, so that several versions of one run side by side. */
#ifndef OPS_BACKEND_LIBRARY_H
#define OPS_BACKEND_LIBRARY_H

#include "backend.h"

/* A build of the same library under a name, as distributions install them side by side. */
typedef struct LibraryVariant {
    const char *mode, *path;
} LibraryVariant;

/* A library that is known by name: its files, its package, and how its builds and variants are told
 * apart. */
typedef struct LibrarySource {
    const char *const *paths; /* tried in order when no path is given, ended by NULL */
    /* Libraries of which the first that is there is loaded before, so that this one is bound to it
     * in place of another that the system prefers; ended by NULL.  Then only what lies in this
     * library itself is called.  NULL: none. */
    const char *const *below;
    const char *package; /* how to install it, for the message when it is absent, or NULL */
    const char *reject;  /* a symbol that must not be there: an alternative posing as this */
    const LibraryVariant *variants; /* ended by a NULL mode, or NULL */
    const char *const *fetched;     /* file names in the folders of pinned versions, or NULL */
    const char *core_variable;      /* environment variable that picks the kernels, or NULL */
    const char *layer_variable;     /* the one that is "SEQUENTIAL" for one thread, or NULL */
    const char *const *settings;    /* other words of a mode, which the backend reads, or NULL */
} LibrarySource;

/* A library's file; empty to try the usual paths.  A private copy is an instance of its own, for
 * settings that are read while a library loads. */
typedef struct LibraryPlace {
    char path[4096], core[32]; /* core: as it was asked for, else empty */
    bool private_copy;
} LibraryPlace;

/* Reads the backend's mode (variants, versions and core=NAME, with + between them) and place;
 * false with one sentence in *error. */
bool library_find(LibraryPlace *place, const Backend *backend, const LibrarySource *source,
                  Text *error);
/* Loads path as the place says; NULL when it cannot. */
void *library_load(const LibraryPlace *place, const char *path);
/* The file that a private copy of path was made of. */
const char *library_copied(const char *path);
/* Both, for the first of the usual paths that can be loaded: NULL with one sentence in *error. */
void *library_open(const Backend *backend, const LibrarySource *source, Text *error);
/* The folder of the executable, and that which make backends and make frameworks fill: beside it,
 * or as the user says. */
void library_program_folder(char *folder, size_t size);
void library_fetched_folder(char *folder, size_t size);
/* Names of the folders of pinned versions, NAME-VERSION each, ended by NULL; generated from
 * fetch/wheels.txt and fetch/frameworks.txt. */
extern const char *const library_pinned[];
/* The version with a number, from 0 in the order of those files; NULL where there are no more. */
const char *library_pinned_version(const char *name, int number);
/* Appends what to do when a library is absent, in parentheses; nothing where that is not known. */
void library_advise(const Backend *backend, const LibrarySource *source, Text *error);
/* True when the mode of the backend has this word. */
bool library_has_setting(const Backend *backend, const char *word);
/* Sets facts->path to the file that the loader took, and facts->version, if it is empty, to the
 * version in that file's name. */
void library_describe(void *handle, BackendFacts *facts);

#endif
