/* Which findings are tied: by a departure from a rule that nobody documents all of a library that
 * are minimal, or those of one operator, which no two rules tie; by probes none that is wrong in
 * any case, and of networks none of complex numbers with one of real ones; by the function that
 * touches memory none whose value is wrong each time. */
#include "reports/store/bug_ties.h"

#include <string.h>

#include "tests/check.h"

/* A finding under a reading, of a case that is minimal, which stays until some more are made. */
static void make_facts(BugFacts *f, const char *line, char *reading)
{
    static Case cases[2];
    static int made;
    Text error = {0};
    *f = (BugFacts){.library = "numpy",
                    .kind = "DIVERGE",
                    .symptom = "infinity made",
                    .detail = "",
                    .frame = "",
                    .message = "",
                    .policy = "",
                    .plain_meaning = "data",
                    .reading = reading,
                    .minimal = &cases[made++ % (int)COUNT_OF(cases)]};
    CHECK(case_parse(f->minimal, line, &error));
    f->op = f->minimal->op;
    f->dtype = case_dtype(f->minimal);
    text_release(&error);
}

/* The evidence that ties a finding of pow, which may have another symptom, with one of a case,
 * which may not be minimal. */
static const char *evidence_of(const char *line, char *reading, char *other, bool unfinished)
{
    BugFacts pow, second;
    char detail[160];
    const ProbeList none = {0};
    make_facts(&pow,
               "pow/2 dtype=c64 shape=scalar broadcast_a=0 broadcast_b=0 | a=ones b=ones y=ones",
               reading);
    make_facts(&second, line, other);
    pow.symptom = "wrong value";
    second.unfinished = second.raw = unfinished;
    const char *found = bugs_tie(&pow, &second, &none, detail);
    return found ? found : "";
}

static const char *evidence(const char *line, char *reading, char *other)
{
    return evidence_of(line, reading, other, false);
}

/* The evidence between two findings of one operator that are wrong alike, of a case of each. */
static const char *by_operator(const char *line, char *reading, const char *other, char *of_other)
{
    BugFacts first, second;
    char detail[160];
    const ProbeList none = {0};
    make_facts(&first, line, reading);
    make_facts(&second, other, of_other);
    const char *found = bugs_tie(&first, &second, &none, detail);
    return found ? found : "";
}

/* The evidence between an operator and svdvals, which are refused with the same words. */
static const char *by_words(const char *line, char *words)
{
    BugFacts svdvals, other;
    char detail[160], *reading = "";
    const ProbeList none = {0};
    make_facts(&svdvals, "svdvals/1 dtype=f32 batch_shape=2x3 m=2 n=2 | a=ones s=ones", reading);
    make_facts(&other, line, reading);
    svdvals.kind = other.kind = "STATUS";
    svdvals.symptom = other.symptom = "refused";
    svdvals.message = other.message = words;
    const char *found = bugs_tie(&svdvals, &other, &none, detail);
    return found ? found : "";
}

/* The evidence between two operators that are wrong, each for the other's case as well. */
static const char *by_probes(const char *line, bool always)
{
    BugFacts exp, other;
    char detail[160], *reading = "";
    make_facts(&exp, "exp/1 dtype=f32 shape=scalar | x=ones y=ones", reading);
    make_facts(&other, line, reading);
    exp.id = 1, other.id = 2;
    exp.wrong = other.wrong = exp.bare = other.bare = true;
    exp.always = always;
    ProbeFact probes[] = {{1, other.op, other.dtype, other.symptom},
                          {2, exp.op, exp.dtype, exp.symptom}};
    const ProbeList list = {.probes = probes, .count = COUNT_OF(probes)};
    const char *found = bugs_tie(&exp, &other, &list, detail);
    return found ? found : "";
}

/* The evidence where the case of an operator shows at another one, and not the other way round. */
static const char *by_one_probe(const char *line, const char *other)
{
    BugFacts from, at;
    char detail[160], *reading = "";
    make_facts(&from, line, reading);
    make_facts(&at, other, reading);
    from.id = 1, at.id = 2;
    ProbeFact probes[] = {{1, at.op, at.dtype, at.symptom}, {2, from.op, from.dtype, ""}};
    const ProbeList list = {.probes = probes, .count = COUNT_OF(probes)};
    const char *found = bugs_tie(&from, &at, &list, detail);
    return found ? found : "";
}

/* The evidence between symv that reads outside its operands and another finding, both with the
 * function that did. */
