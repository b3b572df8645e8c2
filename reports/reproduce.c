/* Writes reproducers.  The program repeats the checks of the judge with the reference's values and
 * bounds as numbers. */
#include "reproduce.h"

#include <math.h>
#include <string.h>

#include "oracle/bound.h"

enum { ELEMENTS_MAX = 4096, NUMBERS_PER_LINE = 6, MARGIN_BYTES = 64 };

static const char *const helpers =
    "enum { FINITE = 1, PLUS_INFINITY = 2, MINUS_INFINITY = 4, NOT_A_NUMBER = 8 };\n"
    "\n"
    "/* What a correct kernel may put into component `at` of the output: a finite value within\n"
    " * bound of high + low, or any class in the set; exact also asks for the sign of zero. */\n"
    "typedef struct Expected {\n"
    "    long at;\n"
    "    double high, low, bound;\n"
    "    int classes, exact;\n"
    "} Expected;\n"
    "\n"
    "/* Memory that ends at (or begins after) a page that must not be touched. */\n"
    "static unsigned char *place(size_t bytes, size_t offset, int at_start)\n"
    "{\n"
    "    size_t page = (size_t)sysconf(_SC_PAGESIZE), usable = (bytes + offset + 2 * MARGIN) / "
    "page * page + page;\n"
    "    unsigned char *base = mmap(NULL, usable + 2 * page, PROT_NONE, MAP_PRIVATE | "
    "MAP_ANONYMOUS, -1, 0);\n"
    "    if (base == MAP_FAILED || mprotect(base + page, usable, PROT_READ | PROT_WRITE) != 0)\n"
    "        exit(2);\n"
    "    memset(base + page, 0xA5, usable);\n"
    "    return at_start ? base + page + offset : base + page + usable - bytes - offset;\n"
    "}\n"
    "\n"
    "/* The MARGIN bytes at `at` hold what place wrote. */\n"
    "static int untouched(const unsigned char *at)\n"
    "{\n"
    "    for (int i = 0; i < MARGIN; i++)\n"
    "        if (at[i] != 0xA5)\n"
    "            return 0;\n"
    "    return 1;\n"
    "}\n"
    "\n"
    "static int admitted(const Expected *e, double got)\n"
    "{\n"
    "    if (isnan(got))\n"
    "        return (e->classes & NOT_A_NUMBER) != 0;\n"
    "    if (isinf(got))\n"
    "        return (e->classes & (got > 0 ? PLUS_INFINITY : MINUS_INFINITY)) != 0;\n"
    "    if (!(e->classes & FINITE) || (e->exact && signbit(got) != signbit(e->high)))\n"
    "        return 0;\n"
    "    return fabs((got - e->high) - e->low) <= e->bound;\n"
    "}\n";

static const char *number_type(DType dtype)
{
    return dtype_format(dtype)->precision == 24 ? "float" : "double";
}

static void put_number(Text *source, DType dtype, double value)
{
    if (isnan(value))
        text_printf(source, "NAN");
    else if (isinf(value))
        text_printf(source, value > 0 ? "INFINITY" : "-INFINITY");
    else
        text_printf(source, dtype_format(dtype)->precision == 24 ? "%af" : "%a", value);
}

static void put_operand(Text *source, const Operands *o, int i)
{
    DType dtype = o->view[i].dtype;
    size_t count = o->block[i].bytes / dtype_component_size(dtype);
    text_printf(source, "static const %s %s_data[%zu] = {", number_type(dtype),
                o->source->op->tensors[i], count ? count : 1);
    for (size_t at = 0; at < count; at++) {
        text_printf(source, at % NUMBERS_PER_LINE ? " " : "\n    ");
        put_number(source, dtype, dtype_load(dtype, o->block[i].data, (int64_t)at));
        text_printf(source, ",");
    }
    text_printf(source, count ? "\n};\n" : "0};\n");
}

typedef struct ExpectedWriter {
    Text *source;
    const Operands *o;
    const Ref *ref;
    BoundRule rule;
    const Model *model;
    size_t first, last;
} ExpectedWriter;

static void put_expected(const ExpectedWriter *w, size_t element, int64_t at)
{
    const Ref *ref = w->ref;
    double bound = bound_element(&w->rule, ref, element).hard;
    unsigned classes = bound_classes(&w->rule, ref, element, w->model, bound);
    bool exact = ref->match[element] != MATCH_BOUND && classes == CLASS_FINITE;
    double total = exact ? 0 : bound + ref->error[element];
    double high = ldexp(ref->high[element], ref->exponent);
    if (!(classes & CLASS_FINITE))
        high = classes & CLASS_NAN ? NAN : classes & CLASS_POSITIVE_INFINITY ? INFINITY : -INFINITY;
    text_printf(w->source, "    {%lld, ", (long long)at);
    put_number(w->source, DT_F64, high);
    text_printf(w->source, ", ");
    put_number(w->source, DT_F64, ldexp(ref->low[element], ref->exponent));
    text_printf(w->source, ", ");
    put_number(w->source, DT_F64, ldexp(total, ref->exponent));
    text_printf(w->source, ", %u, %d},\n", classes, ref->match[element] == MATCH_BITS && exact);
}

