/* Starts opconform replay LINE --backend NAME --json, and reads the verdict. */
#include "again.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Unknown where the backend is absent or declines the case. */
static AgainVerdict again_run(const char *line, const char *backend, const char *variable)
{
    Child child;
    Text answer = {0}, error = {0};
    const BackendKind *kind = backend_kind(backend);
    bool allowed = kind && trust_allows(kind, backend, &error);
    text_release(&error);
    if (!allowed || !child_start(&child, replay_child, &(Replay){line, backend, variable}))
        return AGAIN_UNKNOWN;
    child_read_text(&child, &answer);
    (void)child_wait(&child);
    AgainVerdict verdict = read_verdict(text_string(&answer));
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