static const char *by_frame(char *kind, char *symptom, bool flaky)
{
    BugFacts symv, other;
    char detail[160];
    const ProbeList none = {0};
    make_facts(&symv, "symv/1 dtype=f32 n=3 | a=ones x=ones y=ones", "");
    make_facts(&other, "syev/1 dtype=f32 n=3 | a=ones w=ones info=ones", "");
    symv.frame = other.frame = "ssymv_U";
    symv.kind = "CONTRACT";
    symv.symptom = "reads outside";
    symv.memory = true;
    other.kind = kind;
    other.symptom = symptom;
    other.flaky = flaky;
    const char *found = bugs_tie(&symv, &other, &none, detail);
    return found ? found : "";
}

/* The evidence between two routines that accept an illegal argument. */
static const char *by_argument(char *detail, const char *line, char *other)
{
    BugFacts gemm, second;
    char words[160];
    const ProbeList none = {0};
    make_facts(&gemm, "gemm/1 dtype=f32 | a=ones b=ones c=ones | exec=illegal:9", "");
    make_facts(&second, line, "");
    gemm.symptom = second.symptom = "accepted";
    gemm.accepts = second.accepts = true;
    gemm.detail = detail;
    second.detail = other;
    const char *found = bugs_tie(&gemm, &second, &none, words);
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
    CHECK(!strcmp(evidence(log1p, "absolute-accuracy", "absolute-accuracy"), ""));
    const char *real = "log1p/1 dtype=f32 shape=scalar | x=ones y=ones";
    CHECK(!strcmp(evidence(real, "absolute-accuracy", "absolute-accuracy"), ""));
    const char *tanh = "tanh/1 dtype=f32 shape=scalar | x=ones y=ones";
    CHECK(!strcmp(by_operator(real, "absolute-accuracy", tanh, "absolute-accuracy"), ""));
    CHECK(!strcmp(by_operator(real, "narrow-arithmetic", tanh, "narrow-arithmetic"), ""));
    CHECK(!strcmp(by_operator(real, "flush", tanh, "flush"), "reading"));
    CHECK(!strcmp(by_operator(real, "flush", real, ""), "operator"));
    CHECK(!strcmp(by_operator(real, "flush", real, "absolute-accuracy"), ""));
    CHECK(!strcmp(by_operator(real, "", log1p, ""), ""));
    CHECK(!strcmp(evidence_of(log1p, "nan-by-comparison", "nan-by-comparison", true), ""));
    CHECK(!strcmp(evidence_of(pow, "nan-by-comparison", "nan-by-comparison", true), "reading"));
    CHECK(!strcmp(evidence(pow, "nan-by-comparison", "complex-by-formula"), ""));
    CHECK(!strcmp(evidence(pow, "", ""), ""));
    const char *lstsq = "lstsq/1 dtype=f32 batch_shape=1 m=1 n=1 nrhs=1 | a=ones b=ones x=ones";
    CHECK(!strcmp(by_words(lstsq, "ValueError: expected a square matrix"), "message"));
    CHECK(!strcmp(by_words(lstsq, "gives paddle.float#[#, #], not [#, #, #]"), ""));
    const char *mish = "mish/1 dtype=f32 shape=2 | x=int y=ones";
    const char *of_complex = "tanh/1 dtype=c64 shape=2 | x=int y=ones";
    const char *softmax = "softmax/1 dtype=f32 shape=2 axis=0 | x=int y=ones";
    CHECK(!strcmp(by_probes(softmax, false), "probe"));
    CHECK(!strcmp(by_probes(softmax, true), ""));
    CHECK(!strcmp(by_probes(of_complex, true), ""));
    CHECK(!strcmp(by_probes(of_complex, false), ""));
    CHECK(!strcmp(by_probes(mish, true), "probe"));
    const char *of_real = "tanh/1 dtype=f32 shape=2 | x=int y=ones";
    CHECK(!strcmp(by_one_probe(of_real, softmax), "probe"));
    CHECK(!strcmp(by_one_probe(of_complex, pow), ""));
    CHECK(!strcmp(by_frame("FAULT", "segmentation fault", false), "frame"));
    CHECK(!strcmp(by_frame("DIVERGE", "NaN made", true), "frame"));
    CHECK(!strcmp(by_frame("DIVERGE", "NaN lost", false), ""));
    const char *trsm = "trsm/1 dtype=f32 | a=ones b=ones | exec=illegal:2";
    char *lda = "accepts an illegal lda", *ldb = "accepts an illegal ldb";
    char *uplo = "accepts an illegal uplo", *side = "accepts an illegal side";
    CHECK(!strcmp(by_argument(lda, trsm, lda), "argument"));
    CHECK(!strcmp(by_argument(lda, trsm, ldb), "argument"));
    CHECK(!strcmp(by_argument(uplo, trsm, uplo), "argument"));
    CHECK(!strcmp(by_argument(lda, trsm, side), ""));
    CHECK(!strcmp(by_argument(uplo, trsm, side), ""));
    return check_end("ties");
}
