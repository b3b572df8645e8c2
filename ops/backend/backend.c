/* Opening and probing backends by name. */
#include "backend.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "library.h"
#include "reference/alone.h"
#include "reference/child.h"
#include "reference/confine.h"
#include "trust.h"

enum { PROBE_SECONDS = 20, PROBE_TEXT = 512, PROBES_KEPT = 32 };

void backend_family(const char *name, char family[64])
{
    size_t length = strcspn(name, ":@");
    (void)snprintf(family, 64, "%.*s", (int)(length < 63 ? length : 63), name);
}

bool backend_find_function(const char *name, KnownFunction *function, Nearest *nearest)
{
    for (const BackendKind *const *kind = backend_registry; *kind; kind++)
        for (int i = 0; (*kind)->known_function && (*kind)->known_function(i, function); i++) {
            if (function->op && !strcmp(function->name, name))
                return true;
            if (function->op)
                nearest_offer(nearest, function->name);
        }
    return false;
}

static bool split_name(Backend *backend, const char *name, Text *error)
{
    const char *at = strchr(name, '@');
    const char *colon = strchr(name, ':');
    if (colon && at && colon > at)
        colon = NULL;
    size_t mode_end = at ? (size_t)(at - name) : strlen(name);
    if (strlen(name) >= sizeof backend->name ||
        (colon && mode_end - (size_t)(colon - name) > sizeof backend->mode) ||
        (at && strlen(at) > sizeof backend->where)) {
        text_printf(error, "backend name too long");
        return false;
    }
    for (const char *byte = name; *byte; byte++)
        if ((unsigned char)*byte < ' ' || *byte == 0x7f) {
            text_printf(error, "a backend's name has no control characters");
            return false;
        }
    (void)snprintf(backend->name, sizeof backend->name, "%s", name);
    if (colon)
        (void)snprintf(backend->mode, sizeof backend->mode, "%.*s",
                       (int)(name + mode_end - colon - 1), colon + 1);
    if (at)
        (void)snprintf(backend->where, sizeof backend->where, "%s", at + 1);
    return true;
}

const BackendKind *backend_kind(const char *name)
{
    char family[64];
    backend_family(name, family);
    for (const BackendKind *const *kind = backend_registry; *kind; kind++)
        if (!strcmp((*kind)->name, family))
            return *kind;
    return NULL;
}

static void add_usual(BackendName names[USUAL_BACKENDS_MAX], int *count, const char *kind,
                      const char *mode, size_t length)
{
    if (*count == USUAL_BACKENDS_MAX)
        BUG("more than %d usual backends", USUAL_BACKENDS_MAX);
    (void)snprintf(names[(*count)++].text, sizeof names[0].text, "%s%s%.*s", kind,
                   length > 0 ? ":" : "", (int)length, mode);
}

int backend_usual(BackendName names[USUAL_BACKENDS_MAX])
{
    int count = 0;
    for (const BackendKind *const *each = backend_registry; *each; each++) {
        const BackendKind *kind = *each;
        if (kind->needs_more)
            continue;
        add_usual(names, &count, kind->name, "", 0);
        for (const char *mode = kind->usual_modes; mode && *mode;) {
            size_t length = strcspn(mode, " ");
            add_usual(names, &count, kind->name, mode, length);
            mode += length + strspn(mode + length, " ");
        }
        const char *version;
        for (int i = 0; kind->pinned && (version = library_pinned_version(kind->pinned, i)); i++)
            add_usual(names, &count, kind->name, version, strlen(version));
    }
    return count;
}

bool backend_open(Backend *backend, const char *name, Text *error)
{
    char family[64];
    *backend = (Backend){.kind = backend_kind(name)};
    backend_family(name, family);
    if (!backend->kind) {
        Nearest nearest = nearest_begin(family, strlen(family));
        text_printf(error, "unknown backend '%s': known are", family);
        for (const BackendKind *const *kind = backend_registry; *kind; kind++) {
            text_printf(error, " %s", (*kind)->name);
            nearest_offer(&nearest, (*kind)->name);
        }
        nearest_put(&nearest, error);
        return false;
    }
    backend->promise = backend->kind->promise;
    return trust_allows(name, error) && split_name(backend, name, error) &&
           backend->kind->open(backend, error);
}

void backend_close(Backend *backend)
{
    if (backend->kind)
        backend->kind->close(backend);
    *backend = (Backend){0};
}

/* The message of the probing child; ok comes last, so that a partial message is not taken for
 * success. */
typedef struct ProbeReply {
    BackendFacts facts;
    uint32_t offers[OP_MAX];
    char error[PROBE_TEXT];
    bool ok;
} ProbeReply;

static void open_and_ask(const char *name, ProbeReply *reply)
{
    Backend backend;
    Text error = {0};
    *reply = (ProbeReply){0};
    reply->ok = backend_open(&backend, name, &error);
    reply->facts = backend.facts;
    for (int i = 0; reply->ok && op_registry[i]; i++)
        for (int dtype = 0; dtype < DT_COUNT; dtype++)
            if (backend.kind->offers(&backend, op_registry[i], (DType)dtype))
                reply->offers[i] |= 1u << dtype & op_dtypes(op_registry[i]);
    (void)snprintf(reply->error, sizeof reply->error, "%s", text_string(&error));
    text_release(&error);
    if (reply->ok)
        backend_close(&backend);
}

static int probe_child(const void *name, int to)
{
    ProbeReply reply;
    alone_begin(to, (AloneMemory){0});
    confine_begin();
    open_and_ask(name, &reply);
    return write(to, &reply, sizeof reply) == (ssize_t)sizeof reply ? 0 : 1;
}

