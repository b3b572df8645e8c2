/* Options as tables: parsing and help come from the rows. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "ops/plugin/plugin.h"
#include "reports/files.h"

const ExitStatus exit_statuses[] = {
    {EXIT_CLEAN, "nothing new"},
    {EXIT_FINDINGS, "a new divergence"},
    {EXIT_USAGE, "usage"},
    {EXIT_ENVIRONMENT, "a backend or the environment"},
    {EXIT_INTERNAL, "internal error"},
    {EXIT_BUDGET, "the budget ended early"},
    {EXIT_LATER, "try again later"},
    {0, NULL},
};

int complain(int status, const char *format, ...)
{
    Text text = {0}, shown = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    escape_put_line(&shown, text_string(&text));
    (void)fprintf(stderr, "opconform: %s\n", text_string(&shown));
    text_release(&text);
    text_release(&shown);
    return status;
}

int complain_unknown(const char *what, const char *name, const char *hint, const Nearest *nearest)
{
    Text meant = {0};
    nearest_put(nearest, &meant);
    int status = complain(EXIT_USAGE, "%s '%s' (%s)%s", what, name, hint, text_string(&meant));
    text_release(&meant);
    return status;
}

static bool parse_count(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    unsigned long long number = strtoull(text, &end, 0);
    *value = number;
    return end != text && *end == '\0' && errno == 0 && *text != '-';
}

bool parse_id(const char *text, int64_t *id)
{
    size_t digits = strspn(text, "0123456789");
    *id = strtoll(text, NULL, 10);
    return digits > 0 && digits < 18 && text[digits] == '\0' && *id > 0;
}

static bool parse_duration(const char *text, double *seconds)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"", 1}, {"s", 1}, {"ms", 0.001}, {"m", 60}, {"h", 3600}};
    char *end;
    double number = strtod(text, &end);
    for (size_t i = 0; i < COUNT_OF(units); i++) {
        if (end != text && number > 0 && number < 1e9 && !strcmp(end, units[i].unit)) {
            *seconds = number * units[i].seconds;
            return true;
        }
    }
    return false;
}

/* Takes the next name off a list.  Commas in parentheses, and those with a space behind them,
 * belong to names: those of backends may hold calls. */
static char *take_name(char **rest)
{
    char *name = *rest, *at = name;
    for (int depth = 0; *at && (*at != ',' || depth > 0 || at[1] == ' '); at++)
        depth += (*at == '(') - (*at == ')');
    *rest = *at ? at + 1 : NULL;
    *at = '\0';
    return name;
}

static bool parse_names(const char *text, int most, NameList *list)
{
    free(list->storage);
    *list = (NameList){.storage = memory_duplicate(text)};
    char *rest = list->storage;
    while (rest) {
        char *name = take_name(&rest);
        if (*name == '\0' || list->count == most)
            return false;
        list->names[list->count++] = name;
    }
    return true;
}

static int names_most(const OptionRow *row)
{
    return row->kind == OPTION_BACKENDS ? BOX_BACKENDS_MAX
           : row->kind == OPTION_NAMES  ? NAMES_MAX
                                        : 0;
}

static bool parse_value(Options *options, const OptionRow *row, const char *text)
{
    void *at = (char *)options + row->offset;
    uint64_t number;
    switch (row->kind) {
    case OPTION_FLAG:
        *(bool *)at = true;
        return true;
    case OPTION_NUMBER:
        if (!parse_count(text, &number) || number < 1 || number > 64)
            return false;
        *(int64_t *)at = (int64_t)number;
        return true;
    case OPTION_COUNT:
        return parse_count(text, at);
    case OPTION_DURATION:
        return parse_duration(text, at);
    case OPTION_NAMES:
    case OPTION_BACKENDS:
        return parse_names(text, names_most(row), at);
    case OPTION_TEXT:
        free(*(char **)at);
        *(char **)at = memory_duplicate(text);
        return *text != '\0';
    }
    return false;
}

