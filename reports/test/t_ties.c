/* Which findings a departure from a rule that nobody documents ties: all of a library, or those of
 * one operator. */
#include "reports/store/bug_ties.h"

#include <string.h>

#include "tests/check.h"

/* A finding under a reading, of a case that is minimal. */
static void make_facts(BugFacts *f, const char *line, char *reading)
{
    Text error = {0};
    *f = (BugFacts){.library = "numpy",
                    .kind = "DIVERGE",
                    .symptom = "infinity made",
                    .detail = "",
                    .frame = "",
                    .message = "",
                    .policy = "",
                    .plain_meaning = "data",
                    .reading = reading};
    CHECK(case_parse(&f->minimal, line, &error));
    f->op = f->minimal.op;
    f->dtype = case_dtype(&f->minimal);
    text_release(&error);
}

/* The evidence that ties a finding of pow, which may have another symptom, with one of a case. */
static const char *evidence(const char *line, char *reading, char *other)
{
    BugFacts pow, second;
    char detail[160];
    const ProbeList none = {0};
    make_facts(&pow,
               "pow/2 dtype=c64 shape=scalar broadcast_a=0 broadcast_b=0 | a=ones b=ones y=ones",
               reading);
    make_facts(&second, line, other);
    pow.symptom = "wrong value";
    const char *found = bugs_tie(&pow, &second, &none, detail);
    return found ? found : "";
}

int main(void)
{
    const char *pow = "pow/2 dtype=c128 shape=2 broadcast_a=0 broadcast_b=0 | a=ones b=ones y=ones";
    const char *log1p = "log1p/1 dtype=c64 shape=scalar | x=ones y=ones";
    CHECK(!strcmp(evidence(pow, "complex-by-formula", "complex-by-formula"), "reading"));
    CHECK(!strcmp(evidence(log1p, "complex-by-formula", "complex-by-formula"), ""));
    CHECK(!strcmp(evidence(log1p, "complex-special", "complex-special"), ""));
    CHECK(!strcmp(evidence(log1p, "nan-by-comparison", "nan-by-comparison"), "reading"));
    CHECK(!strcmp(evidence(pow, "nan-by-comparison", "complex-by-formula"), ""));
    CHECK(!strcmp(evidence(pow, "", ""), ""));
    return check_end("ties");
}
