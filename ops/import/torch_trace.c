/* Calls within a call that became a case are its own business; those within one that did not are
 * read.  Source: PyTorch's documentation, "torch.profiler"; the trace events of Chrome. */
#include "torch_trace.h"

#include <ctype.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/list.h"
#include "torch_calls.h"
#include "wanted.h"

enum { EVENTS_MAX = 1 << 20, DISTINCT_MAX = 1 << 13, EVENT_NAME_BYTES = 160 };

static const char space[] = TORCH_SPACE;

typedef struct Event {
    size_t number; /* in the trace, from 1 */
    double thread, begin, end;
    long sequence;               /* -1: none */
    bool backward;               /* run by autograd */
    char name[EVENT_NAME_BYTES]; /* cut where it is too long */
    char *args;                  /* in JSON */
} Event;

/* A call with its arguments, and what came of it. */
typedef struct Distinct {
    char *key;
    bool taken;
    Case found;
    char *reason; /* NULL where it was taken */
    bool has_row;
} Distinct;

typedef struct Trace {
    Import *import;
    sqlite3 *db;         /* in memory: it reads JSON */
    sqlite3_stmt *items; /* of a list of the arguments: their places and values */
    Event *events;
    size_t *backward; /* of the events that autograd ran, by their sequence */
    size_t count, room, distinct_count, backward_count, beyond;
    Distinct *distinct;
    ImportTell *tell;
    void *context;
} Trace;

static const char events_sql[] =
    "SELECT key + 1, json_extract(value, '$.name'), json_extract(value, '$.args'), "
    "json_extract(value, '$.tid'), json_extract(value, '$.ts'), json_extract(value, '$.dur'), "
    "json_extract(value, '$.args.\"Sequence number\"'), "
    "json_extract(value, '$.args.\"Fwd thread id\"') FROM json_each(?1, '$.traceEvents') "
    "WHERE CASE WHEN type = 'object' THEN json_extract(value, '$.cat') = 'cpu_op' "
    "AND json_type(value, '$.name') = 'text' AND json_type(value, '$.args') = 'object' END";
static const char items_sql[] = "SELECT key, value FROM json_each(?1, ?2)";

static sqlite3_stmt *prepare(const Trace *trace, const char *sql)
{
    sqlite3_stmt *statement;
    if (sqlite3_prepare_v2(trace->db, sql, -1, &statement, NULL) != SQLITE_OK)
        BUG("%s: %s", sql, sqlite3_errmsg(trace->db));
    return statement;
}

static const char *text_at(sqlite3_stmt *statement, int column)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    return text ? text : "";
}

static void add_event(Trace *trace, sqlite3_stmt *row)
{
    if (trace->count == EVENTS_MAX) {
        trace->beyond++;
        return;
    }
    trace->events = list_grow(trace->events, trace->count, &trace->room, sizeof *trace->events);
    Event *event = &trace->events[trace->count++];
    double begin = sqlite3_column_double(row, 4);
    bool numbered = sqlite3_column_type(row, 6) != SQLITE_NULL;
    *event = (Event){.number = (size_t)sqlite3_column_int64(row, 0),
                     .args = memory_duplicate(text_at(row, 2)),
                     .thread = sqlite3_column_double(row, 3),
                     .begin = begin,
                     .end = begin + sqlite3_column_double(row, 5),
                     .sequence = numbered ? (long)sqlite3_column_int64(row, 6) : -1,
                     .backward = sqlite3_column_double(row, 7) > 0};
    (void)snprintf(event->name, sizeof event->name, "%s", text_at(row, 1));
}

static bool has_events(const Trace *trace, const Text *file, Text *error)
{
    sqlite3_stmt *statement = prepare(trace, "SELECT json_type(?1, '$.traceEvents')");
    (void)sqlite3_bind_text64(statement, 1, text_string(file), file->length, SQLITE_STATIC,
                              SQLITE_UTF8);
    bool valid = sqlite3_step(statement) == SQLITE_ROW;
    bool found = valid && !strcmp(text_at(statement, 0), "array");
    (void)sqlite3_finalize(statement);
    if (!found)
        text_put(error, valid ? "it has no traceEvents, which export_chrome_trace writes"
                              : "its JSON ends within a value, or is none");
    return found;
}

static bool read_events(Trace *trace, const Text *file, Text *error)
{
    if (!has_events(trace, file, error))
        return false;
    sqlite3_stmt *row = prepare(trace, events_sql);
    (void)sqlite3_bind_text64(row, 1, text_string(file), file->length, SQLITE_STATIC, SQLITE_UTF8);
    int step;
    while ((step = sqlite3_step(row)) == SQLITE_ROW)
        add_event(trace, row);
    if (step != SQLITE_DONE)
        text_put(error, sqlite3_errmsg(trace->db));
    (void)sqlite3_finalize(row);
    return step == SQLITE_DONE;
}

