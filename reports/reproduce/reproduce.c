/* Fills program.c.in.  The program repeats the checks of the judge; the values of the reference and
 * the bounds stand in it as numbers. */
#include "reproduce.h"

#include <math.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "brief.h"
#include "build_line.h"
#include "decoders.h"
#include "expectation.h"
#include "handlers.h"
#include "ops/backend/c_source.h"
#include "ops/plugin/relation.h"
#include "program_run.h"
#include "reference/child.h"
#include "reference/escape.h"
#include "reference/template.h"
#include "reproduce_python.h"
#include "right.h"

/* The whole program, parts of it that only some cases need, and statements that are repeated for
 * each operand. */
extern const char admitted_c_in[], program_c_in[], lock_c_in[];
extern const char check_gaps_c_in[], check_input_c_in[], check_margin_c_in[], check_repeated_c_in[],
    check_values_c_in[];

/* What ends the process has no results; a few are checked for when it does not any more. */
enum { NUMBERS_PER_LINE = 6, MARGIN_BYTES = 64, FEW_EXPECTATIONS = 16 };

/* Decoders of the formats of outputs, each once. */
static void put_decoders(Text *source, const Operands *o)
{
    bool put[DT_COUNT] = {false};
    for (int i = 0; i < o->shapes.count; i++) {
        DType dtype = o->view[i].dtype;
        if (operands_is_output(o, i) && !put[dtype])
            decoder_put(source, dtype);
        put[dtype] = put[dtype] || operands_is_output(o, i);
    }
}

/* How many components from `at` on have the same bits. */
static size_t count_same(const unsigned char *data, size_t size, size_t at, size_t count)
{
    size_t end = at + 1;
    while (end < count && memcmp(data + at * size, data + end * size, size) == 0)
        end++;
    return end - at;
}

