/* Fills brief.c.in: arrays, the call as the library's rows write it, and one comparison. */
#include "brief.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "brief_data.h"
#include "brief_judge.h"
#include "brief_outside.h"
#include "build_line.h"
#include "decoders.h"
#include "handlers.h"
#include "ops/backend/c_source.h"
#include "ops/case/relation.h"
#include "oracle/symptom.h"
#include "reference/escape.h"
#include "reference/template.h"
#include "right.h"
#include "second_call.h"

/* Kernels ask for no greater alignment than that of a vector. */
enum { PLACE = 64 };

extern const char brief_c_in[], guarded_c_in[], heap_c_in[];

/* One program while it is written. */
typedef struct Brief {
    const ReproduceInput *input;
    const Operands *o;
    const Ref *refs;
    Symptom symptom;
    int changed; /* the input that the call changes, or -1 */
    int outside; /* the operand beside whose elements it writes, or -1 */
    int ends;    /* the exit status while the bug is there */
    BriefCall call;
    bool has_expectation;
    Expectation expectation;
    bool by_bits; /* the component is compared as the bits that it is kept as */
    bool placed;  /* operands lie where they do in the case, to a multiple of PLACE bytes */
    Text got;     /* C expression of the component */
    Text what, status, helpers, body, judge; /* parts of the program */
} Brief;

static void release(Brief *b)
{
    Text *const used[] = {&b->call.words, &b->call.head, &b->call.before, &b->call.call, &b->got,
                          &b->what,       &b->status,    &b->helpers,     &b->body,      &b->judge};
    for (size_t i = 0; i < COUNT_OF(used); i++)
        text_release(used[i]);
}

/* Finds where a component lies. */
typedef struct Search {
    const Tensor *view;
    const char *memory;
    int64_t element, at;
} Search;

static void visit_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    Search *s = context;
    int64_t components = dtype_components(s->view->dtype);
    int64_t wanted = s->element / components - first;
    int64_t size = (int64_t)dtype_component_size(s->view->dtype);
    if (wanted >= 0 && wanted < count)
        s->at = (at - s->memory) / size + wanted * stride * components + s->element % components;
}

/* Where a component lies in the memory of an output; -1 where there is none. */
static int64_t find_component(const Operands *o, int i, size_t component)
{
    Search search = {&o->view[i], (const char *)o->block[i].data, (int64_t)component, -1};
    if (operands_is_output(o, i))
        tensor_visit_runs(&o->view[i], visit_run, &search);
    return search.at;
}

/* The component of the call that is shown, of two related ones the first. */
static size_t shown_component(const ReproduceInput *input, const Operands *o)
{
    size_t worst = input->judgement->worst;
    Related related;
    double factor;
    bool two = input->c->exec.relation != RELATION_NONE && operands_is_output(o, input->output) &&
               relation_apply(input->c, &related);
    return two ? relation_image(&related, o, input->output, worst, &factor) : worst;
}

static bool is_crash(Symptom symptom)
{
    return symptom == SYMPTOM_SEGFAULT || symptom == SYMPTOM_ABORT || symptom == SYMPTOM_ARITHMETIC;
}

/* Which memory must lie against pages that must not be touched. */
static BriefMemory memory_of(const Brief *b)
{
    if (b->input->memory != BRIEF_AS_SHOWN)
        return b->input->memory;
    if (b->symptom == SYMPTOM_READS_OUTSIDE || strstr(b->input->detail, "guard page"))
        return BRIEF_OPERANDS;
    return strstr(b->input->detail, HEAP_PAGE) ? BRIEF_HEAP : BRIEF_PLAIN;
}

