/* Asked in a child of the process that made the case minimal. */
#include "uncompiled.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "fuzz/check/isolate.h"

/* Compiled code rounds in other places: the errors of the two may differ by the bound, which a
 * right result has, and by this part of the error without the compiler. */
static const double error_share = 0.25;

bool uncompiled_name(const char *backend, char name[600])
{
    BackendFacts facts;
    Text ignored = {0};
    const char *place = strchr(backend, '@');
    bool compiles = backend_probe(backend, &facts, &ignored) && facts.draws > 0;
    text_release(&ignored);
    (void)snprintf(name, 600, "%.*s%s", (int)strcspn(backend, ":@"), backend, place ? place : "");
    return compiles && strcmp(name, backend) != 0;
}

/* Of many elements another one may be the worst: compiled code is off by no more bounds, in no more
 * of them. */
static bool is_no_worse(const Judgement *compiled, const Judgement *plain)
{
    return isfinite(compiled->ratio) && compiled->ratio <= (1 + error_share) * plain->ratio &&
           (double)compiled->bad <= (1 + error_share) * (double)plain->bad;
}

static bool is_near(const Judgement *compiled, const Judgement *plain)
{
    if (compiled->worst != plain->worst)
        return is_no_worse(compiled, plain);
    double of_plain = plain->got - plain->expected_high - plain->expected_low;
    if (!isfinite(compiled->got) || !isfinite(of_plain))
        return compiled->got == plain->got || (isnan(compiled->got) && isnan(plain->got));
    return fabs(compiled->got - plain->got) <= fmax(plain->bound, error_share * fabs(of_plain));
}

static bool shows_same(const CheckResult *compiled, const CheckResult *plain, const Case *c)
{
    const Judgement *a = &compiled->judgement, *b = &plain->judgement;
    if (!shrink_shows_same(compiled, plain, c))
        return false;
    if (a->kind != VERDICT_DIVERGE || a->defect == DEFECT_UNWRITTEN)
        return !strcmp(compiled->detail, plain->detail);
    return compiled->output == plain->output && a->defect == b->defect && is_near(a, b);
}

bool uncompiled_shows(const char *backend, BlackBox *box, const Case *c, const CheckResult *result,
                      uint64_t deadline)
{
    char name[600];
    const char *names[] = {name, NULL};
    Checker checker = {0};
    Text error = {0};
    CheckResult plain = {0};
    if (!uncompiled_name(backend, name))
        return false;
    bool opened = checker_open(&checker, box, names, &error);
    if (opened) {
        checker_set_deadline(&checker, deadline);
        isolated_run(&checker, c, 0, deadline, &plain);
    }
    checker_close(&checker);
    text_release(&error);
    return opened && shows_same(result, &plain, c);
}
