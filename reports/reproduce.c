/* Writes reproducers.  The program repeats the checks of the judge with the reference's values and
 * bounds as numbers. */
#include "reproduce.h"

#include <math.h>
#include <string.h>

#include "expectation.h"
#include "reproduce_python.h"

enum { NUMBERS_PER_LINE = 6, MARGIN_BYTES = 64 };

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

/* Formats that C lacks are kept as their bits. */
static bool is_small(DType dtype)
{
    return dtype_component_size(dtype) <= 2 && !dtype_is_integer(dtype);
}

static const char *number_type(DType dtype)
{
    static const char *const types[DT_COUNT] = {
        [DT_F32] = "float",         [DT_F64] = "double",         [DT_C64] = "float",
        [DT_C128] = "double",       [DT_F16] = "unsigned short", [DT_BF16] = "unsigned short",
        [DT_I8] = "signed char",    [DT_U8] = "unsigned char",   [DT_I32] = "int",
        [DT_I64] = "long",          [DT_BOOL] = "unsigned char", [DT_E4M3] = "unsigned char",
        [DT_E5M2] = "unsigned char"};
    return types[dtype];
}

/* What makes a double of a number of the type. */
static const char *decoder(DType dtype)
{
    static const char *const decoders[DT_COUNT] = {[DT_F16] = "from_half",
                                                   [DT_BF16] = "from_bfloat",
                                                   [DT_E4M3] = "from_e4m3",
                                                   [DT_E5M2] = "from_e5m2"};
    return decoders[dtype] ? decoders[dtype] : "(double)";
}

static const char *const small_decoders =
    "\nstatic double from_half(unsigned short bits)\n{\n"
    "    int exponent = bits >> 10 & 31, fraction = bits & 1023;\n"
    "    double size = exponent == 0 ? fraction * 0x1p-24 : ldexp(1024 + fraction, exponent - "
    "25);\n"
    "    if (exponent == 31)\n        size = fraction ? NAN : INFINITY;\n"
    "    return bits & 0x8000 ? -size : size;\n}\n\n"
    "static double from_bfloat(unsigned short bits)\n{\n"
    "    unsigned wide = (unsigned)bits << 16;\n    float value;\n"
    "    memcpy(&value, &wide, sizeof value);\n    return value;\n}\n\n"
    "static double from_e5m2(unsigned char bits)\n{\n"
    "    return from_half((unsigned short)(bits << 8));\n}\n\n"
    "static double from_e4m3(unsigned char bits)\n{\n"
    "    int exponent = bits >> 3 & 15, fraction = bits & 7;\n"
    "    double size = exponent == 0 ? fraction * 0x1p-9 : ldexp(8 + fraction, exponent - 10);\n"
    "    if ((bits & 127) == 127)\n        size = NAN;\n"
    "    return bits & 128 ? -size : size;\n}\n";

static void put_number(Text *source, DType dtype, double value)
{
    unsigned short bits = 0;
    if (is_small(dtype)) {
        dtype_store(dtype, &bits, 0, value);
        text_printf(source, dtype_component_size(dtype) == 1 ? "0x%02x" : "0x%04x", bits);
    } else if (dtype_is_integer(dtype))
        text_printf(source, "%lld", (long long)value);
    else if (isnan(value))
        text_printf(source, "NAN");
    else if (isinf(value))
        text_printf(source, value > 0 ? "INFINITY" : "-INFINITY");
    else
        text_printf(source, dtype_format(dtype)->precision == 24 ? "%af" : "%a", value);
}

static void put_helpers(Text *source, const Operands *o)
{
    bool small = false;
    for (int i = 0; i < o->shapes.count; i++)
        small = small || (operands_is_output(o, i) && is_small(o->view[i].dtype));
    text_printf(source, "\n%s%s\n", helpers, small ? small_decoders : "");
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
    int output;
    size_t first, last;
} ExpectedWriter;

static void put_row(Text *source, int64_t at, double high, double low, double bound,
                    unsigned classes, bool exact)
{
    text_printf(source, "    {%lld, ", (long long)at);
    put_number(source, DT_F64, high);
    text_printf(source, ", ");
    put_number(source, DT_F64, low);
    text_printf(source, ", ");
    put_number(source, DT_F64, bound);
    text_printf(source, ", %u, %d},\n", classes, exact);
}