/* The reason why only the harness can show the finding, or NULL. */
static const char *find_obstacle(const Brief *b)
{
    const Exec *exec = &b->o->source->exec;
    if (!b->input->backend->kind->emit_brief)
        return "operands must be copied to a device and back";
    if (b->symptom == SYMPTOM_WRITES_OUTSIDE && b->outside >= 0)
        return NULL;
    if (b->symptom == SYMPTOM_WRITES_OUTSIDE)
        return "bytes beside the elements must be compared";
    if (b->symptom == SYMPTOM_INPUT_CHANGED && b->changed < 0)
        return "what is written holds the same value afterwards, which only read-only memory shows";
    if (b->symptom == SYMPTOM_ENVIRONMENT || b->symptom == SYMPTOM_LEAK ||
        b->symptom == SYMPTOM_MEMORY_ERROR || b->symptom == SYMPTOM_MEMORY ||
        b->symptom == SYMPTOM_DEATH)
        return "what is wrong shows in the process, not in a value";
    Related related;
    if (exec->relation == RELATION_THREADS)
        return "two calls with different numbers of threads take a setter of the library's own";
    if (exec->relation != RELATION_NONE && !is_crash(b->symptom))
        return relation_apply(b->input->c, &related) ? NULL : "the related call does not exist";
    if (b->symptom == SYMPTOM_VARIES || (exec->repeat > 1 && !is_crash(b->symptom)))
        return "it takes a call that is repeated";
    if (exec->illegal && !strncmp(b->input->detail, "writes", strlen("writes")))
        return "all operands must be compared after the illegal call";
    if (is_crash(b->symptom) || b->symptom == SYMPTOM_HANG || exec->illegal ||
        b->symptom == SYMPTOM_REFUSED || b->symptom == SYMPTOM_READS_OUTSIDE || b->changed >= 0)
        return NULL;
    if (!b->has_expectation)
        return "no single element has an expectation";
    if (verdict_is_finding(b->input->judgement->kind) &&
        brief_admits(&b->expectation, b->input->judgement->got))
        return "no single element shows it by itself";
    return NULL;
}

/* Appends text in lines of a comment, broken at spaces. */
static void put_comment(Text *text, const char *words)
{
    enum { COLUMNS = 97 };
    Text plain = {0};
    escape_put_c_comment(&plain, words);
    const char *rest = text_string(&plain);
    while (strlen(rest) > COLUMNS) {
        size_t length = COLUMNS;
        while (length > 0 && rest[length] != ' ')
            length--;
        if (length == 0)
            break;
        text_append(text, rest, length);
        text_put(text, "\n * ");
        rest += length + 1;
    }
    text_put(text, rest);
    text_release(&plain);
}

/* True when a text has the name as a word. */
static bool is_named(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = text; (at = strstr(at, name)); at += length) {
        bool begins = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        if (begins && !isalnum((unsigned char)at[length]) && at[length] != '_')
            return true;
    }
    return false;
}

static const char *value_format(DType dtype)
{
    static const char *const formats[DT_COUNT] = {
        [DT_F64] = "%.17g", [DT_C128] = "%.17g", [DT_I8] = "%d",   [DT_U8] = "%d",
        [DT_I32] = "%d",    [DT_BOOL] = "%d",    [DT_I64] = "%ld", [DT_I16] = "%d",
        [DT_U16] = "%d",    [DT_U32] = "%u",     [DT_U64] = "%lu"};
    return formats[dtype] ? formats[dtype] : "%.9g";
}

static void put_number(Text *text, DType dtype, double value)
{
    text_printf(text, dtype_component(dtype) == DT_F64 ? "%.17g" : "%.9g", value);
}

static void put_got(Brief *b)
{
    int i = b->input->output;
    DType dtype = b->o->view[i].dtype;
    const char *name = b->o->source->op->tensors[i];
    if (c_lacks(dtype) && !b->by_bits)
        text_printf(&b->got, "%s(%s[%lld])", decoder_name(dtype), name, (long long)b->call.at);
    else if (b->call.value == i)
        text_put(&b->got, name);
    else
        text_printf(&b->got, "%s[%lld]", name, (long long)b->call.at);
}

