/* Text of strangers in the languages that this program writes.
 *
 * Names, messages and lines come from databases, libraries and files.  Whatever bytes they have,
 * what is appended here is nothing but text where it stands: it ends no comment, string, cell or
 * tag, breaks no line, and moves no cursor.
 *
 * "As \xNN" means byte by byte, with two small hexadecimal digits.  What does not print are control
 * characters, bytes that are no UTF-8, and characters that have no width or turn the direction of
 * writing.  JSON is written by reports/json.h, strings of Python by Python. */
#ifndef REFERENCE_ESCAPE_H
#define REFERENCE_ESCAPE_H

#include <stdio.h>

#include "base.h"

/* The bytes of the character at the beginning of a text that is not empty; 0 where its first byte
 * does not print. */
size_t escape_printed(const char *text);

/* For people, on one line: what does not print as \xNN. */
void escape_put_line(Text *to, const char *text);
/* The same, but newlines and tabs stay. */
void escape_put_lines(Text *to, const char *text);
/* Prints, for people, what the format gives, as escape_put_lines does. */
void escape_print(FILE *to, const char *format, ...) PRINTF_LIKE(2, 3);

/* Inside of a comment of C, also at the end of a line: the marks of comments, trigraphs and
 * backslashes as \xNN as well. */
void escape_put_c_comment(Text *to, const char *text);
/* HTML and XML, as contents or in quotes: entities for what is markup; newlines and tabs stay. */
void escape_put_markup(Text *to, const char *text);
/* Markdown: a part of a line of text, a span of code, and a block of code, which begins and ends
 * lines. */
void escape_put_markdown(Text *to, const char *text);
void escape_put_markdown_code(Text *to, const char *text);
void escape_put_markdown_block(Text *to, const char *language, const char *text);
/* A cell of CSV (RFC 4180).  A text that spreadsheets would compute begins with an apostrophe. */
void escape_put_csv(Text *to, const char *text, bool number);
/* A word of a command of the shell, which may stand in a comment of C: quoted where it needs that,
 * with question marks for the bytes of what does not print, which no command that is shown can
 * have. */
void escape_put_shell(Text *to, const char *word);

#endif
