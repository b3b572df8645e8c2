#include "json.h"

#include <stdlib.h>
#include <string.h>

static void skip_spaces(Json *json)
{
    while (json->at < json->end && strchr(" \t\r\n", *json->at) && *json->at)
        json->at++;
}

char json_peek(Json *json)
{
    skip_spaces(json);
    return json->broken || json->at == json->end ? '\0' : *json->at;
}

static bool take(Json *json, char mark)
{
    bool taken = json_peek(json) == mark;
    json->at += taken;
    return taken;
}

static void expect(Json *json, char mark)
{
    if (!take(json, mark))
        json->broken = true;
}

/* The text behind its first quote; \u stands for ? and what is escaped for itself. */
static void take_quoted(Json *json, char text[JSON_TEXT_BYTES])
{
    size_t length = 0;
    while (json->at < json->end && *json->at != '"') {
        char c = *json->at++;
        if (c == '\\' && json->at < json->end) {
            c = *json->at++;
            c = c == 'n' || c == 't' || c == 'r' ? ' ' : c == 'u' ? '?' : c;
        }
        if (length + 1 < JSON_TEXT_BYTES)
            text[length++] = c;
    }
    text[length] = '\0';
    expect(json, '"');
}

/* A number, true, false or null. */
static void take_word(Json *json, char text[JSON_TEXT_BYTES])
{
    size_t length = 0;
    const char *start = json->at;
    while (json->at < json->end && *json->at && !strchr(" \t\r\n,:[]{}\"", *json->at)) {
        if (length + 1 < JSON_TEXT_BYTES)
            text[length++] = *json->at;
        json->at++;
    }
    text[length] = '\0';
    json->broken = json->broken || json->at == start;
}

bool json_enter(Json *json, char open)
{
    if (take(json, open))
        return true;
    json_skip(json);
    return false;
}

/* Commas in front of values are not asked for: a list with one too few is read all the same. */
static bool has_more(Json *json, char close)
{
    (void)take(json, ',');
    if (take(json, close))
        return false;
    json->broken = json->broken || json->at == json->end;
    return !json->broken;
}

bool json_key(Json *json, char key[JSON_TEXT_BYTES])
{
    if (!has_more(json, '}'))
        return false;
    expect(json, '"');
    if (json->broken)
        return false;
    take_quoted(json, key);
    expect(json, ':');
    return !json->broken;
}

bool json_item(Json *json)
{
    return has_more(json, ']');
}

void json_text(Json *json, char text[JSON_TEXT_BYTES])
{
    char first = json_peek(json);
    *text = '\0';
    if (take(json, '"'))
        take_quoted(json, text);
    else if (first == '{' || first == '[')
        json_skip(json);
    else
        take_word(json, text);
}

double json_number(Json *json)
{
    char text[JSON_TEXT_BYTES];
    json_text(json, text);
    return strtod(text, NULL);
}

/* Brackets are counted, not matched: what is skipped need not be right. */
void json_skip(Json *json)
{
    char text[JSON_TEXT_BYTES];
    long depth = 0;
    do {
        char first = json_peek(json);
        if (first == '{' || first == '[')
            depth++;
        if (first == '}' || first == ']')
            depth--;
        if (first == '"' || !first || !strchr("{}[],:", first))
            json_text(json, text);
        else
            json->at++;
    } while (depth > 0 && !json->broken);
}
