/* Programs that a worker says it does not take: by all patterns of a line, at the ends of lines,
 * and by whether they have several extents. */
#include <string.h>

#include "ops/backend/process/refusals.h"
#include "tests/check.h"

static Refusals refusals;

/* Why a program is refused, "" where it is taken. */
static bool is_refused(const char *line, const char *expected)
{
    static Case c;
    Text why = {0};
    bool parsed = case_parse(&c, line, &why);
    CHECK(parsed);
    text_clear(&why);
    bool refused = parsed && refusals_have(&refusals, &c, &why),
         right = !strcmp(text_string(&why), expected) && refused == (expected[0] != '\0');
    text_release(&why);
    return right;
}

int main(void)
{
    CHECK(is_refused("program/1 dtype=f32 n=2 code=raise | x=ones z=ones", ""));
    refusals_add(&refusals, "exceptions\traise");
    refusals_add(&refusals, "another name\t^ *[a-d] = [a-d]$");
    refusals_add(&refusals, "extents and rounds\tEXTENTS\tfor e");
    refusals_add(&refusals, "no elements\tEXTENTS ([0-9]+x)*0(x|$)");
    refusals_add(&refusals, "no pattern");
    CHECK(is_refused("program/1 dtype=f32 n=2 code=raise.0.0.1 | x=ones z=ones", "exceptions"));
    CHECK(is_refused("program/1 dtype=f32 n=2 code=set.0.2,alias.0.1 | x=ones z=ones",
                     "another name"));
    CHECK(is_refused("program/1 dtype=f32 n=2 code=set.0.1,add.0.1 | x=ones z=ones", ""));
    CHECK(is_refused("program/1 dtype=f32 n=2 code=for_rows | x=ones z=ones", ""));
    CHECK(is_refused("program/1 dtype=f32 n=2 extents=2x1 signature=first code=for_rows | x=ones "
                     "z=ones",
                     "extents and rounds"));
    CHECK(is_refused("program/1 dtype=f32 n=2 extents=2x1 signature=first code=pass | x=ones "
                     "z=ones",
                     ""));
    CHECK(is_refused("program/1 dtype=f32 n=2 extents=2x0 signature=first code=pass | x=ones "
                     "z=ones",
                     "no elements"));
    CHECK(is_refused("add/2 dtype=f32 shape=2 | a=ones b=ones", ""));
    /* Patterns of several lines: an else of a loop, and none of a branch inside or behind it. */
    refusals_add(&refusals, "else of a loop\t^( *)(for|while) .*(\\s^\\1 .*)*\\s^\\1else:");
    CHECK(is_refused("program/1 dtype=f32 n=2 code=if.0,while.0,if.0,end,else | x=ones z=ones",
                     "else of a loop"));
    CHECK(is_refused("program/1 dtype=f32 n=2 code=while.0,if.0,else | x=ones z=ones", ""));
    CHECK(is_refused("program/1 dtype=f32 n=2 code=while.0,end,if.0,else | x=ones z=ones", ""));
    CHECK(is_refused("program/1 dtype=f32 n=2 code=if.0,while.0,end,else | x=ones z=ones", ""));
    /* What there is no room for is left to the worker. */
    static char longest[sizeof refusals.lines];
    memset(longest, 'x', sizeof longest - 1);
    refusals_add(&refusals, longest);
    refusals_add(&refusals, "numbers\ti \\+= ");
    CHECK(is_refused("program/1 dtype=f32 n=2 code=i_plus.0.0.3 | x=ones z=ones", "numbers"));
    return check_end("refusals");
}
