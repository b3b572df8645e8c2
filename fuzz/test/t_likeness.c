/* What minimal cases explain, and what cases have in common. */
#include "fuzz/campaign/likeness.h"
#include "tests/check_case.h"

static LikenessList list;

static void learn(uint64_t key, const char *line, const char *more)
{
    const Case minimal = check_case(line);
    Likeness needed;
    likeness_needed(&needed, &minimal, more);
    CHECK(likeness_add(&list, key, &needed));
}

static bool explains(uint64_t key, const char *line)
{
    const Case c = check_case(line);
    Likeness likeness;
    bool explained;
    likeness_of(&likeness, &c);
    return likeness_explains(&list, key, &likeness, &explained) > 0 && explained;
}

/* A case needs all that one of the minimal cases needs; extents, places and data do not count. */
static void test_rules(void)
{
    CHECK(!explains(1, "gemm/1 dtype=f32 n=8 k=3 beta=0x0p+0 | a=ones b=ones c=ones"));
    learn(1, "gemm/1 dtype=f32 m=2 n=17 beta=0x0p+0 | a=ones b=ones c=ones", "beta=0 ");
    CHECK(
        explains(1, "gemm/1 dtype=f32 ta=t k=3 beta=0x0p+0 | a=normal b=ones c=ones,special:nan"));
    CHECK(!explains(1, "gemm/1 dtype=f32 m=2 n=17 beta=0x1p+0 | a=ones b=ones c=ones"));
    CHECK(!explains(2, "gemm/1 dtype=f32 m=2 n=17 beta=0x0p+0 | a=ones b=ones c=ones"));
    learn(1, "gemm/1 dtype=f32 ldb=1 beta=0x1p+0 | a=ones,special:nan b=int:1 c=ones", "");
    CHECK(explains(1, "gemm/1 dtype=f32 ldb=9 beta=0x1p+1 | a=normal b=ones,special:nan c=ones"));
    CHECK(!explains(1, "gemm/1 dtype=f32 beta=0x1p+1 | a=normal b=ones,special:nan c=ones"));
    CHECK(explains(1, "gemm/1 dtype=f32 ldb=9 beta=nan | a=ones b=ones c=ones"));
    learn(1, "gemm/1 dtype=f32 | a=int:1 b=int:1 c=ones", "");
    CHECK(explains(1, "gemm/1 dtype=f32 m=7 beta=0x1p+1 | a=normal:3 b=ones c=ones"));
}

static bool narrow(Likeness *common, const char *line)
{
    const Case c = check_case(line);
    Likeness likeness;
    likeness_of(&likeness, &c);
    return likeness_narrow(common, &likeness);
}

/* Something is lost once. */
static void test_common(void)
{
    const Case first =
        check_case("gemm/1 dtype=f32 m=9 ldb=4 beta=0x1p+1 | a=normal:1 b=ones c=ones");
    Likeness common;
    likeness_of(&common, &first);
    CHECK(!narrow(&common, "gemm/1 dtype=f32 m=5 ldb=8 beta=0x1p-1 | a=ones b=ones c=ones"));
    CHECK(narrow(&common, "gemm/1 dtype=f32 m=5 beta=0x1p+0 | a=ones b=ones c=ones"));
    CHECK(narrow(&common, "gemm/1 dtype=f32 m=5 beta=0x0p+0 | a=ones b=ones c=ones"));
}

static void test_readers(void)
{
    static LikenessList readers;
    Likeness nothing = {0};
    bool explained;
    likeness_share(&readers, &list);
    CHECK(likeness_explains(&readers, 1, &nothing, &explained) == 3 && explained);
    unsigned room = LIKENESS_RULES - list.count;
    for (unsigned i = 0; i < room; i++)
        CHECK(likeness_add(&list, 3, &nothing));
    CHECK(!likeness_add(&list, 3, &nothing));
    CHECK(likeness_explains(&list, 3, &nothing, &explained) == room && explained);
}

int main(void)
{
    test_rules();
    test_common();
    test_readers();
    return check_end("t_likeness");
}
