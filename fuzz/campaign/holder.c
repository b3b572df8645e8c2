/* The first errand on a library opens it; whoever comes again is worth a process that has it open.
 */
#include "holder.h"

#include <string.h>
#include <unistd.h>

#include "fuzz/check/capture.h"
#include "fuzz/check/leftovers.h"
#include "reference/alone.h"

/* An errand as it travels. */
typedef union Order {
    Errand errand;
    char bytes[ERRAND_BYTES];
} Order;

/* Gives up what kernels must not have, and opens the library. */
static bool open_library(const Errand *errand, Checker *checker, BlackBox *box, int bell)
{
    const char *names[] = {errand->backend, NULL};
    Text error = {0};
    checker_stand_alone(names, bell, box);
    if (!errand->shows)
        capture_stay();
    bool opened = checker_open(checker, box, names, &error);
    text_release(&error);
    return opened;
}

static int run_alone(const void *context, int to)
{
    const Errand *errand = context;
    Checker checker;
    return open_library(errand, &checker, errand->box, to) ? errand->run(errand, &checker, to) : 3;
}

/* Ends where something runs beside it that a fork would lack, such as a library's threads. */
static int serve(const void *context, int control)
{
    const Errand *first = context;
    const char *names[] = {first->backend, NULL};
    Checker checker;
    Order order;
    int file;
    if (!open_library(first, &checker, NULL, control) || leftovers_exist())
        return 3;
    int to = fork_server_serve(control, &order, sizeof order, &file);
    alone_move(to);
    checker_confine(names);
    checker.box = order.errand.box = blackbox_map(file);
    (void)close(file);
    return checker.box ? order.errand.run(&order.errand, &checker, to) : 3;
}

static bool fork_for(Holder *holder, Child *child, const Errand *errand, size_t size, int file)
{
    Order order = {0};
    if (file < 0 || errand->own || !fork_server_is_ready(&holder->server))
        return false;
    memcpy(order.bytes, errand, size);
    return fork_server_fork(&holder->server, child, &order, sizeof order, file);
}

bool holder_start(Holder *holder, Child *child, const Errand *errand, size_t size, int file)
{
    const BackendKind *kind = backend_kind(errand->backend);
    if (size > ERRAND_BYTES)
        BUG("an errand of %zu bytes", size);
    if (fork_for(holder, child, errand, size, file))
        return true;
    if (++holder->asked > 1 && !holder->started && !kind->expect) {
        holder->started = true;
        (void)!fork_server_start(&holder->server, serve, errand);
    }
    return child_start(child, run_alone, errand);
}

void holder_end(Holder *holder)
{
    fork_server_end(&holder->server);
}
