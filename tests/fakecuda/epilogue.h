/* The simulated cuBLASLt's epilogue: bias and activation of each element of a product. */
#ifndef EPILOGUE_H
#define EPILOGUE_H

#include "fakecuda.h"

/* type is that of the result and of the bias; sums has room for a number of each row. */
typedef struct FakeEpilogue {
    int kind, type;
    void *bias, *auxiliary;
    int64_t leading;
    double *sums;
} FakeEpilogue;

/* False where the settings do not fit a result of so many rows. */
bool fake_epilogue_is_legal(const FakeEpilogue *epilogue, int64_t rows);
/* The element in row i and column j, with a bias of its row already. */
double fake_epilogue(const FakeEpilogue *epilogue, int64_t i, int64_t j, double value);
/* The address of the bias that is added, or NULL. */
const void *fake_epilogue_bias(const FakeEpilogue *epilogue);
/* Leaves the sums of the rows where they are asked for. */
void fake_epilogue_end(const FakeEpilogue *epilogue, int64_t rows);

#endif
