/* A parser by recursive descent; each function takes one construct and gives its term. */
#include "expression.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

typedef struct Parser {
    Expression *e;
    const char *at;
    Text *error;
    bool failed;
} Parser;

static short parse_value(Parser *p, int level);

static void fail(Parser *p, const char *what)
{
    if (!p->failed)
        text_printf(p->error, "%s at \"%s\" of %s", what, p->at, p->e->text);
    p->failed = true;
}

static void skip_spaces(Parser *p)
{
    while (*p->at == ' ')
        p->at++;
}

static bool take(Parser *p, char mark)
{
    skip_spaces(p);
    if (*p->at != mark)
        return false;
    p->at++;
    return true;
}

static void expect(Parser *p, char mark)
{
    char what[] = "expected '?'";
    what[10] = mark;
    if (!take(p, mark))
        fail(p, what);
}

static Slice slice_from(const Parser *p, const char *start)
{
    return (Slice){(short)(start - p->e->text), (short)(p->at - start)};
}

static short add_term(Parser *p, TermKind kind, Slice text)
{
    if (p->e->count == EXPRESSION_TERMS_MAX) {
        fail(p, "too many parts");
        return 0;
    }
    p->e->terms[p->e->count] = (Term){.kind = kind, .text = text, .first = -1, .next = -1};
    return (short)p->e->count++;
}

static void add_child(Parser *p, short parent, short child)
{
    short *link = &p->e->terms[parent].first;
    while (*link >= 0)
        link = &p->e->terms[*link].next;
    *link = child;
}

/* A term over children that are known already; -1 stands for none. */
static short join(Parser *p, TermKind kind, short left, short right)
{
    short whole = add_term(p, kind, (Slice){0, 0});
    if (p->failed)
        return 0;
    add_child(p, whole, left);
    if (right >= 0)
        add_child(p, whole, right);
    return whole;
}

static bool is_name_start(char c)
{
    return isalpha((unsigned char)c) || c == '_';
}

/* Two colons inside of a name. */
static bool is_colons(const char *at)
{
    return at[0] == ':' && at[1] == ':' && is_name_start(at[2]);
}

static Slice take_name(Parser *p)
{
    const char *start = p->at;
    for (; isalnum((unsigned char)*p->at) || *p->at == '_' || is_colons(p->at); p->at++)
        p->at += *p->at == ':';
    return slice_from(p, start);
}

static bool is_word(const Parser *p, Slice slice, const char *word)
{
    return (size_t)slice.length == strlen(word) &&
           !strncmp(p->e->text + slice.start, word, (size_t)slice.length);
}

static short parse_name(Parser *p)
{
    Slice name = take_name(p);
    bool truth = is_word(p, name, "True") || is_word(p, name, "False");
    return add_term(p,
                    truth                      ? TERM_BOOLEAN
                    : is_word(p, name, "None") ? TERM_NONE
                                               : TERM_NAME,
                    name);
}

static short parse_number(Parser *p)
{
    const char *start = p->at;
    char *end;
    (void)strtod(start, &end);
    p->at = end;
    Slice slice = slice_from(p, start);
    bool whole = strspn(start, "-0123456789") == (size_t)slice.length;
    return add_term(p, whole ? TERM_INTEGER : TERM_REAL, slice);
}

static short parse_text(Parser *p)
{
    const char *start = ++p->at, *end = strchr(start, '\'');
    if (!end) {
        fail(p, "a text without end");
        return 0;
    }
    p->at = end;
    Slice slice = slice_from(p, start);
    p->at++;
    return add_term(p, TERM_TEXT, slice);
}

/* An argument or element, with its keyword and its ?. */
static short parse_argument(Parser *p)
{
    skip_spaces(p);
    const char *start = p->at;
    Slice keyword = {0, 0};
    if (is_name_start(*start)) {
        keyword = take_name(p);
        if (p->at[0] != '=') {
            keyword.length = 0;
            p->at = start;
        } else {
            p->at++;
        }
    }
    short value = parse_value(p, 0);
    if (p->failed)
        return 0;
    p->e->terms[value].keyword = keyword;
    p->e->terms[value].optional = take(p, '?');
    return value;
}

