/* A call of a primitive of oneDNN, as its verbose lines and benchdnn describe it.  Source: oneDNN's
 * documentation, "Verbose Mode" and "Benchmarking" (the problem descriptors of benchdnn). */
#ifndef OPS_IMPORT_ONEDNN_PRIMITIVE_H
#define OPS_IMPORT_ONEDNN_PRIMITIVE_H

#include "draft.h"
#include "import.h"

/* Fields of a verbose line, by these names: "convolution", "forward_training",
 * "src_f32::blocked:abcd:f0 ..." or "src:f32 ...", attributes, "alg:eltwise_relu alpha:0 beta:0",
 * "mb2_ic3oc8_ih16oh8kh3sh2dh0ph1" or "2x3x4". */
typedef struct Primitive {
    const char *kind, *direction, *descriptors, *attributes, *more, *problem;
} Primitive;

/* Gives the import a case of it; false with draft->why where it is none. */
MUST_USE bool onednn_import(Import *import, const Primitive *primitive, Draft *draft);

/* The number behind a name in a problem such as "g2mb1_ic3oc8_ih16oh8"; false if it is not there.
 */
bool onednn_read_number(const char *problem, const char *name, int64_t *value);

/* One axis of an image and its window. */
typedef struct OnednnAxis {
    int64_t input, output, kernel, stride, dilation, padding;
} OnednnAxis;
/* Reads the numbers of the axis d, h or w; those that a problem leaves out stay as they are.  False
 * where it has none of them. */
bool onednn_read_axis(const char *problem, char letter, OnednnAxis *axis);

#endif