/* The answer of a library, or how the process ended that asked it. */
typedef struct Probed {
    char name[sizeof(((Backend *)0)->name)];
    ProbeReply reply;
    bool died, late;
    int status; /* of the process, where it died */
} Probed;

/* What libraries have answered; refusals are not kept. */
static Probed kept[PROBES_KEPT];
static int kept_count;

static bool ask_child(const char *name, Probed *probed, Text *error)
{
    Child child;
    if (!child_start(&child, probe_child, name)) {
        text_printf(error, "cannot probe %s: %s", name, strerror(errno));
        return false;
    }
    ProbeReply *reply = &probed->reply;
    bool answered = child_read(&child, reply, sizeof *reply, PROBE_SECONDS * 1000) == sizeof *reply;
    probed->late = !answered && !child_is_ready(&child) && !child_is_over(&child);
    if (!answered)
        child_kill(&child);
    int status = child_wait(&child);
    probed->status = status;
    probed->died = !answered;
    if (answered && reply->ok)
        return true;
    if (answered)
        text_printf(error, "%s", reply->error);
    else if (probed->late)
        text_printf(error, "%s: the library did not load within %d s", name, PROBE_SECONDS);
    else if (WIFSIGNALED(status))
        text_printf(error, "%s: the library crashes while it loads (signal %d, %s)", name,
                    WTERMSIG(status), strsignal(WTERMSIG(status)));
    else
        text_printf(error, "%s: the library ends the process while it loads (exit status %d)", name,
                    WEXITSTATUS(status));
    return false;
}

/* Backends that run in a process of their own are asked by this process, so that its children share
 * the server. */
static bool ask(const char *name, Probed *probed, Text *error)
{
    const BackendKind *kind = backend_kind(name);
    *probed = (Probed){0};
    if (!kind || !kind->expect)
        return ask_child(name, probed, error);
    open_and_ask(name, &probed->reply);
    if (!probed->reply.ok)
        text_printf(error, "%s", probed->reply.error);
    return probed->reply.ok;
}

static Probed *find_kept(const char *name)
{
    for (int i = 0; i < kept_count; i++)
        if (!strcmp(kept[i].name, name))
            return &kept[i];
    return NULL;
}

static bool probe(const char *name, ProbeReply *reply, Text *error)
{
    static Probed last;
    const Probed *found = find_kept(name);
    if (found && !found->died) {
        *reply = found->reply;
        return true;
    }
    if (found) {
        text_printf(error, "%s: the library ended the process in which it was loaded", name);
        return false;
    }
    bool ok = ask(name, &last, error);
    if ((ok || last.died) && kept_count < PROBES_KEPT && strlen(name) < sizeof last.name) {
        (void)snprintf(last.name, sizeof last.name, "%s", name);
        kept[kept_count++] = last;
    }
    *reply = last.reply;
    return ok;
}

bool backend_died(const char *name, Text *end)
{
    const Probed *found = find_kept(name);
    if (!found || !found->died)
        return false;
    if (found->late)
        text_put(end, "hang");
    else
        text_put_end(end, found->status);
    return true;
}

static int exports_child(const void *name, int to)
{
    Backend backend;
    Text error = {0}, text = {0};
    alone_begin(to, (AloneMemory){0});
    confine_begin();
    bool ok = backend_open(&backend, name, &error);
    if (ok && backend.kind->list_exports)
        backend.kind->list_exports(&backend, &text);
    bool written = write(to, text_string(&text), text.length) == (ssize_t)text.length;
    return ok && written ? 0 : 1;
}

bool backend_probe_exports(const char *name, Text *text, Text *error)
{
    BackendFacts facts;
    Child child;
    const BackendKind *kind = backend_kind(name);
    if (kind && !kind->list_exports) {
        text_printf(error, "%s: its routines are not known by name", name);
        return false;
    }
    if (!backend_probe(name, &facts, error))
        return false;
    if (!child_start(&child, exports_child, name)) {
        text_printf(error, "cannot probe %s: %s", name, strerror(errno));
        return false;
    }
    child_read_text(&child, text);
    if (child_wait(&child) == 0)
        return true;
    text_printf(error, "%s: its routines cannot be listed", name);
    return false;
}

bool backend_probe(const char *name, BackendFacts *facts, Text *error)
{
    ProbeReply reply = {0};
    bool ok = probe(name, &reply, error);
    if (ok)
        *facts = reply.facts;
    return ok;
}

bool backend_name(const char *name, Text *error)
{
    Backend backend = {.kind = backend_kind(name)};
    trust_name(name);
    return !backend.kind || !backend.kind->announce ||
           (split_name(&backend, name, error) && backend.kind->announce(&backend, error));
}

bool backend_limits(const char *name, Limits *limits, bool *any, Text *error)
{
    Backend backend = {.kind = backend_kind(name)};
    *any = backend.kind && backend.kind->limits;
    return !*any || (trust_allows(name, error) && split_name(&backend, name, error) &&
                     backend.kind->limits(&backend, limits, error));
}

const char *backend_refusal(const Backend *backend, const OpDesc *op, DType dtype)
{
    if (backend->kind->offers(backend, op, dtype))
        return NULL;
    for (int other = 0; other < DT_COUNT; other++)
        if (op_dtypes(op) >> other & 1 && backend->kind->offers(backend, op, (DType)other))
            return "not offered in this element type";
    return "has no such operator";
}

bool backend_probe_offers(const char *name, uint32_t offers[OP_MAX], Text *error)
{
    ProbeReply reply = {0};
    bool ok = probe(name, &reply, error);
    memcpy(offers, reply.offers, sizeof reply.offers);
    return ok;
}
