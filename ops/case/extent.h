/* Products of extents under the words with which functions of flat arrays are told them: n, rows,
 * cols.  Which axes are the columns follows from the operator: the axis that it works along, those
 * that it reduces, those of the layer that it normalises, else the last one. */
#ifndef OPS_CASE_EXTENT_H
#define OPS_CASE_EXTENT_H

#include "case.h"

/* Numbers among the parameters of a case, whose product has a name. */
typedef struct Extents {
    int count;
    size_t offset[2 * TENSOR_RANK_MAX]; /* in Case.params, the innermost last */
} Extents;

typedef enum ExtentSide {
    EXTENT_ALL,
    EXTENT_ROWS,
    EXTENT_COLUMNS,
    EXTENT_OUTER,
    EXTENT_INNER
} ExtentSide;

/* A word.  needs are the parameters of operators that have it, with spaces between; where factors
 * is not NULL the product is of these parameters, else it is a side of the parameter `of`. */
typedef struct ExtentRow {
    const char *name, *needs;
    ExtentSide side;
    const char *of, *factors;
    const char *help;
} ExtentRow;

/* Ended by a row without name. */
extern const ExtentRow extent_rows[];

/* The row of a word for an operator, NULL where it has none. */
const ExtentRow *extent_row(const OpDesc *op, const char *word);
/* The numbers that a row stands for in a case, and their product. */
Extents extent_numbers(const ExtentRow *row, const Case *c);
int64_t extents_product(const Extents *extents, const Case *c);

/* True when axis number `axis` is one of the columns. */
bool extent_is_column(const Case *c, int axis);

#endif
