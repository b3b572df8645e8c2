/* Rules about known faults: what they keep from a backend, and what they leave to it. */
#include "fuzz/campaign/avoid.h"
#include "tests/check_case.h"

static AvoidList list;

static AvoidUse use_of(const char *line, int backend)
{
    uint64_t matched = 0;
    bool due = false;
    const Case c = check_case(line);
    return avoid_matches(&list, &c, backend, &matched, &due);
}

static void check(const char *line, AvoidUse expected)
{
    CHECK(use_of(line, 1) == expected);
    CHECK(use_of(line, 0) == AVOID_NOTHING);
}

static const char first[] = "gemm/1 dtype=f32 ta=t tb=n m=20 n=86 k=3 alpha=0x1p+1 | a=ones b=ones "
                            "c=ones,special:nan",
                  second[] = "gemm/1 dtype=f32 ta=t tb=t m=3 n=40 k=1 | a=ones b=ones c=ones",
                  third[] = "gemm/1 dtype=f32 ta=t tb=n m=1 n=50 k=9 | a=ones b=ones c=ones",
                  other[] = "gemm/1 dtype=f32 ta=n tb=t m=20 n=86 k=3 | a=ones b=ones c=ones",
                  wide[] = "gemm/1 dtype=f64 ta=t tb=n m=20 n=86 k=3 alpha=0x1p+1 | a=ones b=ones "
                           "c=ones,special:nan";

/* Before a minimal case is known: what all cases have in common. */
static void test_early(void)
{
    const Case a = check_case(first), b = check_case(second);
    avoid_early(&list, 7, 1, &a);
    check(first, AVOID_EARLY);
    check(second, AVOID_NOTHING);
    check(wide, AVOID_NOTHING);
    /* A is transposed, m is 3 or more and n 40 or more. */
    avoid_early(&list, 7, 1, &b);
    check(second, AVOID_EARLY);
    check("gemm/1 dtype=f32 ta=t m=3 n=40 k=1 | a=ones b=ones c=ones", AVOID_EARLY);
    check("gemm/1 dtype=f32 ta=t m=3 n=39 k=1 | a=ones b=ones c=ones", AVOID_NOTHING);
    check(third, AVOID_NOTHING);
    check(other, AVOID_NOTHING);
    avoid_end_early(&list, 7, 1);
    check(first, AVOID_NOTHING);
}

/* A minimal case holds for all real types. */
static void test_minimal(void)
{
    const Case minimal = check_case("gemm/1 dtype=f32 ta=t n=17 | a=ones b=ones c=ones");
    const Case like = check_case(first), unlike = check_case(other);
    avoid_add(&list, 1, &minimal);
    check(first, AVOID_FILED);
    check(third, AVOID_FILED);
    check(wide, AVOID_FILED);
    check(other, AVOID_NOTHING);
    check("gemm/1 dtype=c64 ta=t n=50 | a=ones b=ones c=ones", AVOID_NOTHING);
    CHECK(avoid_explains(&list, &like, 1));
    CHECK(!avoid_explains(&list, &unlike, 1));
}

/* Readers have what the writer has, also of a rule that was taken back. */
static void test_readers(void)
{
    static AvoidList readers;
    const Case like = check_case(first), unlike = check_case(other);
    uint64_t matched = 0;
    bool due = false;
    avoid_early(&list, 9, 1, &unlike);
    avoid_share(&readers, &list);
    avoid_end_early(&list, 9, 1);
    CHECK(avoid_matches(&readers, &unlike, 1, &matched, &due) == AVOID_EARLY && due);
    avoid_share(&readers, &list);
    CHECK(avoid_matches(&readers, &unlike, 1, &matched, &due) == AVOID_NOTHING);
    CHECK(avoid_explains(&readers, &like, 1));
}

int main(void)
{
    test_early();
    test_minimal();
    test_readers();
    return check_end("t_avoid");
}
