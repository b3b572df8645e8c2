/* Placeholders and their values. */
#include "template.h"

#include <string.h>

/* The length of the name that begins at `at` and ends with @, or 0. */
static size_t name_length(const char *at)
{
    size_t length = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    return at[length] == '@' ? length : 0;
}

static bool is_named(const TemplateValue *value, const char *name, size_t length)
{
    return strlen(value->name) == length && strncmp(value->name, name, length) == 0;
}

static void put_value(Text *text, const TemplateValue *values, const char *name, size_t length)
{
    while (values->name && !is_named(values, name, length))
        values++;
    if (!values->name)
        BUG("no value for @%.*s@", (int)length, name);
    if (values->text)
        text_put(text, values->text);
    else
        text_put_integer(text, values->number);
}

static bool is_used(const TemplateValue *value, const char *template)
{
    for (const char *at = strchr(template, '@'); at; at = strchr(at + 1, '@'))
        if (is_named(value, at + 1, name_length(at + 1)))
            return true;
    return false;
}

void template_put(Text *text, const char *template, const TemplateValue *values)
{
    for (const TemplateValue *value = values; value->name; value++)
        if (!is_used(value, template))
            BUG("no place for @%s@", value->name);
    while (*template) {
        size_t plain = strcspn(template, "@");
        text_append(text, template, plain);
        template += plain;
        if (!*template)
            break;
        size_t length = name_length(template + 1);
        if (length > 0)
            put_value(text, values, template + 1, length);
        else
            text_append(text, "@", 1);
        template += length > 0 ? length + 2 : 1;
    }
}