static void put_expected(const ExpectedWriter *w, size_t element, int64_t at)
{
    Expectation e;
    if (expectation_of(w->ref, &w->rule, w->model, element, &e))
        put_row(w->source, at, e.high, e.low, e.bound, e.classes, e.exact);
}

static void visit_expected(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const ExpectedWriter *w = context;
    int64_t components = dtype_components(w->ref->dtype);
    int64_t size = (int64_t)dtype_component_size(w->ref->dtype);
    for (int64_t i = 0; i < count; i++) {
        for (int64_t part = 0; part < components; part++) {
            size_t element = (size_t)((first + i) * components + part);
            int64_t offset = (at - (char *)w->o->block[w->output].data) / size;
            if (element >= w->first && element < w->last)
                put_expected(w, element, offset + i * stride * components + part);
        }
    }
}

static void put_expectations(Text *source, const Operands *o, const Ref *ref, int output,
                             const ReproduceInput *input)
{
    const Model *model = input->backend->kind->promise.models;
    ExpectedWriter w = {.source = source, .o = o, .ref = ref, .model = model, .output = output};
    w.first = expectation_first(ref, output == input->output ? input->worst : 0);
    w.last = w.first + EXPECTATIONS_MAX;
    w.rule = bound_rule(ref, model);
    text_printf(source, "static const Expected %s_expected[] = {\n",
                o->source->op->tensors[output]);
    tensor_visit_runs(&o->view[output], visit_expected, &w);
    text_printf(source, "    {-1, 0, 0, 0, FINITE, 0},\n};\n");
}

static void put_head(Text *source, const ReproduceInput *input)
{
    Text line = {0};
    const BackendFacts *facts = &input->backend->facts;
    const char *slash = strrchr(facts->path, '/');
    const char *link = input->backend->kind->link;
    int directory = slash ? (int)(slash - facts->path) : 0;
    case_print(input->c, &line);
    text_printf(
        source,
        "/* %s\n *\n * %s\n *\n * library: %s %s %s\n"
        " * build:   cc -O1 -o reproducer reproducer.c %s -Wl,-rpath,%.*s -lm%s%s\n"
        " * run:     OPENBLAS_NUM_THREADS=%lld BLIS_NUM_THREADS=%lld OMP_NUM_THREADS=%lld "
        "./reproducer\n"
        " * status:  1 while the bug is there, 0 when it is gone */\n"
        "#define _GNU_SOURCE\n#include <math.h>\n#include <signal.h>\n#include <stdio.h>\n"
        "#include <stdlib.h>\n#include <string.h>\n#include <sys/mman.h>\n"
        "#include <sys/wait.h>\n#include <unistd.h>\n\nenum { MARGIN = 64, SECONDS = 10 };\n\n",
        input->title, text_string(&line), facts->build, facts->version, facts->core, facts->path,
        directory, facts->path, link ? " " : "", link ? link : "",
        (long long)input->c->exec.threads, (long long)input->c->exec.threads,
        (long long)input->c->exec.threads);
    text_release(&line);
}

static const char *const lock_helper =
    "/* A write to it ends the process. */\n"
    "static void lock(void *at, size_t bytes)\n"
    "{\n"
    "    unsigned long page = (unsigned long)sysconf(_SC_PAGESIZE);\n"
    "    unsigned long begin = (unsigned long)at / page * page, end = (unsigned long)at + bytes;\n"
    "    if (mprotect((void *)begin, end - begin, PROT_READ) != 0)\n"
    "        exit(2);\n"
    "}\n";

