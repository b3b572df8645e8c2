/* The file is read line by line: "# field: text", "#   more of it", cases, and empty lines. */
#include "reviewed.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "oracle/symptom.h"
#include "reference/list.h"

extern const char known_cases[];

typedef struct Reader {
    ReviewedList *list;
    size_t entry_room, case_room;
    /* of the cases that follow */
    char *library, *version, *mode, *symptom, *operand, *reading, *message, *stray;
    char **last;           /* the field that the next line may go on with */
    bool chance, suffices; /* of the cases that follow */
    bool inside;           /* an entry */
} Reader;

static void put(char **field, const char *text, size_t length)
{
    Text copy = {0};
    text_append(&copy, text, length);
    free(*field);
    *field = memory_duplicate(text_string(&copy));
    text_release(&copy);
}

/* The digits and points behind a library's name and a colon. */
static const char *version_of(const char *backend, size_t *length)
{
    const char *colon = strchr(backend, ':');
    const char *version = colon ? colon + 1 : "";
    *length = strspn(version, "0123456789.");
    return version;
}

/* Behind a library's name and version. */
static const char *mode_of(const char *backend)
{
    size_t length;
    const char *version = version_of(backend, &length);
    return version + length + (length > 0 && version[length] == '+');
}

static void begin_entry(Reader *r, const char *title, size_t length)
{
    ReviewedList *list = r->list;
    list->entries =
        list_grow(list->entries, list->entry_count, &r->entry_room, sizeof *list->entries);
    ReviewedEntry *entry = &list->entries[list->entry_count++];
    *entry = (ReviewedEntry){.upstream = memory_duplicate(""),
                             .link = memory_duplicate(""),
                             .cause = memory_duplicate(""),
                             .expected = memory_duplicate(""),
                             .shared = memory_duplicate(""),
                             .diverges = memory_duplicate(""),
                             .agrees = memory_duplicate("")};
    put(&entry->title, title, length);
    put(&r->library, "", 0);
    put(&r->version, "", 0);
    put(&r->mode, "", 0);
    put(&r->symptom, "", 0);
    put(&r->operand, "", 0);
    put(&r->reading, "", 0);
    put(&r->message, "", 0);
    put(&r->stray, "", 0);
    r->chance = r->suffices = false;
    r->last = &entry->title;
    r->inside = true;
}

/* A name, and behind a colon the operand. */
static bool read_symptom(Reader *r, const char *text, size_t length)
{
    const char *colon = memchr(text, ':', length);
    size_t name = colon ? (size_t)(colon - text) : length;
    put(&r->symptom, text, name);
    put(&r->operand, "", 0);
    if (colon && length > name + 2)
        put(&r->operand, text + name + 2, length - name - 2);
    return symptom_find(r->symptom) != SYMPTOM_NONE;
}

static bool is_field(const char *line, size_t length, const char *name)
{
    return strlen(name) == length && !strncmp(line, name, length);
}

/* The member for a field of this name, or NULL. */
static char **field_of(ReviewedEntry *entry, const char *name, size_t length)
{
    const struct {
        const char *name;
        char **member;
    } fields[] = {{"upstream", &entry->upstream}, {"cause", &entry->cause},
                  {"expected", &entry->expected}, {"shared", &entry->shared},
                  {"diverges", &entry->diverges}, {"agrees", &entry->agrees}};
    for (size_t i = 0; i < COUNT_OF(fields); i++)
        if (is_field(name, length, fields[i].name))
            return fields[i].member;
    return NULL;
}

static void put_backend(Reader *r, const char *text, size_t length)
{
    char *backend = NULL;
    put(&backend, text, length);
    put(&r->library, backend, strcspn(backend, "@:"));
    put(&r->mode, mode_of(backend), strlen(mode_of(backend)));
    size_t digits;
    const char *version = version_of(backend, &digits);
    put(&r->version, version, digits);
    free(backend);
}

static bool read_field(Reader *r, const char *line, size_t length, Text *error)
{
    const char *colon = memchr(line, ':', length);
    size_t name = colon ? (size_t)(colon - line) : length;
    size_t begin = name + 2 < length ? name + 2 : length;
    const char *text = line + begin;
    length -= begin;
    r->last = NULL;
    if (is_field(line, name, "title")) {
        begin_entry(r, text, length);
        return true;
    }
    if (!r->inside)
        return true;
    ReviewedEntry *entry = &r->list->entries[r->list->entry_count - 1];
    char **field = field_of(entry, line, name);
    if (field == &entry->expected && entry->expected[0])
        field = NULL;
    if (field) {
        put(field, text, length);
        r->last = field;
    }
    if (field == &entry->upstream && !strncmp(text, "https://", strlen("https://")))
        put(&entry->link, text, strcspn(text, " \n"));
    if (is_field(line, name, "backend"))
        put_backend(r, text, length);
    else if (is_field(line, name, "reading"))
        put(&r->reading, text, length);
    else if (is_field(line, name, "message"))
        put(&r->message, text, length);
    else if (is_field(line, name, "stray"))
        put(&r->stray, text, length);
    else if (is_field(line, name, "chance"))
        r->chance = true;
    else if (is_field(line, name, "suffices"))
        r->suffices = true;
    else if (is_field(line, name, "symptom") && !read_symptom(r, text, length)) {
        text_printf(error, "'%s' is no symptom", r->symptom);
        return false;
    }
    return true;
}

