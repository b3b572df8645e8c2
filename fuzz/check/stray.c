/* What ends a process, and what is given up. */
#include "stray.h"

#include <stdio.h>
#include <string.h>

static bool has_taken_too_much(const char *message)
{
    return !strcmp(message, "hang") || !strcmp(message, "SIGKILL");
}

const char *stray_judge(CheckResult *result, RunStatus status, const char *message,
                        const char *name)
{
    Judgement *j = &result->judgement;
    if (status != RUN_DIED) {
        j->kind = VERDICT_AGREE;
        j->tier = TIER_NONE;
        return NULL;
    }
    if (has_taken_too_much(message))
        return "a stray call may take more time and memory than there is";
    (void)snprintf(result->detail, sizeof result->detail, "%s on a stray %s", message, name);
    return NULL;
}
