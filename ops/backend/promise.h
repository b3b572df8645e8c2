/* The arithmetics that backends promise, and the readings that they are tried under: what several
 * of them share. */
#ifndef OPS_BACKEND_PROMISE_H
#define OPS_BACKEND_PROMISE_H

#include "oracle/model.h"

/* Strictest first; ended by an entry whose name is NULL. */
extern const Model models_ieee[];

/* IEEE arithmetic, and beside it functions with a small absolute error only, or functions that IEEE
 * 754 asks to round correctly but that are within one ulp. */
extern const Model models_absolute[], models_faithful[];

/* Arithmetic with subnormal numbers switched off, functions as in models_absolute; and the reading
 * of kernels that clamp every result. */
extern const Model models_flushing[], models_clamping_readings[];

/* Departures that have a name, one at a time, ended by an entry whose name is NULL: those that the
 * texts leave room for, and with them those that only kernels known for them are tried under, since
 * their bounds are wide enough to cover mistakes.  models_flush_results_readings keep subnormal
 * factors of products. */
extern const Model models_readings[], models_flush_readings[], models_wide_readings[];
extern const Model models_flush_results_readings[];

/* Ended by an entry whose name is NULL: subnormal numbers only; TensorFloat-32, which has 11 bits;
 * bfloat16, or TensorFloat-32 in its place. */
extern const InputReading readings_flushed[], readings_tf32[], readings_bf16[];

#endif