/* Those that contain others first. */
static int compare_events(const void *left, const void *right)
{
    const Event *a = left, *b = right;
    if (a->thread != b->thread)
        return a->thread < b->thread ? -1 : 1;
    if (a->begin != b->begin)
        return a->begin < b->begin ? -1 : 1;
    if (a->end != b->end)
        return a->end > b->end ? -1 : 1;
    return a->number < b->number ? -1 : 1;
}

static bool read_type(const char *name, DType *dtype)
{
    static const struct {
        const char *name;
        DType dtype;
    } rows[] = {{"float", DT_F32},
                {"double", DT_F64},
                {"c10::Half", DT_F16},
                {"c10::BFloat16", DT_BF16},
                {"long int", DT_I64},
                {"long", DT_I64},
                {"int", DT_I32},
                {"unsigned char", DT_U8},
                {"signed char", DT_I8},
                {"short", DT_I16},
                {"short int", DT_I16},
                {"bool", DT_BOOL},
                {"c10::complex<float>", DT_C64},
                {"c10::complex<double>", DT_C128}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (!strcmp(rows[i].name, name)) {
            *dtype = rows[i].dtype;
            return true;
        }
    return false;
}

/* "[2, 3]"; a list of tensors has no one shape. */
static void put_dims(AskedValue *value, const char *text)
{
    Attribute dims;
    value->shaped = *text == '[' && torch_put_list(&dims, text) && dims.count <= TENSOR_RANK_MAX;
    value->shape = (Shape){.rank = value->shaped ? dims.count : 0};
    for (int i = 0; value->shaped && i < dims.count; i++) {
        value->shape.extent[i] = dims.list[i];
        value->shaped = dims.list[i] >= 0 && dims.list[i] <= WANTED_EXTENT_MAX;
    }
}

static void put_type(AskedValue *value, const char *text)
{
    value->typed = read_type(text, &value->dtype);
    value->present = value->present || value->typed || !strcmp(text, "TensorList");
}

/* The lists of a call's arguments, all of one length: what is no tensor, types and shapes. */
static const struct {
    const char *path;
    void (*put)(AskedValue *value, const char *text);
} lists[] = {{"$.\"Input Dims\"", put_dims},
             {"$.\"Input type\"", put_type},
             {"$.\"Concrete Inputs\"", torch_put_number}};

/* Functions that change their operand have a _ behind their name. */
static void read_call(const Trace *trace, const Event *event, Asked *asked)
{
    char name[EVENT_NAME_BYTES];
    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        (void)sqlite3_bind_text(trace->items, 1, event->args, -1, SQLITE_STATIC);
        (void)sqlite3_bind_text(trace->items, 2, lists[i].path, -1, SQLITE_STATIC);
        while (sqlite3_step(trace->items) == SQLITE_ROW) {
            size_t place = (size_t)sqlite3_column_int64(trace->items, 0);
            while (asked->value_count <= place && place < ASKED_ARGUMENTS_MAX)
                (void)asked_value(asked);
            const char *text = text_at(trace->items, 1);
            if (place < ASKED_ARGUMENTS_MAX && *text)
                lists[i].put(&asked->values[place], text);
        }
        (void)sqlite3_reset(trace->items);
    }
    memcpy(name, event->name, sizeof name);
    size_t length = strlen(name);
    if (length > 2 && name[length - 1] == '_' && name[length - 2] != '_')
        name[length - 1] = '\0';
    torch_leave_minor(asked, name);
    AskedCall *call = asked_call(asked, name);
    for (int i = 0; i < (int)asked->value_count; i++)
        (void)asked_argument(call, "", i);
}

static void put_key(const Asked *asked, Text *key)
{
    text_put(key, asked->calls[0].name);
    for (size_t i = 0; i < asked->value_count; i++) {
        const AskedValue *value = &asked->values[i];
        text_printf(key, "|%d%d%d", value->present, value->typed ? (int)value->dtype : -1,
                    value->shaped ? (int)value->shape.rank : -1);
        for (int64_t axis = 0; axis < value->shape.rank; axis++)
            text_printf(key, ",%lld", (long long)value->shape.extent[axis]);
        if (value->constant)
            attribute_print(&value->number, key);
    }
}

static void find_case(const Asked *asked, Distinct *distinct)
{
    Draft draft = {0};
    Text reason = {0};
    distinct->taken = asked_find(asked, 0, &distinct->found, &draft);
    distinct->has_row = distinct->taken || strcmp(text_string(&draft.why), ASKED_NO_ROW) != 0;
    text_printf(&reason, "%s: %s", asked->calls[0].name, text_string(&draft.why));
    distinct->reason = memory_duplicate(text_string(&reason));
    text_release(&reason);
    draft_release(&draft);
}

/* The call of an event, which is new where *is_new; NULL where there are too many. */
static Distinct *find_distinct(Trace *trace, const Event *event, bool *is_new)
{
    Asked asked = {.bindings = "torch", .space = space, .defaults = torch_defaults};
    Text key = {0};
    read_call(trace, event, &asked);
    put_key(&asked, &key);
    size_t at = 0;
    while (at < trace->distinct_count && strcmp(trace->distinct[at].key, text_string(&key)) != 0)
        at++;
    *is_new = at == trace->distinct_count && at < DISTINCT_MAX;
    if (*is_new) {
        trace->distinct[at].key = memory_duplicate(text_string(&key));
        find_case(&asked, &trace->distinct[at]);
        trace->distinct_count++;
    }
    text_release(&key);
    asked_release(&asked);
    return at < trace->distinct_count ? &trace->distinct[at] : NULL;
}

