/* Asks one library of several. */
#include "take.h"

/* An illegal argument is one that the library can be given. */
static bool takes(const Backend *backend, const Case *c, Text *why)
{
    const BackendKind *kind = backend->kind;
    Operands o;
    operands_describe(&o, c);
    if (kind->takes && !kind->takes(backend, &o, why))
        return false;
    bool given =
        !c->exec.illegal || (kind->illegal_argument && kind->illegal_argument(backend, &o));
    text_clear(why);
    text_put(why, given ? "" : CHECK_NOT_GIVEN);
    return given;
}

static void note(const Checker *checker, const Case *c, int number, bool taken, const Text *why)
{
    const Backend *backend = &checker->backends[number];
    bool unasked = taken && backend->kind->asks_no_more && backend->kind->asks_no_more(backend, c);
    if (unasked)
        checker->note_draw(c->op, number, "a process that was asked died of it", true);
    else if (!taken)
        checker->note_draw(c->op, number, check_decline_reason(text_string(why)), false);
}

bool checker_takes(const Case *c, uint64_t turn, bool again, const void *context)
{
    const Checker *checker = context;
    DType dtype = case_dtype(c);
    int having[BOX_BACKENDS_MAX];
    uint64_t count = 0;
    for (int i = 0; i < checker->backend_count; i++) {
        const Backend *backend = &checker->backends[i];
        if (backend->kind && backend->kind->offers(backend, c->op, dtype))
            having[count++] = i;
    }
    if (count == 0)
        return true;
    Text why = {0};
    int asked = having[turn % count];
    bool taken = takes(&checker->backends[asked], c, &why);
    if (checker->note_draw && !again)
        note(checker, c, asked, taken, &why);
    text_release(&why);
    return taken;
}