static bool read_case(Reader *r, const char *line, Text *error)
{
    ReviewedList *list = r->list;
    Case minimal;
    if (!r->inside || !r->library[0]) {
        text_put(error, "a case without a title and a backend before it");
        return false;
    }
    if (!case_parse(&minimal, line, error))
        return false;
    if (!r->symptom[0])
        return true;
    list->cases = list_grow(list->cases, list->case_count, &r->case_room, sizeof *list->cases);
    ReviewedCase *c = &list->cases[list->case_count++];
    *c = (ReviewedCase){.entry = list->entry_count - 1,
                        .library = memory_duplicate(r->library),
                        .version = memory_duplicate(r->version),
                        .mode = memory_duplicate(r->mode),
                        .symptom = memory_duplicate(r->symptom),
                        .operand = memory_duplicate(r->operand),
                        .reading = memory_duplicate(r->reading),
                        .message = memory_duplicate(r->message),
                        .stray = memory_duplicate(r->stray),
                        .chance = r->chance,
                        .suffices = r->suffices,
                        .op = minimal.op,
                        .dtype = case_dtype(&minimal),
                        .illegal = minimal.exec.illegal};
    case_trigger(&minimal, "", &c->trigger);
    return true;
}

static bool read_line(Reader *r, const char *line, size_t length, Text *error)
{
    if (length == 0) {
        r->inside = false;
        r->last = NULL;
        return true;
    }
    if (line[0] != '#') {
        char *copy = NULL;
        put(&copy, line, length);
        bool ok = read_case(r, copy, error);
        free(copy);
        return ok;
    }
    if (length > 4 && !strncmp(line, "#   ", 4)) {
        Text longer = {0};
        if (r->last)
            text_printf(&longer, "%s %.*s", *r->last, (int)length - 4, line + 4);
        if (r->last)
            put(r->last, text_string(&longer), longer.length);
        text_release(&longer);
        return true;
    }
    return length < 2 || line[1] != ' ' || read_field(r, line + 2, length - 2, error);
}

bool reviewed_read(const char *text, ReviewedList *list, Text *error)
{
    Reader r = {.list = list};
    *list = (ReviewedList){0};
    bool ok = true;
    Text reason = {0};
    for (size_t number = 1; ok && *text; number++) {
        size_t length = strcspn(text, "\n");
        ok = read_line(&r, text, length, &reason);
        if (!ok)
            text_printf(error, "reviewed list, line %zu: %s", number, text_string(&reason));
        text += length + (text[length] == '\n');
    }
    text_release(&reason);
    free(r.library);
    free(r.version);
    free(r.mode);
    free(r.symptom);
    free(r.operand);
    free(r.reading);
    free(r.message);
    free(r.stray);
    return ok;
}

bool reviewed_read_own(ReviewedList *list, Text *error)
{
    return reviewed_read(known_cases, list, error);
}

void reviewed_release(ReviewedList *list)
{
    for (size_t i = 0; i < list->entry_count; i++) {
        free(list->entries[i].title);
        free(list->entries[i].upstream);
        free(list->entries[i].link);
        free(list->entries[i].cause);
        free(list->entries[i].shared);
        free(list->entries[i].expected);
        free(list->entries[i].diverges);
        free(list->entries[i].agrees);
    }
    for (size_t i = 0; i < list->case_count; i++) {
        free(list->cases[i].library);
        free(list->cases[i].version);
        free(list->cases[i].mode);
        free(list->cases[i].symptom);
        free(list->cases[i].operand);
        free(list->cases[i].reading);
        free(list->cases[i].message);
        free(list->cases[i].stray);
        trigger_release(&list->cases[i].trigger);
    }
    free(list->entries);
    free(list->cases);
    *list = (ReviewedList){0};
}

/* "reads past the end: y" names y last. */
static bool names_operand(const char *detail, const char *operand)
{
    const char *colon = strrchr(detail, ':');
    return colon && colon[1] == ' ' && strcmp(colon + 2, operand) == 0;
}

/* The digit of a number of axes, as in conv2d and max_pool1d_backward; NULL where there is none. */
static const char *axes_digit(const char *name)
{
    for (const char *d = strchr(name, 'd'); d; d = strchr(d + 1, 'd'))
        if (d > name && isdigit((unsigned char)d[-1]) && (d[1] == '\0' || d[1] == '_'))
            return d - 1;
    return NULL;
}

