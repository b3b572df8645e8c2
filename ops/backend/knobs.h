/* Variables of the environment that change what libraries compute with: one that removes a
 * divergence tells where it comes from. */
#ifndef OPS_BACKEND_KNOBS_H
#define OPS_BACKEND_KNOBS_H

#include <stdbool.h>

typedef struct Knob {
    const char *backend;  /* the name of the backend without mode and place */
    const char *variable; /* NAME=VALUE */
} Knob;
extern const Knob knobs[]; /* ended by a NULL variable */
bool knob_is_of(const Knob *knob, const char *backend);

#endif
