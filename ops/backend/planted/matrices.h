/* Matrices and integers among the operands of a planted call, by their names. */
#ifndef OPS_BACKEND_PLANTED_MATRICES_H
#define OPS_BACKEND_PLANTED_MATRICES_H

#include "ops/lapack/matrix.h"
#include "planted.h"

const Tensor *planted_view_of(const PlantedCall *call, const char *operand);
/* The address of an element; whether there is one. */
void *planted_place_of(const Tensor *view, int64_t i, int64_t j);
bool planted_is_stored(const Tensor *view, int64_t i, int64_t j);
/* Of operand `a`. */
int64_t planted_extent_of(const PlantedCall *call, int axis);

int64_t planted_load_integer(const PlantedCall *call, const char *operand, int64_t i);
void planted_store_integer(const PlantedCall *call, const char *operand, int64_t i, int64_t value);
void planted_store_matrix(const Tensor *view, const Matrix *matrix);

/* What an operand held before the call. */
Tensor planted_view_before(const PlantedCall *call, const char *operand);
Matrix planted_before_of(const PlantedCall *call, const char *operand);
/* Multiplies the real part of an element of B, if there is one. */
void planted_scale_solution(const PlantedCall *call, int64_t i, int64_t j, double factor);

/* Faults that several routines have: rows in ipiv and numbers in info count from 0, info is always
 * 0, the last right side is left as it was. */
void planted_finish_pivots_from_zero(PlantedCall *call);
void planted_finish_info_from_zero(PlantedCall *call);
void planted_finish_info_lost(PlantedCall *call);
void planted_finish_last_right_side(PlantedCall *call);

/* A Schur form with every other vector the other way round. */
void planted_turn_schur(PlantedCall *call, const char *form, const char *vectors);

#endif
