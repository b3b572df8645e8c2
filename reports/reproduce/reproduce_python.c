/* Describes a finding in JSON for ops/backend/framework/python/opconform_worker/brief.py, which
 * writes the program. */
#include "reproduce_python.h"

#include <inttypes.h>

#include "expectation.h"
#include "ops/backend/process/request.h"
#include "ops/case/illegal.h"
#include "oracle/symptom.h"
#include "reference/escape.h"
#include "reports/json.h"
#include "reports/symptom_words.h"
#include "right.h"
#include "second_call.h"

static void put_numbers(Text *json, const char *name, const int64_t *values, int count,
                        int64_t factor)
{
    json_put_name(json, name);
    text_put(json, "[");
    for (int i = 0; i < count; i++)
        text_printf(json, "%s%" PRId64, i ? ", " : "", values[i] * factor);
    text_printf(json, "]");
}

/* The bytes of an input's memory in hexadecimal, with the offset and the strides of its elements.
 */
static void put_bytes(Text *json, const Operands *o, int i)
{
    const Tensor *view = &o->view[i];
    const unsigned char *data = (const unsigned char *)o->block[i].data;
    json_put_integer(json, "offset", (const unsigned char *)view->origin - data);
    put_numbers(json, "strides", view->stride, view->rank, (int64_t)dtype_size(view->dtype));
    json_put_name(json, "bytes");
    text_put(json, "\"");
    for (size_t at = 0; at < o->block[i].bytes; at++)
        text_printf(json, "%02x", data[at]);
    text_printf(json, "\"");
}

/* Appends what is expected of a component, behind a comma where it is not the first. */
static void put_row(Text *json, const Ref *ref, const BoundRule *rule, const Model *model, size_t i)
{
    Expectation e;
    if (expectation_of(ref, rule, model, i, &e))
        text_printf(json, "%s[%zu, \"%a\", \"%a\", \"%a\", %u, %d]",
                    json->data[json->length - 1] == '[' ? "" : ", ", i, e.high, e.low, e.bound,
                    e.classes, e.exact);
}

/* The component that the finding shows comes first, so that a brief program shows the same. */
static void put_rows(Text *json, const Ref *ref, const ReproduceInput *input, int output)
{
    const Model *model = input->backend->kind->promise.models;
    BoundRule rule = bound_rule(ref, model);
    size_t worst = output == input->output ? input->judgement->worst : 0;
    size_t first = expectation_first(ref, worst);
    json_put_name(json, "rows");
    text_put(json, "[");
    if (worst < ref->count)
        put_row(json, ref, &rule, model, worst);
    for (size_t i = first; i < ref->count && i < first + EXPECTATIONS_MAX; i++)
        if (i != worst)
            put_row(json, ref, &rule, model, i);
    text_printf(json, "]");
}

bool reproduce_is_given(const ReproduceInput *input)
{
    return input->c->op->only_by_residual ||
           (input->c->op->judged_by_residual && input->backend->kind->script);
}

/* The bytes of the elements in hexadecimal, in the order of their indices. */
static void put_given(Text *json, const Tensor *view)
{
    size_t size = dtype_size(view->dtype);
    json_put_name(json, "given");
    text_put(json, "\"");
    for (int64_t i = 0; i < tensor_count(view); i++) {
        const unsigned char *at =
            (const unsigned char *)view->origin + tensor_offset_of(view, i) * (int64_t)size;
        for (size_t byte = 0; byte < size; byte++)
            text_printf(json, "%02x", at[byte]);
    }
    text_printf(json, "\"");
}

/* What an operand of any call has; its role is returned. */
static int put_operand_head(Text *json, const Operands *o, int i)
{
    const Tensor *view = &o->view[i];
    int role = operands_is_output(o, i) ? 1 : o->shapes.tensor[i].ignored ? 2 : 0;
    json_put_member(json, "name", o->source->op->tensors[i]);
    json_put_member(json, "dtype", dtype_name(view->dtype));
    json_put_integer(json, "role", role);
    put_numbers(json, "shape", view->extent, view->rank, 1);
    if (role == 0)
        put_bytes(json, o, i);
    return role;
}

static void put_operand(Text *json, const ReproduceInput *input, const Operands *o, const Ref *refs,
                        const Ref *right, int i)
{
    const Tensor *view = &o->view[i];
    text_printf(json, "%s{", i ? ", " : "");
    int role = put_operand_head(json, o, i);
    if (role == 1) {
        put_rows(json, &refs[i], input, i);
        json_put_name(json, "right");
        text_put(json, "\"");
        right_put_bytes(json, right ? &right[i] : &refs[i]);
        text_put(json, "\"");
    }
    if (role == 1 && reproduce_is_given(input) && !input->c->op->random)
        put_given(json, view);
    text_printf(json, "}");
}

