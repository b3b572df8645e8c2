/* ONNX Runtime on the CPU: a model for each kind of case, in memory, and its session kept.
 * Promise: IEEE arithmetic; functions may be accurate in the absolute. */
#include <ctype.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "dialect.h"
#include "emit.h"
#include "form.h"
#include "graph.h"
#include "model.h"
#include "ops/backend/binding/describe.h"
#include "ops/backend/library.h"
#include "ops/case/large.h"
#include "ort_api.h"
#include "reference/random.h"
#include "script.h"

enum { SESSIONS = 4096, SIGNATURES = 8192, WHY_BYTES = 160 };

/* session is NULL for a model that the library does not implement, with what it said of it. */
typedef struct Session {
    uint64_t key;
    void *session;
    char why[WHY_BYTES];
} Session;

/* Whether there are kernels for models of a signature: why is empty where there are. */
typedef struct Signature {
    uint64_t key;
    char why[WHY_BYTES];
} Signature;

/* plain: options of sessions that run graphs as they are. */
typedef struct Ort {
    void *handle, *environment, *options, *plain, *memory;
    void *const *api;
    Session sessions[SESSIONS];
    Signature signatures[SIGNATURES];
    int count, signature_count;
    int opset, asked; /* the operator set of the library's models, and of this one */
    Text model;
} Ort;

static const char *const paths[] = {"libonnxruntime.so.1", "libonnxruntime.so", NULL};
static const char *const fetched[] = {"libonnxruntime.so.1", NULL};
static const char *const settings[] = {"noopt", NULL};

static const LibrarySource source = {
    .paths = paths,
    .fetched = fetched,
    .settings = settings,
};

/* What a message says: of a node that failed its type and what stands behind the words that all
 * such messages begin with, since findings keep the beginning; and files of sources without
 * folders. */
static void put_message(Text *message, const char *said)
{
    static const char running[] = "while running ", status[] = "Status Message: ";
    const char *node = strstr(said, running), *told = strstr(said, status);
    if (node && told > node) {
        node += strlen(running);
        text_printf(message, "%.*s: ", (int)strcspn(node, " "), node);
        said = told + strlen(status);
    }
    while (*said) {
        size_t word = strcspn(said, " "), from = word;
        while (said[0] == '/' && from > 0 && said[from - 1] != '/')
            from--;
        from = said[0] == '/' ? from : 0;
        word += said[word] == ' ';
        text_append(message, said + from, word - from);
        said += word;
    }
}

/* The message of a status, which is released; false when it is an error. */
static bool succeeded(const Ort *ort, void *status, int *code, Text *message)
{
    if (!status)
        return true;
    OrtErrorCode *error_code = NULL;
    OrtErrorMessage *error_message = NULL;
    OrtRelease *release = NULL;
    *(void **)&error_code = ort->api[ORT_ERROR_CODE];
    *(void **)&error_message = ort->api[ORT_ERROR_MESSAGE];
    *(void **)&release = ort->api[ORT_RELEASE_STATUS];
    *code = error_code(status);
    text_clear(message);
    put_message(message, error_message(status));
    release(status);
    return false;
}

static void release(const Ort *ort, int slot, void *object)
{
    OrtRelease *function;
    *(void **)&function = ort->api[slot];
    if (object)
        function(object);
}

static bool make_options(const Ort *ort, int level, void **options, Text *message)
{
    static const int thread_slots[] = {ORT_SET_INTRA_THREADS, ORT_SET_INTER_THREADS};
    OrtCreate *create;
    OrtSetNumber *set_number;
    int code;
    *(void **)&create = ort->api[ORT_CREATE_OPTIONS];
    if (!succeeded(ort, create(options), &code, message))
        return false;
    for (size_t i = 0; i < COUNT_OF(thread_slots); i++) {
        *(void **)&set_number = ort->api[thread_slots[i]];
        if (!succeeded(ort, set_number(*options, 1), &code, message))
            return false;
    }
    *(void **)&set_number = ort->api[ORT_SET_OPTIMISATION];
    return succeeded(ort, set_number(*options, level), &code, message);
}

