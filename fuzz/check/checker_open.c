/* Opening a checker's backends, those last whose libraries others would see. */
#include <limits.h>
#include <stdio.h>

#include "check.h"
#include "ops/backend/promise.h"
#include "reference/alone.h"
#include "reference/confine.h"
#include "reference/scratch.h"

void checker_confine(const char *const *names)
{
    bool ends_others = false;
    for (; *names; names++) {
        const BackendKind *kind = backend_kind(*names);
        ends_others = ends_others || (kind && kind->expect);
    }
    if (!ends_others) {
        confine_begin();
        return;
    }
    /* For a server that it may start. */
    confine_allow(scratch_folder());
    confine_begin_but_signals();
}

void checker_stand_alone(const char *const *names, int bell, const BlackBox *box)
{
    alone_begin(bell, (AloneMemory){box, box ? sizeof *box : 0});
    checker_confine(names);
}

/* The place of a library that is not opened. */
static bool offers_nothing(const Backend *backend, const OpDesc *op, DType dtype)
{
    (void)backend;
    (void)op;
    (void)dtype;
    return false;
}

static void close_nothing(Backend *backend)
{
    (void)backend;
}

static const BackendKind kind_of_nothing = {
    .name = "nothing", .offers = offers_nothing, .close = close_nothing};

static void open_nothing(Backend *backend, const char *name)
{
    *backend = (Backend){.kind = &kind_of_nothing, .promise = {.models = models_ieee}};
    (void)snprintf(backend->name, sizeof backend->name, "%s", name);
}

static void compare_samples(Checker *checker)
{
    int least = INT_MAX;
    for (int i = 0; i < checker->backend_count; i++)
        if (checker->backends[i].kind != &kind_of_nothing &&
            checker->backends[i].facts.sample < least)
            least = checker->backends[i].facts.sample;
    for (int i = 0; i < checker->backend_count; i++)
        checker->sample[i] = checker->backends[i].facts.sample / (least > 1 ? least : 1);
}

bool checker_open(Checker *checker, BlackBox *box, const char *const *names, Text *error)
{
    return checker_open_but(checker, box, names, 0, error);
}

/* Opens the backends whose libraries are seen by those that are loaded later, or the others. */
static bool open_kinds(Checker *checker, const char *const *names, uint32_t aside, bool seen,
                       Text *error)
{
    for (int i = 0; i < checker->backend_count; i++) {
        const BackendKind *kind = backend_kind(names[i]);
        bool any;
        if ((kind && kind->seen_by_others) != seen)
            continue;
        if (aside >> i & 1)
            open_nothing(&checker->backends[i], names[i]);
        else if (!backend_open(&checker->backends[i], names[i], error) ||
                 !backend_limits(names[i], &checker->limits[i], &any, error))
            return false;
    }
    return true;
}

bool checker_open_but(Checker *checker, BlackBox *box, const char *const *names, uint32_t aside,
                      Text *error)
{
    *checker = (Checker){.box = box, .touch = {-1, 0, false}, .written = -1};
    if (!workspace_init(&checker->workspace)) {
        text_printf(error, "not enough address space for the operands");
        return false;
    }
    while (names[checker->backend_count])
        if (checker->backend_count++ == BOX_BACKENDS_MAX) {
            checker->backend_count = BOX_BACKENDS_MAX;
            text_printf(error, "at most %d backends at once", BOX_BACKENDS_MAX);
            return false;
        }
    if (!open_kinds(checker, names, aside, false, error) ||
        !open_kinds(checker, names, aside, true, error))
        return false;
    compare_samples(checker);
    return true;
}

void checker_set_deadline(Checker *checker, uint64_t deadline)
{
    for (int i = 0; i < checker->backend_count; i++)
        checker->backends[i].deadline = deadline;
}

void checker_close(Checker *checker)
{
    for (int i = 0; i < checker->backend_count; i++) {
        backend_close(&checker->backends[i]);
        limits_release(&checker->limits[i]);
    }
    workspace_release(&checker->workspace);
}
