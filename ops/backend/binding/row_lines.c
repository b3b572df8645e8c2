/* Cuts texts of rows. */
#include "row_lines.h"

#include <ctype.h>
#include <string.h>

RowLines row_lines_begin(char *text)
{
    return (RowLines){.rest = text, .next = 1};
}

char *row_lines_next(RowLines *lines)
{
    for (; *lines->rest == '#' || *lines->rest == '\n'; lines->next++) {
        lines->rest += strcspn(lines->rest, "\n");
        lines->rest += *lines->rest == '\n';
    }
    char *start = lines->rest, *end = strchr(start, '\n');
    lines->line = lines->next;
    for (; end && end[1] == ' '; end = strchr(end, '\n'), lines->next++)
        *end = ' ';
    lines->next++;
    lines->rest = end ? end + 1 : strchr(start, '\0');
    if (end)
        *end = '\0';
    return *start ? start : NULL;
}

char *row_trim(char *text)
{
    text += strspn(text, " ");
    for (size_t length = strlen(text); length > 0 && text[length - 1] == ' '; length--)
        text[length - 1] = '\0';
    return text;
}

char *row_next_part(char **text)
{
    char *part = *text, *bar = part ? strchr(part, '|') : NULL;
    while (bar && bar > part && bar[-1] != ' ')
        bar = strchr(bar + 1, '|');
    *text = bar ? bar + 1 : NULL;
    if (bar)
        *bar = '\0';
    return part ? row_trim(part) : NULL;
}

bool row_types_read(char *text, uint32_t *dtypes, const char **unknown)
{
    static const struct {
        const char *name;
        uint32_t dtypes;
    } groups[] = {
        {"float", DTYPES_FLOAT},     {"ieee", DTYPES_FLOAT & ~(1u << DT_BF16)},
        {"real", DTYPES_REAL},       {"integer", DTYPES_INTEGER},
        {"whole", DTYPES_WHOLE},     {"complex", DTYPES_COMPLEX},
        {"boolean", DTYPES_BOOLEAN}, {"any", DTYPES_FLOAT | DTYPES_INTEGER | DTYPES_BOOLEAN}};
    *dtypes = 0;
    for (char *word = strsep(&text, " "); word; word = strsep(&text, " ")) {
        uint32_t found = 0;
        for (size_t i = 0; i < COUNT_OF(groups); i++)
            found |= strcmp(groups[i].name, word) ? 0 : groups[i].dtypes;
        for (int dtype = 0; dtype < DT_COUNT; dtype++)
            found |= strcmp(dtype_names[dtype], word) ? 0 : 1u << dtype;
        *unknown = word;
        if (!found && *word)
            return false;
        *dtypes |= found;
    }
    return true;
}

void row_put_call(Text *text, const char *call, const char *op)
{
    for (const char *at = call; *at; at++) {
        bool capital = !strncmp(at, "{Op}", 4);
        if (!capital && strncmp(at, "{op}", 4) != 0) {
            text_append(text, at, 1);
            continue;
        }
        char first = capital ? (char)toupper((unsigned char)op[0]) : op[0];
        text_append(text, &first, 1);
        text_put(text, op + 1);
        at += 3;
    }
}