static bool prepare(Ort *ort, const Backend *backend, Text *message)
{
    OrtCreateEnvironment *create_environment;
    OrtCreateMemory *create_memory;
    int code, level = library_has_setting(backend, "noopt") ? 0 : ORT_OPTIMISE_ALL;
    *(void **)&create_environment = ort->api[ORT_CREATE_ENVIRONMENT];
    *(void **)&create_memory = ort->api[ORT_CREATE_CPU_MEMORY];
    return succeeded(ort, create_environment(ORT_LOG_FATAL, "opconform", &ort->environment), &code,
                     message) &&
           make_options(ort, level, &ort->options, message) &&
           make_options(ort, 0, &ort->plain, message) &&
           succeeded(ort, create_memory(1, 0, &ort->memory), &code, message);
}

static void ort_close(Backend *backend)
{
    Ort *ort = backend->context;
    if (!ort)
        return;
    for (int i = 0; i < SESSIONS; i++)
        release(ort, ORT_RELEASE_SESSION, ort->sessions[i].session);
    text_release(&ort->model);
    /* The library does not survive being unloaded: its threads may still run. */
    free(ort);
    backend->context = NULL;
}

static bool ort_open(Backend *backend, Text *error)
{
    const OrtApiBase *(*get_base)(void) = NULL;
    Text message = {0};
    Ort *ort = memory_allocate(1, sizeof *ort);
    ort->handle = library_open(backend, &source, error);
    if (ort->handle)
        *(void **)&get_base = dlsym(ort->handle, "OrtGetApiBase");
    const OrtApiBase *base = get_base ? get_base() : NULL;
    OnnxDialect dialect = onnx_dialect(base ? base->version() : "");
    ort->api = base ? base->api((uint32_t)dialect.api) : NULL;
    ort->opset = dialect.opset;
    if (!ort->api || !prepare(ort, backend, &message)) {
        if (ort->handle)
            text_printf(error, "%s: %s", backend->name,
                        ort->api ? text_string(&message) : "no interface that is known here");
        text_release(&message);
        free(ort);
        return false;
    }
    backend->context = ort;
    backend->facts.threads = 1;
    backend->facts.forms = bindings_forms(bindings_find("onnx"));
    (void)snprintf(backend->facts.version, sizeof backend->facts.version, "%s", base->version());
    (void)snprintf(backend->facts.build, sizeof backend->facts.build, "ONNX Runtime");
    (void)snprintf(backend->facts.interface, sizeof backend->facts.interface,
                   "operator set %d, optimisation %s", dialect.opset,
                   library_has_setting(backend, "noopt") ? "off" : "on");
    library_describe(ort->handle, &backend->facts);
    return true;
}

static bool ort_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    (void)backend;
    return onnx_offers(op, dtype);
}

static uint64_t hash_text(const Text *model)
{
    uint64_t hash = model->length, word;
    size_t i = 0;
    for (; i + sizeof word <= model->length; i += sizeof word) {
        memcpy(&word, model->data + i, sizeof word);
        hash = random_mix(hash ^ word);
    }
    return random_fold(hash, model->data + i, model->length - i) | 1;
}

/* The place of a key in a table of so many entries that begin with theirs, 0 where there is none
 * and never in all of them: where it is, or where it is to be put. */
static size_t place_of(uint64_t key, const void *table, size_t entry, size_t places)
{
    for (size_t at = key % places;; at = (at + 1) % places) {
        const uint64_t *there = (const void *)((const char *)table + at * entry);
        if (*there == 0 || *there == key)
            return at;
    }
}

static void drop_sessions(Ort *ort)
{
    for (int i = 0; i < SESSIONS; i++)
        release(ort, ORT_RELEASE_SESSION, ort->sessions[i].session);
    memset(ort->sessions, 0, sizeof ort->sessions);
    ort->count = 0;
}

/* Types that an operator does not admit, and operator sets that came later than the library, are
 * rejected when the model is read; some kernels say only when they run that they lack one, or that
 * they take no infinities (pull request 32011 of ONNX Runtime). */
static bool is_lacking(int code, Text *message)
{
    return code == ORT_NOT_IMPLEMENTED || strstr(text_string(message), "Type Error") ||
           strstr(text_string(message), "Current official support") ||
           strstr(text_string(message), "must be finite") ||
           strstr(text_string(message), "Only 4-D tensor is supported") ||
           strstr(text_string(message), "Only block sizes") ||
           strstr(text_string(message), "not support");
}

/* Whether a model of an earlier operator set is not read: it is one that is read in a later one.
 * Says so in front of the message. */
static bool is_earlier(const Ort *ort, Text *message)
{
    if (ort->asked >= ONNX_OPSET || (!strstr(text_string(message), "This is an invalid model") &&
                                     !strstr(text_string(message), "Failed to load model")))
        return false;
    Text said = {0};
    text_printf(&said, "not in operator set %d: %s", ort->asked, text_string(message));
    text_release(message);
    *message = said;
    return true;
}

