/* Whether bytes are a case is found in a child, which prints its line: what is none ends the child
 * only. */
#include "untrusted.h"

#include <string.h>
#include <unistd.h>

#include "reference/child.h"

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

/* Puts the case that its line gives back in its place; the names in *j are replaced likewise. */
static bool is_case(Case *c, Judgement *j)
{
    Child child;
    Text text = {0}, error = {0};
    Case parsed;
    if (!untrusted_operator(c->op) ||
        !child_start(&child, describe_child, &(Described){c, j->model, j->reading}))
        return false;
    child_read_text(&child, &text);
    bool ok = child_wait(&child) == 0 && text.length > 0;
    char *rest = text.data;
    const char *line = ok ? strsep(&rest, "\n") : NULL, *model = ok ? strsep(&rest, "\n") : NULL;
    ok = model && rest && case_parse(&parsed, line, &error);
    if (ok) {
        *c = parsed;
        j->model = keep_name(model);
        j->reading = keep_name(rest);
    }
    text_release(&text);
    text_release(&error);
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

bool untrusted_finding(FindingMessage *message, const char *const *backends)
{
    CheckResult *result = &message->result;
    Judgement *j = &result->judgement;
    untrusted_text(result->detail, sizeof result->detail);
    untrusted_text(result->frame, sizeof result->frame);
    bool sound = untrusted_backend(result->backend, backends) &&
                 in_range(result->output, OP_TENSORS_MAX) && in_range(j->kind, VERDICT_COUNT) &&
                 in_range(j->tier, TIER_COUNT) && in_range(j->defect, DEFECT_COUNT) &&
                 in_range(j->pattern, PATTERN_COUNT) && in_range(j->method, METHOD_COUNT) &&
                 j->picture.rows <= PICTURE_ROWS && j->picture.columns <= PICTURE_COLUMNS &&
                 verdict_is_finding(j->kind);
    return sound && is_case(&message->c, j) && (j->kind != VERDICT_POLICY || j->model != NULL);
}

bool untrusted_record(BlackBox *box, const char *const *backends)
{
    Judgement none = {0};
    Case current = box->current;
    bool sound = in_range(box->phase, PHASE_COUNT) && untrusted_backend(box->backend, backends) &&
                 (box->recent_count == 0 || is_case(&current, &none));
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
        Judgement none = {0};
        if (entry->key == 0)
            continue;
        untrusted_text(entry->detail, sizeof entry->detail);
        if (in_range(entry->kind, CHANGE_KINDS) && entry->count <= most &&
            is_case(&entry->example, &none))
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
