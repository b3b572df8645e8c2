/* Conditions of planted faults: those of a case, and what only a call has. */
#include "when.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ops/case/comparison.h"
#include "ops/case/condition.h"

enum { ONE_BYTES = 2 * COMPARISON_BYTES };

/* Takes the next of a list of conditions; false at its end. */
static bool next_condition(const char **list, char one[ONE_BYTES])
{
    size_t length = strcspn(*list, ",");
    if (length == 0)
        return false;
    (void)snprintf(one, ONE_BYTES, "%.*s", (int)length, *list);
    *list += length + ((*list)[length] == ',');
    return true;
}

static bool is_nan(double value, double before, const Format *format)
{
    (void)before;
    (void)format;
    return isnan(value);
}

static bool is_infinite(double value, double before, const Format *format)
{
    (void)before;
    (void)format;
    return isinf(value);
}

static bool is_zero(double value, double before, const Format *format)
{
    (void)before;
    (void)format;
    return value == 0;
}

static bool is_minus_zero(double value, double before, const Format *format)
{
    (void)before;
    (void)format;
    return value == 0 && signbit(value);
}

static bool is_subnormal(double value, double before, const Format *format)
{
    (void)before;
    return value != 0 && fabs(value) < format->smallest_normal;
}

static bool is_huge(double value, double before, const Format *format)
{
    (void)before;
    return isfinite(value) && fabs(value) > sqrt(format->largest);
}

static bool is_negative(double value, double before, const Format *format)
{
    (void)before;
    (void)format;
    return value < 0;
}

static bool is_least(double value, double before, const Format *format)
{
    (void)before;
    return value != 0 && value <= -format->largest;
}

static bool is_tie(double value, double before, const Format *format)
{
    (void)format;
    return value == before;
}

/* What one element of an operand can be; before is the one in front of it, NaN for the first. */
static const struct Fact {
    const char *name;
    bool (*holds)(double value, double before, const Format *format);
} planted_facts[] = {
    {"nan", is_nan},           {"inf", is_infinite},        {"zero", is_zero},
    {"-0", is_minus_zero},     {"subnormal", is_subnormal}, {"huge", is_huge},
    {"negative", is_negative}, {"least", is_least},         {"tie", is_tie},
};

typedef struct Scan {
    const struct Fact *fact;
    DType dtype;
    double before;
    bool found;
} Scan;

static void scan_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    Scan *scan = context;
    int components = dtype_components(scan->dtype);
    (void)first;
    for (int64_t i = 0; i < count && !scan->found; i++)
        for (int part = 0; part < components; part++) {
            double value = dtype_load(scan->dtype, at, i * stride * components + part);
            scan->found |= scan->fact->holds(value, scan->before, dtype_format(scan->dtype));
            scan->before = part == 0 ? value : scan->before;
        }
}

static bool operand_has(const Tensor *operand, const struct Fact *fact)
{
    Scan scan = {fact, operand->dtype, NAN, false};
    tensor_visit_runs(operand, scan_run, &scan);
    return scan.found;
}

/* Calls visit with the place in the operator of each name of a list with dots between. */
static bool all_places(const char *list, const OpDesc *op, bool operands, int places[], int most)
{
    int count = 0;
    while (*list && count < most) {
        char name[COMPARISON_BYTES];
        size_t length = strcspn(list, ".");
        (void)snprintf(name, sizeof name, "%.*s", (int)length, list);
        const Param *param = op_param(op, name, length);
        places[count] = operands ? op_operand(op, name) : param ? (int)(param - op->params) : -1;
        if (places[count++] < 0)
            return false;
        list += length + (list[length] == '.');
    }
    places[count] = -1;
    return count >= 2;
}

static bool are_equal(const Comparison *q, const Case *c)
{
    int places[OP_PARAMS_MAX];
    if (!all_places(q->words, c->op, false, places, OP_PARAMS_MAX - 1))
        return false;
    const void *values = c->params;
    int64_t first = *param_integer(&c->op->params[places[0]], (void *)(uintptr_t)values);
    for (int i = 1; places[i] >= 0; i++)
        if (*param_integer(&c->op->params[places[i]], (void *)(uintptr_t)values) != first)
            return false;
    return true;
}

static bool are_same(const Comparison *q, const PlantedCall *call)
{
    int places[OP_TENSORS_MAX];
    if (!all_places(q->words, call->operands->source->op, true, places, OP_TENSORS_MAX - 1))
        return false;
    const GuardBlock *block = call->operands->block;
    for (int i = 1; places[i] >= 0; i++)
        if (block[places[i]].data != block[places[0]].data || block[places[i]].bytes == 0)
            return false;
    return true;
}

static bool has_statement(const Comparison *q, const Case *c)
{
    const Param *param = op_code(c->op);
    const Code *code = param ? param_code(param, (void *)(uintptr_t)c->params) : NULL;
    for (int64_t i = 0; code && i < code->count; i++)
        if (comparison_admits_word(q, param->names[code->statements[i].name]))
            return true;
    return false;
}

/* A number that a call has; operand is -1 where the name has none behind a dot. */
typedef enum Subject {
    SUBJECT_NONE,
    SUBJECT_EQUAL,
    SUBJECT_SAME,
    SUBJECT_LEAD,
    SUBJECT_ADDRESS,
    SUBJECT_COUNT,
    SUBJECT_WORK,
    SUBJECT_CALLS,
    SUBJECT_CALL,
    SUBJECT_HAS,
    SUBJECT_CODE
} Subject;