static void put_allocations(Text *source, const Operands *o, bool locked)
{
    for (int i = 0; i < o->shapes.count; i++) {
        const char *name = o->source->op->tensors[i];
        size_t offset = (size_t)o->source->exec.align * dtype_size(o->view[i].dtype);
        if (o->shared[i] >= 0) {
            text_printf(source, "    %s *%s = %s;\n", number_type(o->view[i].dtype), name,
                        o->source->op->tensors[o->shared[i]]);
            continue;
        }
        text_printf(source,
                    "    %s *%s = (%s *)(void *)place(%zu, %zu, %d);\n"
                    "    memcpy(%s, %s_data, %zu);\n",
                    number_type(o->view[i].dtype), name, number_type(o->view[i].dtype),
                    o->block[i].bytes, offset, (int)o->source->exec.guard, name, name,
                    o->block[i].bytes);
        if (locked && !operands_may_change(o, i))
            text_printf(source, "    lock(%s, %zu);\n", name, o->block[i].bytes);
    }
}

/* Inputs unchanged, nothing outside an operand. */
static void put_contract_checks(Text *source, const Operands *o)
{
    bool at_end = o->source->exec.guard == 0, illegal = o->source->exec.illegal != 0;
    for (int i = 0; i < o->shapes.count; i++) {
        const char *name = o->source->op->tensors[i];
        if (illegal || !operands_may_change(o, i))
            text_printf(source,
                        "    if (memcmp(%s, %s_data, %zu) != 0) {\n"
                        "        printf(\"%s was modified\\n\");\n"
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
static void put_gap_check(Text *source, const Operands *o, int output, const Ref *ref)
{
    const char *name = o->source->op->tensors[output];
    const Tensor *view = &o->view[output];
    size_t size = dtype_size(view->dtype), bytes = o->block[output].bytes;
    if (bytes == (size_t)tensor_count(view) * size || ref->count > EXPECTATIONS_MAX)
        return;
    text_printf(source,
                "    memcpy(gaps, %s, %zu);\n"
                "    for (const Expected *e = %s_expected; e->at >= 0; e++)\n"
                "        memcpy(gaps + %zu * e->at, (const char *)%s_data + %zu * e->at, %zu);\n"
                "    if (memcmp(gaps, %s_data, %zu) != 0) {\n"
                "        printf(\"bytes between the elements of %s were written\\n\");\n"
                "        bad++;\n    }\n",
                name, bytes, name, dtype_component_size(view->dtype), name,
                dtype_component_size(view->dtype), dtype_component_size(view->dtype), name, bytes,
                name);
}

static void put_value_check(Text *source, const char *name, DType dtype)
{
    const char *decode = decoder(dtype);
    text_printf(source,
                "    for (const Expected *e = %s_expected; e->at >= 0; e++) {\n"
                "        double got = %s(%s[e->at]);\n"
                "        if (admitted(e, got))\n"
                "            continue;\n"
                "        if (bad++ < 8)\n"
                "            printf(\"%s[%%ld]: got %%a (%%.9g), expected %%a (%%.9g), bound %%a, "
                "classes %%d\\n\",\n"
                "                   e->at, got, got, e->high, e->high, e->bound, e->classes);\n"
                "    }\n",
                name, decode, name, name);
}

static void put_restore(Text *source, const Operands *o)
{
    for (int i = 0; i < o->shapes.count; i++)
        if (operands_is_output(o, i))
            text_printf(source, "    memcpy(%s, %s_data, %zu);\n", o->source->op->tensors[i],
                        o->source->op->tensors[i], o->block[i].bytes);
}

static void put_repeat_check(Text *source, const Operands *o, int64_t call)
{
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i))
            continue;
        const char *name = o->source->op->tensors[i];
        text_printf(source,
                    call == 0 ? "    memcpy(%s_first, %s, %zu);\n"
                              : "    if (memcmp(%s_first, %s, %zu) != 0) {\n"
                                "        printf(\"a repeated call gives other bits\\n\");\n"
                                "        bad++;\n    }\n",
                    name, name, o->block[i].bytes);
    }
}