/* Long runs of one value are ranges, as GNU C has them. */
static void put_operand(Text *source, const Operands *o, int i)
{
    enum { LONG_RUN = 12 };
    DType dtype = o->view[i].dtype;
    size_t size = dtype_component_size(dtype), count = o->block[i].bytes / size;
    text_printf(source, "static const %s %s_data[%zu] = {", c_number_type(dtype),
                o->source->op->tensors[i], count ? count : 1);
    for (size_t at = 0, put = 0; at < count; put++) {
        size_t same = count_same(o->block[i].data, size, at, count);
        text_printf(source, put % NUMBERS_PER_LINE ? " " : "\n    ");
        if (same >= LONG_RUN)
            text_printf(source, "[%zu ... %zu] = ", at, at + same - 1);
        c_put_number(source, dtype, dtype_load(dtype, o->block[i].data, (int64_t)at));
        text_printf(source, ",");
        at += same >= LONG_RUN ? same : 1;
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
    c_put_number(source, DT_F64, high);
    text_printf(source, ", ");
    c_put_number(source, DT_F64, low);
    text_printf(source, ", ");
    c_put_number(source, DT_F64, bound);
    text_printf(source, ", %u, %d},\n", classes, exact);
}

/* Also of what may be anything, so that what lies between the components is known; all of it, where
 * the library gave no results that references could be made of. */
static void put_expected(const ExpectedWriter *w, size_t element, int64_t at)
{
    Expectation e = {0, 0, INFINITY, CLASS_ANY, false};
    if (element < w->ref->count)
        (void)expectation_of(w->ref, &w->rule, w->model, element, &e);
    put_row(w->source, at, e.high, e.low, e.bound, e.classes, e.exact);
}

static void visit_expected(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    const ExpectedWriter *w = context;
    DType dtype = w->o->view[w->output].dtype;
    int64_t components = dtype_components(dtype), size = (int64_t)dtype_component_size(dtype);
    for (int64_t i = 0; i < count; i++) {
        for (int64_t part = 0; part < components; part++) {
            size_t element = (size_t)((first + i) * components + part);
            int64_t offset = (at - (char *)w->o->block[w->output].data) / size;
            if (element >= w->first && element < w->last)
                put_expected(w, element, offset + i * stride * components + part);
        }
    }
}

static size_t expectations_max(const ReproduceInput *input)
{
    return input->judgement->kind == VERDICT_FAULT ? FEW_EXPECTATIONS : EXPECTATIONS_MAX;
}

static void put_expectations(Text *source, const Operands *o, const Ref *ref, int output,
                             const ReproduceInput *input)
{
    const Model *model = input->backend->kind->promise.models;
    ExpectedWriter w = {.source = source, .o = o, .ref = ref, .model = model, .output = output};
    w.first = expectation_first(ref, output == input->output ? input->judgement->worst : 0);
    w.last = w.first + expectations_max(input);
    w.rule = bound_rule(ref, model);
    text_printf(source, "static const Expected %s_expected[] = {\n",
                o->source->op->tensors[output]);
    tensor_visit_runs(&o->view[output], visit_expected, &w);
    text_printf(source, "    {-1, 0, 0, 0, FINITE, 0},\n};\n");
}

static void put_allocations(Text *source, const Operands *o, bool locked)
{
    for (int i = 0; i < o->shapes.count; i++) {
        const char *name = o->source->op->tensors[i];
        size_t offset = (size_t)o->source->exec.align * dtype_size(o->view[i].dtype);
        if (o->shared[i] >= 0) {
            text_printf(source, "    %s *%s = %s;\n", c_number_type(o->view[i].dtype), name,
                        o->source->op->tensors[o->shared[i]]);
            continue;
        }
        text_printf(source,
                    "    %s *%s = (%s *)(void *)place(%zu, %zu, %d);\n"
                    "    memcpy(%s, %s_data, %zu);\n",
                    c_number_type(o->view[i].dtype), name, c_number_type(o->view[i].dtype),
                    o->block[i].bytes, offset, (int)o->source->exec.guard, name, name,
                    o->block[i].bytes);
        if (locked && !operands_may_change(o, i))
            text_printf(source, "    lock(%s, %zu);\n", name, o->block[i].bytes);
    }
}

/* Checks that inputs are unchanged and that nothing beside an operand was written. */
static void put_contract_checks(Text *source, const Operands *o)
{
    bool at_end = o->source->exec.guard == 0, illegal = o->source->exec.illegal != 0;
    for (int i = 0; i < o->shapes.count; i++) {
        const char *name = o->source->op->tensors[i];
        long long bytes = (long long)o->block[i].bytes;
        const TemplateValue input[] = {{"NAME", name, 0}, {"BYTES", NULL, bytes}, {0}};
        const TemplateValue margin[] = {{"NAME", name, 0},
                                        {"SIGN", at_end ? "-" : "+", 0},
                                        {"DISTANCE", NULL, at_end ? MARGIN_BYTES : bytes},
                                        {"SIDE", at_end ? "before" : "after", 0},
                                        {0}};
        if (illegal || !operands_may_change(o, i))
            template_put(source, check_input_c_in, input);
        template_put(source, check_margin_c_in, margin);
    }
}

/* Checks the memory between the elements of an output, where it has any and all elements have
 * expectations. */
static void put_gap_check(Text *source, const Operands *o, int output, const Ref *ref,
                          const ReproduceInput *input)
{
    const Tensor *view = &o->view[output];
    size_t size = dtype_size(view->dtype), bytes = o->block[output].bytes;
    const TemplateValue values[] = {{"NAME", o->source->op->tensors[output], 0},
                                    {"BYTES", NULL, (long long)bytes},
                                    {"SIZE", NULL, (long long)dtype_component_size(view->dtype)},
                                    {0}};
    if (bytes != (size_t)tensor_count(view) * size && ref->count <= expectations_max(input))
        template_put(source, check_gaps_c_in, values);
}

static void put_value_check(Text *source, const char *name, DType dtype)
{
    const TemplateValue values[] = {{"NAME", name, 0}, {"DECODE", decoder_name(dtype), 0}, {0}};
    template_put(source, check_values_c_in, values);
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
        long long bytes = (long long)o->block[i].bytes;
        const TemplateValue values[] = {{"NAME", name, 0}, {"BYTES", NULL, bytes}, {0}};
        if (call == 0)
            text_printf(source, "    memcpy(%s_first, %s, %lld);\n", name, name, bytes);
        else
            template_put(source, check_repeated_c_in, values);
    }
}

