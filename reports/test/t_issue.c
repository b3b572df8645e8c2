/* Texts of projects: each library that asks for a form of its own gets it, placeholders have
 * values, and what has no value leaves nothing behind. */
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "ops/backend/backend.h"
#include "reports/issue_project.h"
#include "reports/issue_words.h"
#include "reports/reproduce/program_run.h"
#include "reports/store/bug_title.h"
#include "reports/store/bug_words.h"
#include "reports/symptom_words.h"
#include "tests/check.h"

extern const char issue_projects[];

static const char *const names[] = {
    "TITLE",    "SUMMARY",  "EXPECTED",       "PROGRAM",      "OUTPUT",   "PROCESSOR",
    "SYSTEM",   "FOUND",    "LIBRARY",        "VERSION",      "CORE",     "VERSIONS",
    "AFFECTED", "COMPILER", "PYTHON_VERSION", "ARCHITECTURE", "COLLECTED"};

/* Fills the text with the same value for all names but one, which is empty. */
static void fill(const char *text, const char *value, const char *empty, Text *filled)
{
    IssueValue values[COUNT_OF(names) + 1] = {{0}};
    for (size_t i = 0; i < COUNT_OF(names); i++)
        values[i] = (IssueValue){names[i], strcmp(names[i], empty) ? value : ""};
    issue_project_fill(text, values, filled);
}

/* Every library with a form of its own is a backend. */
static void test_sections_are_of_backends(void)
{
    for (const char *at = strstr(issue_projects, "\n=== "); at; at = strstr(at + 1, "\n=== ")) {
        char name[64];
        bool known = at[5] == '*';
        (void)snprintf(name, sizeof name, "%.*s", (int)strcspn(at + 5, " \n"), at + 5);
        for (const BackendKind *const *kind = backend_registry; *kind; kind++)
            known = known || !strcmp((*kind)->name, name);
        CHECK(known);
    }
}

static void test_every_text_is_whole(void)
{
    for (const BackendKind *const *kind = backend_registry; *kind; kind++) {
        IssueProject project;
        Text filled = {0};
        issue_project_find((*kind)->name, &project);
        fill(text_string(&project.text), "value", "none", &filled);
        CHECK(!strchr(text_string(&filled), '@'));
        CHECK(!strncmp(text_string(&filled), "# value\n", 8));
        for (size_t i = 0; i < 5; i++) {
            char placeholder[32];
            (void)snprintf(placeholder, sizeof placeholder, "@%s@", names[i]);
            CHECK(strstr(text_string(&project.text), placeholder) != NULL);
        }
        text_release(&filled);
        issue_project_release(&project);
    }
}

static void test_forms_differ(void)
{
    IssueProject own, other;
    issue_project_find("onednn", &own);
    issue_project_find("cblas", &other);
    CHECK(strstr(text_string(&own.text), "\n# Steps to reproduce\n") != NULL);
    CHECK(!strcmp(text_string(&own.run), "ONEDNN_VERBOSE=1"));
    CHECK(strstr(text_string(&other.text), "\n## Program\n") != NULL);
    CHECK(other.link.length == 0 && other.run.length == 0 && other.collect.length == 0);
    issue_project_release(&own);
    issue_project_release(&other);
}

static void test_empty_values(void)
{
    static const char text[] =
        "# @TITLE@\n\n- core: @CORE@\n- system: @SYSTEM@\n\n## One\n\n@AFFECTED@\n\n"
        "## Two\n\n```\n# no heading\n\n\n- @OUTPUT@\n```\n\n## Three\n\n@VERSIONS@\n";
    Text filled = {0};
    fill(text, "v", "CORE", &filled);
    CHECK(!strstr(text_string(&filled), "core") && strstr(text_string(&filled), "- system: v\n"));
    text_clear(&filled);
    fill(text, "v", "AFFECTED", &filled);
    CHECK(!strstr(text_string(&filled), "## One") && strstr(text_string(&filled), "## Two"));
    CHECK(strstr(text_string(&filled), "```\n# no heading\n\n\n- v\n```") != NULL);
    text_clear(&filled);
    fill(text, "v", "VERSIONS", &filled);
    CHECK(!strstr(text_string(&filled), "## Three"));
    text_release(&filled);
}

static void test_words(void)
{
    for (int i = SYMPTOM_VALUE; i < SYMPTOM_COUNT; i++)
        CHECK(symptom_phrase((Symptom)i)[0] != '\0');
    CHECK(strstr(symptom_reason(SYMPTOM_NAN_LOST), "IEEE 754") != NULL);
    CHECK(tier_certainty("exact")[0] && !tier_certainty("special")[0]);
}

static void check_condition(const char *word, bool value, const char *wanted)
{
    Text said = {0};
    bug_put_condition(&said, word, strlen(word), value);
    CHECK(!strcmp(text_string(&said), wanted));
    text_release(&said);
}

