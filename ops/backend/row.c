/* Cuts rows into words, and asks what they require. */
#include "row.h"

#include <stdio.h>
#include <string.h>

#include "ops/case/condition.h"

/* Length of the word at `at`, up to a character of `ends` outside of parentheses. */
static size_t word_length(const char *at, const char *ends)
{
    int depth = 0;
    size_t length = 0;
    for (; at[length]; length++) {
        if (depth == 0 && strchr(ends, at[length]))
            break;
        depth += at[length] == '(';
        depth -= at[length] == ')';
    }
    return length;
}

static void put_word(char word[ROW_WORD_BYTES], const char *from, size_t length)
{
    if (length >= ROW_WORD_BYTES)
        BUG("a word of a row is too long: %s", from);
    (void)snprintf(word, ROW_WORD_BYTES, "%.*s", (int)length, from);
}

bool row_is_for(const BindingRow *row, const OpDesc *op)
{
    size_t wanted = strlen(op->name);
    for (const char *at = row->ops; *at;) {
        size_t length = strcspn(at, " ");
        if (length == wanted && !strncmp(at, op->name, length))
            return true;
        at += length + strspn(at + length, " ");
    }
    return false;
}

void rows_describe(const BindingRow *rows, size_t count, const OpDesc *op, Text *text)
{
    for (size_t i = 0; i < count; i++)
        if (row_is_for(&rows[i], op))
            text_printf(text, "%s\n", rows[i].call);
}

void row_name(const BindingRow *row, char name[ROW_WORD_BYTES])
{
    put_word(name, row->call, strcspn(row->call, "("));
}

/* Words with commas between; each ends at a character of `ends`. */
static void cut_words(const char *at, const char *ends, RowWords *words)
{
    words->count = 0;
    if (*at == ')')
        return;
    for (;; at += 1 + strspn(at + 1, " ")) {
        size_t length = word_length(at, ends);
        if (words->count == ROW_WORDS_MAX)
            BUG("a row has too many words: %s", at);
        put_word(words->word[words->count++], at, length);
        at += length;
        if (*at != ',')
            return;
    }
}

void row_words(const BindingRow *row, RowWords *words)
{
    cut_words(strchr(row->call, '(') + 1, ",)", words);
}

void row_clause(const BindingRow *row, const char *keyword, RowWords *words)
{
    char marked[ROW_WORD_BYTES];
    (void)snprintf(marked, sizeof marked, " %s ", keyword);
    const char *at = strstr(row->call, marked);
    words->count = 0;
    if (at)
        cut_words(at + strlen(marked), ", )", words);
}

/* The words up to a closing parenthesis, or up to the end; NULL where one has no room. */
static const char *skip_words(const char *at, const char *ends, Text *error)
{
    int words = 0;
    while (*at && *at != ')') {
        at += strspn(at, ", ");
        size_t length = word_length(at, ends);
        words += length > 0;
        if (length >= ROW_WORD_BYTES)
            text_printf(error, "more than %d characters in %.*s", ROW_WORD_BYTES - 1, (int)length,
                        at);
        else if (words > ROW_WORDS_MAX)
            text_printf(error, "more than %d words", ROW_WORDS_MAX);
        else {
            at += length;
            continue;
        }
        return NULL;
    }
    return at;
}

bool row_check(const char *call, Text *error)
{
    const char *open = strchr(call, '('), *close = open ? skip_words(open + 1, ",)", error) : "";
    if (close && *close)
        return skip_words(close + 1, ", ", error) != NULL;
    if (close)
        text_printf(error, "expected FUNCTION(ARGUMENTS), got %s", call);
    return false;
}

bool row_cut(const char *word, char at, char front[ROW_WORD_BYTES], char back[ROW_WORD_BYTES])
{
    const char *mark = strchr(word, at);
    put_word(front, word, mark ? (size_t)(mark - word) : strlen(word));
    put_word(back, mark ? mark + 1 : "", mark ? strlen(mark + 1) : 0);
    return mark != NULL;
}

const Param *row_param(const OpDesc *op, const char *name)
{
    for (const Param *param = op->params; param->name; param++)
        if (!strcmp(param->name, name))
            return param;
    return NULL;
}

static const RowCondition *find_condition(const RowCondition *conditions, const char *name)
{
    while (conditions->name && strcmp(conditions->name, name) != 0)
        conditions++;
    return conditions->name ? conditions : NULL;
}

bool row_holds(const BindingRow *row, const RowCondition *conditions, const Operands *o, Text *why)
{
    RowWords required;
    row_clause(row, "requires", &required);
    for (int i = 0; i < required.count; i++) {
        const RowCondition *own = find_condition(conditions, required.word[i]);
        int held;
        if (!own && conditions_hold(required.word[i], o->source, NULL, &held, why))
            continue;
        if (!own)
            return false;
        if (own->holds(o))
            continue;
        text_put(why, own->reason);
        return false;
    }
    return true;
}
