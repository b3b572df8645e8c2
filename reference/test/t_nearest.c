/* Names that may have been meant, and those that nobody could have meant. */
#include "reference/nearest.h"

#include <string.h>

#include "tests/check.h"

static const char *const known[] = {"gemm", "gemv", "ge", "softmax", "log_softmax", "a", NULL};

/* What is said of a name. */
static bool says(const char *name, const char *words)
{
    Nearest nearest = nearest_begin(name, strlen(name));
    Text text = {0};
    for (const char *const *each = known; *each; each++)
        nearest_offer(&nearest, *each);
    nearest_put(&nearest, &text);
    bool same = !strcmp(text_string(&text), words);
    text_release(&text);
    return same;
}

int main(void)
{
    CHECK(says("gem", "; did you mean gemm?"));
    CHECK(says("gmev", "; did you mean gemv?"));
    CHECK(says("sotfmx", "; did you mean softmax?"));
    CHECK(says("logsoftmax", "; did you mean log_softmax?"));
    CHECK(says("conv", ""));
    CHECK(says("q", ""));
    CHECK(says("", ""));
    CHECK(says("a_name_that_is_longer_than_any_that_is_known_and_longer_than_its_buffer_is", ""));
    return check_end("t_nearest");
}
