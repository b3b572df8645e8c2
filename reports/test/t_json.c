/* Text of any bytes survives writing as JSON and reading. */
#include "reports/json.h"

#include <math.h>
#include <string.h>

#include "tests/check.h"

static bool holds(const char *object, const char *name, const char *wanted)
{
    Text value = {0};
    bool equal = json_member(object, name, &value) && strcmp(text_string(&value), wanted) == 0;
    text_release(&value);
    return equal;
}

int main(void)
{
    Text json = {0}, none = {0};
    text_put(&json, "{");
    json_put_member(&json, "text", "a\"verdict\":\\b\n\x01 {");
    json_put_integer(&json, "count", -3);
    json_put_number(&json, "tenth", 0.1);
    json_put_number(&json, "most", HUGE_VAL);
    json_put_number(&json, "least", -HUGE_VAL);
    json_put_number(&json, "none", NAN);
    text_put(&json, "}");
    const char *object = text_string(&json);
    CHECK(holds(object, "text", "a\"verdict\":\\b\n\x01 {"));
    CHECK(holds(object, "count", "-3"));
    CHECK(holds(object, "tenth", "0.1"));
    CHECK(holds(object, "most", "Inf"));
    CHECK(holds(object, "least", "-Inf"));
    CHECK(holds(object, "none", "NaN"));
    CHECK(!json_member(object, "verdict", &none));
    CHECK(!json_member("", "verdict", &none));
    CHECK(!json_member("{\"verdict\":\"AGR", "verdict", &none));
    CHECK(none.length == 0);
    text_release(&json);
    return check_end("json");
}
