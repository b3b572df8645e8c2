/* The custom mutator and crossover that libFuzzer finds by their names. */
#ifndef FUZZ_LIBFUZZER_HOOKS_H
#define FUZZ_LIBFUZZER_HOOKS_H

#include "schedule.h"

/* The material of mutants; the pointers are the caller's.  Some of them are fresh cases: as many
 * as the schedule says, half of them without one. */
typedef struct MutantSource {
    const Scope *scope;
    bool fresh_only;
    const Schedule *schedule; /* or NULL */
} MutantSource;

/* scope_all without a schedule unless set. */
void libfuzzer_set_source(const MutantSource *source);
/* How the latest mutant was made. */
Origin libfuzzer_origin(void);

#endif
