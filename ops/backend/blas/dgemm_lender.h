/* The products that the reference borrows: from a library of the system, and large ones from a
 * device.  The reference checks each of them (reference/product.h). */
#ifndef OPS_BACKEND_BLAS_DGEMM_LENDER_H
#define OPS_BACKEND_BLAS_DGEMM_LENDER_H

#include "ops/backend/backend.h"

/* Lets the reference use the dgemm of a library found on the system, if there is one, and for large
 * products that of the device that a backend under test drives; tested may be NULL. */
void dgemm_lend(const Backend *tested);
/* Products that a device has computed for the reference. */
uint64_t dgemm_lent_products(void);

#endif
