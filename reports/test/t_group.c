/* Grouping in a store: a probe that shows at another operator ties two findings, but for those of
 * two bugs that people have looked at and entered as two, which a third one of their operator does
 * not make one either; findings of one entry are one bug without; one that never showed again is of
 * the bug of another one of its operator, unless it was entered as another one. */
#include "reports/store/bug.h"

#include <string.h>

#include "reports/store/statement.h"
#include "reports/store/store.h"
#include "tests/check_case.h"

static const char wrong[] = "wrong value";
/* Each is a case of an entry of the reviewed list, of OpenBLAS. */
static const char asum[] = "asum/1 dtype=c64 n=9 | x=int:2 result=ones",
                  dsdot[] = "dsdot/1 dtype=f32 n=32 | x=ones y=normal result=ones",
                  sdsdot[] = "sdsdot/1 dtype=f32 n=32 | x=int y=normal:3 result=ones";

static void put_finding(Store *store, const char *backend, const char *line, const char *symptom,
                        bool flaky, int64_t *id)
{
    const Case c = check_case(line);
    Text signature = {0}, error = {0};
    text_printf(&signature, "%s %s", backend, line);
    const FindingRecord record = {.signature = text_string(&signature),
                                  .raw = text_string(&signature),
                                  .op = c.op->name,
                                  .dtype = dtype_name(case_dtype(&c)),
                                  .kind = "DIVERGE",
                                  .backend = backend,
                                  .tier = "forward",
                                  .defect = "value",
                                  .pattern = "whole",
                                  .detail = "",
                                  .line = line,
                                  .min_line = line,
                                  .flaky = flaky,
                                  .symptom = symptom,
                                  .expected = "1",
                                  .got = "0",
                                  .bound = "0"};
    CHECK(store_put_finding(store, &record, id, &error));
    bool fresh;
    CHECK(store_resolve_finding(store, *id, &record, id, &fresh, &error));
    CHECK(error.length == 0);
    text_release(&signature);
    text_release(&error);
}

/* That the case of one finding shows at the other's place. */
static void put_probe(Store *store, int64_t finding, const char *at)
{
    const Case c = check_case(at);
    Text error = {0};
    const ProbeWish wish = {.finding = finding, .op = c.op, .dtype = case_dtype(&c)};
    CHECK(bugs_put_probe(store, &wish, wrong, at, &error));
    text_release(&error);
}

/* The probes that grouping lacks. */
static size_t count_wishes(Store *store)
{
    ProbeWish wishes[4];
    Text error = {0};
    int64_t closed = 0;
    size_t count = bugs_wish(store, wishes, COUNT_OF(wishes), &closed, &error);
    for (size_t i = 0; i < count; i++)
        CHECK(wishes[i].minimal.op != wishes[i].op && !strcmp(wishes[i].symptom, wrong));
    CHECK(error.length == 0 && closed == 0);
    text_release(&error);
    return count;
}

/* A store with one run, or NULL. */
static Store *open_store(void)
{
    Text error = {0};
    Store *store = store_open(":memory:", STORE_WRITE, &error);
    CHECK(store != NULL);
    CHECK(!store ||
          store_begin_run(
              store, &(RunRecord){.arguments = "fuzz", .engine = "random", .seed = 1, .jobs = 1},
              &error));
    CHECK(error.length == 0);
    text_release(&error);
    return store;
}

/* One operator, each with a structure of its own. */
static const char *const strided[] = {"asum/1 dtype=f32 n=9 incx=3 | x=int:2 result=ones",
                                      "asum/1 dtype=f32 n=9 | x=int:2 result=ones",
                                      "asum/1 dtype=f32 n=9 incx=-2 | x=int:2 result=ones"};
/* One operator and structure; the first two are two entries of PyTorch. */
static const char *const bessel[] = {
    "bessel_j1/1 dtype=f64 shape=2 | x=int y=ones",
    "bessel_j1/1 dtype=f32 shape=scalar | x=list,values:-0x1.0d452ep-122 y=ones",
    "bessel_j1/1 dtype=f16 shape=scalar | x=int y=ones"};
/* Two operators of an entry of OpenBLAS that does not say what they share. */
static const char *const reciprocals[] = {
    "getrf/1 dtype=f32 m=2 n=1 matrix=free | a=ones,special:subnormal,place:all ipiv=ones "
    "info=ones",
    "gesv/1 dtype=f64 n=2 nrhs=1 matrix=free | a=ones,special:subnormal,place:all ipiv=ones b=ones "
    "info=ones"};
