/* opconform replay LINE --backend NAME --json, and what it says. */
#include "again.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "oracle/judge.h"

static _Noreturn void become_replay(const char *line, const char *backend, const char *variable,
                                    int to)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (variable)
        (void)putenv((char *)(uintptr_t)variable);
    if (dup2(to, STDOUT_FILENO) < 0 || !freopen("/dev/null", "w", stderr))
        _exit(127);
    (void)execl("/proc/self/exe", "opconform", "replay", line, "--backend", backend, "--json",
                (char *)NULL);
    _exit(127);
}

typedef enum AgainVerdict { AGAIN_AGREES, AGAIN_DIVERGES, AGAIN_UNKNOWN } AgainVerdict;

static AgainVerdict read_verdict(const char *answer)
{
    char name[32];
    VerdictKind kind;
    const char *member = strstr(answer, "\"verdict\":");
    if (!member || sscanf(member, "\"verdict\":\"%31[A-Z]", name) != 1 ||
        !verdict_find(name, &kind))
        return AGAIN_UNKNOWN;
    return verdict_is_finding(kind) ? AGAIN_DIVERGES
           : kind == VERDICT_AGREE  ? AGAIN_AGREES
                                    : AGAIN_UNKNOWN;
}

/* Unknown where the backend is absent or declines the case. */
static AgainVerdict again_run(const char *line, const char *backend, const char *variable)
{
    char answer[4096];
    size_t length = 0;
    int ends[2];
    if (pipe(ends) != 0)
        return AGAIN_UNKNOWN;
    (void)fflush(NULL);
    pid_t process = fork();
    if (process == 0) {
        (void)close(ends[0]);
        become_replay(line, backend, variable, ends[1]);
    }
    (void)close(ends[1]);
    for (ssize_t got; process > 0 && length < sizeof answer - 1 &&
                      (got = read(ends[0], answer + length, sizeof answer - 1 - length)) > 0;)
        length += (size_t)got;
    answer[length] = '\0';
    (void)close(ends[0]);
    if (process > 0)
        (void)waitpid(process, NULL, 0);
    return read_verdict(answer);
}

bool again_count(const char *line, const char *backend, const char *variable, int tries,
                 int *diverged)
{
    *diverged = 0;
    for (int i = 0; i < tries; i++) {
        AgainVerdict verdict = again_run(line, backend, variable);
        if (verdict == AGAIN_UNKNOWN)
            return false;
        *diverged += verdict == AGAIN_DIVERGES;
    }
    return true;
}
