/* Reads and resets MXCSR and the x87 environment; empty on machines without them. */
#include "fpstate.h"

#include <string.h>

#if defined(__x86_64__)
#include <xmmintrin.h>

#define MXCSR_FLAGS   0x3fu
#define MXCSR_DEFAULT 0x1f80u

typedef struct X87Environment {
    uint16_t control, reserved_1, status, reserved_2, tags, reserved_3;
    uint32_t pointers[4];
} X87Environment;

FpState fpstate_read(void)
{
    X87Environment environment;
    /* fnstenv masks all x87 exceptions as a side effect, so the environment is loaded back. */
    __asm__ volatile("fnstenv %0\n\tfldenv %0" : "+m"(environment));
    return (FpState){_mm_getcsr() & ~MXCSR_FLAGS, environment.control, environment.tags};
}

void fpstate_reset(void)
{
    __asm__ volatile("fninit");
    _mm_setcsr(MXCSR_DEFAULT);
}
#else
FpState fpstate_read(void)
{
    return (FpState){0};
}

void fpstate_reset(void)
{
}
#endif

const char *fpstate_difference(FpState before, FpState after)
{
    if (before.vector_control != after.vector_control)
        return "MXCSR";
    if (before.x87_control != after.x87_control)
        return "x87 control word";
    if (before.x87_tags != after.x87_tags)
        return "x87 stack";
    return NULL;
}
