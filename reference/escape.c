/* Each language goes through a text character by character. */
#include "escape.h"

#include <stdarg.h>
#include <string.h>

/* The length of the character of UTF-8 at the beginning of a text, which goes to *point; 0 for
 * bytes that are none: too long, of a surrogate, or cut off. */
static size_t decode(const char *text, uint32_t *point)
{
    static const uint32_t least[] = {0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    size_t more = first < 0x80 ? 0 : first < 0xc2 ? 4 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    if (more > 3 || first > 0xf4)
        return 0;
    *point = more == 0 ? first : first & (0x3fu >> more);
    for (size_t i = 1; i <= more; i++) {
        if (((unsigned char)text[i] & 0xc0) != 0x80)
            return 0;
        *point = *point << 6 | ((unsigned char)text[i] & 0x3f);
    }
    bool bad = *point < least[more] || *point > 0x10ffff || (*point >= 0xd800 && *point < 0xe000);
    return bad ? 0 : more + 1;
}

size_t escape_printed(const char *text)
{
    static const struct {
        uint32_t first, last;
    } silent[] = {{0, 0x1f},        {0x7f, 0x9f},     {0xad, 0xad},     {0x61c, 0x61c},
                  {0x180e, 0x180e}, {0x200b, 0x200f}, {0x2028, 0x202e}, {0x2060, 0x206f},
                  {0xfe00, 0xfe0f}, {0xfeff, 0xfeff}, {0xfff0, 0xffff}, {0xe0000, 0xe0fff}};
    uint32_t point;
    size_t length = decode(text, &point);
    for (size_t i = 0; length > 0 && i < COUNT_OF(silent); i++)
        if (point >= silent[i].first && point <= silent[i].last)
            return 0;
    return length > 0 && (point & 0xfffe) != 0xfffe ? length : 0;
}

/* Appends what stands for a character of ASCII; false where that is the character itself. */
typedef bool Replace(Text *to, char character);

static void put_byte(Text *to, char byte)
{
    text_printf(to, "\\x%02x", (unsigned char)byte);
}

/* Appends a text: what is replaced, what prints or is among the kept as it is, and the rest as
 * \xNN.
 */
static void put_each(Text *to, const char *text, const char *kept, Replace *replace)
{
    while (*text) {
        size_t length = strchr(kept, *text) ? 1 : escape_printed(text);
        bool replaced = replace && replace(to, *text);
        if (!replaced && length > 0)
            text_append(to, text, length);
        else if (!replaced)
            put_byte(to, *text);
        text += replaced || length == 0 ? 1 : length;
    }
}

void escape_put_line(Text *to, const char *text)
{
    put_each(to, text, "", NULL);
}

void escape_put_lines(Text *to, const char *text)
{
    put_each(to, text, "\n\t", NULL);
}

void escape_print(FILE *to, const char *format, ...)
{
    Text text = {0}, shown = {0};
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(&text, format, arguments);
    va_end(arguments);
    escape_put_lines(&shown, text_string(&text));
    (void)fputs(text_string(&shown), to);
    text_release(&text);
    text_release(&shown);
}

/* True when the character makes a mark with what stands before it: the begin or the end of a
 * comment of C, or a part of a trigraph. */
static bool makes_mark(const Text *before, char character)
{
    char last = before->length ? before->data[before->length - 1] : ' ';
    return (last == '/' && character == '*') || (last == '*' && character == '/') ||
           (last == '?' && character == '?');
}

static bool replace_in_comment(Text *to, char character)
{
    bool replaced = character == '\\' || makes_mark(to, character);
    if (replaced)
        put_byte(to, character);
    return replaced;
}

void escape_put_c_comment(Text *to, const char *text)
{
    put_each(to, text, "", replace_in_comment);
}

static bool replace_in_markup(Text *to, char character)
{
    const char *entity = character == '&'    ? "&amp;"
                         : character == '<'  ? "&lt;"
                         : character == '>'  ? "&gt;"
                         : character == '"'  ? "&quot;"
                         : character == '\'' ? "&#39;"
                                             : NULL;
    text_put(to, entity ? entity : "");
    return entity != NULL;
}

void escape_put_markup(Text *to, const char *text)
{
    put_each(to, text, "\n\t", replace_in_markup);
}

static bool replace_in_markdown(Text *to, char character)
{
    bool replaced = strchr("\\`<>[]|", character) != NULL;
    if (replaced)
        text_printf(to, "\\%c", character);
    return replaced;
}

void escape_put_markdown(Text *to, const char *text)
{
    put_each(to, text, "", replace_in_markdown);
}

/* The backticks that a fence around the text takes: one more than stand together in it. */
static int fence_length(const char *text, int least)
{
    int length = least, run = 0;
    for (; *text; text++) {
        run = *text == '`' ? run + 1 : 0;
        length = run >= length ? run + 1 : length;
    }
    return length;
}

static void put_fence(Text *to, int length)
{
    while (length-- > 0)
        text_put(to, "`");
}

void escape_put_markdown_code(Text *to, const char *text)
{
    int fence = fence_length(text, 1);
    bool padded = !text[0] || text[0] == '`' || text[strlen(text) - 1] == '`';
    put_fence(to, fence);
    text_put(to, padded ? " " : "");
    escape_put_line(to, text);
    text_put(to, padded ? " " : "");
    put_fence(to, fence);
}

void escape_put_markdown_block(Text *to, const char *language, const char *text)
{
    int fence = fence_length(text, 3);
    put_fence(to, fence);
    text_printf(to, "%s\n", language);
    escape_put_lines(to, text);
    if (to->data[to->length - 1] != '\n')
        text_put(to, "\n");
    put_fence(to, fence);
}

static bool replace_in_csv(Text *to, char character)
{
    if (character == '"')
        text_put(to, "\"\"");
    return character == '"';
}

void escape_put_csv(Text *to, const char *text, bool number)
{
    bool formula = !number && text[0] && strchr("=+-@\t\r\n", text[0]);
    bool quoted = formula || strpbrk(text, ",\"\n");
    text_put(to, formula ? "\"'" : quoted ? "\"" : "");
    put_each(to, text, "\n\t", replace_in_csv);
    text_put(to, quoted ? "\"" : "");
}

/* Appends one character inside of single quotes. */
static void put_quoted(Text *to, const char *character, size_t length)
{
    if (*character == '\'')
        text_put(to, "'\\''");
    else {
        text_put(to, makes_mark(to, *character) ? "''" : "");
        text_append(to, character, length);
    }
}

void escape_put_shell(Text *to, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "0123456789_-+=.,/:@";
    if (word[0] && word[strspn(word, plain)] == '\0') {
        text_put(to, word);
        return;
    }
    text_put(to, "'");
    for (size_t length; *word; word += length ? length : 1) {
        length = escape_printed(word);
        put_quoted(to, length ? word : "?", length ? length : 1);
    }
    text_put(to, "'");
}
