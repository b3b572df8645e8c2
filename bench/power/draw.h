/* How others draw cases: parameters and data of the tests that this tool is compared with.  All of
 * them draw element types and choices uniformly, call a kernel once on aligned operands, and keep a
 * case within the work that the tool allows most of its own. */
#ifndef BENCH_POWER_DRAW_H
#define BENCH_POWER_DRAW_H

#include "ops/case/operands.h"

/* How the values of parameters, factors and elements are drawn. */
typedef enum Values {
    VALUES_NORMAL,    /* standard normal */
    VALUES_AUTOTEST,  /* factors uniform in [1, 6), elements in [-1, 1), whole ones -10 to 10 */
    VALUES_HYPOTHESIS /* st.floats(width=...) and hnp.arrays */
} Values;

typedef struct Drawer {
    const char *name;
    int64_t dim_most; /* extents under their own names are uniform from dim_least to it */
    int64_t dim_least;
    int64_t rank_most, side_most; /* of shapes: axes, and extents from 1 */
    int64_t step_most;            /* tuples and whole numbers are uniform up to it */
    int64_t pad_most, increment_most;
    Values values;
} Drawer;

extern const Drawer drawers[]; /* ended by a NULL name */
const Drawer *drawer_find(const char *name);

/* Draws a case of an operator; its data are those of drawer_fill. */
void drawer_draw(const Drawer *drawer, const OpDesc *op, Case *c, uint64_t *state);
/* Writes the data of a case that was built: of operands that may hold anything.  Indices,
 * probabilities and the like stay as the recipes have them. */
void drawer_fill(const Drawer *drawer, Operands *o, uint64_t *state);

/* True where no case of the drawer meets conditions of a planted fault (when.h): others do not vary
 * how a kernel is called, and only Hypothesis makes NaN, infinities and the like. */
bool drawer_never_meets(const Drawer *drawer, const char *when);

#endif
