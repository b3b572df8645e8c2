/* One table of names and details; classes of values come from what was due and what came. */
#include "symptom.h"

#include <math.h>
#include <string.h>

typedef struct SymptomRow {
    const char *name, *detail;
    VerdictKind kind; /* of symptoms that are known by their detail */
} SymptomRow;

static const SymptomRow rows[SYMPTOM_COUNT] = {
    [SYMPTOM_NONE] = {.name = "none"},
    [SYMPTOM_VALUE] = {.name = "wrong value"},
    [SYMPTOM_ZERO_SIGN] = {.name = "wrong sign of zero"},
    [SYMPTOM_NAN_LOST] = {.name = "NaN lost"},
    [SYMPTOM_NAN_MADE] = {.name = "NaN made"},
    [SYMPTOM_INFINITY_LOST] = {.name = "infinity lost"},
    [SYMPTOM_INFINITY_MADE] = {.name = "infinity made"},
    [SYMPTOM_INFINITY_SIGN] = {.name = "wrong sign of infinity"},
    [SYMPTOM_UNWRITTEN] = {.name = "not written"},
    [SYMPTOM_POLICY] = {.name = "other reading"},
    [SYMPTOM_VARIES] = {.name = "other bits"},
    [SYMPTOM_WRITES_OUTSIDE] = {"writes outside", "writes outside the elements", VERDICT_CONTRACT},
    [SYMPTOM_READS_OUTSIDE] = {"reads outside", "reads ", VERDICT_CONTRACT},
    [SYMPTOM_INPUT_CHANGED] = {"input changed", "modifies an input", VERDICT_CONTRACT},
    [SYMPTOM_ENVIRONMENT] = {"environment changed", "left the floating-point environment changed",
                             VERDICT_CONTRACT},
    [SYMPTOM_LEAK] = {"memory leak", "leaks memory", VERDICT_CONTRACT},
    [SYMPTOM_MEMORY_ERROR] = {"memory error", "memcheck counts errors", VERDICT_CONTRACT},
    [SYMPTOM_CONTRACT] = {.name = "breach of contract"},
    [SYMPTOM_REFUSED] = {"refused", "refuses legal arguments", VERDICT_STATUS},
    [SYMPTOM_ACCEPTED] = {"accepted", "accepts an illegal", VERDICT_STATUS},
    [SYMPTOM_MISREPORTED] = {"misreported", "refuses an illegal", VERDICT_STATUS},
    [SYMPTOM_HANG] = {"hang", "hang", VERDICT_FAULT},
    [SYMPTOM_SEGFAULT] = {"segmentation fault", "SIGSEGV", VERDICT_FAULT},
    [SYMPTOM_ABORT] = {"abort", "SIGABRT", VERDICT_FAULT},
    [SYMPTOM_ARITHMETIC] = {"arithmetic trap", "SIGFPE", VERDICT_FAULT},
    [SYMPTOM_MEMORY] = {"memory exhaustion", "takes memory", VERDICT_FAULT},
    [SYMPTOM_DEATH] = {.name = "process ended"},
};

/* Other details that show a symptom of the table. */
typedef struct OtherDetail {
    const char *detail;
    Symptom symptom;
} OtherDetail;

static const OtherDetail others[] = {
    {"writes to an input", SYMPTOM_INPUT_CHANGED},
    {"writes despite an illegal", SYMPTOM_ACCEPTED},
    {"SIGBUS", SYMPTOM_SEGFAULT},
};

static bool begins_with(const char *detail, const char *beginning)
{
    return !strncmp(detail, beginning, strlen(beginning));
}

static Symptom symptom_of_detail(VerdictKind kind, const char *detail, Symptom otherwise)
{
    for (int i = 0; i < SYMPTOM_COUNT; i++)
        if (rows[i].detail && rows[i].kind == kind && begins_with(detail, rows[i].detail))
            return (Symptom)i;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        if (rows[others[i].symptom].kind == kind && begins_with(detail, others[i].detail))
            return others[i].symptom;
    return otherwise;
}

static Symptom symptom_of_value(const Judgement *j)
{
    switch (j->defect) {
    case DEFECT_UNWRITTEN:
        return SYMPTOM_UNWRITTEN;
    case DEFECT_ZERO_SIGN:
        return SYMPTOM_ZERO_SIGN;
    case DEFECT_NAN:
        return SYMPTOM_NAN_MADE;
    case DEFECT_LOST:
        return isnan(j->expected_high) ? SYMPTOM_NAN_LOST : SYMPTOM_INFINITY_LOST;
    case DEFECT_INFINITY:
        return isnan(j->expected_high)   ? SYMPTOM_NAN_LOST
               : isinf(j->expected_high) ? SYMPTOM_INFINITY_SIGN
                                         : SYMPTOM_INFINITY_MADE;
    default: /* a number that a rule admits, though not this one */
        return isnan(j->expected_high) ? SYMPTOM_NAN_LOST : SYMPTOM_VALUE;
    }
}

Symptom symptom_of(const Judgement *j, const char *detail)
{
    switch (j->kind) {
    case VERDICT_DIVERGE:
    case VERDICT_SUSPECT:
        return symptom_of_value(j);
    case VERDICT_POLICY:
        return SYMPTOM_POLICY;
    case VERDICT_INVARIANCE:
        return j->defect == DEFECT_NONE ? SYMPTOM_VARIES : symptom_of_value(j);
    case VERDICT_CONTRACT:
        return j->defect == DEFECT_UNWRITTEN
                   ? SYMPTOM_UNWRITTEN
                   : symptom_of_detail(VERDICT_CONTRACT, detail, SYMPTOM_CONTRACT);
    case VERDICT_STATUS:
        return symptom_of_detail(VERDICT_STATUS, detail, SYMPTOM_MISREPORTED);
    case VERDICT_FAULT:
        return symptom_of_detail(VERDICT_FAULT, detail, SYMPTOM_DEATH);
    default:
        return SYMPTOM_NONE;
    }
}

const char *symptom_name(Symptom symptom)
{
    REQUIRE(symptom < SYMPTOM_COUNT);
    return rows[symptom].name;
}

Symptom symptom_find(const char *name)
{
    for (int i = SYMPTOM_NONE + 1; i < SYMPTOM_COUNT; i++)
        if (!strcmp(rows[i].name, name))
            return (Symptom)i;
    return SYMPTOM_NONE;
}

bool symptom_is_numeric(Symptom symptom)
{
    return symptom >= SYMPTOM_VALUE && symptom <= SYMPTOM_UNWRITTEN && symptom != SYMPTOM_POLICY;
}

const char *symptom_detail(Symptom symptom)
{
    REQUIRE(symptom < SYMPTOM_COUNT);
    return rows[symptom].detail ? rows[symptom].detail : "";
}
