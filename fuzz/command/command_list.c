/* opconform list, doctor */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "command.h"
#include "contracts.h"
#include "fuzz/check/capture.h"
#include "fuzz/engine/blocks.h"
#include "ops/backend/binding/binding.h"
#include "ops/backend/binding/coverage.h"
#include "ops/backend/trust.h"
#include "ops/case/attribute.h"
#include "ops/case/condition.h"
#include "ops/case/extent.h"
#include "reference/confine.h"
#include "reference/product.h"
#include "reference/scratch.h"
#include "reports/json.h"
#include "reports/query.h"
#include "reports/store/version.h"

static const OptionRow list_options[] = {
    OPTION("json", FLAG, json, NULL, "contracts as an array of objects"),
    OPTION("csv", FLAG, csv, NULL, "contracts comma-separated, with a heading"),
    OPTION("plain", FLAG, plain, NULL, "contracts tab-separated, no heading"),
    {NULL, OPTION_FLAG, 0, NULL, NULL},
};

/* The choices of a parameter that has names, with commas between. */
static void put_names(const Param *param)
{
    for (int64_t i = 0; param->names[i] && (param->kind == PARAM_CODE || i <= param->maximum); i++)
        escape_print(stdout, "%s%s", i ? ", " : "", param->names[i]);
}

static void list_ops(void)
{
    for (const OpDesc *const *op = op_registry; *op; op++) {
        escape_print(stdout, "%s/%s/%d  %s\n", (*op)->family, (*op)->name, (*op)->version,
                     (*op)->summary);
        for (const Param *param = (*op)->params; param->name; param++) {
            escape_print(stdout, "    %-8s %s", param->name, param->help);
            if (param->names) {
                escape_print(stdout, ": ");
                put_names(param);
            } else if (param->maximum != 0)
                escape_print(stdout, " (%lld..%lld)", (long long)param->minimum,
                             (long long)param->maximum);
            escape_print(stdout, "\n");
        }
    }
}

static void put_range(const Param *param)
{
    if (param->names) {
        put_names(param);
        return;
    }
    if (param->kind == PARAM_SHAPE)
        escape_print(stdout, "%lld to %lld axes", (long long)param->minimum,
                     (long long)param->maximum);
    else if (param->kind == PARAM_SCALAR)
        escape_print(stdout, "any number");
    else
        escape_print(stdout, "%lld to %lld", (long long)param->minimum, (long long)param->maximum);
}

/* The usual backends, and which operators each of them has. */
typedef struct UsualOffers {
    BackendName names[USUAL_BACKENDS_MAX];
    uint32_t offers[USUAL_BACKENDS_MAX][OP_MAX];
    int count;
} UsualOffers;

static void ask_usual(UsualOffers *usual)
{
    Text ignored = {0};
    usual->count = backend_usual(usual->names);
    for (int i = 0; i < usual->count; i++)
        if (!backend_probe_offers(usual->names[i].text, usual->offers[i], &ignored))
            memset(usual->offers[i], 0, sizeof usual->offers[i]);
    text_release(&ignored);
}

/* The usual backends that have an operator. */
static void put_backends(const OpDesc *op, const UsualOffers *usual)
{
    bool first = true;
    for (int i = 0; i < usual->count; i++) {
        if (!usual->offers[i][op_number(op)])
            continue;
        escape_print(stdout, "%s%s", first ? "" : ", ", usual->names[i].text);
        first = false;
    }
}

/* The source of each construct alone, where it can stand alone. */
static void list_constructs(void)
{
    for (const OpDesc *const *op = op_registry; *op; op++) {
        const Param *param = op_code(*op);
        for (int name = 1; param && param->names[name]; name++) {
            Case c;
            Text source = {0};
            case_init(&c, *op);
            Code *code = param_code(param, c.params);
            code->count = 1;
            code->statements[0] = (CodeStatement){.name = (uint8_t)name, .number = {1, 2, 3}};
            case_normalise(&c, NULL);
            if (code->count == 1)
                (*op)->source(c.params, &source);
            else
                text_put(&source, "    (inside of others)\n");
            escape_print(stdout, "%s\n%s", param->names[name], text_string(&source));
            text_release(&source);
        }
    }
}