/* A session for the model; NULL where it is refused, or where the library has no kernel for it. */
static void *make_session(const Ort *ort, const void *options, Text *message, bool *refused)
{
    OrtCreateSession *create;
    void *session = NULL;
    int code = 0;
    *(void **)&create = ort->api[ORT_CREATE_SESSION];
    if (succeeded(ort,
                  create(ort->environment, text_string(&ort->model), ort->model.length, options,
                         &session),
                  &code, message))
        return session;
    *refused = !is_lacking(code, message) && !is_earlier(ort, message);
    return NULL;
}

/* The same, made once for each model. */
static void *find_session(Ort *ort, Text *message, bool *refused)
{
    uint64_t key = hash_text(&ort->model);
    size_t at = place_of(key, ort->sessions, sizeof *ort->sessions, SESSIONS);
    if (ort->sessions[at].key == key) {
        text_put(message, ort->sessions[at].why);
        return ort->sessions[at].session;
    }
    if (ort->count >= SESSIONS / 2) {
        drop_sessions(ort);
        at = key % SESSIONS;
    }
    Session made = {.key = key, .session = make_session(ort, ort->options, message, refused)};
    if (*refused)
        return NULL;
    if (!made.session)
        (void)snprintf(made.why, sizeof made.why, "%s", text_string(message));
    ort->sessions[at] = made;
    ort->count++;
    return made.session;
}

static bool make_value(const Ort *ort, const Operands *o, int i, void **value, Text *message)
{
    OrtCreateTensor *create;
    const Tensor *view = &o->view[i];
    int code;
    *(void **)&create = ort->api[ORT_CREATE_TENSOR];
    return succeeded(ort,
                     create(ort->memory, o->block[i].data, o->block[i].bytes, view->extent,
                            (size_t)view->rank, onnx_type(view->dtype), value),
                     &code, message);
}

static bool run_session(const Ort *ort, void *session, const Operands *o, int *code, Text *message)
{
    const char *names[2][OP_TENSORS_MAX];
    void *values[2][OP_TENSORS_MAX] = {{0}};
    size_t counts[2] = {0, 0};
    bool ok = true;
    OrtRun *run;
    *(void **)&run = ort->api[ORT_RUN];
    for (int i = 0; i < o->shapes.count && ok; i++) {
        int side = operands_is_output(o, i);
        if (!side && !onnx_takes(o, i))
            continue;
        names[side][counts[side]] = o->source->op->tensors[i];
        /* What an illegal call gives has extents of its own, for which the library makes room. */
        ok = (side && o->source->exec.illegal) ||
             make_value(ort, o, i, &values[side][counts[side]], message);
        counts[side]++;
    }
    ok = ok && succeeded(ort,
                         run(session, NULL, names[0], (const void *const *)values[0], counts[0],
                             names[1], counts[1], values[1]),
                         code, message);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < counts[side]; i++)
            release(ort, ORT_RELEASE_VALUE, values[side][i]);
    return ok;
}

/* Operands must be dense. */
static bool all_dense(const Operands *o)
{
    for (int i = 0; i < o->shapes.count; i++)
        if (!tensor_is_dense(&o->view[i]))
            return false;
    return true;
}

/* Leaves the message for whoever asks why, and releases it. */
static void say(Backend *backend, Text *message)
{
    (void)snprintf(backend->message, sizeof backend->message, "%s", text_string(message));
    text_release(message);
}

/* Behind words that say where and not what is lacking: heads of messages about models, a node with
 * its operands, a place in a source with the signature of its function, and what is promised of
 * released operator sets. */
static const char *behind_heads(const char *said)
{
    static const char *const heads[] = {
        "Failed to load model with error: ", "This is an invalid model. ", "Error: "};
    static const char invalid[] = " , Error ";
    for (size_t i = 0; i < COUNT_OF(heads); i++)
        if (!strncmp(said, heads[i], strlen(heads[i])))
            said += strlen(heads[i]);
    size_t word = strcspn(said, " ");
    const char *end = strstr(said, ") "), *opset = strstr(said, ". Opset ");
    const char *node = strstr(said, invalid);
    if (node)
        said = node + strlen(invalid);
    if (end && word > 0 && memchr(said, ':', word) && isdigit((unsigned char)said[word - 1]))
        said = end + strlen(") ");
    return opset ? opset + strlen(". ") : said;
}

