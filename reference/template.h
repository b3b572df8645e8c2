/* Text out of templates: files of other languages in which @NAME@ stands for a value.  The build
 * embeds them (reference/embed). */
#ifndef REFERENCE_TEMPLATE_H
#define REFERENCE_TEMPLATE_H

#include "base.h"

/* The value of a placeholder: a text, or a whole number where the text is NULL. */
typedef struct TemplateValue {
    const char *name; /* capitals, digits and _ */
    const char *text;
    long long number;
} TemplateValue;

/* Appends the template with the value of NAME in place of each @NAME@; any other @ stays.  The
 * values end with one that has no name.  A placeholder without a value is a BUG, and so is a value
 * that has no placeholder. */
void template_put(Text *text, const char *template, const TemplateValue *values);

#endif
