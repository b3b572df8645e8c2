/* The members of a record are texts that the store, queries and reports show as they are. */
#include "record.h"

#include <stdio.h>
#include <string.h>

#include "ops/contract/policy.h"
#include "oracle/symptom.h"
#include "reports/store/signature.h"

static void put_values(RecordTexts *texts, const CheckResult *result)
{
    const Judgement *j = &result->judgement;
    if (j->kind == VERDICT_FAULT || (j->kind == VERDICT_CONTRACT && j->defect == DEFECT_NONE))
        return;
    if (j->anything && !verdict_is_finding(j->kind))
        text_put(&texts->expected, "anything");
    else
        signature_put_value(&texts->expected, j->expected_high, j->expected_low);
    signature_put_value(&texts->got, j->got, 0);
    signature_put_value(&texts->bound, j->bound, 0);
}

/* Of a case that is not minimal yet only the reading that its result is right under. */
static void put_policies(Text *text, const ShrinkResult *shrunk, const CheckResult *raw)
{
    if (!shrunk) {
        const char *reading = raw->judgement.reading;
        text_put(text, reading && policy_is_reading(reading) ? reading : "");
        return;
    }
    const Judgement *j = &shrunk->result.judgement;
    uint64_t mask = policy_of_finding(&shrunk->minimal, j->reading, shrunk->needed);
    for (int i = 0; policies[i].name; i++)
        if (mask >> i & 1)
            text_printf(text, "%s%s", text->length ? "," : "", policies[i].name);
}

/* One line for each row: # where an element is bad. */
static void put_picture(RecordTexts *texts, const Picture *picture)
{
    for (int r = 0; r < picture->rows; r++) {
        text_put(&texts->picture, r ? "\n" : "");
        for (int c = 0; c < picture->columns; c++)
            text_put(&texts->picture, picture->bad[r] >> c & 1 ? "#" : ".");
    }
    for (int i = 0; picture->rows > 0 && i < PICTURE_ULPS; i++)
        text_printf(&texts->ulps, "%s%u", i ? " " : "", picture->ulps[i]);
}

FindingRecord record_of(RecordTexts *texts, const Case *c, const CheckResult *result,
                        const char *backend, const ShrinkResult *shrunk)
{
    const CheckResult *final = shrunk ? &shrunk->result : result;
    const Case *minimal = shrunk ? &shrunk->minimal : c;
    const Judgement *j = &final->judgement;
    memcpy(texts->detail, final->detail, sizeof texts->detail);
    signature_raw(&texts->raw, c, backend, &result->judgement, result->detail);
    if (shrunk)
        signature_final(&texts->signature, minimal, backend, j, final->detail, shrunk->needed);
    case_print(c, &texts->line);
    case_print(minimal, &texts->min_line);
    put_values(texts, final);
    put_picture(texts, &result->judgement.picture);
    put_policies(&texts->policies, shrunk, result);
    bool flaky = shrunk && shrunk->reproduced == 0;
    if (flaky)
        text_printf(&texts->signature, " | flaky");
    return (FindingRecord){
        .signature = text_string(&texts->signature),
        .raw = text_string(&texts->raw),
        .op = minimal->op->name,
        .dtype = dtype_name(case_dtype(minimal)),
        .kind = verdict_name(j->kind),
        .backend = backend,
        .tier = tier_name(j->tier),
        .defect = defect_name(j->defect),
        .pattern = pattern_name(j->pattern),
        .detail = texts->detail,
        .line = text_string(&texts->line),
        .min_line = shrunk ? text_string(&texts->min_line) : NULL,
        .expected = text_string(&texts->expected),
        .got = text_string(&texts->got),
        .bound = text_string(&texts->bound),
        .picture = texts->picture.length ? text_string(&texts->picture) : NULL,
        .picture_ulps = texts->ulps.length ? text_string(&texts->ulps) : NULL,
        .ratio = j->ratio,
        .ulps = j->ulps,
        .bad = j->bad,
        .total = j->total,
        .worst = j->worst,
        .flaky = flaky,
        .unfinished = !shrunk || (shrunk->reproduced > 0 && !shrunk->complete),
        .frame = final->frame[0] ? final->frame : NULL,
        .symptom = symptom_name(symptom_of(j, final->detail)),
        .needed = shrunk ? shrunk->needed : NULL,
        .policies = text_string(&texts->policies),
    };
}

FindingRecord record_of_library(RecordTexts *texts, const Case *last, const char *detail,
                                const char *backend)
{
    const CheckResult result = {.judgement.kind = VERDICT_FAULT, .judgement.tier = TIER_CONTRACT};
    const ShrinkResult shrunk = {
        .minimal = *last, .result = result, .reproduced = 1, .complete = true};
    FindingRecord record = record_of(texts, last, &result, backend, &shrunk);
    (void)snprintf(texts->detail, sizeof texts->detail, "%s", detail);
    text_clear(&texts->signature);
    signature_of_library(&texts->signature, backend, VERDICT_FAULT, detail);
    record.signature = record.raw = text_string(&texts->signature);
    record.op = record.dtype = STORE_WHOLE;
    record.policies = "";
    record.symptom = symptom_name(symptom_of(&result.judgement, detail));
    return record;
}

void record_release(RecordTexts *texts)
{
    text_release(&texts->signature);
    text_release(&texts->raw);
    text_release(&texts->line);
    text_release(&texts->min_line);
    text_release(&texts->expected);
    text_release(&texts->got);
    text_release(&texts->bound);
    text_release(&texts->policies);
    text_release(&texts->picture);
    text_release(&texts->ulps);
}
