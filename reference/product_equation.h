/* What a result that is made of matrix products satisfies, as one equation:
 *
 *     R,  T R  or  R T   =   the sum of alpha A B over its terms  +  beta C,
 *
 * at the elements that R has: all, or a triangle.  An operator gives it once; references of some
 * rows and sums with random vectors (checksum.h) follow from it. */
#ifndef REFERENCE_PRODUCT_EQUATION_H
#define REFERENCE_PRODUCT_EQUATION_H

#include "ref.h"
#include "stored_matrix.h"

enum { EQUATION_TERMS_MAX = 2 };

typedef struct ProductTerm {
    Scalar alpha; /* not 0 */
    StoredMatrix a, b;
} ProductTerm;

typedef enum EquationForm {
    RESULT_GIVEN,    /* R is what stands on the right side */
    RESULT_SOLVES,   /* T R is, with a triangular T */
    RESULT_SOLVES_TO /* R T is */
} EquationForm;

/* A result of which a triangle is stored is symmetric or hermitian by its expansion, and so is c;
 * or else its terms have a whole A and B.  c is read only where beta is not 0; where R is unknown
 * there is no term, and beta is not 0.  The real_diagonal of the result says that the imaginary
 * parts of its diagonal are exactly 0. */
typedef struct ProductEquation {
    ProductTerm term[EQUATION_TERMS_MAX];
    int terms;
    Scalar beta;
    StoredMatrix c;
    EquationForm form;
    StoredMatrix t;
    /* A view before the call, of which only its type, extents, strides and limits count.  Of half
     * precision the equation holds in the type of its arithmetic (dtype_arithmetic), and R is its
     * right side rounded. */
    StoredMatrix result;
    bool want_square, signs_drawn, may_draft; /* as AffineInput has them */
    /* Of complex numbers: either way of complex_sum.h is right.  There is one term, alpha is 1 and
     * beta 0 or 1. */
    bool three_products;
} ProductEquation;

/* Of a result that is several matrices in one view: the row-major number there of the first element
 * of each, and how far the next row and the next column are in these numbers. */
typedef struct ProductBlock {
    ProductEquation equation;
    int64_t first, row_step, column_step;
} ProductBlock;

/* What an operator's only output is: one block, or several. */
typedef struct ProductBlocks {
    ProductBlock *block;
    int64_t count;
} ProductBlocks;

/* One block, whose result is the view: its equation, with nothing on the right side. */
ProductEquation *product_of_one(ProductBlocks *product, const Tensor *result, Arena *arena);
/* Adds a term, or none where alpha is 0. */
void equation_add(ProductEquation *equation, Scalar alpha, StoredMatrix a, StoredMatrix b);

/* The view of one block of the whole result. */
Tensor block_view(const ProductBlock *block, const Tensor *whole);

/* Factors that are added up for one element, zeros included. */
int64_t equation_depth(const ProductEquation *equation);

/* The reference of some rows of the result (NULL: all), in their order, with anything in the
 * elements that it has not.  computed: what a kernel found, or NULL for all rows; it is read where
 * R is unknown: each element is judged given the others (solve.h). */
void equation_reference(Ref *ref, const ProductEquation *equation, const Tensor *computed,
                        const size_t *rows, size_t count, Arena *arena);

#endif