/* Arguments or elements up to the mark, as children. */
static void parse_arguments(Parser *p, short parent, char end)
{
    while (!p->failed && !take(p, end)) {
        short child = parse_argument(p);
        if (p->failed)
            return;
        add_child(p, parent, child);
        skip_spaces(p);
        if (*p->at != end)
            expect(p, ',');
    }
}

/* A list, a tuple, or an expression in parentheses, which is taken for a tuple of one. */
static short parse_list(Parser *p, char end)
{
    p->at++;
    short list = add_term(p, TERM_LIST, (Slice){0, 0});
    if (!p->failed)
        parse_arguments(p, list, end);
    return list;
}

static short parse_primary(Parser *p)
{
    skip_spaces(p);
    if (is_name_start(*p->at))
        return parse_name(p);
    if (isdigit((unsigned char)p->at[*p->at == '-']))
        return parse_number(p);
    if (*p->at == '\'')
        return parse_text(p);
    if (*p->at == '(')
        return parse_list(p, ')');
    if (*p->at == '[')
        return parse_list(p, ']');
    fail(p, "expected a value");
    return 0;
}

/* x[i], x[i:j] and x[i, j]; what stands between the marks are children. */
static short parse_index(Parser *p, short of)
{
    short whole = join(p, TERM_OPERATION, of, -1);
    while (!p->failed && !take(p, ']')) {
        if (take(p, ':') || take(p, ','))
            continue;
        short child = parse_value(p, 0);
        if (!p->failed)
            add_child(p, whole, child);
    }
    return whole;
}

static short parse_member(Parser *p, short of)
{
    skip_spaces(p);
    if (!is_name_start(*p->at)) {
        fail(p, "expected a name");
        return 0;
    }
    Slice name = take_name(p);
    short member = join(p, TERM_MEMBER, of, -1);
    p->e->terms[member].text = name;
    return member;
}

static short parse_postfix(Parser *p)
{
    short value = parse_primary(p);
    while (!p->failed) {
        if (take(p, '.'))
            value = parse_member(p, value);
        else if (take(p, '[')) {
            value = parse_index(p, value);
        } else if (take(p, '(')) {
            value = join(p, TERM_CALL, value, -1);
            parse_arguments(p, value, ')');
        } else {
            break;
        }
    }
    return value;
}

/* Operators of a level and above: comparisons 0, sums 1, products 2. */
static short parse_value(Parser *p, int level)
{
    static const char *const operators[] = {"<>", "+-", "*/@"};
    if (level == (int)COUNT_OF(operators)) {
        skip_spaces(p);
        if (p->at[0] == '-' && !isdigit((unsigned char)p->at[1])) {
            p->at++;
            return join(p, TERM_OPERATION, parse_value(p, level), -1);
        }
        return parse_postfix(p);
    }
    short value = parse_value(p, level + 1);
    for (skip_spaces(p); !p->failed && *p->at && strchr(operators[level], *p->at); skip_spaces(p)) {
        p->at++;
        value = join(p, TERM_OPERATION, value, parse_value(p, level + 1));
    }
    return value;
}

bool expression_parse(Expression *e, const char *text, Text *error)
{
    Parser p = {.e = e, .at = e->text, .error = error};
    e->count = 0;
    if (strlen(text) >= sizeof e->text) {
        text_printf(error, "a call is longer than %zu characters: %s", sizeof e->text - 1, text);
        return false;
    }
    memcpy(e->text, text, strlen(text) + 1);
    e->root = parse_value(&p, 0);
    skip_spaces(&p);
    if (!p.failed && *p.at)
        fail(&p, "nothing more is expected");
    return !p.failed;
}

void expression_copy(const Expression *e, Slice slice, char name[EXPRESSION_NAME_BYTES])
{
    size_t length = (size_t)slice.length;
    if (length >= EXPRESSION_NAME_BYTES)
        length = EXPRESSION_NAME_BYTES - 1;
    memcpy(name, e->text + slice.start, length);
    name[length] = '\0';
}
