/* Whether bytes are a case is found in a child, which prints its line: what is none ends the child
 * only. */
#include "untrusted.h"

#include <string.h>
#include <unistd.h>

#include "reference/child.h"
#include "reference/escape.h"

static int backend_count(const char *const *backends)
{
    int count = 0;
    while (backends[count])
        count++;
    return count;
}

bool untrusted_operator(const OpDesc *op)
{
    for (int i = 0; op_registry[i]; i++)
        if (op_registry[i] == op)
            return true;
    return false;
}

void untrusted_text(char *text, size_t size)
{
    text[size - 1] = '\0';
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == '\x7f')
            *text = '?';
}

typedef struct Described {
    const Case *c;
    const char *model, *reading;
} Described;

/* Writes the line, and the names of the model and of the reading, a line each. */
static int describe_child(const void *context, int to)
{
    const Described *described = context;
    Text text = {0};
    case_print(described->c, &text);
    text_printf(&text, "\n%s\n%s", described->model ? described->model : "",
                described->reading ? described->reading : "");
    return write(to, text_string(&text), text.length) == (ssize_t)text.length ? 0 : 1;
}

/* The name of a model or a reading, kept as long as the program lives; NULL where it is none. */
static const char *keep_name(const char *name)
{
    enum { NAMES = BOX_BACKENDS_MAX * BOX_MODELS_MAX };
    static char kept[NAMES][MODEL_NAME_BYTES];
    size_t length = 0;
    while (name[length] >= ' ' && name[length] <= '~')
        length++;
    for (int i = 0; policies[i].name; i++)
        if (!strcmp(policies[i].name, name))
            return policies[i].name;
    if (length == 0 || length >= MODEL_NAME_BYTES || name[length])
        return NULL;
    int i = 0;
    while (i < NAMES && kept[i][0] && strcmp(kept[i], name) != 0)
        i++;
    if (i == NAMES)
        return NULL;
    memcpy(kept[i], name, length + 1);
    return kept[i];
}

/* Says in quotes what a field holds, as far as there is room. */
static void quote(Text *why, const char *bytes)
{
    char shown[UNTRUSTED_SHOWN + 1];
    size_t length = strlen(bytes), some = length < UNTRUSTED_SHOWN ? length : UNTRUSTED_SHOWN;
    memcpy(shown, bytes, some);
    shown[some] = '\0';
    text_put(why, "'");
    escape_put_line(why, shown);
    text_put(why, "'");
    if (length > some)
        text_printf(why, " and %zu bytes more", length - some);
}

/* Puts the case that these lines give back in its place, and the names in *j likewise. */
static bool take_lines(char *lines, Case *c, Judgement *j, Text *why)
{
    Text error = {0};
    Case parsed;
    const char *line = strsep(&lines, "\n"), *model = lines ? strsep(&lines, "\n") : NULL;
    if (!model || !lines) {
        text_put(why, "the case has the line ");
        quote(why, line);
        text_put(why, ", which ends before the names of its judgement");
        return false;
    }
    bool ok = case_parse(&parsed, line, &error);
    if (ok) {
        *c = parsed;
        j->model = keep_name(model);
        j->reading = keep_name(lines);
        ok = j->kind != VERDICT_POLICY || j->model;
        if (!ok) {
            text_put(why, "the policy has the name ");
            quote(why, model);
        }
    } else {
        text_put(why, "the case has the line ");
        quote(why, line);
        text_put(why, ", of which the parser says ");
        quote(why, text_string(&error));
    }
    text_release(&error);
    return ok;
}

/* Puts the case that its line gives back in its place; the names in *j are replaced likewise. */
static bool is_case(Case *c, Judgement *j, Text *why)
{
    Child child;
    Text lines = {0};
    if (!untrusted_operator(c->op)) {
        text_printf(why, "the operator of the case is at %p, where none is", (const void *)c->op);
        return false;
    }
    if (!child_start(&child, describe_child, &(Described){c, j->model, j->reading})) {
        text_put(why, "no process could be started to print the case");
        return false;
    }
    child_read_text(&child, &lines);
    int status = child_wait(&child);
    bool ok = status == 0 && lines.length > 0;
    if (ok) {
        ok = take_lines(lines.data, c, j, why);
    } else {
        text_printf(why, "the case of %s cannot be printed: ", c->op->name);
        text_put_end(why, status);
    }
    text_release(&lines);
    return ok;
}

static bool in_range(int64_t value, int64_t count)
{
    return value >= 0 && value < count;
}

bool untrusted_backend(int number, const char *const *backends)
{
    return in_range(number, backend_count(backends));
}

/* A field that holds a number from 0 to below a count. */
typedef struct Number {
    const char *name;
    int64_t value, count;
} Number;

static bool are_numbers(const CheckResult *result, const char *const *backends, Text *why)
{
    const Judgement *j = &result->judgement;
    const Number numbers[] = {
        {"the library's number", result->backend, backend_count(backends)},
        {"the output's number", result->output, OP_TENSORS_MAX},
        {"the kind of verdict", j->kind, VERDICT_COUNT},
        {"the tier", j->tier, TIER_COUNT},
        {"the defect", j->defect, DEFECT_COUNT},
        {"the pattern", j->pattern, PATTERN_COUNT},
        {"the method", j->method, METHOD_COUNT},
        {"the number of rows of the picture", j->picture.rows, PICTURE_ROWS + 1},
        {"the number of columns of the picture", j->picture.columns, PICTURE_COLUMNS + 1},
    };
    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (!in_range(numbers[i].value, numbers[i].count)) {
            text_printf(why, "%s is %lld, not one of 0 to %lld", numbers[i].name,
                        (long long)numbers[i].value, (long long)numbers[i].count - 1);
            return false;
        }
    if (!verdict_is_finding(j->kind))
        text_printf(why, "the kind of verdict is %d, which is no finding", (int)j->kind);
    return verdict_is_finding(j->kind);
}

