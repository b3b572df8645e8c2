#include "refusals.h"

#include <regex.h>
#include <string.h>

void refusals_add(Refusals *refusals, const char *line)
{
    size_t length = strlen(line);
    if (refusals->length + length + 2 > sizeof refusals->lines)
        return;
    memcpy(refusals->lines + refusals->length, line, length);
    refusals->length += length;
    refusals->lines[refusals->length++] = '\n';
    refusals->lines[refusals->length] = '\0';
}

static bool is_found(const char *pattern, const char *source)
{
    regex_t compiled;
    if (regcomp(&compiled, pattern, REG_EXTENDED | REG_NEWLINE | REG_NOSUB) != 0)
        BUG("no extended regular expression: %s", pattern);
    bool found = regexec(&compiled, source, 0, NULL, 0) == 0;
    regfree(&compiled);
    return found;
}

/* Whether all patterns of a line are found, which is cut up. */
static bool line_matches(char *patterns, const char *source)
{
    char *rest = NULL;
    bool found = true;
    for (char *pattern = strtok_r(patterns, "\t", &rest); found && pattern;
         pattern = strtok_r(NULL, "\t", &rest))
        found = is_found(pattern, source);
    return found;
}

static void put_program(const Case *c, Text *text)
{
    static const char field[] = " extents=";
    Text line = {0};
    case_print_call(c, &line);
    const char *extents = strstr(text_string(&line), field);
    if (extents) {
        extents += sizeof field - 1;
        text_printf(text, "EXTENTS %.*s\n", (int)strcspn(extents, " "), extents);
    }
    text_release(&line);
    c->op->source(c->params, text);
}

bool refusals_have(const Refusals *refusals, const Case *c, Text *why)
{
    if (!c->op->source || refusals->length == 0)
        return false;
    Text source = {0}, lines = {0};
    put_program(c, &source);
    text_put(&lines, refusals->lines);
    bool found = false;
    char *rest = NULL;
    for (char *line = strtok_r(lines.data, "\n", &rest); !found && line;
         line = strtok_r(NULL, "\n", &rest)) {
        char *patterns = strchr(line, '\t');
        if (!patterns)
            continue;
        *patterns++ = '\0';
        found = line_matches(patterns, text_string(&source));
        if (found)
            text_put(why, line);
    }
    text_release(&source);
    text_release(&lines);
    return found;
}
