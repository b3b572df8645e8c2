/* A fuzz target for one operator, or for those of a family, with the command line of the engine
 * that it is linked with.  A divergence is made minimal and aborts with its signature, as engines
 * and services expect, unless OPCONFORM_CONTINUE is set. */
#include <stdio.h>
#include <stdlib.h>

#include "fuzz/engine/feature.h"
#include "fuzz/engine/libfuzzer_hooks.h"
#include "fuzz/shrink.h"
#include "reference/selftest.h"
#include "reports/store/signature.h"
#include "scope.h"

/* The most that one kernel call may take, and all that make a case minimal: services end a target
 * that takes 25 s for a case. */
static const uint64_t call_deadline = 1000000000, shrink_budget = 5000000000;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static Checker checker;

static void open_target(void)
{
    Text error = {0};
    const char *failure = selftest_run();
    if (failure)
        target_refuse(failure);
    libfuzzer_set_source(&(MutantSource){.scope = target_scope()});
    if (!checker_open(&checker, blackbox_create(), target_backends(), &error))
        target_refuse(text_string(&error));
}

/* What services read: the line that tells crashes apart, and a short name of it. */
static void put_signature(const char *signature, const Case *c)
{
    Text line = {0};
    case_print(c, &line);
    (void)fprintf(stderr, "Assertion failure: %s\nDEDUP_TOKEN: %016llx\n%s\n", signature,
                  (unsigned long long)signature_hash(signature), text_string(&line));
    text_release(&line);
}

static void report_raw(const Case *c, const CheckResult *result)
{
    Text raw = {0};
    signature_raw(&raw, c, checker.backends[result->backend].name, &result->judgement,
                  result->detail);
    put_signature(text_string(&raw), c);
    text_release(&raw);
}

/* Under the signature that the database would file it under. */
static _Noreturn void report_minimal(const Case *c, const CheckResult *result)
{
    static ShrinkResult shrunk;
    Text signature = {0}, expected = {0};
    ShrinkOptions how = {.deadline = call_deadline, .budget = shrink_budget, .retries = 1};
    shrink_case(&shrunk, &checker, c, result, &how);
    const CheckResult *minimal = &shrunk.result;
    signature_final(&signature, &shrunk.minimal, checker.backends[minimal->backend].name,
                    &minimal->judgement, minimal->detail, shrunk.needed);
    put_signature(text_string(&signature), &shrunk.minimal);
    if (!minimal->judgement.anything) {
        signature_put_value(&expected, minimal->judgement.expected_high,
                            minimal->judgement.expected_low);
        text_put(&expected, ", got ");
        signature_put_value(&expected, minimal->judgement.got, 0);
        (void)fprintf(stderr, "expected %s\n", text_string(&expected));
    }
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    CheckResult results[BOX_BACKENDS_MAX];
    Case c;
    if (!checker.box)
        open_target();
    case_decode(&c, target_scope(), data, size);
    int count = checker_run(&checker, &c, -1, results);
    (void)feature_report(&c, results, count);
    for (int i = 0; i < count; i++) {
        if (!verdict_is_finding(results[i].judgement.kind))
            continue;
        if (!getenv("OPCONFORM_CONTINUE"))
            report_minimal(&c, &results[i]);
        report_raw(&c, &results[i]);
    }
    return 0;
}
