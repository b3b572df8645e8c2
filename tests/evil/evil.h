/* Three right kernels of single precision, for hostile ones to be and to stand among.  A hostile
 * one defines misbehave, which dot calls where its vectors have TRIGGER elements; with EVERY_CALL
 * all do each time.  With GOOD it does no harm. */
#ifndef TESTS_EVIL_H
#define TESTS_EVIL_H

#include <math.h>
#include <stddef.h>

#ifndef TRIGGER
#define TRIGGER 3
#endif

static void misbehave(void);
/* What dot was given. */
static const float *given;

static void call(int triggers)
{
#ifdef EVERY_CALL
    triggers = 1;
#endif
    if (triggers)
        misbehave();
}

float evil_dot(size_t n, const float *x, const float *y);
float evil_dot(size_t n, const float *x, const float *y)
{
    given = x;
    call(n == TRIGGER);
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += (double)x[i] * y[i];
    return (float)sum;
}

void evil_axpy(size_t n, float alpha, const float *x, float *y);
void evil_axpy(size_t n, float alpha, const float *x, float *y)
{
    call(0);
    for (size_t i = 0; alpha != 0 && i < n; i++)
        y[i] += alpha * x[i];
}

void evil_copy(size_t n, const float *x, float *y);
void evil_copy(size_t n, const float *x, float *y)
{
    call(0);
    for (size_t i = 0; i < n; i++)
        y[i] = x[i];
}

#ifdef GOOD
static void misbehave(void)
{
}
#endif
#endif
