/* Published lists are read, and what they say is held against the rows; a bad list is refused in
 * one sentence. */
#include "ops/backend/binding/coverage.h"
#include "ops/op.h"

#include <string.h>

#include "tests/check.h"

static void test_lists(void)
{
    int count = 0;
    for (const CoverageFile *file = coverage_files; file->name; file++, count++) {
        Coverage coverage;
        Text error = {0};
        bool ok = coverage_read(&coverage, file, &error);
        if (!ok)
            fprintf(stderr, "%s\n", text_string(&error));
        CHECK(ok && coverage.driven > 0 && coverage.driven + coverage.absent <= coverage.count);
        if (ok)
            coverage_release(&coverage);
        text_release(&error);
    }
    CHECK(count >= 6);
}

static const char *operators_of(const Coverage *coverage, const char *name)
{
    for (int i = 0; i < coverage->count; i++)
        if (!strcmp(coverage->rows[i].name, name))
            return coverage->rows[i].operators;
    return NULL;
}

static const CoverageRow *row_named(const Coverage *coverage, const char *name)
{
    for (int i = 0; i < coverage->count; i++)
        if (!strcmp(coverage->rows[i].name, name))
            return &coverage->rows[i];
    return NULL;
}

/* The types that a list has names in, and those among them that rows, forms and other ways drive.
 */
static void test_types(void)
{
    static const CoverageFile file = {
        "test", "title T\nsource S\nbindings torch\nspell torch.= .= F.=nn.\n"
                "names gcd acos lgamma nn.mish\n"
                "types integer boolean: gcd\ntypes real integer: acos lgamma\n"
                "promotes lgamma\ntypes real complex: nn.mish\n"
                "besides c64: nn.mish\n"};
    Coverage coverage;
    Text error = {0};
    CHECK(coverage_read(&coverage, &file, &error));
    CHECK(row_named(&coverage, "gcd")->types == (DTYPES_INTEGER | DTYPES_BOOLEAN));
    CHECK(row_named(&coverage, "gcd")->driven_types == DTYPES_INTEGER);
    CHECK(row_named(&coverage, "acos")->driven_types == DTYPES_REAL);
    CHECK(row_named(&coverage, "lgamma")->driven_types == (DTYPES_REAL | DTYPES_INTEGER));
    CHECK(row_named(&coverage, "nn.mish")->driven_types == (DTYPES_REAL | 1u << DT_C64));
    CHECK(coverage.types == 5 + 6 + 6 + 4 && coverage.driven_types == 4 + 2 + 6 + 3);
    coverage_release(&coverage);
}

/* Each way in which a call is written, and what does not count. */
static void test_calls(void)
{
    static const CoverageFile file = {"test",
                                      "title T\nsource S\nbindings torch\n"
                                      "spell torch.= F.=nn. .= aten::=\n"
                                      "names acos nn.mish permute linalg.vector_norm softmax\n"
                                      "  argmin reshape nothing whole empty unheard_of\n"
                                      "means reshape\nsame whole = sum mean\n"
                                      "absent empty: has no values\n"
                                      "later unheard_of: of complex numbers\n"};
    Coverage coverage;
    Text error = {0};
    CHECK(coverage_read(&coverage, &file, &error));
    CHECK(!strcmp(operators_of(&coverage, "acos"), "acos"));
    CHECK(!strcmp(operators_of(&coverage, "nn.mish"), "mish"));
    CHECK(strstr(operators_of(&coverage, "permute"), "transpose") != NULL);
    CHECK(strstr(operators_of(&coverage, "linalg.vector_norm"), "norm1") != NULL);
    CHECK(!strcmp(operators_of(&coverage, "argmin"), "argmin"));
    CHECK(!strcmp(operators_of(&coverage, "reshape"), ""));
    CHECK(!strcmp(operators_of(&coverage, "nothing"), ""));
    CHECK(!strcmp(operators_of(&coverage, "whole"), "sum mean"));
    CHECK(coverage.driven == 7 && coverage.absent == 1);
    CHECK(!strcmp(coverage.rows[coverage.count - 1].why, "of complex numbers"));
    coverage_release(&coverage);
}

static void test_bad_lists(void)
{
    static const struct {
        const char *text, *problem;
    } bad[] = {
        {"title T\nsource S\nnames a a\n", "bad.names, line 3: twice: a"},
        {"title T\nsource S\nbindings mars\n", "line 3: no bindings mars"},
        {"title T\nsource S\nspell torch.\n", "line 3: expected FROM=TO: torch."},
        {"title T\nsource S\nnames a\nsame b = sum\n", "line 4: expected same NAME"},
        {"title T\nsource S\nnames a\nsame a = total\n", "line 4: there is no operator total"},
        {"title T\nsource S\nnames a\nabsent a\n", "line 4: no reason"},
        {"title T\nsource S\nnames a\nabsent b: why\n", "line 4: no name of the list: b"},
        {"title T\nsource S\nnames sum\nabsent sum: why\n",
         "absent or later, but a row calls it: sum"},
        {"title T\nsource S\nnames sum\nlater sum: why\n", "but a row calls it: sum"},
        {"title T\nsource S\nnames a\ntypes f99: a\n", "line 4: there is no element type f99"},
        {"title T\nsource S\nnames a\ntypes f32\n", "line 4: no names behind a colon"},
        {"title T\nsource S\nnames a\ntypes f32: b\n", "line 4: no name of the list: b"},
        {"names a\n", "no title, or no source"},
        {"tilte T\n", "line 1: expected title"},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        CoverageFile file = {"bad", bad[i].text};
        Coverage coverage;
        Text error = {0};
        CHECK(!coverage_read(&coverage, &file, &error));
        if (!strstr(text_string(&error), bad[i].problem))
            fprintf(stderr, "of \"%s\" it says \"%s\"\n", bad[i].text, text_string(&error));
        CHECK(strstr(text_string(&error), bad[i].problem) != NULL);
        text_release(&error);
    }
}

int main(void)
{
    test_lists();
    test_calls();
    test_types();
    test_bad_lists();
    return check_end("ops/t_coverage");
}
