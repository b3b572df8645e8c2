/* The reviewed list is read or refused by its line, and an entry is found by what shows it. */
#include "reports/store/reviewed.h"

#include <stdlib.h>
#include <string.h>

#include "tests/check.h"

static void refuses(const char *text, const char *words)
{
    ReviewedList list;
    Text error = {0};
    CHECK(!reviewed_read(text, &list, &error));
    CHECK(strstr(text_string(&error), words) != NULL);
    text_release(&error);
    reviewed_release(&list);
}

/* A minimal finding as the entry of its line would show it. */
static void make_facts(BugFacts *f, const char *library, const char *line, const char *symptom)
{
    Text error = {0};
    *f = (BugFacts){.library = memory_duplicate(library),
                    .backend = memory_duplicate(library),
                    .symptom = memory_duplicate(symptom),
                    .detail = memory_duplicate("reads past the end: y"),
                    .policy = memory_duplicate(""),
                    .reading = memory_duplicate("")};
    f->minimal = memory_allocate(1, sizeof *f->minimal);
    CHECK(case_parse(f->minimal, line, &error));
    f->op = f->minimal->op;
    f->dtype = case_dtype(f->minimal);
    f->illegal = (int)f->minimal->exec.illegal;
    case_trigger(f->minimal, "", &f->trigger);
    text_release(&error);
}

static void release_facts(BugFacts *f)
{
    free(f->library);
    free(f->backend);
    free(f->symptom);
    free(f->detail);
    free(f->policy);
    free(f->reading);
    free(f->minimal);
    trigger_release(&f->trigger);
}

static size_t find(const ReviewedList *list, const char *library, const char *line,
                   const char *symptom)
{
    BugFacts f;
    make_facts(&f, library, line, symptom);
    const BugFacts *members[] = {&f};
    size_t at = reviewed_find(list, members, 1);
    f.unfinished = true;
    CHECK(reviewed_find(list, members, 1) == list->entry_count);
    release_facts(&f);
    return at;
}

static const char text[] = "# title: first\n# upstream: https://example.org/1 (of\n#   another)\n"
                           "# symptom: NaN lost\n# backend: blis:core=3\n"
                           "scal/1 dtype=f32 n=1 alpha=nan | x=ones\n\n"
                           "# title: second\n# upstream: not found\n# shared: a kernel,\n#   one\n"
                           "# symptom: wrong value\n"
                           "# backend: blis\nasum/1 dtype=c64 n=9 | x=ones\n"
                           "# symptom: reads outside: y\n"
                           "hemv/1 dtype=c128 n=1 | a=ones x=ones y=ones\n"
                           "# symptom: wrong value\n"
                           "max_pool1d/2 dtype=f32 input_size=1 kernel_size=1 | x=ones\n"
                           "nrm2/1 dtype=f32 n=1 incx=0 | x=ones\n"
                           "gesv/1 dtype=f32 n=1 nrhs=0 | a=ones b=ones\n"
                           "# symptom: accepted\n"
                           "scal/1 dtype=f64 n=1 | x=ones | exec=illegal:1\n\n"
                           "# title: third\n# symptom: misreported\n# reading: argument-number\n"
                           "# backend: blis\ngemv/1 dtype=f32 | a=ones x=ones y=ones\n\n"
                           "# title: fourth\n# symptom: refused\n# backend: torch:2.15.0+script\n"
                           "program/1 dtype=f32 n=1 code=while,else | x=ones z=ones\n";

/* The same program is another one to another compiler. */
static void find_program(const ReviewedList *list)
{
    static const struct {
        const char *backend;
        size_t entry;
    } rows[] = {{"torch:script", 3},
                {"torch:2.14.1+script", 3},
                {"torch:inductor", 4},
                {"torch", 4},
                {"torch:2.15.0", 4}};
    BugFacts f;
    make_facts(&f, "torch", "program/1 dtype=f32 n=1 code=while,else | x=ones z=ones", "refused");
    const BugFacts *members[] = {&f};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        free(f.backend);
        f.backend = memory_duplicate(rows[i].backend);
        CHECK(reviewed_find(list, members, 1) == rows[i].entry);
    }
    release_facts(&f);
}

