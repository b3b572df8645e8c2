/* Words of titles are those of ops/case/trigger.h. */
#include "issue_words.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "ops/case/trigger.h"
#include "reproduce/program_run.h"

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
    {"output=nan", "NaN in an operand"},
    {"input=inf", "infinity in an operand"},
    {"output=inf", "infinity in an operand"},
    {"input=-0", "-0 in an operand"},
    {"output=-0", "-0 in an operand"},
    {"input=huge", "values near overflow"},
    {"output=huge", "values near overflow"},
    {"input=tiny", "values near underflow"},
    {"output=tiny", "values near underflow"},
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

static void put_condition(Text *to, const char *word, size_t length)
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
        text_append(to, word, length);
}

void issue_put_conditions(Text *to, const char *title)
{
    const char *symptom = strstr(title, ": ");
    const char *where = symptom ? strstr(symptom, " where ") : NULL;
    const char *with = symptom && !where ? strstr(symptom, " with ") : NULL;
    const char *at = where ? where + strlen(" where ") : with ? with + strlen(" with ") : "";
    for (bool first = true; *at; first = false) {
        size_t length = strcspn(at, ",");
        const char *next = at + length + strspn(at + length, ", ");
        text_put(to, first ? " for " : *next ? ", " : " and ");
        put_condition(to, at, length);
        at = next;
    }
}

/* Behind a sequence that sets colours and the like, as terminals know it; where there is none, the
 * place itself. */
static const char *behind_colour(const char *at)
{
    if (at[0] != '\x1b' || at[1] != '[')
        return at;
    at += 2;
    at += strspn(at, "0123456789;");
    return *at ? at + 1 : at;
}

/* Behind the folder of a program, or the one that we run in. */
static const char *behind_folder(const char *at, const char *here)
{
    size_t length = strlen(here);
    bool of_program = strncmp(at, PROGRAM_FOLDER, strlen(PROGRAM_FOLDER)) == 0;
    const char *folder = of_program ? strchr(at + strlen(PROGRAM_FOLDER), '/') : NULL;
    if (folder)
        return folder + 1;
    return length > 1 && !strncmp(at, here, length) && at[length] == '/' ? at + length + 1 : at;
}

void issue_put_output(Text *to, const char *output)
{
    char here[PATH_MAX];
    if (!getcwd(here, sizeof here))
        here[0] = '\0';
    while (*output) {
        const char *next = behind_folder(behind_colour(output), here);
        if (next == output)
            text_append(to, output++, 1);
        else
            output = next;
    }
}

/* Characters of a number; any other one is none of our own. */
static void put_plain(Text *to, const char *number, size_t length)
{
    for (size_t i = 0; i < length; i++)
        text_append(
            to, isalnum((unsigned char)number[i]) || strchr("+-., ", number[i]) ? number + i : "?",
            1);
}

void issue_put_number(Text *to, const char *number)
{
    static const double whole_most = 1e10;
    const char *open = strchr(number, '('), *close = open ? strchr(open, ')') : NULL;
    double value = strtod(number, NULL);
    if (strstr(number, "nan"))
        text_put(to, "NaN");
    else if (strstr(number, "inf"))
        text_put(to, number[0] == '-' ? "-infinity" : "infinity");
    else if (close && value != 0 && value == rint(value) && fabs(value) < whole_most)
        text_printf(to, "%.0f", value);
    else if (close)
        put_plain(to, open + 1, (size_t)(close - open - 1));
    else
        put_plain(to, number, strlen(number));
}
