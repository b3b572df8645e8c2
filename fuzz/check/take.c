/* Asks one library of several. */
#include "take.h"

#include "reference/random.h"

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

/* The number of the backend whose turn it is of those that have an operator in an element type; -1
 * where none has. */
static int asked_at(const Checker *checker, const OpDesc *op, DType dtype, uint64_t turn)
{
    int having[BOX_BACKENDS_MAX];
    uint64_t count = 0;
    for (int i = 0; i < checker->backend_count; i++) {
        const Backend *backend = &checker->backends[i];
        if (backend->kind && backend->kind->offers(backend, op, dtype))
            having[count++] = i;
    }
    return count > 0 ? having[turn % count] : -1;
}

bool checker_takes(const Case *c, uint64_t turn, bool again, const void *context)
{
    const Checker *checker = context;
    int asked = asked_at(checker, c->op, case_dtype(c), turn);
    if (asked < 0)
        return true;
    Text why = {0};
    bool taken = takes(&checker->backends[asked], c, &why);
    if (checker->note_draw && !again)
        note(checker, c, asked, taken, &why);
    text_release(&why);
    return taken;
}

static bool takes_some(const Scope *scope, const Backend *backend, const OpDesc *op, DType dtype)
{
    enum { SAMPLE_STREAM = 0x7a4e };
    Scope narrowed = *scope;
    narrowed.ops[0] = op;
    narrowed.op_count = 1;
    narrowed.dtypes = 1u << dtype;
    Text why = {0};
    bool taken = false;
    for (uint64_t i = 0; i < TAKE_SAMPLE && !taken; i++) {
        Case c;
        case_draw_seeded(&c, &narrowed, random_at(SAMPLE_STREAM, i));
        text_clear(&why);
        taken = takes(backend, &c, &why);
    }
    text_release(&why);
    return taken;
}

bool checker_takes_none(const Scope *scope, const OpDesc *op, DType dtype, uint64_t turn)
{
    enum { NOT_KNOWN, SOME, NONE };
    static uint8_t known[BOX_BACKENDS_MAX][OP_MAX][DT_COUNT];
    const Checker *checker = scope->taker;
    int asked = asked_at(checker, op, dtype, turn);
    if (asked < 0)
        return false;
    uint8_t *answer = &known[asked][op_number(op)][dtype];
    if (*answer == NOT_KNOWN)
        *answer = takes_some(scope, &checker->backends[asked], op, dtype) ? SOME : NONE;
    return *answer == NONE;
}
