/* Each of the other backends runs the minimal case in a child of its own. */
#include "peers.h"

#include "fuzz/check/isolate.h"

void peers_ask(Peer peers[BOX_BACKENDS_MAX], BlackBox *box, const char *const *names,
               uint32_t apart, const Case *c, uint64_t deadline)
{
    for (int i = 0; names[i]; i++) {
        const char *one[] = {names[i], NULL};
        Checker checker;
        Text error = {0};
        CheckResult result = {0};
        if (apart >> i & 1)
            continue;
        if (checker_open(&checker, box, one, &error)) {
            checker_set_deadline(&checker, deadline);
            isolated_run(&checker, c, 0, deadline, &result);
            const Judgement *j = &result.judgement;
            peers[i] = (Peer){true, (uint8_t)j->kind, (float)j->ratio};
        }
        checker_close(&checker);
        text_release(&error);
    }
}
