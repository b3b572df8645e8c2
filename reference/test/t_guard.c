/* Operands that are locked again and again stay locked while they are written elsewhere, and a
 * process that is forked has operands of its own. */
#include "reference/guard.h"

#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "reference/child.h"
#include "tests/check.h"

enum { BYTES = 24, OFTEN = 5 };

static GuardSlot slot;

static GuardBlock place(unsigned char value, size_t bytes, GuardSide side)
{
    GuardBlock block = guard_place(&slot, bytes, side, 0, 8);
    memset(block.writable, value, bytes);
    return block;
}

static GuardBlock place_and_lock(unsigned char value, GuardSide side)
{
    GuardBlock block = place(value, BYTES, side);
    guard_lock(&slot, &block);
    CHECK(guard_is_locked_at(&slot, block.data));
    CHECK(block.data[0] == value && block.data[BYTES - 1] == value);
    CHECK(guard_margins_intact(&block));
    return block;
}

/* With the default action, since a sanitizer has one of its own. */
static int write_to(const void *context, int to)
{
    (void)to;
    (void)signal(SIGSEGV, SIG_DFL);
    *(volatile unsigned char *)*(unsigned char *const *)context = 1;
    return 0;
}

/* The signal that ends a process which writes there, or 0. */
static int end_of_write(unsigned char *at)
{
    Child child;
    CHECK(child_start(&child, write_to, &at));
    int status = child_wait(&child);
    return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

static int use_own(const void *context, int to)
{
    (void)context;
    (void)to;
    for (int i = 0; i < OFTEN; i++)
        (void)place_and_lock((unsigned char)(100 + i), GUARD_END);
    return check_failures != 0;
}

int main(void)
{
    Child child;
    CHECK(guard_init(&slot, 1 << 20));
    GuardBlock block = place_and_lock(1, GUARD_END);
    CHECK(block.writable == block.data);
    for (int i = 0; i < OFTEN; i++) {
        (void)place_and_lock((unsigned char)i, GUARD_START);
        block = place_and_lock((unsigned char)i, GUARD_END);
    }
    CHECK(block.writable != block.data);
    CHECK(end_of_write(block.data) == SIGSEGV);
    CHECK(child_start(&child, use_own, NULL));
    CHECK(child_wait(&child) == 0);
    CHECK(block.data[0] == OFTEN - 1);
    /* One that is larger takes all pages. */
    block = place(7, 1 << 19, GUARD_END);
    CHECK(block.writable == block.data && !guard_is_locked_at(&slot, block.data));
    guard_lock(&slot, &block);
    CHECK(end_of_write(block.data + block.bytes - 1) == SIGSEGV);
    block = place(8, BYTES, GUARD_END);
    CHECK(block.data[0] == 8 && end_of_write(block.data) == 0);
    guard_lock(&slot, &block);
    guard_unlock(&slot);
    CHECK(end_of_write(block.data) == 0);
    guard_release(&slot);
    return check_end("guard");
}
