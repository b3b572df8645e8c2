/* Each pair of what was due and what came has its symptom, and each detail is known again. */
#include <math.h>
#include <string.h>

#include "oracle/symptom.h"
#include "tests/check.h"

static Symptom of_values(Defect defect, double expected, double got)
{
    Judgement j = {.kind = VERDICT_DIVERGE, .defect = defect, .expected_high = expected};
    j.got = got;
    return symptom_of(&j, "");
}

static Symptom of_detail(VerdictKind kind, const char *detail)
{
    Judgement j = {.kind = kind};
    return symptom_of(&j, detail);
}

static void test_values(void)
{
    CHECK(of_values(DEFECT_VALUE, 1, 2) == SYMPTOM_VALUE);
    CHECK(of_values(DEFECT_ZERO_SIGN, 0, -0.0) == SYMPTOM_ZERO_SIGN);
    CHECK(of_values(DEFECT_LOST, NAN, 1) == SYMPTOM_NAN_LOST);
    CHECK(of_values(DEFECT_VALUE, NAN, 1) == SYMPTOM_NAN_LOST);
    CHECK(of_values(DEFECT_INFINITY, NAN, INFINITY) == SYMPTOM_NAN_LOST);
    CHECK(of_values(DEFECT_LOST, INFINITY, 1) == SYMPTOM_INFINITY_LOST);
    CHECK(of_values(DEFECT_LOST, 0x1p200, 1) == SYMPTOM_INFINITY_LOST);
    CHECK(of_values(DEFECT_NAN, 1, NAN) == SYMPTOM_NAN_MADE);
    CHECK(of_values(DEFECT_INFINITY, 1, INFINITY) == SYMPTOM_INFINITY_MADE);
    CHECK(of_values(DEFECT_INFINITY, INFINITY, -INFINITY) == SYMPTOM_INFINITY_SIGN);
    CHECK(of_values(DEFECT_UNWRITTEN, 1, NAN) == SYMPTOM_UNWRITTEN);
}

static void test_details(void)
{
    for (int i = 0; i < SYMPTOM_COUNT; i++) {
        const char *detail = symptom_detail((Symptom)i);
        bool known = detail[0] == '\0';
        for (VerdictKind kind = 0; kind < VERDICT_COUNT; kind++)
            known = known || of_detail(kind, detail) == (Symptom)i;
        CHECK(known);
        CHECK(symptom_name((Symptom)i)[0]);
    }
    CHECK(of_detail(VERDICT_FAULT, "SIGSEGV at a page after a") == SYMPTOM_SEGFAULT);
    CHECK(of_detail(VERDICT_FAULT, "SIGBUS") == SYMPTOM_SEGFAULT);
    CHECK(of_detail(VERDICT_FAULT, TAKES_MEMORY) == SYMPTOM_MEMORY);
    CHECK(of_detail(VERDICT_FAULT, HANDLES_SIGNAL) == SYMPTOM_HANG);
    CHECK(of_detail(VERDICT_FAULT, "SIGKILL") == SYMPTOM_DEATH);
    CHECK(of_detail(VERDICT_CONTRACT, "reads past the end: a") == SYMPTOM_READS_OUTSIDE);
    CHECK(of_detail(VERDICT_CONTRACT, "anything else") == SYMPTOM_CONTRACT);
    CHECK(of_detail(VERDICT_STATUS, "writes despite an illegal m") == SYMPTOM_ACCEPTED);
    CHECK(of_detail(VERDICT_AGREE, "") == SYMPTOM_NONE);
    CHECK(of_detail(VERDICT_POLICY, "") == SYMPTOM_POLICY);
}

int main(void)
{
    test_values();
    test_details();
    return check_end("oracle/t_symptom");
}