/* The letters of a name in lower case: of MaxPool2DBackward0 those in front of "Backward", of
 * aten::_softmax those behind the space. */
static void put_letters(const char *name, char letters[EVENT_NAME_BYTES])
{
    const char *end = strstr(name, "Backward");
    size_t length = 0;
    name += strncmp(name, space, strlen(space)) ? 0 : strlen(space);
    for (; *name && name != end; name++)
        if (isalnum((unsigned char)*name))
            letters[length++] = (char)tolower((unsigned char)*name);
    letters[length] = '\0';
}

static int compare_sequences(const void *left, const void *right, void *context)
{
    const Event *events = context;
    long a = events[*(const size_t *)left].sequence, b = events[*(const size_t *)right].sequence;
    return (a > b) - (a < b);
}

static void list_backward(Trace *trace)
{
    trace->backward = memory_allocate(trace->count + 1, sizeof *trace->backward);
    for (size_t i = 0; i < trace->count; i++)
        if (trace->events[i].backward)
            trace->backward[trace->backward_count++] = i;
    qsort_r(trace->backward, trace->backward_count, sizeof *trace->backward, compare_sequences,
            trace->events);
}

/* The first of the list with this sequence, or one behind it. */
static size_t first_backward(const Trace *trace, long sequence)
{
    size_t low = 0, high = trace->backward_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (trace->events[trace->backward[middle]].sequence < sequence)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* True where autograd has run the gradient of a call: it has the same number, which the next call
 * may have too, and the same name. */
static bool has_gradient(const Trace *trace, const Event *forward)
{
    char own[EVENT_NAME_BYTES], other[EVENT_NAME_BYTES];
    if (forward->sequence < 0)
        return false;
    put_letters(forward->name, own);
    for (size_t i = first_backward(trace, forward->sequence); i < trace->backward_count; i++) {
        const Event *event = &trace->events[trace->backward[i]];
        if (event->sequence != forward->sequence)
            break;
        put_letters(event->name, other);
        if (!strcmp(own, other))
            return true;
    }
    return false;
}

/* The events within one, itself included: they stand behind it. */
static size_t event_span(const Trace *trace, size_t at)
{
    size_t next = at + 1;
    while (next < trace->count && trace->events[next].thread == trace->events[at].thread &&
           trace->events[next].begin < trace->events[at].end)
        next++;
    return next;
}

/* Gives the number of the next event to read. */
static size_t take_event(Trace *trace, size_t at)
{
    const Event *event = &trace->events[at];
    bool is_new;
    if (strncmp(event->name, space, strlen(space)) != 0)
        return at + 1;
    const Distinct *distinct = find_distinct(trace, event, &is_new);
    if (!distinct || !distinct->taken) {
        const char *reason = distinct ? distinct->reason : "there are too many different calls";
        if (distinct && is_new && distinct->has_row)
            trace->tell(trace->context, event->number, reason);
        else
            import_skip(trace->import, 1, reason);
        return at + 1;
    }
    size_t next = event_span(trace, at);
    bool gradient = false;
    (void)torch_put_case(trace->import, &distinct->found, event->name);
    for (size_t i = at; i < next && !gradient; i++)
        gradient = !trace->events[i].backward && has_gradient(trace, &trace->events[i]);
    if (gradient)
        (void)torch_put_gradients(trace->import, &distinct->found, event->name);
    return next;
}

bool import_torch(Import *import, const Text *file, ImportTell *tell, void *context, Text *error)
{
    Trace trace = {.import = import, .tell = tell, .context = context};
    if (sqlite3_open(":memory:", &trace.db) != SQLITE_OK)
        BUG("no database in memory: %s", sqlite3_errmsg(trace.db));
    trace.items = prepare(&trace, items_sql);
    bool ok = read_events(&trace, file, error);
    if (ok && trace.count > 0)
        qsort(trace.events, trace.count, sizeof *trace.events, compare_events);
    list_backward(&trace);
    if (trace.beyond > 0)
        import_skip(import, trace.beyond, "the trace has too many events");
    trace.distinct = memory_allocate(DISTINCT_MAX, sizeof *trace.distinct);
    for (size_t at = 0; ok && at < trace.count;)
        at = take_event(&trace, at);
    for (size_t i = 0; i < trace.distinct_count; i++) {
        free(trace.distinct[i].key);
        free(trace.distinct[i].reason);
    }
    for (size_t i = 0; i < trace.count; i++)
        free(trace.events[i].args);
    (void)sqlite3_finalize(trace.items);
    (void)sqlite3_close(trace.db);
    free(trace.distinct);
    free(trace.backward);
    free(trace.events);
    return ok;
}