/* What the library says, or which operand a stray call changes, in whatever operator. */
static void find_families(void)
{
    static const char families[] =
        "# title: first\n# symptom: misreported\n# message: MLIRError\n# backend: jax\n"
        "tile/2 dtype=f32 | x=ones\n\n# title: second\n# symptom: abort\n# stray: dy\n"
        "# backend: paddle\nexp_backward/1 dtype=f32 shape=2 | dy=ones | exec=illegal:17\n\n"
        "# title: third\n# symptom: abort\n# stray: *\n# backend: oneflow\n"
        "exp/1 dtype=f32 shape=2 | x=ones | exec=illegal:17\n";
    static const struct {
        const char *library, *symptom, *detail, *spoilt;
        int illegal;
        size_t entry;
    } rows[] = {{"jax", "misreported", "refuses an illegal rows: MLIRError: 1", NULL, 1, 0},
                {"jax", "misreported", "refuses an illegal rows: TypeError", NULL, 1, 3},
                {"torch", "misreported", "refuses an illegal rows: MLIRError: 1", NULL, 1, 3},
                {"paddle", "abort", "SIGABRT on a stray rank 0", "dy", 20, 1},
                {"paddle", "abort", "SIGABRT on a stray rank 0", "x", 20, 3},
                {"paddle", "abort", "SIGABRT on a stray number", NULL, 30, 3},
                {"oneflow", "abort", "SIGABRT on a stray number", NULL, 30, 2},
                {"oneflow", "abort", "SIGABRT on an illegal rank", NULL, 3, 3},
                {"oneflow", "hang", "hang", NULL, 30, 3}};
    ReviewedList list;
    Text error = {0};
    CHECK(reviewed_read(families, &list, &error));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        BugFacts f;
        make_facts(&f, rows[i].library, "sum/1 dtype=f64 shape=2x3 axes=1 | x=int",
                   rows[i].symptom);
        free(f.detail);
        f.detail = memory_duplicate(rows[i].detail);
        f.spoilt = rows[i].spoilt;
        f.illegal = rows[i].illegal;
        const BugFacts *members[] = {&f};
        CHECK(reviewed_find(&list, members, 1) == rows[i].entry);
        release_facts(&f);
    }
    text_release(&error);
    reviewed_release(&list);
}

/* Whatever its operator and case, minimal or not; and no other rule, library or symptom. */
static void find_by_reading(const ReviewedList *list)
{
    BugFacts f;
    make_facts(&f, "blis", "trsm/1 dtype=c64 m=7 | a=int b=int", "misreported");
    const BugFacts *members[] = {&f};
    f.unfinished = true;
    CHECK(reviewed_find(list, members, 1) == list->entry_count);
    free(f.reading);
    f.reading = memory_duplicate("argument-number");
    CHECK(reviewed_find(list, members, 1) == 2);
    free(f.symptom);
    f.symptom = memory_duplicate("refused");
    CHECK(reviewed_find(list, members, 1) == list->entry_count);
    release_facts(&f);
    make_facts(&f, "openblas", "trsm/1 dtype=c64 m=7 | a=int b=int", "misreported");
    free(f.reading);
    f.reading = memory_duplicate("argument-number");
    CHECK(reviewed_find(list, members, 1) == list->entry_count);
    release_facts(&f);
}

