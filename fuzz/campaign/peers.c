#include "peers.h"

#include "fuzz/check/isolate.h"

Peer peer_ask(Checker *checker, const Case *c, uint64_t deadline)
{
    CheckResult result = {0};
    checker_set_deadline(checker, deadline);
    isolated_run(checker, c, 0, deadline, &result);
    return (Peer){true, (uint8_t)result.judgement.kind, (float)result.judgement.ratio};
}
