/* The cases are kept in memory of the process's own as well.  What a thread writes that a kernel
 * left is waited for: it may be still at it when the first of it is seen. */
#include "aftermath.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "leftovers.h"
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
    box->current = *c;
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

static const char tasks[] = "/proc/self/task";
static int folder = -1; /* open: to look its path up takes longer than a small call */
static struct stat opened;
static nlink_t threads;

/* Whether it is there still: a kernel may have closed it, and so has a process that kept but what
 * is its own, and something else may have its number. */
static bool is_open(struct stat *now)
{
    return folder >= 0 && fstat(folder, now) == 0 && now->st_dev == opened.st_dev &&
           now->st_ino == opened.st_ino;
}

/* Threads are the links of a folder but two. */
static nlink_t count_threads(void)
{
    struct stat now;
    return is_open(&now) || stat(tasks, &now) == 0 ? now.st_nlink : 0;
}

/* What is open belongs to the process that opened it. */
void aftermath_begin(void)
{
    struct stat now;
    if (is_open(&now))
        (void)close(folder);
    folder = open(tasks, O_PATH | O_DIRECTORY | O_CLOEXEC);
    if (folder >= 0 && fstat(folder, &opened) != 0) {
        (void)close(folder);
        folder = -1;
    }
    threads = count_threads();
}

static bool settle_threads(void)
{
    enum { MOST = 64 };
    static int settled;
    nlink_t now = count_threads();
    bool grew = now > threads && settled < MOST;
    if (grew) {
        settled++;
        leftovers_settle();
        now = count_threads();
    }
    threads = now;
    return grew;
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