/* The body of the program's function check: operands, calls, comparisons. */
static void put_check(Text *source, const Operands *o, const Ref *refs, const char *call,
                      const ReproduceInput *input)
{
    size_t largest = 1;
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i))
            continue;
        largest = o->block[i].bytes > largest ? o->block[i].bytes : largest;
        text_printf(source, "    static char %s_first[%zu];\n", o->source->op->tensors[i],
                    o->block[i].bytes + 1);
    }
    text_printf(source, "    static char gaps[%zu];\n", largest);
    put_allocations(source, o, input->locked);
    for (int64_t i = 0; i < o->source->exec.repeat; i++) {
        put_restore(source, o);
        text_printf(source, "    %s\n", call);
        put_repeat_check(source, o, i);
    }
    put_contract_checks(source, o);
    for (int i = 0; i < o->shapes.count; i++) {
        if (!operands_is_output(o, i) || o->source->exec.illegal)
            continue;
        put_gap_check(source, o, i, &refs[i], input);
        put_value_check(source, o->source->op->tensors[i], o->view[i].dtype);
    }
}

/* What a right call leaves in place of the call. */
static void put_right_call(Text *call, const Operands *o, const Ref *refs)
{
    text_clear(call);
    if (o->source->exec.illegal)
        text_printf(call, "    reported = %lld;\n", (long long)o->source->exec.illegal);
    else
        right_put_outputs(call, o, refs);
}

static void put_illegal_call(Text *call, const Operands *o)
{
    text_printf(call,
                "\n    printf(\"argument %lld is illegal, reported: %%d\\n\", reported);\n"
                "    bad += reported != %lld;",
                (long long)o->source->exec.illegal, (long long)o->source->exec.illegal);
}

/* The placeholders of program.c.in. */
enum {
    TITLE,
    CASE,
    LIBRARY,
    BUILD,
    RUN,
    MARGIN,
    DECLARATION,
    HANDLERS,
    ADMITTED,
    DECODERS,
    DATA,
    LOCK,
    STATEMENTS,
    PART_COUNT
};
static const char *const part_names[PART_COUNT] = {
    "TITLE",    "CASE",     "LIBRARY",  "BUILD", "RUN",  "MARGIN",    "DECLARATION",
    "HANDLERS", "ADMITTED", "DECODERS", "DATA",  "LOCK", "STATEMENTS"};

static void fill_head(Text *parts, const ReproduceInput *input)
{
    const BackendFacts *facts = &input->backend->facts;
    Text line = {0}, library = {0};
    case_print(input->c, &line);
    text_printf(&library, "%s %s %s", facts->build, facts->version, facts->core);
    escape_put_c_comment(&parts[TITLE], input->title);
    escape_put_c_comment(&parts[CASE], text_string(&line));
    escape_put_c_comment(&parts[LIBRARY], text_string(&library));
    harness_line_put(&parts[BUILD], input);
    harness_line_put_run(&parts[RUN], input);
    text_put_integer(&parts[MARGIN], MARGIN_BYTES);
    text_release(&line);
    text_release(&library);
}

/* What a right call leaves in the outputs; an illegal one is to leave them as they are. */
static void put_judgement(Text *parts, const ReproduceInput *input, const Operands *o,
                          const Ref *refs)
{
    if (input->c->exec.illegal)
        return;
    text_put(&parts[ADMITTED], admitted_c_in);
    put_decoders(&parts[DECODERS], o);
    for (int i = 0; i < o->shapes.count; i++)
        if (operands_is_output(o, i))
            put_expectations(&parts[DATA], o, &refs[i], i, input);
}

