/* Matrices times vectors, two at once, and what is noted of the elements on the way; private to
 * checksum.c. */
#ifndef REFERENCE_MATRIX_SUMS_H
#define REFERENCE_MATRIX_SUMS_H

#include "stored_matrix.h"

enum { CHECKSUM_VECTORS = 2 };

/* Two vectors, of real and of imaginary parts (NULL: none). */
typedef struct Vectors {
    double *part[2][CHECKSUM_VECTORS];
} Vectors;

/* One matrix, and what was noted of its elements: a power of two, whether there are such that are
 * no multiples of it, and the largest magnitude of a part. */
typedef struct NotedMatrix {
    const StoredMatrix *of;
    int lattice;
    bool between;
    double largest;
} NotedMatrix;

Vectors vectors_zero(size_t length, Arena *arena);

/* With a power of two that the elements are taken for multiples of, and the largest magnitude:
 * those of some of them. */
NotedMatrix matrix_noted(const StoredMatrix *matrix);

/* The matrix times vectors, whose imaginary parts may be missing; where `sizes`, the second one
 * times magnitudes of its parts: their sum is at least the size of each part of the product. */
Vectors matrix_multiply(NotedMatrix *matrix, const Vectors *x, bool sizes, Arena *arena);

/* Element i is row i of A times the sum of the columns j of B, each times x_j: of those up to i, or
 * from i on.  So it is that of one triangle of A B.  x is real. */
Vectors triangle_multiply(NotedMatrix *a, NotedMatrix *b, const Vectors *x, bool lower, bool sizes,
                          Arena *arena);

#endif
