/* Reads and resets MXCSR and the x87 environment; nothing on machines without them. */
#include "fpstate.h"

#include <stddef.h>

#if defined(__x86_64__)
#include <stdint.h>
#include <xmmintrin.h>

/* What fninit leaves, by its definition. */
#define X87_CONTROL 0x37fu
#define X87_EMPTY   0xffffu

#define MXCSR_FLAGS   0x3fu
#define MXCSR_DEFAULT 0x1f80u

typedef struct X87Environment {
    uint16_t control, reserved_1, status, reserved_2, tags, reserved_3;
    uint32_t pointers[4];
} X87Environment;

void fpstate_reset(void)
{
    __asm__ volatile("fninit");
    _mm_setcsr(MXCSR_DEFAULT);
}

const char *fpstate_settle(void)
{
    X87Environment environment;
    uint32_t vector_control = _mm_getcsr() & ~MXCSR_FLAGS;
    __asm__ volatile("fnstenv %0" : "=m"(environment));
    fpstate_reset();
    if (vector_control != MXCSR_DEFAULT)
        return "MXCSR";
    if (environment.control != X87_CONTROL)
        return "x87 control word";
    return environment.tags != X87_EMPTY ? "x87 stack" : NULL;
}
#else
void fpstate_reset(void)
{
}

const char *fpstate_settle(void)
{
    return NULL;
}
#endif
