/* Effects of statements that several files have. */
#ifndef OPS_PROGRAM_EFFECTS_H
#define OPS_PROGRAM_EFFECTS_H

#include "program.h"

typedef Ball Elementwise(const Format *format, Ball x, Ball y);
typedef void Effect(Machine *m, const uint8_t *number);

/* The vector of the variable that a number names. */
Vector *variable(Machine *m, const uint8_t *number, int which);
/* Gives the variable that number 0 names a vector of its own. */
void bind_variable(Machine *m, const uint8_t *number, Vector value);
Vector combined(const Machine *m, const Vector *x, const Vector *y, Elementwise *operation);
Vector combined_with(const Machine *m, const Vector *x, Ball y, Elementwise *operation);
/* Between -64 and 64. */
Ball ball_clipped(Ball x);
/* The place of another item: of four the first leaves. */
int *items_next(Machine *m);

/* Updates in place, of vectors that other names may have. */
Effect run_slice_add, run_slice_shift, run_step_set, run_add_in_place;
/* Other names of the same vector, and views of parts of it. */
Effect run_alias, run_alias_append, run_alias_item, run_view, run_view_step, run_view_turned,
    run_view_input, run_view_view;
/* Updates through the view, and what it shows. */
Effect run_view_add, run_view_halve, run_view_set, run_view_copy, run_view_get;

/* Gradients of sums, clipped to 64. */
Effect run_slope_square, run_slope_maximum, run_slope_slice, run_slope_product, run_slope_twice,
    run_slope_loop, run_slope_branch;
Effect run_autocast_product, run_autocast_off, run_autocast_sum;

#endif