static void visit_expected(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const ExpectedWriter *w = context;
    int out = operands_output_index(w->o);
    int64_t components = dtype_components(w->ref->dtype);
    int64_t size = (int64_t)dtype_component_size(w->ref->dtype);
    for (int64_t i = 0; i < count; i++) {
        for (int64_t part = 0; part < components; part++) {
            size_t element = (size_t)((first + i) * components + part);
            int64_t offset = (at - (char *)w->o->block[out].data) / size;
            if (element >= w->first && element < w->last)
                put_expected(w, element, offset + i * stride * components + part);
        }
    }
}

static void put_expectations(Text *source, const Operands *o, const Ref *ref, const Model *model,
                             size_t worst)
{
    ExpectedWriter w = {.source = source, .o = o, .ref = ref, .model = model};
    if (ref->count > ELEMENTS_MAX && worst > ELEMENTS_MAX / 2)
        w.first = worst - ELEMENTS_MAX / 2;
    w.last = w.first + ELEMENTS_MAX;
    w.rule = bound_rule(ref, model);
    text_printf(source, "static const Expected expected[] = {\n");
    tensor_visit_runs(&o->view[operands_output_index(o)], visit_expected, &w);
    if (ref->count == 0)
        text_printf(source, "    {0, 0, 0, 0, FINITE, 0},\n");
    text_printf(source, "};\n");
}

static void put_head(Text *source, const ReproduceInput *input)
{
    Text line = {0};
    const BackendFacts *facts = &input->backend->facts;
    const char *slash = strrchr(facts->path, '/');
    int directory = slash ? (int)(slash - facts->path) : 0;
    case_print(input->c, &line);
    text_printf(
        source,
        "/* %s\n *\n * %s\n *\n * library: %s %s %s\n"
        " * build:   cc -O1 -o reproducer reproducer.c %s -Wl,-rpath,%.*s -lm\n"
        " * run:     OPENBLAS_NUM_THREADS=%lld BLIS_NUM_THREADS=%lld ./reproducer\n"
        " * status:  1 while the bug is there, 0 when it is gone */\n"
        "#define _GNU_SOURCE\n#include <math.h>\n#include <signal.h>\n#include <stdio.h>\n"
        "#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n"
        "#include <sys/wait.h>\n#include <unistd.h>\n\nenum { MARGIN = 64, SECONDS = 10 };\n\n",
        input->title, text_string(&line), facts->build, facts->version, facts->core, facts->path,
        directory, facts->path, (long long)input->c->exec.threads,
        (long long)input->c->exec.threads);
    text_release(&line);
}

static void put_allocations(Text *source, const Operands *o)
{
    for (int i = 0; i < o->shapes.count; i++) {
        const char *name = o->source->op->tensors[i];
        size_t offset = (size_t)o->source->exec.align * dtype_size(o->view[i].dtype);
        text_printf(source,
                    "    %s *%s = (%s *)(void *)place(%zu, %zu, %d);\n"
                    "    memcpy(%s, %s_data, %zu);\n",
                    number_type(o->view[i].dtype), name, number_type(o->view[i].dtype),
                    o->block[i].bytes, offset, (int)o->source->exec.guard, name, name,
                    o->block[i].bytes);
    }
}

/* Inputs unchanged, nothing outside an operand. */
static void put_contract_checks(Text *source, const Operands *o)
{
    bool at_end = o->source->exec.guard == 0;
    for (int i = 0; i < o->shapes.count; i++) {
        const char *name = o->source->op->tensors[i];
        if (i != operands_output_index(o))
            text_printf(source,
                        "    if (memcmp(%s, %s_data, %zu) != 0) {\n"
                        "        printf(\"input %s was modified\\n\");\n"
                        "        bad++;\n    }\n",
                        name, name, o->block[i].bytes, name);
        text_printf(source, "    if (!untouched((const unsigned char *)%s %s %zu)) {\n", name,
                    at_end ? "-" : "+", at_end ? (size_t)MARGIN_BYTES : o->block[i].bytes);
        text_printf(source,
                    "        printf(\"bytes %s %s were written\\n\");\n"
                    "        bad++;\n    }\n",
                    at_end ? "before" : "after", name);
    }
}