static void put_operand(Brief *b, int i)
{
    const Operands *o = b->o;
    const char *name = o->source->op->tensors[i], *type = c_number_type(o->view[i].dtype);
    size_t size = dtype_component_size(o->view[i].dtype);
    bool placed = b->placed && !dtype_is_integer(o->view[i].dtype);
    long long align = placed
                          ? (long long)((uintptr_t)o->block[i].data % PLACE / size)
                          : (long long)o->source->exec.align * dtype_components(o->view[i].dtype);
    BriefArray how = {b->input->exact, 0, b->call.cpp};
    Text data = {0};
    text_printf(&data, "%s_data", name);
    if (o->shared[i] >= 0)
        text_printf(&b->body, "    %s *%s = %s;\n", type, name,
                    o->source->op->tensors[o->shared[i]]);
    else if (memory_of(b) == BRIEF_OPERANDS) {
        brief_put_array(&b->body, o, i, text_string(&data), &how);
        text_printf(&b->body, b->call.cpp ? "    %s *%s = (%s *)" : "    %s *%s = ", type, name,
                    type);
        text_printf(&b->body, "guarded(%s_data, %zu);\n", name, o->block[i].bytes);
    } else if (i == b->outside) {
        how.exact = true;
        if (!brief_is_unread(o, i))
            brief_put_array(&b->body, o, i, text_string(&data), &how);
        brief_put_surrounded(&b->body, o, i, b->call.cpp);
    } else if (align || placed) {
        long long count = (long long)(o->block[i].bytes / size);
        brief_put_array(&b->body, o, i, text_string(&data), &how);
        text_printf(&b->body,
                    "    %s(%d) %s %s_storage[%lld], *%s = %s_storage + %lld;\n"
                    "    memcpy(%s, %s_data, %zu);\n",
                    b->call.cpp ? "alignas" : "_Alignas", PLACE, type, name, count + align + 1,
                    name, name, align, name, name, o->block[i].bytes);
    } else {
        how.slack = b->call.slack;
        brief_put_array(&b->body, o, i, name, &how);
    }
    text_release(&data);
}

static void put_guard(Brief *b)
{
    long long offset = (long long)b->o->source->exec.align;
    size_t size = dtype_size(b->o->view[0].dtype);
    bool at_start = b->o->source->exec.guard != 0;
    Text place = {0};
    if (at_start)
        text_printf(&place, " + page + %zu", (size_t)offset * size);
    else
        text_printf(&place, " + all - page - bytes - %zu", (size_t)offset * size);
    const TemplateValue values[] = {{"TOUCHES", at_start ? "begins behind" : "ends before", 0},
                                    {"PROTECTED", at_start ? "" : " + all - page", 0},
                                    {"PLACE", text_string(&place), 0},
                                    {"CAST", b->call.cpp ? "(char *)" : "", 0},
                                    {0}};
    template_put(&b->helpers, guarded_c_in, values);
    text_release(&place);
}

static void put_heap(Brief *b)
{
    const TemplateValue values[] = {{"LINKAGE", b->call.cpp ? "extern \"C\" " : "", 0},
                                    {"THROWS", b->call.cpp ? " noexcept" : "", 0},
                                    {"CAST", b->call.cpp ? "(char *)" : "", 0},
                                    {0}};
    template_put(&b->helpers, heap_c_in, values);
}

/* The words about the value and what main returns. */
static void put_value_judgement(Brief *b)
{
    int i = b->input->output;
    DType dtype = b->o->view[i].dtype;
    const Judgement *j = b->input->judgement;
    Text expected = {0}, condition = {0};
    if (b->by_bits)
        brief_put_bits(&b->expectation, dtype, text_string(&b->got), &expected, &condition);
    else
        brief_put_condition(&b->expectation, text_string(&b->got), j->got, &expected, &condition);
    text_printf(&b->judge, "    printf(\"got %s, expected %s\\n\", %s);\n    return !(%s);\n",
                b->by_bits ? "0x%04x" : value_format(dtype), text_string(&expected),
                text_string(&b->got), text_string(&condition));
    text_printf(&b->what, "%s is ", text_string(&b->got));
    if (b->symptom == SYMPTOM_UNWRITTEN)
        text_put(&b->what, "not written");
    else
        put_number(&b->what, dtype, j->got);
    text_printf(&b->what, ", expected %s.", text_string(&expected));
    text_release(&expected);
    text_release(&condition);
}