/* Options of every command. */
static const OptionRow common_rows[] = {
    OPTION("plugin", NAMES, plugin, "LIST", "plug-ins that have operators of your own"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

const OptionRow *command_option(const Command *command, const OptionRow *row)
{
    const OptionRow *next = row ? row + 1 : command->options;
    bool is_last = next == common_rows + COUNT_OF(common_rows) - 1;
    if (!next->name && !is_last)
        next = common_rows;
    return next->name ? next : NULL;
}

static const OptionRow *find_option(const Command *command, const char *name, size_t length)
{
    for (const OptionRow *row = NULL; (row = command_option(command, row));)
        if (strlen(row->name) == length && !strncmp(row->name, name, length))
            return row;
    return NULL;
}

static bool refuse_option(const Command *command, const char *name, size_t length)
{
    Nearest nearest = nearest_begin(name, length);
    Text what = {0}, hint = {0}, given = {0};
    for (const OptionRow *row = NULL; (row = command_option(command, row));)
        nearest_offer(&nearest, row->name);
    text_printf(&what, "%s: unknown option", command->name);
    text_printf(&hint, "opconform %s --help lists them", command->name);
    text_printf(&given, "--%.*s", (int)length, name);
    (void)complain_unknown(text_string(&what), text_string(&given), text_string(&hint), &nearest);
    text_release(&what);
    text_release(&hint);
    text_release(&given);
    return false;
}

static bool parse_option(Options *options, const Command *command, char **argv, int *at)
{
    const char *name = argv[*at] + 2, *equals = strchr(name, '=');
    size_t length = equals ? (size_t)(equals - name) : strlen(name);
    if (length == 4 && !strncmp(name, "help", 4)) {
        options->help = true;
        return true;
    }
    const OptionRow *row = find_option(command, name, length);
    if (!row)
        return refuse_option(command, name, length);
    const char *value = equals ? equals + 1 : NULL;
    if (row->kind != OPTION_FLAG && !value)
        value = argv[*at + 1] ? argv[++*at] : NULL;
    if (row->kind == OPTION_FLAG ? value == NULL : value != NULL)
        if (parse_value(options, row, value))
            return true;
    if (names_most(row) > 0)
        (void)complain(0, "%s: --%s %s: expected 1 to %d names between commas", command->name,
                       row->name, value ? value : "", names_most(row));
    else
        (void)complain(0, "%s: --%s %s: expected %s", command->name, row->name, value ? value : "",
                       row->kind == OPTION_FLAG ? "no value" : row->value);
    return false;
}

bool options_parse(Options *options, const Command *command, int argc, char **argv)
{
    *options = (Options){.jobs = 1, .seed = 1, .deadline_seconds = 1};
    for (int i = 0; i < argc; i++)
        text_printf(&options->command_line, "%s%s", i ? " " : "", argv[i]);
    bool behind = false;
    for (int i = 1; i < argc; i++) {
        if (!behind && command->takes_command && !strcmp(argv[i], "--")) {
            behind = true;
        } else if (!behind && !strncmp(argv[i], "--", 2) && argv[i][2]) {
            if (!parse_option(options, command, argv, &i))
                return false;
        } else if (!behind && argv[i][0] == '-' && argv[i][1]) {
            (void)complain(0, "%s: unknown option '%s'", command->name, argv[i]);
            return false;
        } else if (options->argument_count == ARGUMENTS_MAX) {
            (void)complain(0, "%s: too many arguments", command->name);
            return false;
        } else {
            options->arguments[options->argument_count++] = argv[i];
        }
    }
    return true;
}

bool options_announce(const Options *options)
{
    Text error = {0};
    bool ok = true;
    for (int i = 0; ok && i < options->plugin.count; i++)
        ok = plugin_load(options->plugin.names[i], &error) != NULL;
    for (int i = 0; ok && i < options->backend.count; i++)
        ok = backend_name(options->backend.names[i], &error);
    if (!ok)
        (void)complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    return ok;
}

/* The value of an option as it is given; "" for none. */
static void put_value(const Options *options, const OptionRow *row, Text *value)
{
    const void *at = (const char *)options + row->offset;
    const NameList *list = at;
    switch (row->kind) {
    case OPTION_FLAG:
        break;
    case OPTION_NUMBER:
    case OPTION_COUNT:
        if (*(const uint64_t *)at != 0)
            text_printf(value, "%llu", (unsigned long long)*(const uint64_t *)at);
        break;
    case OPTION_DURATION:
        if (*(const double *)at > 0)
            text_printf(value, "%.15g", *(const double *)at);
        break;
    case OPTION_NAMES:
    case OPTION_BACKENDS:
        for (int i = 0; i < list->count; i++)
            text_printf(value, "%s%s", i ? "," : "", list->names[i]);
        break;
    case OPTION_TEXT:
        if (*(char *const *)at)
            text_put(value, *(char *const *)at);
        break;
    }
}

void options_put_words(const Options *options, const Command *command, Text *words)
{
    Text value = {0};
    for (const OptionRow *row = NULL; (row = command_option(command, row));) {
        bool flag = row->kind == OPTION_FLAG;
        text_clear(&value);
        put_value(options, row, &value);
        if (flag ? !*((const bool *)options + row->offset) : value.length == 0)
            continue;
        text_printf(words, "--%s", row->name);
        text_append(words, "", 1);
        if (!flag)
            text_append(words, text_string(&value), value.length + 1);
    }
    text_release(&value);
}

void options_release(Options *options, const Command *command)
{
    for (const OptionRow *row = NULL; (row = command_option(command, row));) {
        void *at = (char *)options + row->offset;
        if (row->kind == OPTION_TEXT)
            free(*(char **)at);
        if (names_most(row) > 0)
            free(((NameList *)at)->storage);
    }
    text_release(&options->command_line);
}

int options_write_lines(const Options *options, const Text *lines)
{
    Text error = {0};
    int status = EXIT_CLEAN;
    if (!options->out)
        (void)fwrite(text_string(lines), 1, lines->length, stdout);
    else if (!file_replace(options->out, lines, false, &error))
        status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    return status;
}

QueryFormat options_format(const Options *options)
{
    return options->json    ? QUERY_JSON
           : options->csv   ? QUERY_CSV
           : options->plain ? QUERY_PLAIN
                            : QUERY_TABLE;
}

void command_help(const Command *command)
{
    escape_print(stdout, "example: %s\n\nusage: opconform %s %s\n\n%s\n", command->example,
                 command->name, command->arguments, command->summary);
    escape_print(stdout, "\noptions:\n");
    for (const OptionRow *row = NULL; (row = command_option(command, row));) {
        char left[64];
        (void)snprintf(left, sizeof left, "--%s %s", row->name, row->value ? row->value : "");
        escape_print(stdout, "  %-26s %s\n", left, row->help);
    }
}

/* A name that comes twice, or NULL: rows of the database have one place for each. */
static const char *named_twice(const Options *options)
{
    for (int i = 0; i < options->backend.count; i++)
        for (int k = 0; k < i; k++)
            if (!strcmp(options->backend.names[i], options->backend.names[k]))
                return options->backend.names[i];
    return NULL;
}

/* False with the first reason where a backend cannot be used, or none can. */
static bool probe_named(const Options *options, Text *error)
{
    Text first = {0}, end = {0};
    bool any = false, all = true;
    for (int i = 0; all && i < options->backend.count; i++) {
        BackendFacts facts;
        text_clear(error);
        bool there = backend_probe(options->backend.names[i], &facts, error);
        if (!there && first.length == 0)
            text_put(&first, text_string(error));
        any = any || there;
        all = there || (options->spares_dead && backend_died(options->backend.names[i], &end));
    }
    text_clear(error);
    text_put(error, text_string(&first));
    text_release(&first);
    text_release(&end);
    return any && all;
}

bool options_backends(Options *options, int *status)
{
    static const char *const usual[] = {"openblas", "blis", "netlib"};
    bool named = options->backend.count > 0;
    Text error = {0};
    BackendFacts facts;
    *status = EXIT_CLEAN;
    if (named_twice(options)) {
        *status = complain(EXIT_USAGE, "--backend: %s is named twice: name it once",
                           named_twice(options));
        return false;
    }
    if (named && !probe_named(options, &error)) {
        *status = complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
        text_release(&error);
        return false;
    }
    for (size_t i = 0; !named && i < COUNT_OF(usual); i++)
        if (backend_probe(usual[i], &facts, &error))
            options->backend.names[options->backend.count++] = usual[i];
    text_release(&error);
    if (options->backend.count > 0)
        return true;
    *status = complain(EXIT_ENVIRONMENT, "no BLAS library was found: install one (Debian: apt-get "
                                         "install libopenblas0-pthread libblis4-pthread) or name "
                                         "one with --backend cblas@/path/lib.so");
    return false;
}

static bool add_dtype(Scope *scope, const char *name)
{
    for (int i = 0; i < DT_COUNT; i++) {
        if (!strcmp(dtype_names[i], name)) {
            scope->dtypes |= 1u << i;
            return true;
        }
    }
    return false;
}

static int refuse_dtype(const char *name)
{
    Nearest nearest = nearest_begin(name, strlen(name));
    for (int i = 0; i < DT_COUNT; i++)
        nearest_offer(&nearest, dtype_names[i]);
    return complain_unknown("--dtype: unknown element type", name, "opconform list dtypes",
                            &nearest);
}

bool is_everything(const char *word)
{
    return !strcmp(word, "all");
}

/* The operator of the name of everything is nn/all. */
static bool is_meant(const OpDesc *op, const char *pattern)
{
    return is_everything(pattern) || op_matches(op, pattern);
}

/* Adds what a word stands for to the element types that are wanted of each operator: a pattern for
 * operators, or a function of a library.  False, with a message, where it is neither. */
static bool add_op(const char *word, uint32_t wanted[OP_MAX])
{
    bool known = false;
    KnownFunction function;
    Nearest nearest = nearest_begin(word, strlen(word));
    for (int i = 0; op_registry[i]; i++)
        if (is_meant(op_registry[i], word)) {
            wanted[i] = ~0u;
            known = true;
        }
    if (known)
        return true;
    op_offer_names(&nearest);
    if (!backend_find_function(word, &function, &nearest)) {
        (void)complain_unknown("--op: unknown operator", word, "opconform list ops", &nearest);
        return false;
    }
    wanted[op_number(function.op)] |= 1u << function.dtype;
    return true;
}

/* Operators that are named, or match a pattern, and exist in a wanted element type. */
static bool keep_named(Scope *scope, const Options *options, int *status)
{
    uint32_t wanted[OP_MAX] = {0};
    for (int i = 0; i < options->op.count; i++)
        if (!add_op(options->op.names[i], wanted)) {
            *status = EXIT_USAGE;
            return false;
        }
    scope->op_count = 0;
    for (int i = 0; op_registry[i]; i++) {
        scope->only[i] = wanted[i];
        if ((wanted[i] || options->op.count == 0) && scope_dtypes(scope, op_registry[i]))
            scope->ops[scope->op_count++] = op_registry[i];
    }
    if (scope->op_count > 0)
        return true;
    *status = complain(EXIT_USAGE, "--op, --dtype: no operator exists in these element types");
    return false;
}

bool options_scope(const Options *options, Scope *scope, int *status)
{
    *scope = scope_all();
    if (options->dtype.count)
        scope->dtypes = 0;
    for (int i = 0; i < options->dtype.count; i++) {
        if (!add_dtype(scope, options->dtype.names[i])) {
            *status = refuse_dtype(options->dtype.names[i]);
            return false;
        }
    }
    return keep_named(scope, options, status);
}

const char *options_database(const Options *options)
{
    return options->db ? options->db : "findings.db";
}

Store *options_store(const Options *options, StoreMode mode)
{
    Text error = {0};
    Store *store = store_open(options_database(options), mode, &error);
    if (!store)
        (void)complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&error);
    return store;
}
