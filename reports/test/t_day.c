/* Which texts are days, and when they begin. */
#include "reports/day.h"

#include <string.h>

#include "tests/check.h"

static void expect_day(const char *text, int64_t begins)
{
    Text error = {0};
    int64_t seconds = 0;
    CHECK(day_parse(text, &seconds, &error));
    CHECK(seconds == begins && error.length == 0);
    text_release(&error);
}

static void expect_refusal(const char *text)
{
    Text error = {0}, refusal = {0};
    int64_t seconds = 0;
    text_printf(&refusal, "'%s' is no day: expected one like 2027-01-31", text);
    CHECK(!day_parse(text, &seconds, &error));
    CHECK(!strcmp(text_string(&error), text_string(&refusal)));
    text_release(&error);
    text_release(&refusal);
}

int main(void)
{
    expect_day("1970-01-01", 0);
    expect_day("1969-12-31", -86400);
    expect_day("2000-02-29", 951782400);
    expect_day("2027-01-31", 1801353600);
    expect_day("9999-12-31", 253402214400);
    static const char *const none[] = {
        "",           "soon",        "2027",        "2027-01",    "2027-1-31",        "2027-02-29",
        "2027-13-01", "2027-00-01",  "2027-01-00",  "2027-01-32", "27-01-31",         "02027-01-31",
        "2027/01/31", " 2027-01-31", "2027-01-31 ", "2027- 1-31", "2027-01-31T00:00", "+027-01-31",
        "-001-01-31", "2027--1-31",
    };
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        expect_refusal(none[i]);
    return check_end("day");
}