/* For calls that must end the program, or must not return. */
static void put_end_judgement(Brief *b)
{
    b->ends = b->symptom == SYMPTOM_HANG         ? 142
              : b->symptom == SYMPTOM_ABORT      ? 134
              : b->symptom == SYMPTOM_ARITHMETIC ? 136
                                                 : 139;
    if (b->symptom == SYMPTOM_HANG)
        text_put(&b->what, "the call does not return.");
    else
        text_printf(&b->what, "the call %s%s.", is_crash(b->symptom) ? "ends with " : "",
                    b->input->detail);
    text_put(&b->judge, "    printf(\"the call returned\\n\");\n    return 0;\n");
}

static void put_report_judgement(Brief *b)
{
    long long illegal = (long long)b->o->source->exec.illegal;
    if (b->call.reports) {
        const char *name = b->o->source->op->tensors[b->call.value];
        text_printf(&b->judge,
                    "    printf(\"%s is %%d, expected %lld\\n\", %s);\n    return %s != %lld;\n",
                    name, -illegal, name, name, -illegal);
    } else {
        handlers_put(&b->helpers, &b->input->backend->facts);
        text_put(&b->helpers, "\n");
        text_printf(&b->judge,
                    "    printf(\"reported argument %%d, expected %lld\\n\", reported);\n"
                    "    return reported != %lld;\n",
                    illegal, illegal);
    }
    if (illegal)
        text_printf(&b->what, "argument %lld is illegal, reported is %d (0: none).", illegal,
                    (int)b->input->judgement->got);
    else
        text_put(&b->what, "legal arguments are refused.");
}

static void put_change_judgement(Brief *b)
{
    const char *name = b->o->source->op->tensors[b->changed];
    size_t bytes = b->o->block[b->changed].bytes;
    text_printf(&b->body, "    char before[%zu];\n    memcpy(before, %s, %zu);\n", bytes, name,
                bytes);
    text_printf(&b->judge,
                "    printf(\"%s is %%s\\n\", memcmp(%s, before, %zu) ? \"changed\" : \"as "
                "before\");\n    return memcmp(%s, before, %zu) != 0;\n",
                name, name, bytes, name, bytes);
    text_printf(&b->what, "the input %s is changed.", name);
}

static void put_outside_judgement(Brief *b)
{
    brief_put_surroundings_check(&b->judge, b->o, b->outside);
    text_printf(&b->what, "memory outside the elements of %s is written.",
                b->o->source->op->tensors[b->outside]);
}

/* Whether the program asks which argument the library said is illegal. */
static bool is_about_report(const Brief *b)
{
    return b->o->source->exec.illegal || (b->symptom == SYMPTOM_REFUSED && !b->call.refuses);
}

static void put_judgement(Brief *b)
{
    if (is_crash(b->symptom) || b->symptom == SYMPTOM_HANG || b->symptom == SYMPTOM_READS_OUTSIDE)
        put_end_judgement(b);
    else if (is_about_report(b))
        put_report_judgement(b);
    else if (b->symptom == SYMPTOM_REFUSED) {
        text_put(&b->what, "legal arguments are refused.");
        text_put(&b->judge, "    return 0;\n");
        b->ends = b->call.cpp ? 134 : 2;
    } else if (b->changed >= 0)
        put_change_judgement(b);
    else if (b->outside >= 0)
        put_outside_judgement(b);
    else
        put_value_judgement(b);
    text_printf(&b->status, "exit status: %d while the bug is there, 0 when it is gone", b->ends);
}