/* Two findings of one bug, minimal, of these triggers and operators, and its words. */
static void check_bug_words(const char *meaning, const char *other, const char *reviewed,
                            const char *title, const char *condition)
{
    BugFacts facts[] = {{.op = op_find("gemv")}, {.op = op_find("symv")}};
    const char *meanings[] = {meaning, other};
    const BugFacts *const members[] = {&facts[0], &facts[1]};
    BugWords words = {0};
    for (size_t i = 0; i < COUNT_OF(facts); i++) {
        BugFacts *f = &facts[i];
        f->symptom = "NaN lost";
        f->detail = f->frame = f->message = f->policy = f->plain_meaning = "";
        text_put(&f->trigger.meaning, meanings[i]);
        text_put(&f->trigger.structure, TRIGGER_BACKWARDS " ");
    }
    bug_put_words(NULL, reviewed, members, COUNT_OF(members), &words);
    CHECK(!strcmp(text_string(&words.title), title));
    CHECK(!strcmp(text_string(&words.condition), condition));
    bug_words_release(&words);
    for (size_t i = 0; i < COUNT_OF(facts); i++)
        trigger_release(&facts[i].trigger);
}

/* The condition is of what all findings need, and the same whatever the title says. */
static void test_bug_words(void)
{
    static const char both[] = "beta = NaN and a negative increment";
    check_bug_words("beta=nan ", "beta=nan alpha ", NULL,
                    "gemv and symv: NaN lost for beta = NaN and a negative increment", both);
    check_bug_words("beta=nan ", "beta=nan ", "what is kept for later is lost",
                    "what is kept for later is lost (gemv and symv)", both);
    check_bug_words("beta=nan ", "alpha=nan ", NULL,
                    "gemv and symv: NaN lost for a negative increment", "a negative increment");
}

static void test_conditions(void)
{
    check_condition("beta=nan", true, "beta = NaN");
    check_condition("backwards", false, "a negative increment");
    check_condition("input=inf", true, "infinity in an operand");
    check_condition("output=nan", true, "NaN in what is updated");
    check_condition("output=tiny", true, "values near underflow");
    check_condition("matrix=graded", false, "matrix = graded");
    check_condition("alpha=huge", true, "alpha near overflow");
    check_condition("alpha", true, "a general alpha");
    check_condition("groups>1", false, "groups above 1");
    check_condition("layout=strided", false, "operands with a stride");
    check_condition("function>0", false, "another of the functions for it");
    check_condition("gap", false, "gaps between rows");
}

static void check_operator(const char *name, const char *wanted)
{
    Text said = {0};
    bug_put_operator(&said, name);
    CHECK(!strcmp(text_string(&said), wanted));
    text_release(&said);
}

static void test_titles(void)
{
    check_operator("elu", "elu");
    check_operator("elu_backward", "the gradient of elu");
    check_operator("conv2d_backward_weights", "the weight gradient of conv2d");
    CHECK(!strcmp(bug_symptom("NaN made"), "NaN in place of a number"));
    CHECK(!strcmp(bug_symptom("NaN lost"), "NaN lost"));
}

/* What a reader elsewhere has no use for goes: colours, and our own folders. */
static void test_output(void)
{
    char here[PATH_MAX];
    Text output = {0}, clean = {0};
    CHECK(getcwd(here, sizeof here) != NULL);
    text_printf(&output,
                "\x1b[1;31mE: bad\x1b[m\n  File \"" PROGRAM_FOLDER "a1b2c3/x.py\", line 1\n"
                "  File \"%s/lib/y.py\"\n100%% [3]\n",
                here);
    issue_put_output(&clean, text_string(&output));
    CHECK(!strcmp(text_string(&clean),
                  "E: bad\n  File \"x.py\", line 1\n  File \"lib/y.py\"\n100% [3]\n"));
    text_release(&output);
    text_release(&clean);
}

static void test_numbers(void)
{
    static const char *const pairs[][2] = {
        {"0x1p+1 (2)", "2"},
        {"0x1.fe9999999999ap+30 (2.1e+09)", "2.1e+09"},
        {"0x1.2p+21 (2.35e+06)", "2359296"},
        {"nan", "NaN"},
        {"-inf", "-infinity"},
        {"0x1p-1 (0.5)", "0.5"},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        Text said = {0};
        issue_put_number(&said, pairs[i][0]);
        CHECK(!strcmp(text_string(&said), pairs[i][1]));
        text_release(&said);
    }
}

int main(void)
{
    test_conditions();
    test_bug_words();
    test_titles();
    test_output();
    test_numbers();
    test_sections_are_of_backends();
    test_every_text_is_whole();
    test_forms_differ();
    test_empty_values();
    test_words();
    return check_end("reports/t_issue");
}
