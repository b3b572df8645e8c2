/* What a backend promises about its arithmetic, and the readings that libraries are known to follow
 * instead. */
#ifndef ORACLE_MODEL_H
#define ORACLE_MODEL_H

#include <stdbool.h>

/* One admitted way for a correct kernel to compute.  The default (all false) is IEEE arithmetic in
 * the element type: sums in any order, fused or separate multiply-add, gradual underflow, every
 * product formed. */
typedef struct Model {
    const char *name;
    bool flush;          /* subnormal inputs and results may be replaced by zero */
    bool zero_skip;      /* a product with a factor of exactly zero may be left out */
    bool zero_fill;      /* the zeros that a triangle or band leaves out may be multiplied */
    bool alpha_factored; /* alpha (A B + (beta / alpha) C), in blocks of the depth */
    bool nan_clamped;    /* NaN may become an infinity, as the end of a range that clamps it */
} Model;

/* Strictest first; ended by an entry whose name is NULL. */
extern const Model models_ieee[];

/* As well as IEEE arithmetic: functions whose errors are small in the absolute only, or functions
 * of IEEE 754 that are within one ulp where they should be rounded correctly. */
extern const Model models_absolute[], models_faithful[];

/* Arithmetic with subnormal numbers switched off, functions as in models_absolute; and the reading
 * of kernels that clamp every result. */
extern const Model models_flushing[], models_clamping_readings[];

/* Departures that have a name, one at a time, ended by an entry whose name is NULL: those that the
 * texts leave room for, and with them those that only kernels known for them are tried under, since
 * their bounds are wide enough to cover mistakes. */
extern const Model models_readings[], models_flush_readings[], models_wide_readings[];

/* What a backend promises, and what it is tried under when it breaks that. */
typedef struct Promise {
    const Model *models, *readings;
    bool narrow;         /* sums and functions of half precision may round at every step */
    bool flushes_inputs; /* subnormal inputs may be replaced by zero before anything is computed */
} Promise;

#endif
