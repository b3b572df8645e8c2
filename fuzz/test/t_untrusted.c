/* What is said of a finding that a worker sent and that cannot be read. */
#include "fuzz/campaign/campaign_parts.h"
#include "fuzz/campaign/untrusted.h"
#include "tests/check_case.h"

static const char *const backends[] = {"openblas", "torch:compile", NULL};

static FindingMessage sound_message(void)
{
    FindingMessage message = {.c =
                                  check_case("gemm/1 dtype=f32 m=2 n=3 k=4 | a=ones b=ones c=ones"),
                              .result = {.backend = 1, .judgement = {.kind = VERDICT_DIVERGE}},
                              .number = 17};
    return message;
}

/* Whether it cannot be read, and what is said of that has this part. */
static bool is_wrong(FindingMessage message, const char *part)
{
    Text why = {0};
    bool wrong = !untrusted_finding(&message, backends, &why) && strstr(text_string(&why), part) &&
                 !strpbrk(text_string(&why), "\n\x1b");
    if (!wrong)
        printf("expected '%s', got '%s'\n", part, text_string(&why));
    text_release(&why);
    return wrong;
}

static void test_numbers(void)
{
    FindingMessage message = sound_message();
    CHECK(untrusted_finding(&message, backends, NULL));
    message.result.backend = 2;
    CHECK(is_wrong(message, "the library's number is 2, not one of 0 to 1"));
    message = sound_message();
    message.result.output = -1;
    CHECK(is_wrong(message, "the output's number is -1"));
    message = sound_message();
    message.result.judgement.kind = VERDICT_AGREE;
    CHECK(is_wrong(message, "the kind of verdict is 0, which is no finding"));
    message = sound_message();
    message.result.judgement.picture.rows = PICTURE_ROWS + 1;
    CHECK(is_wrong(message, "rows of the picture is 17, not one of 0 to 16"));
}

static void set_dimension(Case *c, const char *name, int64_t value)
{
    ParamGroup groups[CASE_GROUPS_MAX];
    const Param *param;
    (void)case_groups(c, groups);
    for (param = groups[0].params; strcmp(param->name, name) != 0;)
        param++;
    *param_integer(param, groups[0].values) = value;
}

static void test_cases(void)
{
    FindingMessage message = sound_message();
    message.c.op = (const OpDesc *)16;
    CHECK(is_wrong(message, "the operator of the case is at 0x10, where none is"));
    message = sound_message();
    memset(message.c.params, 0x7f, sizeof message.c.params);
    /* A signal, or the status with which a sanitizer ends. */
    CHECK(is_wrong(message, "the case of gemm cannot be printed: "));
    message = sound_message();
    set_dimension(&message.c, "m", -5);
    CHECK(is_wrong(message, "the case has the line 'gemm/1 dtype=f32 "));
    CHECK(is_wrong(message, "of which the parser says '"));
}

/* Names of policies are bytes of the process that sent them. */
static void test_names(void)
{
    char longer[2 * UNTRUSTED_SHOWN + 1];
    FindingMessage message = sound_message();
    message.result.judgement.kind = VERDICT_POLICY;
    message.result.judgement.model = "\x1b[2J\xff";
    CHECK(is_wrong(message, "the policy has the name '\\x1b[2J\\xff'"));
    memset(longer, 'x', sizeof longer - 1);
    longer[sizeof longer - 1] = '\0';
    message.result.judgement.model = longer;
    CHECK(is_wrong(message, "xxx' and 400 bytes more"));
    message.result.judgement.model = "two\nlines";
    CHECK(untrusted_finding(&message, backends, NULL));
}

static void test_report(void)
{
    static Campaign campaign;
    const CampaignOptions options = {.backends = backends};
    const FindingMessage message = sound_message();
    Text why = {0}, told = {0};
    campaign.options = &options;
    text_put(&why, "the tier is 99");
    unreadable_report(&campaign, &told);
    CHECK(!campaign.internal_error);
    (void)unreadable_note(&campaign, &message, &why, &told);
    (void)unreadable_note(&campaign, &message, &why, &told);
    CHECK(campaign.unreadable == 2);
    CHECK(!strcmp(text_string(&told), "of torch:compile, case 17 of its worker: the tier is 99"));
    unreadable_report(&campaign, &told);
    CHECK(campaign.internal_error && told.length == 0);
    text_release(&told);
    text_release(&why);
}

int main(void)
{
    test_numbers();
    test_cases();
    test_names();
    test_report();
    return check_end("t_untrusted");
}
