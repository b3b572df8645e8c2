/* The cases are kept in memory of the process's own as well. */
#include "aftermath.h"

#include <string.h>
#include <unistd.h>

#include "reference/alone.h"
#include "reference/child.h"

static Case recent[BOX_RECENT];
static unsigned begun;

void aftermath_note(BlackBox *box, const Case *c)
{
    case_copy(&recent[begun++ % BOX_RECENT], c);
    case_copy(&box->recent[box->recent_count++ % BOX_RECENT], c);
    box->current = *c;
}

void aftermath_restore(Checker *checker)
{
    BlackBox *box = checker->box;
    if (begun == 0)
        return;
    if (checker->repair)
        checker->repair();
    memcpy(box->recent, recent, sizeof recent);
    box->recent_count = begun;
    box->current = recent[(begun - 1) % BOX_RECENT];
    box->backend = checker->called ? checker->called - 1 : 0;
    box->phase = checker->called ? PHASE_KERNEL : PHASE_ENGINE;
    memcpy(box->fault_detail, BOX_OVERWRITTEN, sizeof BOX_OVERWRITTEN);
    blackbox_seal(box);
}

void aftermath_check_record(Checker *checker)
{
    if (blackbox_is_whole(checker->box))
        return;
    aftermath_restore(checker);
    _exit(1);
}

void aftermath_check(Checker *checker)
{
    if (!child_is_ours())
        _exit(0);
    aftermath_check_record(checker);
    if (!alone_is_whole()) {
        memcpy(checker->box->fault_detail, BOX_BELL_USED, sizeof BOX_BELL_USED);
        _exit(1);
    }
}