static void put_call(Brief *b)
{
    int value = b->call.value;
    text_put(&b->body, text_string(&b->call.before));
    text_put(&b->body, "    ");
    if (b->call.reports && (value == b->input->output || is_about_report(b)))
        text_printf(&b->body, "%s %s = ", c_number_type(b->o->view[value].dtype),
                    b->o->source->op->tensors[value]);
    text_printf(&b->body, "%s\n", text_string(&b->call.call));
}

/* What a right call leaves in place of the call. */
static void put_right_call(Brief *b)
{
    int i = b->input->output;
    const char *name = b->o->source->op->tensors[i];
    if (b->call.reports && is_about_report(b)) {
        text_printf(&b->body, "    int %s = %lld;\n", b->o->source->op->tensors[b->call.value],
                    -(long long)b->o->source->exec.illegal);
    } else if (b->o->source->exec.illegal) {
        text_printf(&b->body, "    reported = %lld;\n", (long long)b->o->source->exec.illegal);
    } else if (b->has_expectation && b->ends == 1 && b->changed < 0 && b->outside < 0) {
        if (b->call.value == i)
            text_printf(&b->body, "    %s %s = ", c_number_type(b->o->view[i].dtype), name);
        else
            text_printf(&b->body, "    %s[%lld] = ", name, (long long)b->call.at);
        right_put_component(&b->body, &b->refs[i], b->input->judgement->worst);
        text_put(&b->body, ";\n");
    }
}

/* Appends the operands that the call or the judgement names. */
static void put_operands(Brief *b, bool judged)
{
    const Operands *o = b->o;
    const char *call = text_string(&b->call.call);
    Text before = b->body;
    b->body = (Text){0};
    for (int i = 0; !b->call.alone && i < o->shapes.count; i++) {
        const char *name = o->source->op->tensors[i];
        if (i != b->call.value &&
            (is_named(call, name) || (judged && is_named(text_string(&b->got), name))))
            put_operand(b, i);
    }
    Text operands = b->body;
    b->body = before;
    brief_join_arrays(&b->body, text_string(&operands));
    text_release(&operands);
}

/* Appends lines, each with an indentation more. */
static void put_indented(Text *text, const char *lines)
{
    while (*lines) {
        size_t length = strcspn(lines, "\n");
        length += lines[length] == '\n';
        text_put(text, "    ");
        text_append(text, lines, length);
        lines += length;
    }
}

/* One of two related calls in a block of its own, whose component becomes the variable. */
static void put_block(Brief *b, const char *variable, double right)
{
    int i = b->input->output;
    Text before = b->body;
    b->body = (Text){0};
    put_operands(b, true);
    if (!b->input->right) {
        put_call(b);
        text_printf(&b->body, "    %s = %s;\n", variable, text_string(&b->got));
    } else {
        for (int k = 0; !b->call.alone && k < b->o->shapes.count; k++) {
            const char *operand = b->o->source->op->tensors[k];
            if (k != b->call.value && (is_named(text_string(&b->call.call), operand) || k == i))
                text_printf(&b->body, "    (void)%s;\n", operand);
        }
        text_printf(&b->body, "    %s = ", variable);
        c_put_number(&b->body, DT_F64, right);
        text_put(&b->body, ";\n");
    }
    Text block = b->body;
    b->body = before;
    text_put(&b->body, "    {\n");
    put_indented(&b->body, text_string(&block));
    text_put(&b->body, "    }\n");
    text_release(&block);
}

