/* Signal handlers for a kernel that touches memory which is not its own, and the limit of the
 * memory that it may take. */
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "aftermath.h"
#include "check.h"
#include "frame.h"
#include "guarded_heap.h"
#include "leak.h"
#include "oracle/symptom.h"

enum { LITTLE = 64 << 20 };

static Checker *watched;

static char *put_text(char *to, const char *text)
{
    while (*text)
        *to++ = *text++;
    *to = '\0';
    return to;
}

static void put_touched(char *to, int slot, int side)
{
    static const char *const sides[] = {"the guard page after ", "the guard page before "};
    const char *name = watched->box->current.op->tensors[slot];
    to = put_text(to, sides[side]);
    if (name)
        (void)put_text(to, name);
}

/* Whether so many bytes more cannot be had. */
static bool memory_is_short(size_t bytes)
{
    void *more = mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (more != MAP_FAILED)
        (void)munmap(more, bytes);
    return more == MAP_FAILED;
}

/* Opens the guard page, first for reading; the same page again can only mean a write. */
static bool let_through(int slot, int side)
{
    Touch *touch = &watched->touch;
    bool again = touch->slot == slot && touch->side == side && !touch->written;
    if (touch->slot >= 0 && !again)
        return false;
    *touch = (Touch){slot, side, again};
    return guard_open(&watched->workspace.slot[slot], (GuardSide)side, again);
}

/* The first write to an input is let through with all that follow; one of a thread that a kernel
 * left is not that of a call. */
static bool is_input_written(const void *address, bool in_kernel)
{
    int i = workspace_locked_at(&watched->workspace, address);
    if (i < 0)
        return false;
    if (in_kernel)
        watched->written = i;
    workspace_unlock(&watched->workspace);
    return true;
}

static void note_signal(int signal, siginfo_t *info, void *context);

/* What a call does that does not return: the process that waits for it asks by SIGABRT. */
static void note_hang(void)
{
    enum { PART = 4 };
    struct sigaction action = {0};
    char *to = watched->box->fault_detail;
    if (sigaction(SIGSEGV, NULL, &action) == 0 && action.sa_sigaction != note_signal)
        (void)put_text(to, HANDLES_SIGNAL);
    else if (memory_is_short(CALL_MEMORY_MAX - CALL_MEMORY_MAX / PART))
        (void)put_text(to, TAKES_MEMORY);
}

static void note_signal(int signal, siginfo_t *info, void *context)
{
    bool overwritten = !blackbox_is_whole(watched->box);
    if (overwritten)
        aftermath_restore(watched);
    bool in_kernel = watched->box->phase == PHASE_KERNEL && !overwritten;
    if (in_kernel && !watched->box->fault_address)
        watched->box->fault_address = frame_address(context);
    for (int i = 0; in_kernel && i < OP_TENSORS_MAX && (signal == SIGSEGV || signal == SIGBUS);
         i++) {
        int side = guard_page_of(&watched->workspace.slot[i], info->si_addr);
        if (side < 0)
            continue;
        put_touched(watched->box->fault_detail, i, side);
        if (let_through(i, side))
            return;
    }
    if (!overwritten && signal == SIGSEGV && is_input_written(info->si_addr, in_kernel))
        return;
    bool asked = signal == SIGABRT && info->si_code == SI_USER && info->si_pid == getppid();
    if (in_kernel && asked)
        note_hang();
    else if (in_kernel && signal == SIGSEGV && guarded_heap_has(info->si_addr))
        put_text(watched->box->fault_detail, HEAP_PAGE);
    else if (in_kernel && !watched->box->fault_detail[0] && memory_is_short(LITTLE))
        put_text(watched->box->fault_detail, "the end of memory");
    struct sigaction by_default = {.sa_handler = SIG_DFL};
    (void)sigaction(signal, &by_default, NULL);
    (void)raise(signal);
}

void checker_limit_memory(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur != RLIM_INFINITY)
        return;
    uint64_t mapped = memory_use().mapped;
    if (mapped == 0)
        return;
    limit.rlim_cur = (rlim_t)(mapped + CALL_MEMORY_MAX);
    (void)setrlimit(RLIMIT_AS, &limit);
}

void checker_watch(Checker *checker)
{
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    struct sigaction action = {.sa_sigaction = note_signal, .sa_flags = SA_SIGINFO | SA_NODEFER};
    watched = checker;
    aftermath_begin();
    for (size_t i = 0; i < COUNT_OF(signals); i++)
        (void)sigaction(signals[i], &action, NULL);
}
