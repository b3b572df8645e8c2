/* Texts for readers elsewhere. */
#include "issue_words.h"

#include <ctype.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "reproduce/program_run.h"

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