static void fill_body(Text *parts, const ReproduceInput *input, const Operands *o, const Ref *refs)
{
    Text call = {0};
    input->backend->kind->emit(input->backend, o, &parts[DECLARATION], &call);
    if (input->right) {
        text_clear(&parts[DECLARATION]);
        put_right_call(&call, o, refs);
    }
    if (input->c->exec.illegal) {
        text_put(&parts[HANDLERS], "\n");
        handlers_put(&parts[HANDLERS], &input->backend->facts);
        put_illegal_call(&call, o);
    }
    for (int i = 0; i < o->shapes.count; i++)
        put_operand(&parts[DATA], o, i);
    put_judgement(parts, input, o, refs);
    if (input->locked)
        text_printf(&parts[LOCK], "\n%s", lock_c_in);
    put_check(&parts[STATEMENTS], o, refs, text_string(&call), input);
    text_release(&call);
}

static void put_program(ReproduceProgram *program, const ReproduceInput *input, const Operands *o,
                        const Ref *refs)
{
    Text parts[PART_COUNT] = {0};
    TemplateValue values[PART_COUNT + 1] = {0};
    fill_head(parts, input);
    fill_body(parts, input, o, refs);
    for (int i = 0; i < PART_COUNT; i++)
        values[i] = (TemplateValue){part_names[i], text_string(&parts[i]), 0};
    template_put(&program->source, program_c_in, values);
    text_printf(&program->command, "%s && %s", text_string(&parts[BUILD]),
                text_string(&parts[RUN]));
    for (int i = 0; i < PART_COUNT; i++)
        text_release(&parts[i]);
}

typedef struct GivenCall {
    const Backend *backend;
    Operands *o;
} GivenCall;

/* Hands back what the operands hold after the call; nothing where the library does not answer. */
static int call_in_child(const void *context, int to)
{
    const GivenCall *call = context;
    Backend caller = *call->backend;
    if (caller.kind->run(&caller, call->o) != RUN_DONE)
        return 1;
    for (int i = 0; i < call->o->shapes.count; i++) {
        const unsigned char *data = call->o->block[i].data;
        for (size_t put = 0; put < call->o->block[i].bytes;) {
            ssize_t written = write(to, data + put, call->o->block[i].bytes - put);
            if (written <= 0)
                return 1;
            put += (size_t)written;
        }
    }
    return 0;
}

/* Calls the library in a process of its own, which it may end, unless it has one already; false
 * where it does not answer. */
static bool call_given(const Backend *backend, Operands *o)
{
    Child child = {0};
    Backend caller = *backend;
    const GivenCall call = {backend, o};
    if (caller.kind->expect)
        return caller.kind->run(&caller, o) == RUN_DONE;
    bool done = child_start(&child, call_in_child, &call);
    for (int i = 0; done && i < o->shapes.count; i++)
        done = child_read(&child, o->block[i].data, o->block[i].bytes, -1) == o->block[i].bytes;
    child_kill(&child);
    (void)child_wait(&child);
    return done;
}

/* References of a chain, each of whose steps is judged by the library's own result of the step
 * before.  The library is called for these results, which the outputs hold afterwards.  Where it
 * does not answer, the references stay empty, and nothing is expected of the outputs. */
static void references_given(const Backend *backend, Operands *o, Ref *refs, Arena *arena)
{
    memset(refs, 0, OP_TENSORS_MAX * sizeof *refs);
    if (call_given(backend, o))
        operands_reference(o, refs, arena);
}

