/* Extents beside which a kernel may change its path: of the processor, and of libraries under test.
 */
#ifndef FUZZ_BLOCKS_H
#define FUZZ_BLOCKS_H

#include "ops/backend/backend.h"

/* Bytes of the widest vector registers of the running CPU; 0 where they are not known. */
size_t cpu_vector_bytes(void);
/* Adds what the facts tell, once each. */
void blocks_add(Blocks *blocks, const BackendFacts *facts);

#endif