/* Says in front of what it is that lacks something, and which operator set it is. */
static void name_version(const Backend *backend, Text *message)
{
    static const char set[] = "not in operator set ", unnamed[] = " with name ''";
    const char *words = text_string(message), *what = words;
    if (!strncmp(words, set, strlen(set)) && strstr(words, ": "))
        what = strstr(words, ": ") + strlen(": ");
    const char *told = behind_heads(what), *end = strstr(told, unnamed);
    Text said = {0};
    text_printf(&said, "ONNX Runtime %s lacks it: %.*s%.*s", backend->facts.version,
                (int)(what - words), words, end ? (int)(end - told) : (int)strlen(told), told);
    text_release(message);
    *message = said;
}

static RunStatus decline(Backend *backend, Text *why)
{
    say(backend, why);
    return RUN_DECLINED;
}

static bool is_mean(const Case *c)
{
    static const char *const means[] = {"mean",   "var",    "std", "bce_with_logits",
                                        "kl_div", "*_loss", NULL};
    if (case_has(c, "reduction") && strcmp(case_choice(c, "reduction"), "mean") != 0)
        return false;
    for (int i = 0; means[i]; i++)
        if (op_matches(c->op, means[i]))
            return true;
    return false;
}

/* "Reduction over an empty set of values yields undefined" (ONNX, Operators.md, ReduceMean), by
 * which LayerNormalization is defined: its scale has the extents of that set. */
static bool is_mean_of_nothing(const Operands *o)
{
    bool in_layers = op_matches(o->source->op, "layer_norm");
    for (int i = in_layers ? 1 : 0; i < o->shapes.count; i++)
        if (!operands_is_output(o, i) && tensor_is_empty(&o->view[i]))
            return in_layers || is_mean(o->source);
    return false;
}

static bool may_take(const Operands *o, Text *why)
{
    if (is_mean_of_nothing(o)) {
        text_put(why, "ONNX leaves a mean of no elements undefined");
        return false;
    }
    if (!all_dense(o)) {
        text_put(why, "operands that are not dense");
        return false;
    }
    return bindings_choose(bindings_find("onnx"), TARGET_PYTHON, o->source, NULL, why) != NULL;
}

/* What a message says that all models of a signature have in common: not what is said of one
 * attribute. */
static bool is_of_kernels(const Text *message)
{
    static const char *const words[] = {"Could not find an implementation",
                                        "Type Error",
                                        "is not a registered function/op",
                                        "Current official support",
                                        "not in range [min=",
                                        "No Op registered for",
                                        "Unrecognized attribute",
                                        "does not support double yet"};
    bool found = false;
    for (size_t i = 0; i < COUNT_OF(words); i++)
        found = found || strstr(text_string(message), words[i]);
    return found;
}

/* Whether sessions of the sketched model have kernels.  What a graph that is run as it is has needs
 * no other look: optimisations run kernels, which no case would be blamed for. */
static bool ask_kernels(const Ort *ort, const Backend *backend, Text *why)
{
    const void *const options[] = {ort->plain, ort->options};
    for (size_t i = 0; i < COUNT_OF(options); i++) {
        bool refused = false;
        void *session = make_session(ort, options[i], why, &refused);
        release(ort, ORT_RELEASE_SESSION, session);
        if (session || refused || !is_of_kernels(why))
            return true;
    }
    name_version(backend, why);
    return false;
}

/* The same, asked once for each signature. */
static bool has_kernels(Ort *ort, const Backend *backend, const Text *signature, Text *why)
{
    uint64_t key = hash_text(signature);
    size_t at = place_of(key, ort->signatures, sizeof *ort->signatures, SIGNATURES);
    if (ort->signatures[at].key == 0) {
        if (ort->signature_count >= SIGNATURES / 2) {
            memset(ort->signatures, 0, sizeof ort->signatures);
            ort->signature_count = 0;
            at = key % SIGNATURES;
        }
        Signature *made = &ort->signatures[at];
        made->key = key;
        ort->signature_count++;
        if (!ask_kernels(ort, backend, why))
            (void)snprintf(made->why, sizeof made->why, "%s", text_string(why));
    }
    text_clear(why);
    text_put(why, ort->signatures[at].why);
    return ort->signatures[at].why[0] == '\0';
}