bool untrusted_finding(FindingMessage *message, const char *const *backends, Text *why)
{
    CheckResult *result = &message->result;
    Text ignored = {0};
    untrusted_text(result->detail, sizeof result->detail);
    untrusted_text(result->frame, sizeof result->frame);
    bool sound = are_numbers(result, backends, why ? why : &ignored) &&
                 is_case(&message->c, &result->judgement, why ? why : &ignored);
    text_release(&ignored);
    return sound;
}

/* The same without a judgement, whatever is wrong with it. */
static bool is_any_case(Case *c)
{
    Judgement none = {0};
    Text ignored = {0};
    bool ok = is_case(c, &none, &ignored);
    text_release(&ignored);
    return ok;
}

bool untrusted_record(BlackBox *box, const char *const *backends)
{
    Case current = box->current;
    bool sound = in_range(box->phase, PHASE_COUNT) && untrusted_backend(box->backend, backends) &&
                 (box->recent_count == 0 || is_any_case(&current));
    untrusted_text(box->fault_detail, sizeof box->fault_detail);
    if (sound) {
        box->current = current;
        return true;
    }
    box->current = (Case){0};
    box->phase = PHASE_ENGINE;
    box->backend = 0;
    box->recent_count = 0;
    box->fault_detail[0] = '\0';
    return false;
}

static bool are_counts(const uint64_t *counts, size_t number, uint64_t most)
{
    for (size_t i = 0; i < number; i++)
        if (counts[i] > most)
            return false;
    return true;
}

/* Empties counts where one of them cannot be; how many tables were. */
static uint64_t check_table(uint64_t *counts, size_t bytes, uint64_t most)
{
    if (are_counts(counts, bytes / sizeof *counts, most))
        return 0;
    memset(counts, 0, bytes);
    return 1;
}

static bool is_cell(CoverageCell *cell, int backends, uint64_t most)
{
    const uint64_t counts[] = {cell->executions, cell->declined, cell->vacuous, cell->undecided};
    untrusted_text(cell->fill, sizeof cell->fill);
    return untrusted_operator(cell->op) && in_range(cell->dtype, DT_COUNT) &&
           in_range(cell->backend, backends) && are_counts(counts, COUNT_OF(counts), most) &&
           are_counts(cell->ladder, LADDER_STEPS, most) &&
           are_counts(cell->agreed, BOX_MODELS_MAX, most);
}

static uint64_t check_box(BlackBox *box, int backends, uint64_t most)
{
    uint64_t totals[] = {box->cases,
                         box->executions,
                         box->products_by_library,
                         box->products_rejected,
                         box->related,
                         box->unrelated,
                         box->joined};
    uint64_t emptied = check_table(box->nanoseconds, sizeof box->nanoseconds, most) +
                       check_table(&box->policy[0][0].executions, sizeof box->policy, most) +
                       check_table(&box->construct[0][0].executions, sizeof box->construct, most);
    if (check_table(totals, sizeof totals, most) > 0) {
        box->cases = box->executions = box->products_by_library = box->products_rejected = 0;
        box->related = box->unrelated = box->joined = 0;
        emptied++;
    }
    for (int i = 0; i < BOX_CELLS_MAX; i++) {
        if (box->cells[i].key == 0 || is_cell(&box->cells[i], backends, most))
            continue;
        box->cells[i] = (CoverageCell){0};
        emptied++;
    }
    for (int b = 0; b < BOX_BACKENDS_MAX; b++)
        for (int m = 0; m < BOX_MODELS_MAX; m++)
            untrusted_text(box->models[b][m], sizeof box->models[b][m]);
    if (box->program && (!untrusted_operator(box->program) || !op_code(box->program))) {
        box->program = NULL;
        emptied++;
    }
    return emptied;
}

static uint64_t check_declines(DeclineTable *table, int backends, uint64_t most)
{
    uint64_t emptied = check_table(&table->lost, sizeof table->lost, most);
    for (int i = 0; i < DECLINES_MAX; i++) {
        Decline *entry = &table->entries[i];
        if (entry->key == 0)
            continue;
        untrusted_text(entry->reason, sizeof entry->reason);
        if (untrusted_operator(entry->op) && in_range(entry->backend, backends) &&
            entry->count <= most)
            continue;
        *entry = (Decline){0};
        emptied++;
    }
    return emptied;
}

static uint64_t check_changes(ChangeTable *table, uint64_t most)
{
    uint64_t emptied = check_table(&table->lost, sizeof table->lost, most);
    for (int i = 0; i < CHANGES_MAX; i++) {
        ChangeEntry *entry = &table->entries[i];
        if (entry->key == 0)
            continue;
        untrusted_text(entry->detail, sizeof entry->detail);
        if (in_range(entry->kind, CHANGE_KINDS) && entry->count <= most &&
            is_any_case(&entry->example))
            continue;
        *entry = (ChangeEntry){0};
        emptied++;
    }
    return emptied;
}

uint64_t untrusted_counts(Shared *shared, const char *const *backends, uint64_t nanoseconds)
{
    /* No case is done in less than a nanosecond. */
    uint64_t most = nanoseconds, emptied = 0;
    int count = backend_count(backends);
    if (shared->features > most || shared->products_lent > most) {
        shared->features = shared->products_lent = 0;
        emptied++;
    }
    return emptied + check_box(&shared->box, count, most) +
           check_declines(&shared->declines, count, most) +
           check_declines(&shared->redrawn, count, most) + check_changes(&shared->changes, most);
}