/* What memory held is another thing each time; what shows each time is no chance. */
static void find_by_chance(void)
{
    static const char list_text[] = "# title: a\n# symptom: wrong value\n# chance: memory\n"
                                    "# backend: blis\nscal/1 dtype=f32 n=1 incx=2 | x=ones\n"
                                    "axpy/1 dtype=f32 n=1 alpha=nan | x=ones y=ones\n";
    ReviewedList list;
    BugFacts f;
    Text error = {0};
    CHECK(reviewed_read(list_text, &list, &error));
    make_facts(&f, "blis", "scal/1 dtype=f64 n=9 incx=3 | x=ones | exec=repeat:2", "NaN made");
    const BugFacts *members[] = {&f};
    CHECK(reviewed_find(&list, members, 1) == 1);
    f.flaky = true;
    CHECK(reviewed_find(&list, members, 1) == 0);
    free(f.symptom);
    f.symptom = memory_duplicate("segmentation fault");
    CHECK(reviewed_find(&list, members, 1) == 1);
    release_facts(&f);
    make_facts(&f, "blis", "scal/1 dtype=f64 n=9 | x=ones | exec=repeat:2", "NaN made");
    f.flaky = true;
    CHECK(reviewed_find(&list, members, 1) == 1);
    release_facts(&f);
    /* Values that the case needs must be there. */
    make_facts(&f, "blis", "axpy/1 dtype=f64 n=9 alpha=nan | x=ones y=ones", "NaN made");
    f.flaky = true;
    CHECK(reviewed_find(&list, members, 1) == 0);
    release_facts(&f);
    make_facts(&f, "blis", "axpy/1 dtype=f64 n=9 | x=ones y=ones", "NaN made");
    f.flaky = true;
    CHECK(reviewed_find(&list, members, 1) == 1);
    release_facts(&f);
    reviewed_release(&list);
    text_release(&error);
}

/* More values and structure, and any type where a structure is needed; not less, and no other
 * symptom. */
static void find_what_suffices(void)
{
    static const char list_text[] = "# title: a\n# symptom: NaN made\n# suffices: relu makes it\n"
                                    "# backend: onednn\n"
                                    "linear/2 dtype=f32 activation=relu | x=exponents\n"
                                    "matmul/2 dtype=bf16 | a=ones,special:subnormal\n";
    static const struct {
        const char *line, *symptom;
        size_t entry;
    } rows[] = {
        {"linear/2 dtype=f16 batch=3 activation=relu | x=exponents w=int", "NaN made", 0},
        {"linear/2 dtype=f32 bias=yes activation=relu | w=ones,special:inf", "NaN made", 0},
        {"linear/2 dtype=f32 | x=ones,special:-inf", "NaN made", 1},
        {"linear/2 dtype=f32 activation=relu6 | x=ones,special:-inf", "NaN made", 1},
        {"linear/2 dtype=f32 activation=relu | x=ones,special:-inf", "NaN lost", 1},
        {"matmul/2 dtype=f32 activation=relu | a=ones,special:-inf", "NaN made", 1},
        {"matmul/2 dtype=bf16 | a=ones,special:subnormal b=ones,special:inf", "NaN made", 0},
        {"matmul/2 dtype=f32 | a=ones,special:subnormal", "NaN made", 1},
        {"matmul/2 dtype=bf16 | a=ones,special:inf", "NaN made", 1},
    };
    ReviewedList list;
    Text error = {0};
    CHECK(reviewed_read(list_text, &list, &error));
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        CHECK(find(&list, "onednn", rows[i].line, rows[i].symptom) == rows[i].entry);
    reviewed_release(&list);
    text_release(&error);
}

/* Plain values that a finding was found to need are not said in the list. */
static void find_what_needs_plain_values(const ReviewedList *list)
{
    static const char needed[] = "n=9 ";
    BugFacts f;
    make_facts(&f, "blis", "asum/1 dtype=c64 n=9 | x=ones", "wrong value");
    trigger_release(&f.trigger);
    f.trigger = (Trigger){0};
    case_trigger(f.minimal, needed, &f.trigger);
    const BugFacts *members[] = {&f};
    CHECK(reviewed_find(list, members, 1) == list->entry_count);
    f.needed = strlen(needed);
    CHECK(reviewed_find(list, members, 1) == 1);
    release_facts(&f);
}

