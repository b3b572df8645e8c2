/* Extents worth drawing beside, of the CPU that runs this and of the libraries under test. */
#ifndef FUZZ_BLOCKS_H
#define FUZZ_BLOCKS_H

#include "ops/backend.h"

/* Bytes of the widest vector registers of the running CPU; 0 where they are not known. */
size_t cpu_vector_bytes(void);
/* Adds what the facts tell, once each. */
void blocks_add(Blocks *blocks, const BackendFacts *facts);

#endif
