/* Words of triggers are those of ops/case/trigger.h. */
#include "bug_words.h"

#include <string.h>

#include "ops/case/trigger.h"

typedef struct WordPair {
    const char *word, *said;
} WordPair;

/* Classes of values, behind a name and "=". */
static const WordPair classes[] = {
    {"nan", "NaN"}, {"inf", "infinity"},       {"-0", "-0"},
    {"0", "0"},     {"huge", "near overflow"}, {"tiny", "near underflow"},
};

static const WordPair whole[] = {
    {"input=nan", "NaN in an operand"},
    {"output=nan", "NaN in what is updated"},
    {"input=inf", "infinity in an operand"},
    {"output=inf", "infinity in what is updated"},
    {"input=-0", "-0 in an operand"},
    {"output=-0", "-0 in what is updated"},
    {"input=huge", "values near overflow"},
    {"output=huge", "values near overflow"},
    {"input=tiny", "values near underflow"},
    {"output=tiny", "values near underflow"},
    {"data", "special values in operands"},
    {TRIGGER_BACKWARDS, "a negative increment"},
    {"repeated", "an increment of 0"},
    {"stride", "an increment above 1"},
    {"gap", "gaps between rows"},
};

static const char *said_for(const WordPair *pairs, size_t count, const char *word, size_t length)
{
    for (size_t i = 0; i < count; i++)
        if (strlen(pairs[i].word) == length && !strncmp(pairs[i].word, word, length))
            return pairs[i].said;
    return NULL;
}

void bug_put_condition(Text *to, const char *word, size_t length, bool value)
{
    const char *said = said_for(whole, COUNT_OF(whole), word, length);
    const char *equals = memchr(word, '=', length);
    size_t name = equals ? (size_t)(equals - word) : length;
    const char *class =
        equals ? said_for(classes, COUNT_OF(classes), equals + 1, length - name - 1) : NULL;
    if (said)
        text_put(to, said);
    else if (equals && class)
        text_printf(to, "%.*s %s%s", (int)name, word, !strncmp(class, "near", 4) ? "" : "= ",
                    class);
    else if (equals)
        text_printf(to, "%.*s = %.*s", (int)name, word, (int)(length - name - 1), equals + 1);
    else
        text_printf(to, "%s%.*s", value ? "a general " : "", (int)length, word);
}
