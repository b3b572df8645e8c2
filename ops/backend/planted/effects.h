/* What a planted fault does, as words with spaces between.
 *
 * To results: a verb, which elements, and of which output unless it is the only one or the last:
 *     spoil last      half all of values
 * The verbs are in effects.c; the elements are first, last, all, half (the second half), lastrow,
 * tailN (those behind the last multiple of N), everyN (one in N).
 *
 * To what is computed:
 *     set beta=0               a parameter has another value
 *     as gelu_tanh             another operator with the same parameters
 *     read x nan-as-0          an operand is read otherwise: changes in effects.c
 *
 * To the process: crash, hang, `overrun`: an element behind an output is written, `write x`: an
 * input is, `overread x`: a byte behind an operand is read. */
#ifndef OPS_BACKEND_PLANTED_EFFECTS_H
#define OPS_BACKEND_PLANTED_EFFECTS_H

#include "planted.h"

/* The part of an effect that comes before the computation, and the one behind it. */
void effect_prepare(const char *effect, PlantedCall *call);
void effect_finish(const char *effect, PlantedCall *call);
/* True when an operator can be given the effect; else false with one sentence in *error. */
MUST_USE bool effect_fits(const char *effect, const OpDesc *op, Text *error);

/* Ends the process, and never returns, as kernels do. */
void effect_crash(void);
void effect_hang(void);

#endif
