/* Timers of the process: a signal that comes later would end it while another case runs. */
#include "timer.h"

#include <stddef.h>

struct itimerval timer_state(void)
{
    struct itimerval timer = {0};
    (void)getitimer(ITIMER_REAL, &timer);
    return timer;
}

bool timer_is_running(const struct itimerval *timer)
{
    return timer->it_value.tv_sec > 0 || timer->it_value.tv_usec > 0;
}

bool timer_call_off(const struct itimerval *before)
{
    const struct itimerval none = {{0, 0}, {0, 0}};
    struct itimerval timer = timer_state();
    bool left =
        timer_is_running(&timer) &&
        !(timer_is_running(before) && timer.it_interval.tv_sec == before->it_interval.tv_sec &&
          timer.it_interval.tv_usec == before->it_interval.tv_usec);
    if (left)
        (void)setitimer(ITIMER_REAL, timer_is_running(before) ? before : &none, NULL);
    return left;
}