/* The first shows by chance, as one entry of PaddlePaddle does; the second is another entry. */
static const char *const chances[] = {
    "igamma/2 dtype=f32 shape=33 broadcast_a=1 broadcast_b=0 | a=ones b=ones y=ones",
    "igamma/2 dtype=f32 shape=scalar broadcast_a=0 broadcast_b=0 | a=ones,scale:3 b=ones y=ones"};
/* Of an entry of TensorFlow. */
static const char *const pools[] = {
    "max_pool1d/2 dtype=f32 batch=1 channels=1 input_size=1 kernel_size=1 stride=1 dilation=1 "
    "pads_begin=0 pads_end=0 ceil_mode=no | x=ones,special:-inf y=ones",
    "max_pool3d/2 dtype=f32 batch=1 channels=1 input_size=1x1x1 kernel_size=1x1x1 stride=1x1x1 "
    "dilation=1x1x1 pads_begin=0x0x0 pads_end=0x0x0 ceil_mode=no | x=ones,special:-inf y=ones"};

/* The number of bugs of findings of a library that show the same and are not probed; unless
 * `again`, the first and the last of them never showed again. */
static int64_t bugs_of_unprobed(const char *backend, const char *symptom, const char *const *lines,
                                size_t count, bool again)
{
    Text error = {0};
    BugCounts counts = {0};
    Store *store = open_store();
    for (size_t i = 0; store && i < count; i++) {
        int64_t id;
        put_finding(store, backend, lines[i], symptom, !again && i != 1, &id);
    }
    CHECK(store && bugs_group(store, &counts, &error));
    store_close(store);
    text_release(&error);
    return counts.bugs;
}

/* The number of bugs of two findings, each of whose cases shows at the other's place if they are
 * probed. */
static int64_t bugs_of(const char *backend, const char *first, const char *second, bool probed)
{
    const char *const lines[] = {first, second};
    int64_t ids[COUNT_OF(lines)];
    Text error = {0};
    BugCounts counts = {0};
    Store *store = open_store();
    if (store) {
        for (size_t i = 0; i < COUNT_OF(lines); i++)
            put_finding(store, backend, lines[i], wrong, false, &ids[i]);
        CHECK(bugs_group(store, &counts, &error));
        CHECK(count_wishes(store) == (counts.bugs == 2 ? COUNT_OF(lines) : 0));
        for (size_t i = 0; probed && i < COUNT_OF(lines); i++)
            put_probe(store, ids[i], lines[1 - i]);
        CHECK(!probed || count_wishes(store) == 0);
        CHECK(bugs_group(store, &counts, &error));
        store_close(store);
    }
    CHECK(error.length == 0 && counts.findings == (int64_t)COUNT_OF(lines));
    text_release(&error);
    return counts.bugs;
}

int main(void)
{
    CHECK(bugs_of("openblas", asum, dsdot, true) == 2);
    CHECK(bugs_of("mkl", asum, dsdot, true) == 1);
    CHECK(bugs_of("openblas", dsdot, sdsdot, false) == 1);
    CHECK(bugs_of("mkl", dsdot, sdsdot, false) == 2);
    CHECK(bugs_of_unprobed("mkl", wrong, strided, COUNT_OF(strided), true) == 3);
    CHECK(bugs_of_unprobed("mkl", wrong, strided, COUNT_OF(strided), false) == 1);
    CHECK(bugs_of_unprobed("tensorflow", "infinity lost", pools, COUNT_OF(pools), true) == 1);
    CHECK(bugs_of_unprobed("mkl", "infinity lost", pools, COUNT_OF(pools), true) == 2);
    CHECK(bugs_of_unprobed("openblas", "infinity made", reciprocals, COUNT_OF(reciprocals), true) ==
          1);
    CHECK(bugs_of_unprobed("onednn", "infinity made", reciprocals, COUNT_OF(reciprocals), true) ==
          2);
    CHECK(bugs_of_unprobed("paddle", wrong, chances, COUNT_OF(chances), false) == 2);
    CHECK(bugs_of_unprobed("onednn", wrong, chances, COUNT_OF(chances), false) == 1);
    CHECK(bugs_of_unprobed("torch", wrong, bessel, COUNT_OF(bessel), true) == 2);
    CHECK(bugs_of_unprobed("mkl", wrong, bessel, COUNT_OF(bessel), true) == 1);
    return check_end("reports/t_group");
}