/* The manual of the operators: docs/operators.md. */
static void list_manual(void)
{
    static UsualOffers usual;
    ask_usual(&usual);
    escape_print(
        stdout, "# Operators\n\nMade by `opconform list manual` on a machine with the libraries of "
                "`make backends`. "
                "Bounds are in the\nheaders of `reference/` that the operators' files name.\n");
    for (const OpDesc *const *op = op_registry; *op; op++) {
        escape_print(stdout, "\n## %s/%s/%d\n\n%s.\n\nOperands: ", (*op)->family, (*op)->name,
                     (*op)->version, (*op)->summary);
        for (int i = 0; (*op)->tensors[i]; i++)
            escape_print(stdout, "%s`%s`", i ? ", " : "", (*op)->tensors[i]);
        escape_print(stdout, ". Element types:");
        for (int dtype = 0; dtype < DT_COUNT; dtype++)
            if (op_dtypes(*op) & 1u << dtype)
                escape_print(stdout, " %s", dtype_names[dtype]);
        escape_print(stdout, ".");
        if ((*op)->policy)
            escape_print(stdout, " Policy: %s.", (*op)->policy);
        escape_print(stdout, " Backends: ");
        put_backends(*op, &usual);
        escape_print(stdout, "\n\n| parameter | meaning | values |\n|---|---|---|\n");
        for (const Param *param = (*op)->params; param->name; param++) {
            if (param->kind == PARAM_DTYPE)
                continue;
            escape_print(stdout, "| `%s` | %s | ", param->name, param->help);
            put_range(param);
            escape_print(stdout, " |\n");
        }
    }
}

/* Prints the calls of an operator by library; libraries with the same call share a line. */
static void put_calls(const OpDesc *op)
{
    enum { KINDS_MAX = 64 };
    Text rows[KINDS_MAX] = {{0}};
    int count = 0;
    escape_print(stdout, "%s\n", op->name);
    for (; count < KINDS_MAX && backend_registry[count]; count++)
        if (backend_registry[count]->describe)
            backend_registry[count]->describe(backend_registry[count]->name, op, &rows[count]);
    for (int i = 0; i < count; i++) {
        if (rows[i].length == 0)
            continue;
        escape_print(stdout, "  %s", backend_registry[i]->name);
        for (int k = i + 1; k < count; k++)
            if (!strcmp(text_string(&rows[k]), text_string(&rows[i]))) {
                escape_print(stdout, " %s", backend_registry[k]->name);
                text_clear(&rows[k]);
            }
        escape_print(stdout, "\n");
        for (const char *line = text_string(&rows[i]); *line;) {
            int length = (int)strcspn(line, "\n");
            escape_print(stdout, "    %.*s\n", length, line);
            line += length + 1;
        }
    }
    for (int i = 0; i < count; i++)
        text_release(&rows[i]);
}

/* Of one operator, or of all where none is named. */
static int list_calls(const char *name)
{
    if (name[0] && !op_find(name)) {
        Nearest nearest = nearest_begin(name, strlen(name));
        op_offer_names(&nearest);
        return complain_unknown("list: unknown operator", name, "opconform list ops", &nearest);
    }
    for (const OpDesc *const *op = op_registry; *op; op++)
        if (!name[0] || *op == op_find(name))
            put_calls(*op);
    return EXIT_CLEAN;
}

static void list_fills(void)
{
    for (const Param *param = fill_params; param->name; param++) {
        escape_print(stdout, "%-8s %s", param->name, param->help);
        for (int64_t i = 0; param->names && i <= param->maximum; i++)
            escape_print(stdout, "%s%s", i ? ", " : ": ", param->names[i]);
        escape_print(stdout, "\n");
    }
}

/* Canned queries as datasette's metadata has them. */
static void list_datasette(void)
{
    Text json = {0};
    text_put(&json, "{\"title\":\"opconform\",\"databases\":{\"findings\":{\"queries\":{");
    for (const QueryRow *row = query_rows; row->name; row++) {
        text_put(&json, row == query_rows ? "\n" : ",\n");
        json_put_string(&json, row->name);
        text_put(&json, ":{\"title\":");
        json_put_string(&json, row->summary);
        text_put(&json, ",\"sql\":");
        json_put_string(&json, row->sql);
        text_put(&json, "}");
    }
    escape_print(stdout, "%s}}}}\n", text_string(&json));
    text_release(&json);
}

/* A call in the form of its row. */
static void put_binding(const OpDesc *op, const BindingCall *call)
{
    escape_print(stdout, "%-22s", op->name);
    for (int dtype = 0; dtype < DT_COUNT; dtype++)
        if (call->dtypes & op_dtypes(op) & 1u << dtype)
            escape_print(stdout, " %s", dtype_names[dtype]);
    escape_print(stdout, "  %s%s%s%s\n", call->is_gradient ? "gradient of " : "",
                 call->expression.text, call->conditions[0] ? "  requires " : "", call->conditions);
}

