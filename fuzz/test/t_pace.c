/* Large cases have their share of the time, whatever they and the others cost, and also where a
 * worker ends in one. */
#include "fuzz/campaign/pace.h"

#include "tests/check_case.h"

/* The share of large ones in the time of so many cases, which are large `choice` times as often as
 * it says. */
static double share_with(uint64_t cost, uint64_t cost_large, int64_t choice)
{
    enum { CASES = 400000, FIRST = 2048 };
    const Case usual = check_case("gemm/1 dtype=f32 m=8 n=8 k=8 | a=int b=int c=int");
    const Case large = check_case("gemm/1 dtype=f32 m=2048 n=2048 k=2048 | a=int b=int c=int");
    Pace pace = {0};
    uint64_t now = 1;
    int64_t before = 0;
    for (int i = 0; i < CASES; i++) {
        int64_t one_in = pace_one_in(&pace, FIRST);
        bool turn = one_in > 0 && choice * ++before >= one_in;
        pace_begin(&pace, turn ? &large : &usual, now);
        now += turn ? cost_large : cost;
        before = turn ? 0 : before;
    }
    return (double)pace.large_time / (double)(pace.large_time + pace.other_time);
}

static void test_share(void)
{
    static const uint64_t costs[][2] = {
        {1000000, 100000000}, {1000000, 2000000000}, {100000, 60000000}, {20000000, 30000000}};
    for (size_t i = 0; i < COUNT_OF(costs); i++) {
        for (int64_t choice = 1; choice <= 3; choice += 2) {
            double share = share_with(costs[i][0], costs[i][1], choice);
            CHECK(share > 0.8 / PACE_SHARE && share < 1.2 / PACE_SHARE);
        }
    }
}

static void test_nothing_known(void)
{
    const Case vector = check_case("dot/1 dtype=f32 n=8 | x=int y=int");
    Pace pace = {0};
    CHECK(pace_one_in(&pace, 77) == 77);
    pace_begin(&pace, &vector, 1);
    pace_begin(&pace, &vector, 1000);
    CHECK(pace_one_in(&pace, 77) == 77);
    CHECK(pace.other_time == 999 && pace.turns == 0 && pace.large_cases == 0);
}

int main(void)
{
    test_share();
    test_nothing_known();
    return check_end("pace");
}
