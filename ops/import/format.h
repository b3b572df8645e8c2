/* Logs of libraries and lines of their benchmarks, read line by line; and models, read as a whole.
 */
#ifndef OPS_IMPORT_FORMAT_H
#define OPS_IMPORT_FORMAT_H

#include "import.h"

typedef enum LineMeaning {
    LINE_OTHER, /* says nothing of a call */
    LINE_CALL,  /* was taken */
    LINE_BAD    /* is of the format, and gives no case, or not all of its own: *why says why */
} LineMeaning;

/* Is told of each part of a file that is no case: its number, from 1, and one sentence. */
typedef void ImportTell(void *context, size_t number, const char *reason);

/* One of read and read_file. */
typedef struct ImportFormat {
    const char *name, *help;
    const char *part; /* what is counted: a line, a node */
    /* Takes a line, which it may change. */
    LineMeaning (*read)(Import *import, char *line, Text *why);
    /* Takes a file; false with one sentence in *error where it is none of the format. */
    bool (*read_file)(Import *import, const Text *file, ImportTell *tell, void *context,
                      Text *error);
} ImportFormat;

/* All formats, ended by a NULL name. */
extern const ImportFormat import_formats[];

/* Readers: MKL_VERBOSE=1; rocblas-bench and hipblas-bench with what ROCBLAS_LAYER=2 and 4 write;
 * ONEDNN_VERBOSE=1 of versions 1 to 3; benchdnn. */
LineMeaning import_mkl_line(Import *import, char *line, Text *why);
LineMeaning import_rocblas_line(Import *import, char *line, Text *why);
LineMeaning import_onednn_line(Import *import, char *line, Text *why);
LineMeaning import_benchdnn_line(Import *import, char *line, Text *why);

#endif