/* Prints a library's call for each operator; without a name the libraries, attributes and
 * conditions of all rows. */
static int list_bindings(const char *name)
{
    const Bindings *bindings = bindings_find(name);
    for (const BindingFile *file = binding_files; !bindings && file->name; file++)
        escape_print(stdout, "%s\n", file->name);
    if (!bindings && name[0])
        return complain(EXIT_USAGE, "list: no bindings %s; those above are there", name);
    for (const AttributeRow *row = attribute_rows; !bindings && row->name; row++)
        escape_print(stdout, "attribute %-17s %s\n", row->name, row->help);
    for (const ExtentRow *row = extent_rows; !bindings && row->name; row++)
        escape_print(stdout, "attribute %-17s %s\n", row->name, row->help);
    for (const ConditionRow *row = condition_rows; !bindings && row->name; row++)
        escape_print(stdout, "condition %-17s not for %s\n", row->name, row->reason);
    for (const OpDesc *const *op = op_registry; bindings && *op; op++)
        for (int target = 0; target < TARGET_COUNT; target++) {
            const BindingCall *call = bindings_calls(bindings, (BindingTarget)target, *op);
            for (; call; call = call->next)
                put_binding(*op, call);
        }
    return EXIT_CLEAN;
}

/* What drives a name, or why nothing does, and the types that the list has it in and nothing
 * drives. */
static void put_coverage_row(const CoverageRow *row)
{
    escape_print(stdout, "%-40s %s%s", row->name,
                 row->operators[0] ? row->operators
                 : row->never      ? "not to be: "
                 : row->why[0]     ? "not yet: "
                                   : "not yet",
                 row->why);
    uint32_t missing = row->operators[0] ? row->types & ~row->driven_types : 0;
    if (missing)
        escape_print(stdout, "; not in");
    for (int dtype = 0; dtype < DT_COUNT; dtype++)
        if (missing >> dtype & 1)
            escape_print(stdout, " %s", dtype_names[dtype]);
    escape_print(stdout, "\n");
}

/* Of the driven names of each element type how many are driven in it. */
static void put_types_driven(const Coverage *coverage)
{
    escape_print(stdout, "%-10s %4d of %4d pairs of a driven name and a type (%.0f %%):", "",
                 coverage->driven_types, coverage->types,
                 100.0 * coverage->driven_types / coverage->types);
    const char *separator = "";
    for (int dtype = 0; dtype < DT_COUNT; dtype++) {
        int listed = 0, driven = 0;
        for (int i = 0; i < coverage->count; i++) {
            const CoverageRow *row = &coverage->rows[i];
            listed += row->operators[0] && row->types >> dtype & 1;
            driven += row->operators[0] && row->driven_types >> dtype & 1;
        }
        if (listed == 0)
            continue;
        escape_print(stdout, "%s %s %d/%d", separator, dtype_names[dtype], driven, listed);
        separator = ",";
    }
    escape_print(stdout, "\n");
}

/* How much of the published list is driven, or of all lists; of one each name as well. */
static int list_coverage(const char *name)
{
    bool found = false;
    for (const CoverageFile *file = coverage_files; file->name; file++) {
        Coverage coverage;
        Text error = {0};
        if (name[0] && strcmp(name, file->name) != 0)
            continue;
        if (!coverage_read(&coverage, file, &error))
            BUG("%s", text_string(&error));
        int due = coverage.count - coverage.absent;
        escape_print(stdout, "%-10s %4d of %4d names driven (%.0f %%), %d more not to be: %s, %s\n",
                     file->name, coverage.driven, due, 100.0 * coverage.driven / due,
                     coverage.absent, coverage.title, coverage.source);
        if (coverage.types)
            put_types_driven(&coverage);
        for (int i = 0; name[0] && i < coverage.count; i++)
            put_coverage_row(&coverage.rows[i]);
        coverage_release(&coverage);
        found = true;
    }
    return found ? EXIT_CLEAN
                 : complain(EXIT_USAGE, "list coverage: no list %s; opconform list coverage", name);
}

static void put_policy(const char *name)
{
    const Clause *clause = contract_demand(name, NULL);
    escape_print(stdout, "%-20s %s (%s)\n", name, clause->demand, clause->source);
}

static void list_backends(void)
{
    for (const BackendKind *const *kind = backend_registry; *kind; kind++)
        escape_print(stdout, "%-10s %s\n", (*kind)->name, (*kind)->summary);
}

