/* Files that are compiled once for each instruction set: REFERENCE_ISA is its name. */
#ifndef REFERENCE_ISA_H
#define REFERENCE_ISA_H

#define REFERENCE_JOIN(a, b)   a##b
#define REFERENCE_EXPAND(a, b) REFERENCE_JOIN(a, b)
/* The name of what this compilation defines. */
#define REFERENCE_ISA_NAME(prefix) REFERENCE_EXPAND(prefix, REFERENCE_ISA)

#endif
