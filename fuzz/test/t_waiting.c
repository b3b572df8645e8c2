/* Findings are minimised in the order in which their minimal cases tell most. */
#include <stdlib.h>

#include "fuzz/campaign/waiting.h"
#include "tests/check.h"

enum { OPENBLAS, BLIS };

static FindingMessage message_of(const char *line, int backend, VerdictKind kind,
                                 const char *detail, const char *reading)
{
    FindingMessage message = {0};
    Text error = {0};
    CHECK(case_parse(&message.c, line, &error));
    message.result.backend = backend;
    message.result.judgement.kind = kind;
    message.result.judgement.reading = reading;
    (void)snprintf(message.result.detail, sizeof message.result.detail, "%s", detail);
    text_release(&error);
    return message;
}

static void add(Waiting *waiting, int64_t id, const char *line, int backend, const char *reading)
{
    FindingMessage message = message_of(line, backend, VERDICT_STATUS,
                                        "refuses an illegal argument by another number", reading);
    CHECK(waiting_add(waiting, &message, id)->symptom == SYMPTOM_MISREPORTED);
}

static void check_next(Waiting *waiting, WaitingKind kind, int64_t id)
{
    Pending *next = waiting_take(waiting, kind);
    CHECK(next && next->id == id);
    free(next);
}

static const char scal[] = "scal/1 dtype=f32 n=1 alpha=0x1p+0 incx=1 | x=ones",
                  dscal[] = "scal/1 dtype=f64 n=1 alpha=0x1p+0 incx=1 | x=ones",
                  asum[] = "asum/1 dtype=f32 n=1 incx=1 | x=ones result=ones";

/* One operator and type after another; what is like something that was taken waits. */
static void test_kinds(void)
{
    Waiting waiting = {0};
    add(&waiting, 1, scal, OPENBLAS, NULL);
    add(&waiting, 2, scal, OPENBLAS, NULL);
    add(&waiting, 3, dscal, OPENBLAS, NULL);
    add(&waiting, 4, asum, OPENBLAS, NULL);
    add(&waiting, 5, scal, BLIS, NULL);
    check_next(&waiting, WAITING_OTHERS, 1);
    check_next(&waiting, WAITING_OTHERS, 4);
    check_next(&waiting, WAITING_OTHERS, 5);
    check_next(&waiting, WAITING_OTHERS, 3);
    add(&waiting, 6, asum, OPENBLAS, NULL);
    check_next(&waiting, WAITING_OTHERS, 2);
    check_next(&waiting, WAITING_OTHERS, 6);
    CHECK(!waiting_take(&waiting, WAITING_OTHERS));
    waiting_release(&waiting);
}

/* All findings of one reading are one bug of a library: others go first, but for what is of one
 * already. */
static void test_readings(void)
{
    Waiting waiting = {0};
    add(&waiting, 1, scal, OPENBLAS, "argument-number");
    add(&waiting, 2, asum, OPENBLAS, "argument-number");
    add(&waiting, 3, scal, OPENBLAS, "underflow"); /* this names a situation, and no reading */
    add(&waiting, 4, asum, BLIS, "argument-number");
    check_next(&waiting, WAITING_OTHERS, 1);
    check_next(&waiting, WAITING_OTHERS, 4);
    check_next(&waiting, WAITING_OTHERS, 2);
    check_next(&waiting, WAITING_OTHERS, 3);
    waiting_release(&waiting);
}

/* What its minimal case alone ties to a bug goes before what is of one already; departures that
 * are documented go last. */
static void test_departures(void)
{
    Waiting waiting = {0};
    FindingMessage documented = message_of(scal, OPENBLAS, VERDICT_POLICY, "", "flush");
    for (int64_t id = 1; id <= 2; id++)
        CHECK(waiting_add(&waiting, &documented, id)->id == id);
    add(&waiting, 3, scal, OPENBLAS, "flush");
    add(&waiting, 4, scal, OPENBLAS, "flush");
    add(&waiting, 5, asum, OPENBLAS, "flush");
    check_next(&waiting, WAITING_OTHERS, 1);
    CHECK(waiting_count_needed(&waiting) == 3);
    check_next(&waiting, WAITING_OTHERS, 3);
    CHECK(waiting_count_needed(&waiting) == 1);
    check_next(&waiting, WAITING_OTHERS, 5);
    CHECK(waiting_count_needed(&waiting) == 0);
    check_next(&waiting, WAITING_OTHERS, 4);
    check_next(&waiting, WAITING_OTHERS, 2);
    waiting_release(&waiting);
}

static void test_hangs(void)
{
    Waiting waiting = {0};
    FindingMessage hang = message_of(scal, OPENBLAS, VERDICT_FAULT, "hang", NULL);
    CHECK(waiting_add(&waiting, &hang, 1)->symptom == SYMPTOM_HANG);
    CHECK(!waiting_take(&waiting, WAITING_OTHERS));
    CHECK(!waiting_take(&waiting, WAITING_NOTHING));
    add(&waiting, 2, scal, OPENBLAS, NULL);
    check_next(&waiting, WAITING_OTHERS, 2);
    check_next(&waiting, WAITING_HANGS, 1);
    CHECK(!waiting.first && !waiting.last);
    add(&waiting, 3, scal, OPENBLAS, NULL);
    waiting_release(&waiting);
}

int main(void)
{
    test_kinds();
    test_readings();
    test_departures();
    test_hangs();
    return check_end("t_waiting");
}