bool reviewed_ops_are_alike(const OpDesc *a, const OpDesc *b)
{
    const char *of_a = axes_digit(a->name), *of_b = axes_digit(b->name);
    if (a == b || !of_a || !of_b)
        return a == b;
    size_t before = (size_t)(of_a - a->name);
    return before == (size_t)(of_b - b->name) && !strncmp(a->name, b->name, before) &&
           !strcmp(of_a + 1, of_b + 1);
}

/* Behind a word and the blank that follows it. */
static const char *next_word(const char *words)
{
    size_t length = strcspn(words, " ");
    return words + length + (words[length] == ' ');
}

static bool has_word(const char *words, const char *word)
{
    size_t length = strcspn(word, " ");
    for (; *words; words = next_word(words))
        if (strcspn(words, " ") == length && !strncmp(words, word, length))
            return true;
    return false;
}

static bool has_words(const char *words, const char *wanted)
{
    for (; *wanted; wanted = next_word(wanted))
        if (!has_word(words, wanted))
            return false;
    return true;
}

/* A finding that did not show each time was not made smaller as far as the case. */
static bool is_by_chance(const ReviewedCase *c, const BugFacts *f)
{
    return c->chance && f->flaky && !f->unfinished && reviewed_ops_are_alike(c->op, f->op) &&
           symptom_is_numeric(symptom_find(f->symptom)) &&
           has_words(text_string(&f->trigger.meaning), text_string(&c->trigger.meaning)) &&
           has_words(text_string(&f->trigger.structure), text_string(&c->trigger.structure));
}

/* All that the case needs is among what the finding needs. */
static bool suffices(const ReviewedCase *c, const BugFacts *f, const char *meaning)
{
    const char *structure = text_string(&c->trigger.structure);
    return (structure[0] || c->dtype == f->dtype) &&
           has_words(text_string(&f->trigger.structure), structure) &&
           has_words(meaning, text_string(&c->trigger.meaning));
}

/* Both need an empty extent, and their extents are alike otherwise: with nothing to compute there
 * is no number whose type could tell. */
static bool are_empty_alike(const ReviewedCase *c, const BugFacts *f)
{
    const char *own = text_string(&c->trigger.size), *of_finding = text_string(&f->trigger.size);
    return has_word(own, TRIGGER_EMPTY) && strcmp(own, of_finding) == 0;
}

/* A stray call of any operator, or one that changes the shape of the operand. */
static bool is_stray(const ReviewedCase *c, const BugFacts *f)
{
    bool any = strcmp(c->stray, "*") == 0;
    return any ? f->illegal > ILLEGAL_RULES_MAX : f->spoilt && !strcmp(c->stray, f->spoilt);
}

static bool is_case(const ReviewedCase *c, const BugFacts *f, bool of_type)
{
    const char *meaning = text_string(&f->trigger.meaning) + f->needed;
    const char *structure = text_string(&f->trigger.structure);
    if (f->policy[0] || strcmp(c->library, f->library) != 0)
        return false;
    if (op_code(c->op) && strcmp(c->mode, mode_of(f->backend)) != 0)
        return false;
    if (is_by_chance(c, f))
        return true;
    if (strcmp(c->symptom, f->symptom) != 0)
        return false;
    if (c->reading[0])
        return strcmp(c->reading, f->reading) == 0;
    if (c->message[0])
        return strstr(f->detail, c->message) != NULL;
    if (c->stray[0])
        return is_stray(c, f);
    if (f->unfinished || !reviewed_ops_are_alike(c->op, f->op) || c->illegal != f->illegal)
        return false;
    if (c->suffices)
        return suffices(c, f, meaning);
    if (strcmp(text_string(&c->trigger.meaning), meaning) != 0)
        return false;
    if (c->operand[0])
        return c->dtype == f->dtype && names_operand(f->detail, c->operand);
    bool of_any_type = meaning[0] || structure[0] || c->illegal || are_empty_alike(c, f);
    return (c->dtype == f->dtype || (of_any_type && !of_type)) &&
           strcmp(text_string(&c->trigger.structure), structure) == 0;
}

static bool is_version(const ReviewedCase *c, const BugFacts *f)
{
    size_t length;
    const char *version = version_of(f->backend, &length);
    return strlen(c->version) == length && !strncmp(c->version, version, length);
}

/* An entry of the finding's own type goes before one of another type, and of its own version before
 * one of another version. */
size_t reviewed_find(const ReviewedList *list, const BugFacts *const *members, size_t count)
{
    for (int loose = 0; loose < 4; loose++)
        for (size_t i = 0; i < list->case_count; i++)
            for (size_t m = 0; m < count; m++)
                if ((loose % 2 || is_version(&list->cases[i], members[m])) &&
                    is_case(&list->cases[i], members[m], loose < 2))
                    return list->cases[i].entry;
    return list->entry_count;
}