static void list_dtypes(void)
{
    for (int i = 0; i < DT_COUNT; i++)
        escape_print(stdout, "%s\n", dtype_names[i]);
}

static void list_policies(void)
{
    for (const Policy *policy = policies; policy->name; policy++)
        put_policy(policy->name);
}

static void list_queries(void)
{
    for (const QueryRow *row = query_rows; row->name; row++)
        escape_print(stdout, "%-11s %s\n", row->name, row->summary);
}

/* What is listed: one of the three is there.  of_name takes one word more, "" where it is not
 * given. */
typedef struct Listing {
    const char *name;
    void (*all)(void);
    int (*of_name)(const char *name);
    void (*in_format)(QueryFormat format);
} Listing;

static const Listing listings[] = {
    {"ops", list_ops, NULL, NULL},
    {"manual", list_manual, NULL, NULL},
    {"backends", list_backends, NULL, NULL},
    {"bindings", NULL, list_bindings, NULL},
    {"calls", NULL, list_calls, NULL},
    {"coverage", NULL, list_coverage, NULL},
    {"dtypes", list_dtypes, NULL, NULL},
    {"fills", list_fills, NULL, NULL},
    {"policies", list_policies, NULL, NULL},
    {"contracts", NULL, NULL, contracts_list},
    {"contract-manual", contracts_manual, NULL, NULL},
    {"queries", list_queries, NULL, NULL},
    {"constructs", list_constructs, NULL, NULL},
    {"datasette", list_datasette, NULL, NULL},
};

static int refuse_listing(const char *what)
{
    Nearest nearest = nearest_begin(what, strlen(what));
    Text names = {0};
    text_put(&names, "expected");
    for (size_t i = 0; i < COUNT_OF(listings); i++) {
        nearest_offer(&nearest, listings[i].name);
        text_printf(&names, "%s %s", i ? "," : "", listings[i].name);
    }
    int status = complain_unknown("list: no list of", what, text_string(&names), &nearest);
    text_release(&names);
    return status;
}

static int run_list(Options *options)
{
    const char *what = options->argument_count >= 1 ? options->arguments[0] : "";
    const char *name = options->argument_count >= 2 ? options->arguments[1] : "";
    for (const Listing *listing = listings; listing < listings + COUNT_OF(listings); listing++) {
        if (strcmp(listing->name, what) != 0)
            continue;
        if (options->argument_count > (listing->of_name ? 2 : 1))
            return complain(EXIT_USAGE, "list %s: one word too many: %s", what,
                            options->arguments[options->argument_count - 1]);
        if (listing->of_name)
            return listing->of_name(name);
        if (listing->all)
            listing->all();
        else
            listing->in_format(options_format(options));
        return EXIT_CLEAN;
    }
    return refuse_listing(what);
}

const Command command_list = {
    .name = "list",
    .arguments = "ops|manual|backends|bindings [NAME]|calls [OPERATOR]|coverage "
                 "[LIST]|dtypes|fills|policies|"
                 "contracts|contract-manual|queries|constructs|datasette",
    .summary = "What this build knows.",
    .example = "opconform list ops",
    .options = list_options,
    .run = run_list,
};

static void put_facts(const char *name, const BackendFacts *facts)
{
    static const char indent[] = "               ";
    escape_print(stdout, "%-14s %s  core %s  threads %d  %s\n%s%s\n%s%s\n", name, facts->version,
                 facts->core[0] ? facts->core : "-", facts->threads, facts->interface, indent,
                 facts->path, indent, facts->build[0] ? facts->build : "no build string");
    if (facts->step)
        escape_print(stdout, "%sadds %d products at once, keeps %d bits below the largest\n",
                     indent, facts->step, facts->kept);
    if (facts->blocks[0] == 0)
        return;
    escape_print(stdout, "%sblocks of", indent);
    for (const int64_t *block = facts->blocks; *block; block++)
        escape_print(stdout, " %" PRId64, *block);
    escape_print(stdout, "\n");
}

/* The cases of each operator that a backend takes, where it is told only some. */
static void put_limits(const char *name)
{
    Limits limits = {0};
    Text ignored = {0};
    bool any;
    if (backend_limits(name, &limits, &any, &ignored))
        for (size_t i = 0; i < limits.count; i++) {
            const Limit *limit = &limits.limits[i];
            escape_print(stdout, "               %s", limit->op->name);
            for (int dtype = 0; dtype < DT_COUNT; dtype++)
                if (limit->dtypes >> dtype & 1)
                    escape_print(stdout, " %s", dtype_names[dtype]);
            escape_print(stdout, " where %s\n", limit->conditions);
        }
    limits_release(&limits);
    text_release(&ignored);
}

