/* Lists of names, and the calls that are in them. */
#include "coverage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "binding.h"
#include "row_lines.h"

enum { NAMES_MAX = 1024, LIBRARIES_MAX = 8, SPELLINGS_MAX = 16 };

/* What a call begins with, and what stands for it in the list. */
typedef struct Spelling {
    const char *from, *to;
} Spelling;

typedef struct Reader {
    Coverage *coverage;
    const char *file;
    RowLines lines;
    Text *error, operators[NAMES_MAX];
    const Bindings *libraries[LIBRARIES_MAX];
    int library_count, spelling_count;
    Spelling spellings[SPELLINGS_MAX];
    bool is_means[NAMES_MAX], promotes[NAMES_MAX];
} Reader;

static bool names_error(const Reader *r, const char *what, const char *which)
{
    text_printf(r->error, "%s.names, line %d: %s%s", r->file, r->lines.line, what, which);
    return false;
}

static int row_of(const Reader *r, const char *name)
{
    for (int i = 0; i < r->coverage->count; i++)
        if (!strcmp(r->coverage->rows[i].name, name))
            return i;
    return -1;
}

/* The next word of *rest, NULL at its end. */
static char *next_word(char **rest)
{
    char *word;
    while ((word = strsep(rest, " ")) && !*word)
        continue;
    return word;
}

static bool read_names(Reader *r, char *rest)
{
    for (char *name; (name = next_word(&rest));) {
        if (row_of(r, name) >= 0)
            return names_error(r, "twice: ", name);
        if (r->coverage->count == NAMES_MAX)
            return names_error(r, "too many names at ", name);
        r->coverage->rows[r->coverage->count++] = (CoverageRow){.name = name};
    }
    return true;
}

/* Sets the marks of names of the list. */
static bool read_marks(const Reader *r, char *rest, bool *marks)
{
    for (char *name; (name = next_word(&rest));) {
        int row = row_of(r, name);
        if (row < 0)
            return names_error(r, "no name of the list: ", name);
        marks[row] = true;
    }
    return true;
}

static bool read_means(Reader *r, char *rest)
{
    return read_marks(r, rest, r->is_means);
}

static bool read_promotes(Reader *r, char *rest)
{
    return read_marks(r, rest, r->promotes);
}

/* TYPE...: NAME...; driven: the types drive the names as well. */
static bool read_types_of(const Reader *r, char *rest, bool driven)
{
    char *names = strstr(rest, ": ");
    const char *unknown;
    uint32_t types;
    if (!names)
        return names_error(r, "no names behind a colon", "");
    *names = '\0';
    if (!row_types_read(rest, &types, &unknown))
        return names_error(r, "there is no element type ", unknown);
    rest = names + 2;
    for (char *name; (name = next_word(&rest));) {
        int row = row_of(r, name);
        if (row < 0)
            return names_error(r, "no name of the list: ", name);
        if (driven)
            r->coverage->rows[row].driven_types |= types;
        else
            r->coverage->rows[row].types = types;
    }
    return true;
}

static bool read_types(Reader *r, char *rest)
{
    return read_types_of(r, rest, false);
}

static bool read_besides(Reader *r, char *rest)
{
    return read_types_of(r, rest, true);
}

static bool read_libraries(Reader *r, char *rest)
{
    for (char *name; (name = next_word(&rest));) {
        const Bindings *bindings = bindings_find(name);
        if (!bindings || r->library_count == LIBRARIES_MAX)
            return names_error(r, bindings ? "too many at " : "no bindings ", name);
        r->libraries[r->library_count++] = bindings;
    }
    return true;
}

static bool read_spellings(Reader *r, char *rest)
{
    for (char *word; (word = next_word(&rest));) {
        char *equals = strchr(word, '=');
        if (!equals || r->spelling_count == SPELLINGS_MAX)
            return names_error(r, "expected FROM=TO: ", word);
        *equals = '\0';
        r->spellings[r->spelling_count++] = (Spelling){word, equals + 1};
    }
    return true;
}

static void add_operator(Text *operators, const OpDesc *op)
{
    size_t length = strlen(op->name);
    for (const char *at = text_string(operators); *at; at += strcspn(at, " "), at += *at == ' ')
        if (!strncmp(at, op->name, length) && (at[length] == ' ' || !at[length]))
            return;
    text_printf(operators, "%s%s", operators->length > 0 ? " " : "", op->name);
}

