/* A thin libFuzzer target for one operator, with libFuzzer's own command line.  A divergence aborts
 * with its signature, as engines and services expect, unless OPCONFORM_CONTINUE is set.
 * OPCONFORM_BACKEND names the backends, with commas between. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/engine/feature.h"
#include "fuzz/engine/libfuzzer_hooks.h"
#include "ops/backend/trust.h"
#include "reference/selftest.h"
#include "reports/store/signature.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Checker checker;
static Scope scope;

static _Noreturn void refuse(const char *reason)
{
    (void)fprintf(stderr, "opconform: %s\n", reason);
    exit(3);
}

static void open_target(void)
{
    static char wanted[1024];
    const char *names[BOX_BACKENDS_MAX + 1] = {NULL}, *given = getenv("OPCONFORM_BACKEND");
    Text error = {0};
    int count = 0;
    const char *failure = selftest_run();
    if (failure)
        refuse(failure);
    (void)snprintf(wanted, sizeof wanted, "%s", given ? given : "openblas");
    for (char *rest = wanted; rest && count < BOX_BACKENDS_MAX;)
        trust_name(names[count++] = strsep(&rest, ","));
    scope = scope_all();
    scope.ops[0] = op_find(TARGET_OP);
    scope.op_count = 1;
    libfuzzer_set_source(&(MutantSource){.scope = &scope});
    if (!checker_open(&checker, blackbox_create(), names, &error))
        refuse(text_string(&error));
}

static void report(const Case *c, const CheckResult *result)
{
    Text line = {0}, raw = {0};
    case_print(c, &line);
    signature_raw(&raw, c, checker.backends[result->backend].name, &result->judgement,
                  result->detail);
    (void)fprintf(stderr, "Assertion failure: %s\nDEDUP_TOKEN: %016llx\n%s\n", text_string(&raw),
                  (unsigned long long)signature_hash(text_string(&raw)), text_string(&line));
    text_release(&line);
    text_release(&raw);
    if (!getenv("OPCONFORM_CONTINUE"))
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CheckResult results[BOX_BACKENDS_MAX];
    Case c;
    if (!checker.box)
        open_target();
    case_decode(&c, &scope, data, size);
    int count = checker_run(&checker, &c, -1, results);
    (void)feature_report(&c, results, count);
    for (int i = 0; i < count; i++)
        if (verdict_is_finding(results[i].judgement.kind))
            report(&c, &results[i]);
    return 0;
}