/* Illegal calls are changed ones of those that there are kernels for. */
static bool ort_takes(const Backend *backend, const Operands *o, Text *why)
{
    Ort *ort = backend->context;
    Text signature = {0};
    if (!may_take(o, why))
        return false;
    text_clear(&ort->model);
    ort->asked = onnx_form_opset(o, ort->opset);
    bool taken = onnx_sketch(o, ort->opset, &ort->model, &signature, why) &&
                 has_kernels(ort, backend, &signature, why);
    text_release(&signature);
    return taken;
}

/* Numbers of rows are attributes here, which are written with the model, and calls are not
 * Python's. */
static const char *ort_illegal_argument(const Backend *backend, const Operands *o)
{
    Illegal illegal;
    Text why = {0};
    (void)backend;
    bool is_given =
        illegal_make(o->source, &o->shapes, &illegal) && !illegal.may_be_empty &&
        illegal.attribute < 0 && !illegal.is_written &&
        bindings_choose(bindings_find("onnx"), TARGET_PYTHON, o->source, illegal.name, &why);
    text_release(&why);
    return is_given ? illegal.name : NULL;
}

/* Whether the library takes one of some cases of an operator and an element type; else why it takes
 * none of them. */
static bool takes_some(const Backend *backend, const OpDesc *op, DType dtype, Text *why)
{
    enum { CASES = 24 };
    Scope scope = {.ops = {op}, .op_count = 1, .dtypes = 1u << dtype};
    bool taken = false;
    for (uint64_t i = 0; i < CASES && !taken; i++) {
        Case c;
        Operands o;
        case_draw_seeded(&c, &scope, i);
        operands_describe(&o, &c);
        text_clear(why);
        taken = ort_takes(backend, &o, why);
    }
    return taken;
}

static void ort_list_exports(const Backend *backend, Text *text)
{
    Text missing = {0}, why = {0};
    int asked = 0, taken = 0;
    for (int i = 0; op_registry[i]; i++)
        for (int dtype = 0; dtype < DT_COUNT; dtype++) {
            const OpDesc *op = op_registry[i];
            if (!(op_dtypes(op) >> dtype & 1) || !onnx_offers(op, (DType)dtype))
                continue;
            asked++;
            if (takes_some(backend, op, (DType)dtype, &why))
                taken++;
            else
                text_printf(&missing, "%s %s: %s\n", op->name, dtype_names[dtype],
                            text_string(&why));
        }
    text_printf(text, "%d operators in an element type, of which it runs %d\n%s", asked, taken,
                text_string(&missing));
    text_release(&missing);
    text_release(&why);
}

static RunStatus ort_run(Backend *backend, const Operands *operands)
{
    Ort *ort = backend->context;
    Illegal illegal;
    Operands altered;
    const Operands *o = onnx_spoilt(operands, &illegal, &altered);
    Text message = {0};
    bool refused = false, ok = false, large = large_is(o->source);
    int code = 0;
    ort->asked = onnx_form_opset(o, ort->opset);
    text_clear(&ort->model);
    backend->refused_argument = (int)o->source->exec.illegal;
    if (!may_take(operands, &message) || !onnx_write(o, ort->opset, &ort->model, NULL, &message))
        return decline(backend, &message);
    /* A session keeps the memory that its largest run took. */
    void *session = large ? make_session(ort, ort->options, &message, &refused)
                          : find_session(ort, &message, &refused);
    if (session)
        ok = run_session(ort, session, o, &code, &message);
    if (large)
        release(ort, ORT_RELEASE_SESSION, session);
    bool lacks = (!session && !refused) || (session && !ok && is_lacking(code, &message));
    if (lacks)
        name_version(backend, &message);
    say(backend, &message);
    return ok ? RUN_DONE : lacks ? RUN_DECLINED : RUN_REFUSED;
}

static void ort_describe(const char *name, const OpDesc *op, Text *text)
{
    (void)name;
    bindings_describe("onnx", op, text);
}

const BackendKind be_ort = {
    .name = "ort",
    .pinned = "ort",
    .summary = "ONNX Runtime on the CPU: :VERSION as make backends fetches it; +noopt runs the "
               "graph as is",
    .large = true,
    .open = ort_open,
    .close = ort_close,
    .offers = ort_offers,
    .describe = ort_describe,
    .list_exports = ort_list_exports,
    .takes = ort_takes,
    .illegal_argument = ort_illegal_argument,
    .run = ort_run,
    .emit = ort_emit,
    .script = ort_script,
    .put_interpreter = ort_put_interpreter,
    .promise = {.models = models_ieee, .readings = models_readings},
    .source = &source,
};