/* The element types in which libraries are asked for an operator. */
static uint32_t types_asked(const Reader *r, const OpDesc *op)
{
    uint32_t types = r->library_count == 0 ? ~0u : 0;
    for (int i = 0; i < r->library_count; i++)
        for (int target = 0; target < TARGET_COUNT; target++)
            for (const BindingCall *call =
                     bindings_calls(r->libraries[i], (BindingTarget)target, op);
                 call; call = call->next)
                types |= call->dtypes;
    return types & op_dtypes(op);
}

/* NAME = OPERATOR... */
static bool read_same(Reader *r, char *rest)
{
    char *name = next_word(&rest), *equals = next_word(&rest);
    int row = name ? row_of(r, name) : -1;
    if (row < 0 || !equals || strcmp(equals, "=") != 0)
        return names_error(r, "expected same NAME = OPERATOR... of a name of the list", "");
    Text all = {0};
    bool driven = true;
    uint32_t types = 0;
    for (char *word; (word = next_word(&rest));) {
        const OpDesc *op = op_find(word);
        if (!op) {
            text_release(&all);
            return names_error(r, "there is no operator ", word);
        }
        driven = driven && types_asked(r, op);
        types |= types_asked(r, op);
        add_operator(&all, op);
    }
    if (driven) {
        text_put(&r->operators[row], text_string(&all));
        r->coverage->rows[row].driven_types |= types;
    }
    text_release(&all);
    return true;
}

/* NAME...: REASON; never is false for names that nothing drives yet. */
static bool read_reason(Reader *r, char *rest, bool never)
{
    char *why = strstr(rest, ": ");
    if (!why)
        return names_error(r, "no reason behind a colon", "");
    *why = '\0';
    for (char *name; (name = next_word(&rest));) {
        int row = row_of(r, name);
        if (row < 0)
            return names_error(r, "no name of the list: ", name);
        r->coverage->rows[row].why = row_trim(why + 2);
        r->coverage->rows[row].never = never;
    }
    return true;
}

static bool read_absent(Reader *r, char *rest)
{
    return read_reason(r, rest, true);
}

static bool read_later(Reader *r, char *rest)
{
    return read_reason(r, rest, false);
}

static bool read_line(Reader *r, char *line)
{
    static const struct {
        const char *word;
        bool (*read)(Reader *r, char *rest);
    } readers[] = {{"bindings", read_libraries}, {"spell", read_spellings},
                   {"names", read_names},        {"means", read_means},
                   {"same", read_same},          {"absent", read_absent},
                   {"later", read_later},        {"types", read_types},
                   {"promotes", read_promotes},  {"besides", read_besides}};
    char *rest = line, *word = strsep(&rest, " ");
    for (size_t i = 0; rest && i < COUNT_OF(readers); i++)
        if (!strcmp(word, readers[i].word))
            return readers[i].read(r, rest);
    if (rest && !strcmp(word, "title"))
        r->coverage->title = rest;
    else if (rest && !strcmp(word, "source"))
        r->coverage->source = rest;
    else
        return names_error(r,
                           "expected title, source, bindings, spell, names, types, promotes, "
                           "means, same, absent or "
                           "later: ",
                           word);
    return true;
}

/* Appends what a term calls: torch.linalg.norm, aten::sum, or .t for a method of a value. */
static void put_dotted(const Expression *e, const Term *term, const OpDesc *op, Text *dotted)
{
    char name[EXPRESSION_NAME_BYTES];
    expression_copy(e, term->text, name);
    if (term->kind == TERM_MEMBER) {
        const Term *of = &e->terms[term->first];
        if (of->kind == TERM_MEMBER || of->kind == TERM_NAME)
            put_dotted(e, of, op, dotted);
        text_printf(dotted, ".%s", name);
    } else if (op_operand(op, name) < 0) {
        text_put(dotted, name);
    }
}

/* Adds the operator to the row of what a call is written as, in the types of the call. */
static void count_call(Reader *r, const char *dotted, const OpDesc *op, uint32_t types)
{
    char name[EXPRESSION_NAME_BYTES * 2];
    const char *colons = strstr(dotted, "::");
    for (int i = 0; i < r->spelling_count; i++) {
        size_t length = strlen(r->spellings[i].from);
        if (strncmp(dotted, r->spellings[i].from, length) != 0)
            continue;
        snprintf(name, sizeof name, "%s%s", r->spellings[i].to, dotted + length);
        if (colons)
            name[strcspn(name, ".")] = '\0'; /* the overload */
        int row = row_of(r, name);
        if (row >= 0 && !r->is_means[row]) {
            add_operator(&r->operators[row], op);
            r->coverage->rows[row].driven_types |= types & op_dtypes(op);
        }
        return;
    }
}

