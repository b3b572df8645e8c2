/* Programs as parameters.  ops/program gives their statements a meaning; here they are a list. */
#include "param_code.h"

#include <stdlib.h>
#include <string.h>

static int name_count(const Param *param)
{
    int count = 0;
    while (param->names[count])
        count++;
    return count;
}

/* A quarter of all statements are words that give structure; where special ones are wanted, so are
 * a quarter, and no others: param->special names at the end of the table. */
static CodeStatement draw_statement(const Param *param, bool special, Draw *draw)
{
    Choices *choices = &draw->choices;
    CodeStatement drawn = {0};
    int plain = name_count(param) - (int)param->special;
    int64_t quarter = choice_below(choices, 4);
    if (quarter == 2 && special && param->special > 0)
        drawn.name = (uint8_t)(plain + choice_below(choices, param->special));
    else
        drawn.name = (uint8_t)(1 + choice_below(choices, quarter == 3 ? param->rank : plain - 1));
    for (int i = 0; i < CODE_NUMBERS; i++)
        drawn.number[i] = (uint8_t)choice_below(choices, param->maximum + 1);
    return drawn;
}

void code_draw(const Param *param, Code *code, Draw *draw)
{
    int64_t most = draw->regime == REGIME_SMALL ? CODE_MAX / 2 : CODE_MAX;
    bool special = choice_below(&draw->choices, 2) == 1;
    *code = (Code){.count = choice_between(&draw->choices, 1, most)};
    for (int64_t i = 0; i < code->count; i++)
        code->statements[i] = draw_statement(param, special, draw);
}

static void drop(Code *code, int64_t at, int64_t count)
{
    memmove(&code->statements[at], &code->statements[at + count],
            sizeof *code->statements * (size_t)(code->count - at - count));
    code->count -= count;
    memset(&code->statements[code->count], 0, sizeof *code->statements * (size_t)count);
}

void code_mutate(const Param *param, Code *code, Draw *draw)
{
    Choices *choices = &draw->choices;
    int64_t at = code->count ? choice_below(choices, code->count) : 0,
            other = code->count ? choice_below(choices, code->count) : 0;
    CodeStatement *statement = &code->statements[at], kept = *statement;
    switch (code->count ? choice_below(choices, 6) : 0) {
    case 0:
    case 1:
        if (code->count == CODE_MAX)
            break;
        memmove(statement + 1, statement, sizeof *statement * (size_t)(code->count - at));
        *statement = draw_statement(param, true, draw);
        code->count++;
        break;
    case 2:
        drop(code, at, 1);
        break;
    case 3:
        *statement = draw_statement(param, true, draw);
        break;
    case 4:
        *statement = code->statements[other];
        code->statements[other] = kept;
        break;
    default:
        statement->number[choice_below(choices, CODE_NUMBERS)] =
            (uint8_t)choice_below(choices, param->maximum + 1);
    }
}

void code_print(const Param *param, const Code *code, Text *text)
{
    if (code->count == 0)
        text_put(text, param->names[0]);
    for (int64_t i = 0; i < code->count; i++) {
        const CodeStatement *statement = &code->statements[i];
        int shown = CODE_NUMBERS;
        while (shown > 0 && statement->number[shown - 1] == 0)
            shown--;
        text_printf(text, "%s%s", i ? "," : "", param->names[statement->name]);
        for (int k = 0; k < shown; k++)
            text_printf(text, ".%d", statement->number[k]);
    }
}

/* One statement up to a comma or the end; NULL where it is none. */
static const char *parse_statement(const Param *param, CodeStatement *statement, const char *text)
{
    size_t length = strcspn(text, ".,");
    int name = 0;
    while (param->names[name] &&
           (strlen(param->names[name]) != length || strncmp(param->names[name], text, length) != 0))
        name++;
    if (!param->names[name])
        return NULL;
    *statement = (CodeStatement){.name = (uint8_t)name};
    text += length;
    for (int k = 0; *text == '.'; k++) {
        char *end;
        unsigned long number = strtoul(text + 1, &end, 10);
        if (k == CODE_NUMBERS || end == text + 1 || number > (unsigned long)param->maximum)
            return NULL;
        statement->number[k] = (uint8_t)number;
        text = end;
    }
    return *text == '\0' || *text == ',' ? text : NULL;
}

bool code_parse(const Param *param, Code *code, const char *text)
{
    *code = (Code){0};
    for (bool more = true; more; text++) {
        if (code->count == CODE_MAX)
            return false;
        text = parse_statement(param, &code->statements[code->count], text);
        if (!text)
            return false;
        code->count++;
        more = *text == ',';
    }
    return true;
}

void code_encode(const Param *param, const Code *code, Text *bytes)
{
    for (int64_t i = 0; i < code->count; i++) {
        const CodeStatement *statement = &code->statements[i];
        uint16_t tag = name_tag("", param->names[statement->name]);
        text_append(bytes, (const char *)&tag, sizeof tag);
        text_append(bytes, (const char *)statement->number, sizeof statement->number);
    }
}

void code_decode(const Param *param, Code *code, const uint8_t *payload, size_t size)
{
    *code = (Code){0};
    for (size_t at = 0; at + 2 + CODE_NUMBERS <= size && code->count < CODE_MAX;
         at += 2 + CODE_NUMBERS) {
        uint16_t tag;
        CodeStatement *statement = &code->statements[code->count++];
        memcpy(&tag, payload + at, sizeof tag);
        for (int name = 0; param->names[name]; name++)
            if (name_tag("", param->names[name]) == tag)
                statement->name = (uint8_t)name;
        for (int k = 0; k < CODE_NUMBERS; k++)
            statement->number[k] = (uint8_t)(payload[at + 2 + (size_t)k] % (param->maximum + 1));
    }
}

bool code_simpler(Code *code, int number)
{
    int64_t count = code->count, at = number;
    for (int64_t size = count / 2; size >= 1; size /= 2) {
        int64_t places = count - size + 1;
        if (at < places) {
            drop(code, at, size);
            return true;
        }
        at -= places;
    }
    if (at >= count * CODE_NUMBERS)
        return false;
    uint8_t *value = &code->statements[at / CODE_NUMBERS].number[at % CODE_NUMBERS];
    *value = (uint8_t)(*value > 1 ? *value / 2 : 0);
    return true;
}

void code_facet(const Param *param, const Code *code, Text *text)
{
    for (int name = 1; param->names[name]; name++)
        for (int64_t i = 0; i < code->count; i++)
            if (code->statements[i].name == name) {
                text_printf(text, "%s ", param->names[name]);
                break;
            }
}
