/* The cases are kept in memory of the process's own as well.  What a thread writes that a kernel
 * left is waited for: it may be still at it when the first of it is seen. */
#include "aftermath.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "leftovers.h"
#include "noted.h"
#include "reference/alone.h"
#include "reference/child.h"

static Case recent[BOX_RECENT];
static uint32_t called[BOX_RECENT];
static unsigned begun;

void aftermath_note(BlackBox *box, const Case *c)
{
    called[begun % BOX_RECENT] = box->called[box->recent_count % BOX_RECENT] = 0;
    case_copy(&recent[begun++ % BOX_RECENT], c);
    case_copy(&box->recent[box->recent_count++ % BOX_RECENT], c);
    case_copy(&box->current, c);
}

void aftermath_note_call(BlackBox *box, int backend)
{
    called[(begun - 1) % BOX_RECENT] |= 1u << backend;
    box->called[(box->recent_count - 1) % BOX_RECENT] |= 1u << backend;
}

static void restore_once(Checker *checker)
{
    BlackBox *box = checker->box;
    if (checker->repair)
        checker->repair();
    memcpy(box->recent, recent, sizeof recent);
    memcpy(box->called, called, sizeof called);
    box->recent_count = begun;
    box->current = recent[(begun - 1) % BOX_RECENT];
    box->backend = checker->called ? checker->called - 1 : 0;
    box->phase = checker->called ? PHASE_KERNEL : PHASE_ENGINE;
    memcpy(box->fault_detail, BOX_OVERWRITTEN, sizeof BOX_OVERWRITTEN);
    blackbox_seal(box);
}

void aftermath_restore(Checker *checker)
{
    enum { LOOKS = 50, WHOLE = 3 };
    const struct timespec pause = {0, 2000000};
    if (begun == 0)
        return;
    restore_once(checker);
    bool again = false;
    for (int i = 0, whole = 0; i < LOOKS && whole < WHOLE; i++) {
        (void)nanosleep(&pause, NULL);
        whole++;
        if (blackbox_is_whole(checker->box))
            continue;
        restore_once(checker);
        again = true;
        whole = 0;
    }
    /* Behind the last seal there is more. */
    if (again)
        restore_once(checker);
}

void aftermath_check_record(Checker *checker)
{
    if (blackbox_is_whole(checker->box))
        return;
    aftermath_restore(checker);
    _exit(1);
}

void aftermath_begin(void)
{
    (void)noted_thread();
}

/* One that it started may have ended, and others have been there before: then nothing is waited
 * for. */
static bool settle_threads(void)
{
    enum { MOST = 64 };
    static int settled;
    bool started = noted_thread() && settled < MOST && leftovers_exist();
    if (started) {
        settled++;
        leftovers_settle();
    }
    return started;
}

static void check_once(Checker *checker)
{
    if (!child_is_ours())
        _exit(0);
    aftermath_check_record(checker);
    if (!alone_is_whole()) {
        memcpy(checker->box->fault_detail, BOX_BELL_USED, sizeof BOX_BELL_USED);
        _exit(1);
    }
}

void aftermath_check(Checker *checker, bool waits)
{
    check_once(checker);
    if (waits && settle_threads())
        check_once(checker);
}