static const struct Name {
    const char *name;
    Subject subject;
    bool operand, of_case; /* behind the name stands an operand; the case alone decides */
} names[] = {
    {"equal", SUBJECT_EQUAL, false, true},  {"same", SUBJECT_SAME, false, false},
    {"lead", SUBJECT_LEAD, true, false},    {"address", SUBJECT_ADDRESS, true, false},
    {"count", SUBJECT_COUNT, true, false},  {"work", SUBJECT_WORK, false, true},
    {"calls", SUBJECT_CALLS, false, false}, {"call", SUBJECT_CALL, false, false},
    {"has", SUBJECT_HAS, true, false},      {"code", SUBJECT_CODE, false, true},
};

/* The name that a comparison begins with, if it is one of a call's; *operand is its place. */
static const struct Name *find_name(const Comparison *q, const OpDesc *op, int *operand)
{
    size_t length = strcspn(q->name, ".");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        bool matches = strlen(names[i].name) == length && !strncmp(names[i].name, q->name, length);
        if (!matches || names[i].operand != (q->name[length] == '.'))
            continue;
        *operand = names[i].operand ? op_operand(op, q->name + length + 1) : -1;
        return names[i].operand && *operand < 0 ? NULL : &names[i];
    }
    return NULL;
}

static bool has_fact(const Comparison *q, const Tensor *operand)
{
    bool any = false;
    for (size_t i = 0; i < COUNT_OF(planted_facts); i++)
        any = any || (comparison_admits_word(q, planted_facts[i].name) != q->unequal &&
                      operand_has(operand, &planted_facts[i]));
    return any != q->unequal;
}

static bool call_meets(const Comparison *q, const struct Name *name, int operand,
                       const PlantedCall *call)
{
    const Operands *o = call->operands;
    double number = 0;
    switch (name->subject) {
    case SUBJECT_EQUAL:
        return are_equal(q, o->source) != q->unequal;
    case SUBJECT_SAME:
        return are_same(q, call) != q->unequal;
    case SUBJECT_CODE:
        return has_statement(q, o->source);
    case SUBJECT_HAS:
        return !o->shapes.tensor[operand].ignored && has_fact(q, &call->view[operand]);
    case SUBJECT_LEAD:
        number = (double)o->shapes.tensor[operand].leading;
        break;
    case SUBJECT_ADDRESS:
        number = (double)(uintptr_t)o->block[operand].data;
        break;
    case SUBJECT_COUNT:
        number = (double)tensor_count(&o->view[operand]);
        break;
    case SUBJECT_WORK:
        number = case_work(o->source);
        break;
    case SUBJECT_CALLS:
        number = (double)call->number;
        break;
    default:
        number = o->call;
    }
    return comparison_admits_number(q, o->source, number);
}

static bool case_meets(const char *one, const Case *c)
{
    Text why = {0};
    int held;
    bool holds = conditions_hold(one, c, NULL, &held, &why);
    text_release(&why);
    return holds;
}

/* Asks of a call, or of its case alone where call is NULL. */
static bool ask(const char *when, const Case *c, const PlantedCall *call)
{
    char one[ONE_BYTES];
    while (next_condition(&when, one)) {
        Text error = {0};
        Comparison q;
        int operand = -1;
        bool compares = strchr(one, '=') && comparison_read(&q, one, &error);
        text_release(&error);
        const struct Name *name = compares ? find_name(&q, c->op, &operand) : NULL;
        const PlantedCall alone = {.operands = &(Operands){.source = c}};
        if (!name ? !case_meets(one, c)
                  : (call || name->of_case) && !call_meets(&q, name, operand, call ? call : &alone))
            return false;
    }
    return true;
}

bool when_holds(const char *when, const PlantedCall *call)
{
    return ask(when, call->operands->source, call);
}

bool when_may_hold(const char *when, const Case *c)
{
    return ask(when, c, NULL);
}

bool when_counts_calls(const char *when)
{
    const char *at = strstr(when, "call");
    return at && (at == when || at[-1] == ',');
}

/* The words of the few names whose words are no numbers. */
static bool words_fit(const Comparison *q, Subject subject, const OpDesc *op)
{
    int places[OP_PARAMS_MAX];
    if (subject == SUBJECT_EQUAL || subject == SUBJECT_SAME)
        return all_places(q->words, op, subject == SUBJECT_SAME, places, OP_PARAMS_MAX - 1);
    bool known = subject != SUBJECT_HAS && subject != SUBJECT_CODE;
    for (size_t i = 0; subject == SUBJECT_HAS && i < COUNT_OF(planted_facts); i++)
        known = known || comparison_admits_word(q, planted_facts[i].name) != q->unequal;
    const Param *code = op_code(op);
    for (int i = 0; subject == SUBJECT_CODE && code && code->names[i]; i++)
        known = known || comparison_admits_word(q, code->names[i]);
    return known;
}

bool when_fits(const char *when, const OpDesc *op, Text *error)
{
    char one[ONE_BYTES];
    while (next_condition(&when, one)) {
        Comparison q;
        int operand = -1;
        bool compares = strchr(one, '=') && comparison_read(&q, one, error);
        const struct Name *name = compares ? find_name(&q, op, &operand) : NULL;
        if (!name && !conditions_fit(one, op, error))
            return false;
        if (name && !words_fit(&q, name->subject, op)) {
            text_printf(error, "'%s' asks for what calls of %s never have", one, op->name);
            return false;
        }
    }
    return true;
}
