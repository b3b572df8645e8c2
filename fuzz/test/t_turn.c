/* Which large cases a library declines because they take seconds, and that a decline has a reason.
 */
#include "fuzz/check/turn.h"

#include <string.h>

#include "tests/check_case.h"

static void test_times(void)
{
    static Checker checker;
    const Case little = check_case("gemm/1 dtype=f32 m=8 n=8 k=8 | a=int b=int c=int");
    const Case first = check_case("gemm/1 dtype=f32 m=800 n=800 k=800 | a=int b=int c=int");
    const Case whole = check_case("gemm/1 dtype=f32 m=2048 n=2048 k=2048 | a=int b=int c=int");
    const Case other = check_case("symm/1 dtype=f32 m=2048 n=2048 | a=int b=int c=int");
    const int gemm = op_number(whole.op), symm = op_number(other.op);
    /* Nothing is known: the smallest are tried. */
    CHECK(!turn_takes_seconds(&checker, 0, &first));
    CHECK(turn_takes_seconds(&checker, 0, &whole));
    /* Multiplications in a nanosecond: 2048^3 of them take 0.9 s, and 86 s. */
    checker.rate_of[0][gemm] = checker.rate[0] = 10;
    CHECK(!turn_takes_seconds(&checker, 0, &whole));
    CHECK(!turn_takes_seconds(&checker, 0, &other));
    checker.rate_of[0][symm] = checker.rate[0] = 0.1F;
    CHECK(!turn_takes_seconds(&checker, 0, &whole));
    CHECK(turn_takes_seconds(&checker, 0, &other));
    checker.rate_of[0][gemm] = 0.1F;
    CHECK(turn_takes_seconds(&checker, 0, &first));
    CHECK(!turn_takes_seconds(&checker, 0, &little));
    /* Of another library nothing is known. */
    CHECK(!turn_takes_seconds(&checker, 1, &first));
}

/* Calls that take no time to speak of say that a library is quick. */
static void test_quick_calls(void)
{
    static const BackendKind kind = {.name = "quick"};
    static Checker checker = {.large = true};
    const Case first = check_case("gemm/1 dtype=f32 m=800 n=800 k=800 | a=int b=int c=int");
    const Case whole = check_case("gemm/1 dtype=f32 m=4096 n=4096 k=4096 | a=int b=int c=int");
    checker.backends[0].kind = &kind;
    CHECK(turn_takes_seconds(&checker, 0, &whole));
    turn_note_rate(&checker, &first, 0, turn_begin(&checker, 0));
    CHECK(!turn_takes_seconds(&checker, 0, &whole));
}

static void test_reasons(void)
{
    const char *fault = check_decline_reason("");
    CHECK(strlen(fault) > 0);
    CHECK(check_decline_reason("ONNX Runtime: ") == fault);
    CHECK(strcmp(check_decline_reason("no f16"), "no f16") == 0);
}

int main(void)
{
    test_times();
    test_quick_calls();
    test_reasons();
    return check_end("turn");
}
