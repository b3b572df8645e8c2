/* Starts opconform replay LINE --backend NAME --json, and reads the verdict. */
#include "again.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "ops/backend/trust.h"
#include "ops/plugin/plugin.h"
#include "oracle/judge.h"
#include "reference/child.h"
#include "reports/json.h"

typedef struct Replay {
    const char *line, *backend, *variable;
} Replay;

static int replay_child(const void *context, int to)
{
    const Replay *replay = context;
    if (replay->variable)
        (void)putenv((char *)(uintptr_t)replay->variable);
    Text plugins = {0};
    for (int i = 0; plugin_loaded(i); i++)
        text_printf(&plugins, "%s%s", i ? "," : "", plugin_loaded(i)->path);
    child_become_self((const char *const[]){"opconform", "replay", replay->line, "--backend",
                                            replay->backend, "--json",
                                            plugins.length ? "--plugin" : NULL,
                                            text_string(&plugins), NULL},
                      to, true);
}

typedef enum AgainVerdict { AGAIN_AGREES, AGAIN_DIVERGES, AGAIN_UNKNOWN } AgainVerdict;

static AgainVerdict read_verdict(const char *answer)
{
    Text name = {0};
    VerdictKind kind;
    bool known = json_member(answer, "verdict", &name) && verdict_find(text_string(&name), &kind);
    text_release(&name);
    if (!known)
        return AGAIN_UNKNOWN;
    return verdict_is_finding(kind) ? AGAIN_DIVERGES
           : kind == VERDICT_AGREE  ? AGAIN_AGREES
                                    : AGAIN_UNKNOWN;
}

/* True when a backend may be opened; else it is told, once for each name. */
static bool is_allowed(const char *backend)
{
    static Text told; /* each ended by a newline */
    Text refusal = {0};
    bool allowed = trust_allows(backend, &refusal);
    text_put(&refusal, "\n");
    if (!allowed && !strstr(text_string(&told), text_string(&refusal))) {
        text_put(&told, text_string(&refusal));
        (void)complain(0, "%.*s", (int)refusal.length - 1, text_string(&refusal));
    }
    text_release(&refusal);
    return allowed;
}

/* The case as it is printed: what a database has in the place of a line could be an option or a
 * file to the program that is started with it.  False where it is no case. */
static bool put_case(Text *line, const char *given)
{
    Case c;
    Text error = {0};
    bool ok = case_parse(&c, given, &error);
    if (ok)
        case_print(&c, line);
    text_release(&error);
    return ok;
}

/* Unknown where the backend is not opened, is absent or declines the case. */
static AgainVerdict again_run(const char *line, const char *backend, const char *variable)
{
    Child child;
    Text own = {0}, answer = {0};
    bool started =
        is_allowed(backend) && put_case(&own, line) &&
        child_start(&child, replay_child, &(Replay){text_string(&own), backend, variable});
    if (started) {
        child_read_text(&child, &answer);
        (void)child_wait(&child);
    }
    AgainVerdict verdict = started ? read_verdict(text_string(&answer)) : AGAIN_UNKNOWN;
    text_release(&own);
    text_release(&answer);
    return verdict;
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

const char *again_version(const char *backend)
{
    static char last[600];
    static BackendFacts facts;
    Text ignored = {0};
    if (strcmp(last, backend) != 0) {
        (void)snprintf(last, sizeof last, "%s", backend);
        if (!backend_probe(backend, &facts, &ignored))
            (void)snprintf(facts.version, sizeof facts.version, "absent");
    }
    text_release(&ignored);
    return facts.version;
}