/* False with one sentence in *error where no program can be made. */
static bool can_write(const ReproduceInput *input, Text *error)
{
    const Backend *backend = input->backend;
    if (!(backend->kind->emit || backend->kind->script) ||
        !backend->kind->offers(backend, input->c->op, case_dtype(input->c))) {
        text_printf(error, "%s has no library that a program could be linked with; use replay",
                    input->backend->name);
        return false;
    }
    if (input->c->op->random && (input->harness || !backend->kind->script)) {
        text_printf(error,
                    "%s chooses its results at random, so that no harness can hold them; "
                    "use replay",
                    input->c->op->name);
        return false;
    }
    if (!strncmp(input->detail, RELATION_BROKEN, strlen(RELATION_BROKEN))) {
        text_printf(error, "%s: it takes the plug-in that has the relation; use replay",
                    input->detail);
        return false;
    }
    return true;
}

/* Whether what is wrong is in draws, of which only a statistic is known. */
static bool is_of_draws(const ReproduceInput *input)
{
    const OpDesc *op = input->c->op;
    return op->random && (op->only_by_residual || input->detail[0]);
}

/* Writes a script.  Of random results there may be none. */
static bool write_script(ReproduceProgram *program, const ReproduceInput *input, Operands *o,
                         const Ref *refs, Arena *arena, Text *error)
{
    Ref own[OP_TENSORS_MAX] = {0};
    const Ref *draws = NULL;
    if (is_of_draws(input)) {
        expectation_references(o, own, arena);
        draws = own;
    }
    if (!reproduce_script(program, input, o, refs, draws, error))
        return false;
    if (program->source.length > 0 || !input->c->op->random)
        return true;
    text_printf(error, "%s chooses its results at random: %s; use replay", input->c->op->name,
                text_string(&program->why));
    return false;
}

bool reproduce_write(ReproduceProgram *program, const ReproduceInput *input, Text *error)
{
    const Backend *backend = input->backend;
    Workspace workspace;
    Operands o;
    Ref refs[OP_TENSORS_MAX];
    if (!can_write(input, error))
        return false;
    if (!workspace_init(&workspace))
        BUG("no address space");
    operands_build(&o, &workspace, input->c);
    memset(refs, 0, sizeof refs);
    if (input->c->exec.illegal && backend->kind->script)
        ; /* the only expectation is that the library refuses the arguments */
    else if (reproduce_is_given(input)) {
        references_given(backend, &o, refs, &workspace.arena);
        /* Python's programs are given the results; those in C call with what was there before. */
        if (!backend->kind->script)
            operands_restore(&o);
    } else
        expectation_references(&o, refs, &workspace.arena);
    bool ok = true;
    program->status = 1;
    program->memory = input->memory;
    program->exact = input->exact;
    program->in_python = backend->kind->script && !(input->harness && backend->kind->emit);
    if (program->in_python)
        ok = write_script(program, input, &o, refs, &workspace.arena, error);
    else if (!input->harness)
        (void)brief_write(program, input, &o, refs);
    if (ok && program->source.length == 0) {
        program->in_python = false;
        put_program(program, input, &o, refs);
    }
    if (!program->function.length)
        text_put(&program->function, input->c->op->name);
    text_printf(&program->file, "%s.%s", input->name,
                program->in_python ? "py"
                : program->in_cpp  ? "cpp"
                                   : "c");
    workspace_release(&workspace);
    return ok;
}

/* Of a signal that a kernel may have died by: which one it is may depend on what lies where. */
static bool is_crash_status(int status)
{
    return status == 128 + SIGSEGV || status == 128 + SIGABRT || status == 128 + SIGBUS ||
           status == 128 + SIGFPE || status == 128 + SIGILL;
}

/* Appends a sentence where the program in C does not end as it must: with the library, or with
 * right results. */
