/* What a user names behind kernel@: a library with rows of bindings,
 *
 *     ./libsoft.so:softmax=my_softmax(x, y, rows, cols);dot | f64 | result = my_dot(n, x, y)
 *
 * or a file of them: the library in the first line, relative to the file, then a row each.  Lines
 * that begin with a space go on with a row, those that begin with # are comments. */
#ifndef OPS_BACKEND_KERNEL_KERNEL_SOURCE_H
#define OPS_BACKEND_KERNEL_KERNEL_SOURCE_H

#include "ops/backend/row.h"

/* binding.ops and binding.call as in row.h; a row without types has 0. */
typedef struct KernelRow {
    BindingRow binding;
    uint32_t dtypes;
    int line;              /* of the file; 0: there is none */
    void (*address)(void); /* of its function; NULL: it is found by its name */
} KernelRow;

enum { KERNEL_ROWS_MAX = 512 };

typedef struct KernelSource {
    char file[512];     /* of the rows, "" where there is none */
    char library[4096]; /* its full path */
    char *text;         /* the rows, cut up */
    int count;
    KernelRow rows[KERNEL_ROWS_MAX];
} KernelSource;

/* False with one sentence in *error.  Released by kernel_source_release. */
MUST_USE bool kernel_source_read(KernelSource *source, const char *where, Text *error);
void kernel_source_release(KernelSource *source);

/* Adds a row, whose text is cut up and must stay; false with one sentence in *error. */
MUST_USE bool kernel_source_add(KernelSource *source, char *text, int line, Text *error);

/* Says in front of *error where a row stands: by its line, or by its text. */
void kernel_source_put_place(const KernelSource *source, const KernelRow *row, Text *error);

#endif