/* Nothing between the elements of the output: those that are in no list of expectations. */
static void put_gap_check(Text *source, const Operands *o)
{
    int out = operands_output_index(o);
    const char *name = o->source->op->tensors[out];
    size_t size = dtype_size(o->view[out].dtype);
    const Tensor *view = &o->view[out];
    if (o->block[out].bytes == (size_t)tensor_count(view) * size)
        return;
    text_printf(
        source,
        "    memcpy(gaps, %s, sizeof gaps);\n"
        "    for (long i = 0; i < %lld; i++)\n"
        "        for (long j = 0; j < %lld; j++)\n"
        "            memcpy(gaps + %zu * (%lld + i * %lld + j * %lld),\n"
        "                   (const char *)%s_data + %zu * (%lld + i * %lld + j * %lld), %zu);\n"
        "    if (memcmp(gaps, %s_data, sizeof gaps) != 0) {\n"
        "        printf(\"bytes between the elements of %s were written\\n\");\n"
        "        bad++;\n    }\n",
        name, (long long)view->extent[0], (long long)view->extent[1], size,
        (long long)tensor_origin_offset(view), (long long)view->stride[0],
        (long long)view->stride[1], name, size, (long long)tensor_origin_offset(view),
        (long long)view->stride[0], (long long)view->stride[1], size, name, name);
}

static void put_value_check(Text *source, const char *name)
{
    text_printf(source,
                "    for (size_t i = 0; i < %s; i++) {\n"
                "        const Expected *e = &expected[i];\n"
                "        if (admitted(e, %s[e->at]))\n"
                "            continue;\n"
                "        if (bad++ < 8)\n"
                "            printf(\"%s[%%ld]: got %%a (%%.9g), expected %%a (%%.9g), bound %%a, "
                "classes %%d\\n\",\n"
                "                   e->at, (double)%s[e->at], (double)%s[e->at], e->high, e->high, "
                "e->bound,\n"
                "                   e->classes);\n"
                "    }\n",
                "sizeof expected / sizeof expected[0]", name, name, name, name);
}

static void put_check(Text *source, const Operands *o, const Ref *ref, const char *call)
{
    int out = operands_output_index(o);
    const char *name = o->source->op->tensors[out];
    text_printf(source, "\n/* Returns the number of things that are wrong. */\n"
                        "static int check(void)\n{\n    int bad = 0;\n");
    text_printf(source, "    static char gaps[%zu];\n", o->block[out].bytes + 1);
    text_printf(source, "    static char first[%zu];\n", o->block[out].bytes + 1);
    put_allocations(source, o);
    for (int64_t i = 0; i < o->source->exec.repeat; i++) {
        text_printf(source, "    memcpy(%s, %s_data, %zu);\n    %s\n", name, name,
                    o->block[out].bytes, call);
        text_printf(source,
                    i == 0 ? "    memcpy(first, %s, %zu);\n"
                           : "    if (memcmp(first, %s, %zu) != 0) {\n"
                             "        printf(\"a repeated call gives other bits\\n\");\n"
                             "        bad++;\n    }\n",
                    name, o->block[out].bytes);
    }
    put_contract_checks(source, o);
    put_gap_check(source, o);
    if (ref->count > 0)
        put_value_check(source, name);
    text_printf(source, "    (void)gaps;\n    return bad;\n}\n");
}

static const char *const program_main =
    "\n"
    "int main(void)\n"
    "{\n"
    "    int status = 0;\n"
    "    fflush(stdout);\n"
    "    pid_t child = fork();\n"
    "    if (child == 0) {\n"
    "        alarm(SECONDS);\n"
    "        int bad = check();\n"
    "        fflush(stdout);\n"
    "        _exit(bad ? 1 : 0);\n"
    "    }\n"
    "    waitpid(child, &status, 0);\n"
    "    if (WIFSIGNALED(status))\n"
    "        printf(\"%s\\n\", WTERMSIG(status) == SIGALRM ? \"the call hangs\" : "
    "strsignal(WTERMSIG(status)));\n"
    "    int failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0;\n"
    "    printf(failed ? \"the bug is there\\n\" : \"the bug is gone\\n\");\n"
    "    return failed;\n"
    "}\n";

bool reproduce_write(Text *source, const ReproduceInput *input, Text *error)
{
    const BackendOp *row = backend_op(input->backend, input->c->op);
    Workspace workspace;
    Operands o;
    Ref ref;
    Text declaration = {0}, call = {0};
    if (!row || !row->emit) {
        text_printf(error, "%s has no library that a program could be linked with; use replay",
                    input->backend->name);
        return false;
    }
    if (!workspace_init(&workspace))
        BUG("no address space");
    operands_build(&o, &workspace, input->c);
    operands_reference(&o, &ref, &workspace.arena);
    row->emit(input->backend, &o, &declaration, &call);
    put_head(source, input);
    text_append(source, declaration.data, declaration.length);
    text_printf(source, "\n%s\n", helpers);
    for (int i = 0; i < o.shapes.count; i++)
        put_operand(source, &o, i);
    put_expectations(source, &o, &ref, input->backend->kind->models, input->worst);
    put_check(source, &o, &ref, text_string(&call));
    text_printf(source, "%s", program_main);
    text_release(&declaration);
    text_release(&call);
    workspace_release(&workspace);
    return true;
}
