/* Between the functions that the recorder exports, which native/recorder_functions.c makes of the
 * rows of the BLAS, and native/recorder.c. */
#ifndef OPS_BACKEND_BLAS_NATIVE_RECORDER_H
#define OPS_BACKEND_BLAS_NATIVE_RECORDER_H

#include <stdbool.h>
#include <stdint.h>

/* One function of one interface under one name.  `arguments` has a letter for each argument: i
 * integer, e enumerator, l letter, o operand, s d c z factor of that type, h factor of 16 bits, g
 * array with one element per group. */
typedef struct RecorderFunction {
    const char *name, *arguments;
    const char *isamax, *cdotu; /* those of the same library, which tell its conventions */
    uint32_t number;            /* by recordable_function */
    bool wide_integers;         /* integers have 64 bits, by the name */
    bool may_hide;              /* a first argument may say where the result goes */
} RecorderFunction;
extern const RecorderFunction recorder_functions[];

/* Writes a call down, unless it is made within another one, and returns the function that the
 * caller would have reached without the recorder.  values has the address of each argument that is
 * passed by value, and the others themselves; caller is the return address and frame that of the
 * exported function, which names it by its place in recorder_functions. */
typedef void RecorderTarget(void);
RecorderTarget *recorder_begin(uint32_t place, const void *const *values, const void *caller,
                               const void *frame);
void recorder_end(const void *frame);

#endif
