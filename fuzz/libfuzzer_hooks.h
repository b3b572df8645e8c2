/* The custom mutator and crossover that libFuzzer finds by their names. */
#ifndef FUZZ_LIBFUZZER_HOOKS_H
#define FUZZ_LIBFUZZER_HOOKS_H

#include "ops/case.h"

/* The scope that mutants are made in; scope_all unless set. */
void libfuzzer_set_scope(const Scope *scope);

#endif
