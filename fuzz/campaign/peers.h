/* The verdicts of the other backends of a campaign on the minimal case of a finding: some diverge
 * from the reference as well, others agree with it. */
#ifndef FUZZ_PEERS_H
#define FUZZ_PEERS_H

#include "fuzz/check/check.h"

typedef struct Peer {
    bool tried;
    uint8_t kind; /* VerdictKind */
    float ratio;
} Peer;

/* Fills peers for all backends (names ended by NULL) but those of the mask `apart`, each in a
 * process of its own. Backends that cannot be opened are left out. */
void peers_ask(Peer peers[BOX_BACKENDS_MAX], BlackBox *box, const char *const *names,
               uint32_t apart, const Case *c, uint64_t deadline);

#endif
