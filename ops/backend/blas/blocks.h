/* The block sizes of kernels, where a library tells them. */
#ifndef OPS_BACKEND_CBLAS_BLOCKS_H
#define OPS_BACKEND_CBLAS_BLOCKS_H

#include "ops/backend/backend.h"

/* Puts the register and cache blocks of the library's matrix products into facts->blocks; none
 * where it tells none, or in a form that is not known. */
void cblas_read_blocks(void *handle, BackendFacts *facts);

#endif
