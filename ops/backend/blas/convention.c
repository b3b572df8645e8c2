#include "convention.h"

#include <stddef.h>
#include <stdint.h>

/* Asks for the position of the larger of two numbers, where their count is 2 for 32-bit integers
 * and negative for those of 64 bits: 1 or 0. */
bool cblas_has_wide_integers(void *isamax)
{
    typedef int64_t Largest(int64_t, const float *, int64_t);
    static const float numbers[] = {1, 2};
    Largest *largest;
    *(void **)&largest = isamax;
    return largest && (int)largest(-((int64_t)1 << 32) + 2, numbers, 1) == 0;
}

/* Calls cdotu as a function of GNU Fortran.  One that takes the address of its result first reads
 * the arguments one further: then the first number of x is its count, which is 0, and that of y its
 * increment, and it overwrites what stands for the count. */
bool fortran_hides_results(void *cdotu)
{
    typedef float _Complex Product(const void *, const void *, const void *, const void *,
                                   const void *, const void *);
    Product *product;
    *(void **)&product = cdotu;
    if (!product)
        return false;
    int64_t count[2] = {1, 0}, increment = 1;
    union {
        int64_t integer;
        float parts[2];
    } x = {0}, y = {1};
    (void)product(count, &x, &increment, &y, &increment, &increment);
    return count[0] != 1;
}