static void find_entries(void)
{
    ReviewedList list;
    Text error = {0};
    CHECK(reviewed_read(text, &list, &error));
    CHECK(list.entry_count == 4 && list.case_count == 9);
    CHECK(!strcmp(list.entries[0].upstream, "https://example.org/1 (of another)"));
    CHECK(!strcmp(list.entries[0].link, "https://example.org/1") && !list.entries[1].link[0]);
    const char *scal = "scal/1 dtype=f64 n=3 alpha=nan | x=ones";
    CHECK(find(&list, "blis", scal, "NaN lost") == 0);
    CHECK(find(&list, "openblas", scal, "NaN lost") == 4);
    CHECK(find(&list, "blis", scal, "wrong value") == 4);
    CHECK(find(&list, "blis", "scal/1 dtype=f64 n=3 alpha=inf | x=ones", "NaN lost") == 4);
    CHECK(find(&list, "blis", "scal/1 dtype=f64 n=3 alpha=nan incx=2 | x=ones", "NaN lost") == 4);
    CHECK(find(&list, "blis", "asum/1 dtype=c64 n=3 | x=ones", "wrong value") == 1);
    /* However many axes; and no other operator. */
    CHECK(find(&list, "blis", "max_pool2d/2 dtype=f32 input_size=1x1 kernel_size=1x1 | x=ones",
               "wrong value") == 1);
    CHECK(find(&list, "blis", "avg_pool1d/2 dtype=f32 input_size=1 kernel_size=1 | x=ones",
               "wrong value") == 4);
    CHECK(find(&list, "blis", "asum/1 dtype=f32 n=3 | x=ones", "wrong value") == 4);
    /* Another type, where the case needs a structure. */
    CHECK(find(&list, "blis", "nrm2/1 dtype=c64 n=1 incx=0 | x=ones", "wrong value") == 1);
    CHECK(find(&list, "blis", "nrm2/1 dtype=c64 n=1 | x=ones", "wrong value") == 4);
    /* Another type, where the same extent is empty. */
    CHECK(find(&list, "blis", "gesv/1 dtype=c64 n=1 nrhs=0 | a=ones b=ones", "wrong value") == 1);
    CHECK(find(&list, "blis", "gesv/1 dtype=c64 n=1 | a=ones b=ones", "wrong value") == 4);
    CHECK(find(&list, "blis", "gesv/1 dtype=c64 n=5 nrhs=0 | a=ones b=ones", "wrong value") == 4);
    /* Of an illegal argument in any type, and no other argument. */
    CHECK(find(&list, "blis", "scal/1 dtype=c64 n=1 | x=ones | exec=illegal:1", "accepted") == 1);
    CHECK(find(&list, "blis", "scal/1 dtype=c64 n=1 | x=ones | exec=illegal:4", "accepted") == 4);
    CHECK(!strcmp(list.entries[1].shared, "a kernel, one") && !list.entries[0].shared[0]);
    const char *hemv = "hemv/1 dtype=c128 n=6 | a=ones x=ones y=ones";
    CHECK(find(&list, "blis", hemv, "reads outside") == 1);
    free(list.cases[2].operand);
    list.cases[2].operand = memory_duplicate("x");
    CHECK(find(&list, "blis", hemv, "reads outside") == 4);
    find_by_reading(&list);
    find_what_needs_plain_values(&list);
    find_program(&list);
    text_release(&error);
    reviewed_release(&list);
}

/* Every beginning of a list is read or refused; none ends the process. */
static void cut_short(void)
{
    char cut[sizeof text];
    for (size_t length = 0; length < sizeof text; length++) {
        ReviewedList list;
        Text error = {0};
        memcpy(cut, text, length);
        cut[length] = '\0';
        CHECK(reviewed_read(cut, &list, &error) == (error.length == 0));
        text_release(&error);
        reviewed_release(&list);
    }
}

int main(void)
{
    find_families();
    ReviewedList own;
    Text error = {0};
    CHECK(reviewed_read_own(&own, &error));
    CHECK(own.entry_count > 0 && own.case_count > 0);
    text_release(&error);
    reviewed_release(&own);
    refuses("scal/1 dtype=f32 n=1 | x=ones\n", "line 1: a case without a title");
    refuses("# title: a\nscal/1 dtype=f32 n=1 | x=ones\n", "line 2: a case without a title");
    refuses("# title: a\n# symptom: unhappy\n", "line 2: 'unhappy' is no symptom");
    refuses("# title: a\n# symptom\n", "line 2: '' is no symptom");
    refuses("# title: a\n# backend: blis\n\nnonsense\n", "line 4: ");
    refuses("# title: a\n# backend: blis\nnonsense\n", "line 3: ");
    find_entries();
    find_by_chance();
    find_what_suffices();
    cut_short();
    return check_end("reviewed");
}