static void put_check(Text *source, const Operands *o, const Ref *refs, const char *call,
                      bool locked)
{
    size_t largest = 1;
    text_printf(source, "\n/* Returns the number of things that are wrong. */\n"
                        "static int check(void)\n{\n    int bad = 0;\n");
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i))
            continue;
        largest = o->block[i].bytes > largest ? o->block[i].bytes : largest;
        text_printf(source, "    static char %s_first[%zu];\n", o->source->op->tensors[i],
                    o->block[i].bytes + 1);
    }
    text_printf(source, "    static char gaps[%zu];\n", largest);
    put_allocations(source, o, locked);
    for (int64_t i = 0; i < o->source->exec.repeat; i++) {
        put_restore(source, o);
        text_printf(source, "    %s\n", call);
        put_repeat_check(source, o, i);
    }
    put_contract_checks(source, o);
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i) || o->source->exec.illegal)
            continue;
        put_gap_check(source, o, i, &refs[i]);
        put_value_check(source, o->source->op->tensors[i], o->view[i].dtype);
    }
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

/* A handler that takes the place of the library's: reports count, and the call goes on. */
static const char *const handlers =
    "static int reported;\n"
    "void cblas_xerbla(int argument, const char *routine, const char *form, ...)\n"
    "{\n    (void)routine;\n    (void)form;\n    reported = argument;\n}\n"
    "int xerbla_(const char *routine, const int *argument, size_t length)\n"
    "{\n    (void)routine;\n    (void)length;\n    reported = *argument;\n    return 0;\n}\n";

static void put_illegal_call(Text *call, const Operands *o)
{
    text_printf(call,
                "\n    printf(\"argument %lld is illegal, reported: %%d\\n\", reported);\n"
                "    bad += reported != %lld;",
                (long long)o->source->exec.illegal, (long long)o->source->exec.illegal);
}

static void put_program(Text *source, const ReproduceInput *input, const Operands *o,
                        const Ref *refs)
{
    Text declaration = {0}, call = {0};
    input->backend->kind->emit(input->backend, o, &declaration, &call);
    put_head(source, input);
    text_append(source, declaration.data, declaration.length);
    if (input->c->exec.illegal) {
        text_printf(source, "\n%s", handlers);
        put_illegal_call(&call, o);
    }
    put_helpers(source, o);
    for (int i = 0; i < o->shapes.count; i++)
        put_operand(source, o, i);
    for (int i = 0; i < o->shapes.count; i++)
        if (operands_is_output(o, i))
            put_expectations(source, o, &refs[i], i, input);
    if (input->locked)
        text_printf(source, "\n%s", lock_helper);
    put_check(source, o, refs, text_string(&call), input->locked);
    text_printf(source, "%s", program_main);
    text_release(&declaration);
    text_release(&call);
}

/* What the steps of a chain give is judged given what came before: the library is asked for that,
 * and the outputs hold it afterwards.  Where it does not answer nothing is expected of them. */
static void references_given(const Backend *backend, Operands *o, Ref *refs, Arena *arena)
{
    Backend caller = *backend;
    memset(refs, 0, OP_TENSORS_MAX * sizeof *refs);
    if (caller.kind->run(&caller, o) == RUN_DONE)
        operands_reference(o, refs, arena);
}

bool reproduce_write(Text *source, const ReproduceInput *input, Text *error)
{
    const Backend *backend = input->backend;
    Workspace workspace;
    Operands o;
    Ref refs[OP_TENSORS_MAX];
    if (!(backend->kind->emit || backend->kind->script) ||
        !backend->kind->offers(backend, input->c->op, case_dtype(input->c))) {
        text_printf(error, "%s has no library that a program could be linked with; use replay",
                    input->backend->name);
        return false;
    }
    if (input->c->op->random) {
        text_printf(error,
                    "%s chooses its results at random, so that no program can hold them; "
                    "use replay",
                    input->c->op->name);
        return false;
    }
    if (!workspace_init(&workspace))
        BUG("no address space");
    operands_build(&o, &workspace, input->c);
    memset(refs, 0, sizeof refs);
    if (input->c->exec.illegal && backend->kind->script)
        ; /* nothing is expected but a refusal */
    else if (reproduce_is_given(input))
        references_given(backend, &o, refs, &workspace.arena);
    else
        expectation_references(&o, refs, &workspace.arena);
    bool ok = true;
    if (backend->kind->script)
        ok = reproduce_script(source, input, &o, refs, error);
    else
        put_program(source, input, &o, refs);
    workspace_release(&workspace);
    return ok;
}
