/* A user's functions in Python, in a worker process: python@file.py, with the decorators of the
 * module opconform.  Promise: IEEE arithmetic, any order, unless the mode says otherwise. */
#include "operators.h"
#include "ops/backend/own_promise.h"
#include "ops/backend/process/process.h"
#include "rows.h"

static bool take_line(const Backend *backend, const char *line, Text *rows, Text *error)
{
    return python_take_operator(backend, line, rows, error) && python_put_rows(line, rows, error);
}

/* Operators that the file describes are there before anything names them. */
static bool announce(const Backend *backend, Text *error)
{
    const Bindings *rows;
    return !backend->where[0] || process_ask(backend, &rows, error);
}

/* The rows that a file brings have the conditions that its functions meet. */
static bool python_limits(const Backend *backend, Limits *limits, Text *error)
{
    const Bindings *bindings;
    if (!process_ask(backend, &bindings, error))
        return false;
    for (int i = 0; bindings && op_registry[i]; i++) {
        const BindingCall *call = bindings_calls(bindings, TARGET_PYTHON, op_registry[i]);
        for (; call; call = call->next)
            limits_add(limits, op_registry[i], call->dtypes & op_dtypes(op_registry[i]),
                       call->conditions);
    }
    return true;
}

static bool python_open(Backend *backend, Text *error)
{
    if (backend->where[0])
        return own_promise_read(backend, error) && process_open(backend, error);
    text_printf(error, "python: name a file with functions: python@./mine.py");
    return false;
}

static bool python_offers(const Backend *backend, const OpDesc *op, DType dtype)
{
    const Bindings *bindings = process_bindings(backend);
    const BindingCall *call = bindings ? bindings_calls(bindings, TARGET_PYTHON, op) : NULL;
    while (call && !(call->dtypes >> dtype & 1))
        call = call->next;
    return call != NULL;
}

const BackendKind be_python = {
    .name = "python",
    .summary = "functions of your own in Python: python@./mine.py; :flush, :faithful, :absolute, "
               ":unordered, :narrow say what they promise",
    .needs_more = true,
    .open = python_open,
    .close = process_close,
    .offers = python_offers,
    PROCESS_CALLS,
    .script = process_script,
    .python_rows = process_bindings,
    .put_interpreter = process_put_interpreter,
    .source = &(const ProcessSource){.package = "install NumPy for python3, or for the interpreter "
                                                "that OPCONFORM_PYTHON names",
                                     .place_is_file = true,
                                     .take_line = take_line},
    .limits = python_limits,
    .announce = announce,
    .promise = {.models = models_ieee, .readings = models_readings},
};
