/* Asks one library of several. */
#include "take.h"

/* An illegal argument is one that the library can be given. */
static bool takes(const Backend *backend, const Case *c)
{
    const BackendKind *kind = backend->kind;
    Operands o;
    Text why = {0};
    operands_describe(&o, c);
    bool taken = !kind->takes || kind->takes(backend, &o, &why);
    text_release(&why);
    return taken &&
           (!c->exec.illegal || (kind->illegal_argument && kind->illegal_argument(backend, &o)));
}

bool checker_takes(const Case *c, uint64_t turn, const void *context)
{
    const Checker *checker = context;
    DType dtype = case_dtype(c);
    const Backend *having[BOX_BACKENDS_MAX];
    uint64_t count = 0;
    for (int i = 0; i < checker->backend_count; i++) {
        const Backend *backend = &checker->backends[i];
        if (backend->kind && backend->kind->offers(backend, c->op, dtype))
            having[count++] = backend;
    }
    return count == 0 || takes(having[turn % count], c);
}
