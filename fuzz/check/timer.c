/* Timers of the process: a signal that comes later would end it while another case runs. */
#include "timer.h"

#include <stddef.h>

#include "noted.h"

struct itimerval timer_state(void)
{
    struct itimerval timer = {0};
    (void)getitimer(ITIMER_REAL, &timer);
    return timer;
}

/* One that rings once may have rung since. */
struct itimerval timer_noted(void)
{
    static struct itimerval latest;
    const struct timeval *interval = &latest.it_interval;
    bool once = timer_is_running(&latest) && interval->tv_sec == 0 && interval->tv_usec == 0;
    if (noted_timer() || once)
        latest = timer_state();
    return latest;
}

bool timer_is_running(const struct itimerval *timer)
{
    return timer->it_value.tv_sec > 0 || timer->it_value.tv_usec > 0;
}

bool timer_call_off(const struct itimerval *before)
{
    const struct itimerval none = {{0, 0}, {0, 0}};
    struct itimerval timer = timer_noted();
    bool left =
        timer_is_running(&timer) &&
        !(timer_is_running(before) && timer.it_interval.tv_sec == before->it_interval.tv_sec &&
          timer.it_interval.tv_usec == before->it_interval.tv_usec);
    if (left)
        (void)setitimer(ITIMER_REAL, timer_is_running(before) ? before : &none, NULL);
    return left;
}
