/* Settings from outside that change how a library computes: its instructions, algorithm or mode of
 * arithmetic.  A knob that removes a divergence tells where it comes from. */
#ifndef OPS_BACKEND_KNOBS_H
#define OPS_BACKEND_KNOBS_H

#include "reference/base.h"

typedef struct Knob {
    const char *backend;  /* the name of the backend without mode and place */
    const char *variable; /* of the environment, NAME=VALUE, or NULL */
    const char *word;     /* of the backend's mode, with a + before it, or NULL */
} Knob;
extern const Knob knobs[]; /* ended by a NULL backend */

const char *knob_name(const Knob *knob);
/* Adds the knob's word, if it has one, to the mode of a backend; false where the backend is not the
 * knob's, or has the word already. */
bool knob_apply(const Knob *knob, Text *backend);

#endif