/* The second of two related calls, and which of its numbers follows from which of the first. */
static bool put_second(Text *json, const ReproduceInput *input, const Operands *o, const Ref *refs,
                       const Bindings *rows, Text *error)
{
    SecondCall second;
    Text line = {0};
    const Judgement *j = input->judgement;
    if (!second_call_is_asked(input) || !second_call_begin(&second, input, o, refs))
        return true;
    bool asked = request_put(rows, &second.related.c, NULL, &line, error);
    json_put_name(json, "second");
    text_put(json, "{");
    json_put_member(json, "call", text_string(&line));
    json_put_member(json, "output", o->source->op->tensors[input->output]);
    json_put_integer(json, "component", (long long)j->worst);
    json_put_integer(json, "image", (long long)second.image);
    const double values[] = {second.factor, j->expected_high, j->got};
    static const char *const names[] = {"factor", "expected", "got"};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        json_put_name(json, names[i]);
        text_printf(json, "\"%a\"", values[i]);
    }
    json_put_name(json, "operands");
    text_put(json, "[");
    for (int i = 0; i < second.o.shapes.count; i++) {
        text_put(json, i ? ", {" : "{");
        if (put_operand_head(json, &second.o, i) == 1)
            text_put(json, ", \"rows\": []");
        text_put(json, "}");
    }
    text_put(json, "]}");
    text_release(&line);
    second_call_end(&second);
    return asked;
}

/* The answer is three lines, which say why it is the harness, that it does not tell, and the
 * function that is called, or are empty; and the program. */
static void read_answer(ReproduceProgram *program, const char *answer)
{
    Text *const lines[] = {&program->why, &program->check, &program->function};
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        size_t length = strcspn(answer, "\n");
        text_append(lines[i], answer, length);
        answer += length + (answer[length] == '\n');
    }
    text_put(&program->source, answer);
}

/* What is wrong, in words; the signature where nothing is at present. */
static void put_title(Text *title, const ReproduceInput *input)
{
    Text words = {0};
    Symptom symptom = symptom_of(input->judgement, input->detail);
    if (symptom == SYMPTOM_NONE)
        text_put(&words, input->title);
    else if (input->c->op->source)
        text_put(&words, "The compiled function does not do what the function does.");
    else if (input->c->op->random && input->detail[0])
        text_printf(&words, "%s in %s: %s.", input->c->op->name, dtype_name(case_dtype(input->c)),
                    input->detail);
    else
        text_printf(&words, "%s in %s %s.", input->c->op->name, dtype_name(case_dtype(input->c)),
                    symptom_phrase(symptom));
    escape_put_line(title, text_string(&words));
    text_release(&words);
}

/* What all draws together show, by the words of the judge, and of which output. */
static void put_flaw(Text *json, const ReproduceInput *input)
{
    const Judgement *j = input->judgement;
    bool of_all = j->kind == VERDICT_DIVERGE && input->detail[0];
    json_put_name(json, "flaw");
    text_put(json, "{");
    json_put_member(json, "what", of_all ? input->detail : "");
    json_put_member(json, "operand", input->c->op->tensors[input->output]);
    const double values[] = {j->expected_high, j->got, j->bound};
    static const char *const names[] = {"expected", "found", "bound"};
    for (size_t i = 0; i < COUNT_OF(values); i++) {
        json_put_name(json, names[i]);
        text_printf(json, "\"%a\"", of_all ? values[i] : 0);
    }
    text_put(json, "}");
}

bool reproduce_script(ReproduceProgram *program, const ReproduceInput *input, const Operands *o,
                      const Ref *refs, const Ref *right, Text *error)
{
    const BackendFacts *facts = &input->backend->facts;
    Text json = {0}, line = {0}, library = {0};
    Illegal illegal;
    bool is_illegal = input->c->exec.illegal && illegal_make(input->c, &o->shapes, &illegal);
    case_print(input->c, &line);
    Text title = {0}, facts_of_library = {0};
    text_printf(&facts_of_library, "%s %s", facts->build, facts->version);
    escape_put_line(&library, text_string(&facts_of_library));
    put_title(&title, input);
    text_printf(&json, "{");
    json_put_member(&json, "title", text_string(&title));
    text_release(&title);
    text_release(&facts_of_library);
    json_put_member(&json, "case", text_string(&line));
    text_clear(&line);
    const Backend *backend = input->backend;
    const Bindings *rows = backend->kind->python_rows ? backend->kind->python_rows(backend) : NULL;
    bool asked = request_put(rows, is_illegal ? &illegal.altered : input->c,
                             is_illegal ? &illegal : NULL, &line, error);
    json_put_member(&json, "call", text_string(&line));
    json_put_member(&json, "illegal", is_illegal ? illegal.name : "");
    json_put_integer(&json, "stray", is_illegal && illegal.is_stray);
    json_put_member(&json, "library", text_string(&library));
    Text file = {0};
    text_printf(&file, "%s.py", input->name);
    json_put_member(&json, "file", text_string(&file));
    text_release(&file);
    json_put_integer(&json, "brief", !input->harness);
    json_put_integer(&json, "right", input->right);
    json_put_integer(&json, "finding", verdict_is_finding(input->judgement->kind));
    json_put_integer(&json, "repeat", input->c->exec.repeat);
    json_put_integer(&json, "random", input->c->op->random);
    if (right)
        put_flaw(&json, input);
    asked = asked && put_second(&json, input, o, refs, rows, error);
    json_put_name(&json, "operands");
    text_put(&json, "[");
    Operands called = *o;
    if (is_illegal && illegal.reshaped >= 0) {
        Tensor *view = &called.view[illegal.reshaped];
        illegal_reshape(&illegal, &view->rank, view->extent, view->stride);
    }
    for (int i = 0; i < o->shapes.count; i++)
        put_operand(&json, input, &called, refs, right, i);
    text_printf(&json, "]}\n");
    Text answer = {0};
    bool ok = asked && input->backend->kind->script(input->backend, o, &json, &answer, error);
    if (ok)
        read_answer(program, text_string(&answer));
    text_release(&answer);
    text_release(&json);
    text_release(&line);
    text_release(&library);
    return ok;
}