static void count_expression(Reader *r, const BindingCall *call, const OpDesc *op)
{
    const Expression *e = &call->expression;
    for (int i = 0; i < e->count; i++) {
        bool is_call = e->terms[i].kind == TERM_CALL;
        const Term *called = is_call ? &e->terms[e->terms[i].first] : &e->terms[i];
        if (called->kind != TERM_MEMBER && !(is_call && called->kind == TERM_NAME))
            continue;
        Text dotted = {0};
        put_dotted(e, called, op, &dotted);
        count_call(r, text_string(&dotted), op, call->dtypes);
        text_release(&dotted);
    }
}

static void count_calls(Reader *r, const OpDesc *op)
{
    for (int i = 0; i < r->library_count; i++)
        for (int target = 0; target < TARGET_COUNT; target++)
            for (const BindingCall *call =
                     bindings_calls(r->libraries[i], (BindingTarget)target, op);
                 call; call = call->next)
                count_expression(r, call, op);
    int row = r->library_count == 0 ? row_of(r, op->name) : -1;
    if (row >= 0) {
        add_operator(&r->operators[row], op);
        r->coverage->rows[row].driven_types |= op_dtypes(op);
    }
}

/* The types of integers that operands of floating point are given as. */
static uint32_t types_of_forms(const Reader *r)
{
    static const struct {
        FormKind form;
        DType type;
    } forms[] = {{FORM_BOOL, DT_BOOL}, {FORM_I8, DT_I8},   {FORM_U8, DT_U8},
                 {FORM_I32, DT_I32},   {FORM_I64, DT_I64}, {FORM_I16, DT_I16},
                 {FORM_U16, DT_U16},   {FORM_U32, DT_U32}, {FORM_U64, DT_U64}};
    uint32_t types = 0;
    for (int i = 0; i < r->library_count; i++)
        for (size_t k = 0; k < COUNT_OF(forms); k++)
            if (bindings_have_form(r->libraries[i], forms[k].form))
                types |= 1u << forms[k].type;
    return types;
}

/* Counts the types of a driven name. */
static void count_types(const Reader *r, int i)
{
    CoverageRow *row = &r->coverage->rows[i];
    if (r->promotes[i] && row->driven_types & DTYPES_FLOAT)
        row->driven_types |= types_of_forms(r);
    row->driven_types &= row->types;
    r->coverage->types += __builtin_popcount(row->types);
    r->coverage->driven_types += __builtin_popcount(row->driven_types);
}

static bool read_file(Reader *r, char *text)
{
    r->lines = row_lines_begin(text);
    for (char *line; (line = row_lines_next(&r->lines));)
        if (!read_line(r, line))
            return false;
    return r->coverage->title && r->coverage->source ? true
                                                     : names_error(r, "no title, or no source", "");
}

bool coverage_read(Coverage *coverage, const CoverageFile *file, Text *error)
{
    Reader *r = memory_allocate(1, sizeof *r);
    *coverage = (Coverage){.rows = memory_allocate(NAMES_MAX, sizeof *coverage->rows),
                           .text = memory_duplicate(file->text)};
    *r = (Reader){.coverage = coverage, .file = file->name, .error = error};
    bool ok = read_file(r, coverage->text);
    for (const OpDesc *const *op = op_registry; ok && *op; op++)
        count_calls(r, *op);
    for (int i = 0; i < coverage->count; i++) {
        CoverageRow *row = &coverage->rows[i];
        row->operators = memory_duplicate(text_string(&r->operators[i]));
        row->why = row->why ? row->why : "";
        coverage->driven += row->operators[0] != '\0';
        coverage->absent += row->never;
        if (row->operators[0])
            count_types(r, i);
        if (ok && row->operators[0] && row->why[0])
            ok = names_error(r, "absent or later, but a row calls it: ", row->name);
        text_release(&r->operators[i]);
    }
    free(r);
    if (!ok)
        coverage_release(coverage);
    return ok;
}

void coverage_release(Coverage *coverage)
{
    for (int i = 0; i < coverage->count; i++)
        free(coverage->rows[i].operators);
    free(coverage->rows);
    free(coverage->text);
    *coverage = (Coverage){0};
}
