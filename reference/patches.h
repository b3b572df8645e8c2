/* What a kernel that moves over an image meets at each of its places, as the rows of a matrix: a
 * convolution is their product with the weights.  Element (place, channel * taps + tap) is one of
 * the image, or 0 where the tap lies in the padding.  A transposed convolution spreads: its places
 * are those of the result, and the element is that of the image from which the tap reaches the
 * place, or 0 where there is none. */
#ifndef REFERENCE_PATCHES_H
#define REFERENCE_PATCHES_H

#include "base.h"
#include "tensor.h"

enum { PATCHES_AXES_MAX = 3 };

/* Of one sample and group.  By spatial axis; before is the padding in front. */
typedef struct Patches {
    Tensor image; /* channels, extents; these lie without gaps */
    bool spreads;
    int axes;
    int64_t kernel[PATCHES_AXES_MAX], stride[PATCHES_AXES_MAX], dilation[PATCHES_AXES_MAX],
        before[PATCHES_AXES_MAX], places[PATCHES_AXES_MAX];
} Patches;

int64_t patches_taps(const Patches *patches);
/* The image as a matrix: a row for each channel. */
Tensor patches_image(const Patches *patches);
/* Rows and columns of the matrix, with the type of the image. */
Tensor patches_view(const Patches *patches);

/* Some rows (NULL: all, which count is the number of), in their order, as a dense matrix. */
Tensor patches_rows(const Patches *patches, const size_t *rows, size_t count, Arena *arena);

/* Places in a line along the last axis that meet the image with one tap: numbers first, first +
 * step and so on of all places.  The view has their elements of all channels, a row for each place.
 */
typedef struct PatchLine {
    int64_t first, step;
    Tensor view;
} PatchLine;

/* Calls visit for each line of one tap. */
typedef void PatchVisit(void *context, const PatchLine *line);
void patches_visit(const Patches *patches, int64_t tap, PatchVisit *visit, void *context);

#endif