static void put_backend(const char *name)
{
    BackendFacts facts;
    Text error = {0};
    capture_begin();
    bool known = backend_probe(name, &facts, &error);
    capture_end();
    if (known) {
        put_facts(name, &facts);
        put_limits(name);
    } else
        escape_print(stdout, "%-14s absent: %s\n", name, text_string(&error));
    text_release(&error);
}

/* What they print as they are opened is theirs, and hides which of them are absent. */
static void put_usual(const BackendName *usual, int count)
{
    Text ours = {0};
    capture_open();
    for (int i = 0; i < count; i++)
        put_backend(usual[i].text);
    (void)capture_drain(&ours);
    escape_print(stderr, "%s", text_string(&ours));
    text_release(&ours);
}

/* BackendKind.list_exports. */
static bool put_routines(const char *name, bool asked)
{
    Text text = {0}, error = {0};
    bool ok = backend_probe_exports(name, &text, &error);
    if (ok)
        escape_print(stdout, "%s: ", name);
    for (const char *line = text_string(&text); ok && *line;) {
        int length = (int)strcspn(line, "\n");
        escape_print(stdout, "%s%.*s\n", line == text_string(&text) ? "" : "    ", length, line);
        line += length + 1;
    }
    if (!ok && asked)
        (void)complain(EXIT_ENVIRONMENT, "%s", text_string(&error));
    text_release(&text);
    text_release(&error);
    return ok;
}

/* What kernels are kept from, in processes of workers and of frameworks. */
static void put_confinement(void)
{
    const Confinement can = confine_possible();
    const char *scratch = scratch_folder();
    escape_print(stdout, "kernels %s\n",
                 can.signals ? "can send no signal to other processes"
                             : "can send signals to any process: Linux 6.12 would hold them back");
    escape_print(stdout, "kernels %s\n",
                 can.files
                     ? "can write no files but in folders of " CONFINE_VARIABLE
                     : "can write any file: Linux 5.13 with Landlock would keep them from it");
    escape_print(stdout, "kernels %s\n",
                 can.sockets ? "can open no sockets"
                             : "can open sockets: a system with seccomp would keep them from it");
    if (scratch)
        escape_print(stdout, "frameworks keep files in %s\n", scratch);
    else
        escape_print(stdout, "frameworks keep no files: no folder for temporary ones takes any\n");
    escape_print(stdout, "free of this:");
    for (const BackendKind *const *kind = backend_registry; *kind; kind++)
        if ((*kind)->freedom)
            escape_print(stdout, " %s (%s)", (*kind)->name, (*kind)->freedom);
    escape_print(stdout, "\n");
}

static int run_doctor(Options *options)
{
    BackendName usual[USUAL_BACKENDS_MAX];
    int count = options->argument_count == 0 ? backend_usual(usual) : 0, status = EXIT_CLEAN;
    for (int i = 0; i < options->argument_count; i++)
        trust_name(options->arguments[i]);
    for (int i = 0; i < options->argument_count && options->routines; i++)
        if (!put_routines(options->arguments[i], true))
            status = EXIT_ENVIRONMENT;
    for (int i = 0; i < count && options->routines; i++)
        (void)put_routines(usual[i].text, false);
    if (options->routines)
        return status;
    escape_print(
        stdout, "opconform %s\nreference: self-test passed, kernels for %s; vectors of %zu bytes\n",
        OPCONFORM_VERSION, product_isa(), cpu_vector_bytes());
    put_confinement();
    for (int i = 0; i < options->argument_count; i++) {
        Text error = {0};
        if (backend_name(options->arguments[i], &error))
            put_backend(options->arguments[i]);
        else
            escape_print(stdout, "%-14s absent: %s\n", options->arguments[i], text_string(&error));
        text_release(&error);
    }
    put_usual(usual, count);
    return EXIT_CLEAN;
}

static const OptionRow doctor_options[] = {
    OPTION("routines", FLAG, routines, NULL,
           "the routines that libraries of the BLAS export and no case reaches, and operators that "
           "a library has no kernels for in an element type, with the reasons"),
    {NULL, OPTION_FLAG, 0, NULL, NULL}};

const Command command_doctor = {
    .name = "doctor",
    .arguments = "[BACKEND...]",
    .summary = "Which libraries are there, and what is absent and why: the usual ones, or those "
               "named, with what these print as they are opened.",
    .example = "opconform doctor",
    .options = doctor_options,
    .run = run_doctor,
};