/* The words about two calls, of which the second must give factor times what the first gives. */
static void put_related_judgement(Brief *b, const Brief *second, const SecondCall *call)
{
    const Judgement *j = b->input->judgement;
    const AnswerWords words = second_call_words(j);
    Text times = {0};
    if (call->factor != 1)
        text_printf(&times, "%.9g * ", call->factor);
    const char *before = words.before[0] ? "(" : "", *behind = words.before[0] ? ")" : "";
    text_printf(&b->judge,
                "    printf(\"got %%.17g, expected %%.17g\\n\", second, %sfirst);\n"
                "    return !(%s%ssecond%s%s == %s%s%sfirst%s%s);\n",
                text_string(&times), before, words.before, words.behind, behind, before,
                words.before, text_string(&times), words.behind, behind);
    text_printf(&b->what, "two calls must %s; %s is ",
                call->related.same_answer ? "give the same answer" : "agree to the bit",
                text_string(&second->got));
    put_number(&b->what, b->o->view[b->input->output].dtype, j->got);
    text_put(&b->what, " in the second, expected ");
    put_number(&b->what, b->o->view[b->input->output].dtype, j->expected_high);
    text_put(&b->what, ".");
    text_release(&times);
}

/* Two calls, the second with the related case. */
static void put_related_body(Brief *b)
{
    SecondCall call;
    size_t worst = b->input->judgement->worst;
    if (!second_call_begin(&call, b->input, b->o, b->refs))
        BUG("a related case has no relation");
    Brief second = {.input = b->input,
                    .o = &call.o,
                    .refs = b->refs,
                    .changed = -1,
                    .outside = -1,
                    .placed = b->placed,
                    .call = {.value = -1, .may_be_cpp = b->call.cpp}};
    second.call.at = find_component(&call.o, b->input->output, worst);
    b->input->backend->kind->emit_brief(b->input->backend, &call.o, &second.call);
    put_got(&second);
    if (c_lacks(call.o.view[b->input->output].dtype))
        decoder_put(&b->helpers, call.o.view[b->input->output].dtype);
    text_put(&b->body, "    double first, second;\n");
    put_block(b, "first", 1);
    put_block(&second, "second", call.factor);
    put_related_judgement(b, &second, &call);
    text_printf(&b->body, "%s%s", text_string(&second.body), text_string(&b->judge));
    release(&second);
    second_call_end(&call);
}

static void put_body(Brief *b)
{
    const Operands *o = b->o;
    bool judged = !is_crash(b->symptom) && b->symptom != SYMPTOM_HANG && b->outside < 0;
    put_operands(b, judged);
    if (memory_of(b) == BRIEF_OPERANDS && !b->call.alone)
        put_guard(b);
    if (memory_of(b) == BRIEF_HEAP)
        put_heap(b);
    if (!b->call.alone && c_lacks(o->view[b->input->output].dtype) && judged && !b->by_bits)
        decoder_put(&b->helpers, o->view[b->input->output].dtype);
    put_judgement(b);
    if (b->symptom == SYMPTOM_HANG)
        text_put(&b->body, "    alarm(10);\n");
    if (b->input->right)
        put_right_call(b);
    else
        put_call(b);
    text_put(&b->body, text_string(&b->judge));
}

/* True when the source has one of the names, which have spaces between. */
static bool names_any(const char *source, const char *names)
{
    for (size_t length; *names; names += length + (names[length] == ' ')) {
        char name[32];
        length = strcspn(names, " ");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, names);
        if (is_named(source, name))
            return true;
    }
    return false;
}

/* Appends the headers of what the source names. */
static void put_includes(Text *includes, const char *header, const char *source)
{
    static const struct {
        const char *header, *names;
    } rows[] = {{"algorithm", "fill_n"},
                {"math.h", "NAN INFINITY fabs isnan signbit isfinite ldexp"},
                {"stdio.h", "printf"},
                {"stdlib.h", "exit malloc posix_memalign free"},
                {"string.h", "memcpy memcmp memset"},
                {"sys/mman.h", "mmap"},
                {"unistd.h", "alarm sysconf"}};
    if (header)
        text_printf(includes, "#include <%s>\n", header);
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (names_any(source, rows[i].names))
            text_printf(includes, "#include <%s>\n", rows[i].header);
}

