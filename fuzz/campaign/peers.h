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

/* Asks the one library of the checker, in a child. */
Peer peer_ask(Checker *checker, const Case *c, uint64_t deadline);

#endif
