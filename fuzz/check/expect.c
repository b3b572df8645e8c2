/* Tells libraries that run in processes of their own which cases come next. */
#include "check.h"
#include "ops/case/large.h"
#include "turn.h"

bool checker_expect(Checker *checker, const Case *c)
{
    Operands o;
    bool built = false, room = true;
    /* A large one is given alone, which has more room. */
    bool any = !c->exec.illegal && !large_is(c);
    for (int i = 0; i < checker->backend_count && any; i++) {
        Backend *backend = &checker->backends[i];
        if (!backend->kind->expect || !backend->kind->offers(backend, c->op, case_dtype(c)) ||
            !turn_is(checker, i, c))
            continue;
        if (!built)
            operands_build(&o, &checker->workspace, c);
        built = true;
        for (o.call = 0; o.call < c->exec.repeat; o.call++)
            room = backend->kind->expect(backend, &o) && room;
        o.call = 0;
    }
    return room;
}