static void put_program(ReproduceProgram *written, Brief *b)
{
    const BackendFacts *facts = &b->input->backend->facts;
    Text what = {0}, all = {0}, includes = {0}, program = {0}, build = {0};
    text_printf(&what, "%s of %s%s%s%s%s: %s", b->call.function, b->input->backend->kind->name,
                facts->version[0] ? " " : "", facts->version, facts->core[0] ? ", core " : "",
                facts->core, text_string(&b->what));
    Text comment = {0};
    put_comment(&comment, text_string(&what));
    build_line_put(&build, b->input, &b->call.words, b->call.cpp);
    text_printf(&all, "%s%s%s", text_string(&b->call.head), text_string(&b->helpers),
                text_string(&b->body));
    put_includes(&includes, b->call.header, text_string(&all));
    text_put(&b->call.head, "\n");
    const TemplateValue values[] = {
        {"WHAT", text_string(&comment), 0},      {"BUILD", text_string(&build), 0},
        {"STATUS", text_string(&b->status), 0},  {"INCLUDES", text_string(&includes), 0},
        {"HEAD", text_string(&b->call.head), 0}, {"HELPERS", text_string(&b->helpers), 0},
        {"BODY", text_string(&b->body), 0},      {0}};
    template_put(&program, brief_c_in, values);
    text_put(&program, "\n");
    brief_put_wrapped(&written->source, text_string(&program));
    text_put(&written->command, text_string(&build));
    Text *const used[] = {&what, &all, &includes, &program, &build, &comment};
    for (size_t i = 0; i < COUNT_OF(used); i++)
        text_release(used[i]);
}

/* The operand that a detail names behind a colon, or -1. */
static int named_operand(const Operands *o, const char *detail)
{
    const char *colon = strstr(detail, ": ");
    for (int i = 0; colon && i < o->shapes.count; i++)
        if (!strcmp(o->source->op->tensors[i], colon + 2))
            return i;
    return -1;
}

bool brief_write(ReproduceProgram *program, const ReproduceInput *input, const Operands *o,
                 const Ref *refs)
{
    Brief b = {.input = input,
               .o = o,
               .refs = refs,
               .changed = -1,
               .outside = -1,
               .ends = 1,
               .call = {.value = -1}};
    const Model *model = input->backend->kind->promise.models;
    b.symptom = symptom_of(input->judgement, input->detail);
    b.call.at = find_component(o, input->output, shown_component(input, o));
    b.placed = input->c->exec.relation == RELATION_MOVED;
    if (b.symptom == SYMPTOM_INPUT_CHANGED && !input->locked)
        b.changed = named_operand(o, input->detail);
    int named = named_operand(o, input->detail);
    if (b.symptom == SYMPTOM_WRITES_OUTSIDE && named >= 0 && brief_can_surround(o, named))
        b.outside = named;
    if (b.call.at >= 0 && input->judgement->worst < refs[input->output].count) {
        BoundRule rule = bound_rule(&refs[input->output], model);
        b.has_expectation = expectation_of(&refs[input->output], &rule, model,
                                           input->judgement->worst, &b.expectation);
    }
    const char *obstacle = find_obstacle(&b);
    b.call.may_be_cpp = !input->in_c;
    if (!obstacle) {
        input->backend->kind->emit_brief(input->backend, o, &b.call);
        obstacle = b.call.obstacle;
    }
    if (obstacle) {
        text_put(&program->why, obstacle);
        release(&b);
        return false;
    }
    bool related = input->c->exec.relation != RELATION_NONE && !is_crash(b.symptom);
    b.by_bits = !related && b.has_expectation &&
                brief_has_bits(&b.expectation, o->view[input->output].dtype);
    put_got(&b);
    if (related) {
        put_related_body(&b);
        text_printf(&b.status, "exit status: %d while the bug is there, 0 when it is gone", b.ends);
    } else {
        put_body(&b);
    }
    put_program(program, &b);
    text_put(&program->function, b.call.function);
    program->status = b.ends;
    program->in_cpp = b.call.cpp;
    release(&b);
    return true;
}