static bool put_end(Text *check, const ReproduceInput *input, const ReproduceProgram *program)
{
    Text output = {0};
    int wanted = input->right ? 0 : program->status;
    int status = program_run(text_string(&program->file), &program->source,
                             text_string(&program->command), NULL, &output);
    const char *with = input->right ? "with right results" : "with the library";
    if (status == PROGRAM_NOT_BUILT) {
        const char *said = strstr(text_string(&output), "error: ");
        said = said ? said : text_string(&output);
        text_printf(check, "it was not run, since cc cannot build it here: %.*s",
                    (int)strcspn(said, "\n"), said);
    } else if (status == PROGRAM_NOT_ENDED)
        text_printf(check, "it does not end in a minute %s", with);
    else if (status != wanted && !(is_crash_status(wanted) && is_crash_status(status)))
        text_printf(check, "it ends with %d in place of %d %s", status, wanted, with);
    text_release(&output);
    return check->length == 0;
}

/* Runs the program with the library, and the same program with right results. */
static void check_program(ReproduceProgram *program, const ReproduceInput *input)
{
    ReproduceProgram right = {0};
    ReproduceInput other = *input;
    Text error = {0};
    other.right = true;
    if (put_end(&program->check, input, program) && reproduce_write(&right, &other, &error))
        (void)put_end(&program->check, &other, &right);
    reproduce_release(&right);
    text_release(&error);
}

/* That with right results of the program which would be shown. */
static bool write_right(ReproduceProgram *program, const ReproduceInput *input, Text *error)
{
    ReproduceProgram shown = {0};
    ReproduceInput other = *input;
    other.right = false;
    bool ok = reproduce_write_checked(&shown, &other, error);
    other.right = true;
    other.harness = input->harness || shown.why.length > 0;
    other.memory = shown.memory;
    other.exact = shown.exact;
    other.in_c = input->in_c || !shown.in_cpp;
    reproduce_release(&shown);
    return ok && reproduce_write(program, &other, error);
}

/* Puts another program in the place of one that does not tell, where the other one does. */
static bool replace_program(ReproduceProgram *program, const ReproduceInput *input, Text *error)
{
    ReproduceProgram other = {0};
    bool ok = reproduce_write(&other, input, error);
    if (ok)
        check_program(&other, input);
    if (ok && !other.check.length) {
        if (input->harness)
            text_printf(&other.why, "the brief program does not tell: %s",
                        text_string(&program->check));
        ReproduceProgram former = *program;
        *program = other;
        other = former;
    }
    reproduce_release(&other);
    return ok;
}

/* Tries other programs in the place of a brief one that does not tell, the harness last. */
static bool replace_where_silent(ReproduceProgram *program, const ReproduceInput *input,
                                 Text *error)
{
    static const struct {
        BriefMemory memory;
        bool exact, in_c, harness;
    } others[] = {{BRIEF_AS_SHOWN, false, true, false},
                  {BRIEF_OPERANDS, false, false, false},
                  {BRIEF_HEAP, false, false, false},
                  {BRIEF_AS_SHOWN, true, false, false},
                  {BRIEF_AS_SHOWN, false, false, true}};
    bool crash = is_crash_status(program->status), ok = true;
    for (size_t i = 0; ok && program->check.length && i < COUNT_OF(others); i++) {
        ReproduceInput other = *input;
        other.memory = others[i].memory;
        other.exact = others[i].exact;
        other.in_c = others[i].in_c;
        other.harness = others[i].harness;
        if (other.in_c ? program->in_cpp : crash || other.memory == BRIEF_AS_SHOWN)
            ok = replace_program(program, &other, error);
    }
    return ok;
}

bool reproduce_write_checked(ReproduceProgram *program, const ReproduceInput *input, Text *error)
{
    if (input->right && !input->backend->kind->script)
        return write_right(program, input, error);
    if (!reproduce_write(program, input, error))
        return false;
    /* Those in Python were run by the worker. */
    if (program->in_python || input->right || !verdict_is_finding(input->judgement->kind))
        return true;
    check_program(program, input);
    return input->harness || program->why.length > 0 || replace_where_silent(program, input, error);
}

void reproduce_release(ReproduceProgram *program)
{
    text_release(&program->file);
    text_release(&program->source);
    text_release(&program->command);
    text_release(&program->function);
    text_release(&program->why);
    text_release(&program->check);
}
