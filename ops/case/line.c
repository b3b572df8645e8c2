/* The text form of cases. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "case.h"
#include "large.h"
#include "reference/nearest.h"
#include "reference/ref.h"

/* A fill or exec group: the first parameter bare if it is a choice (with its seed after a colon),
 * then name:value for what is not at its simplest, with commas between. */
static void print_group(const ParamGroup *group, Text *line)
{
    const Param *param = group->params;
    bool headed = group->params == fill_params, first = true;
    text_printf(line, "%s=", group->name);
    if (headed) {
        param_print(param, group->values, line);
        param++;
        if (!param_is_simplest(param, group->values)) {
            text_printf(line, ":");
            param_print(param, group->values, line);
        }
        param++;
        first = false;
    }
    for (; param->name; param++) {
        if (param_is_simplest(param, group->values))
            continue;
        text_printf(line, "%s%s:", first ? "" : ",", param->name);
        param_print(param, group->values, line);
        first = false;
    }
}

static bool group_is_simplest(const ParamGroup *group)
{
    for (const Param *param = group->params; param->name; param++)
        if (!param_is_simplest(param, group->values))
            return false;
    return true;
}

void case_print_call(const Case *c, Text *line)
{
    text_put(line, c->op->name);
    text_put(line, "/");
    text_put_integer(line, c->op->version);
    for (const Param *param = c->op->params; param->name; param++) {
        if (param->terse && param_is_simplest(param, c->params))
            continue;
        text_put(line, " ");
        text_put(line, param->name);
        text_put(line, "=");
        param_print(param, c->params, line);
    }
}

void case_put_source(const Case *c, Text *line)
{
    Text source = {0};
    if (!c->op->source)
        return;
    c->op->source(c->params, &source);
    text_put(line, " source=");
    for (const char *at = text_string(&source); *at; at++)
        if (*at == ' ' || *at == '\n')
            text_put(line, *at == ' ' ? "\\s" : "\\n");
        else
            text_append(line, at, 1);
    text_release(&source);
}

void case_print(const Case *c, Text *line)
{
    Case copy = *c;
    ParamGroup groups[CASE_GROUPS_MAX];
    int count = case_groups(&copy, groups);
    case_print_call(c, line);
    for (int i = 1; i < count - 1; i++) {
        text_printf(line, i == 1 ? " | " : " ");
        print_group(&groups[i], line);
    }
    if (!group_is_simplest(&groups[count - 1])) {
        text_printf(line, " | ");
        print_group(&groups[count - 1], line);
    }
}

static const Param *param_named(const Param *params, const char *name)
{
    for (; params->name; params++)
        if (!strcmp(params->name, name))
            return params;
    return NULL;
}

static void put_nearest(const Param *params, const char *name, Text *error)
{
    Nearest nearest = nearest_begin(name, strlen(name));
    for (; params->name; params++)
        nearest_offer(&nearest, params->name);
    nearest_put(&nearest, error);
}

/* name:value pairs with commas between; a fill begins with kind[:seed]. */
static bool parse_group(const ParamGroup *group, char *text, Text *error)
{
    bool headed = group->params == fill_params;
    char *rest = text;
    for (bool first = true; rest; first = false) {
        char *item = strsep(&rest, ","), *value = strchr(item, ':');
        if (value)
            *value++ = '\0';
        if (headed && first) {
            if (!param_parse(&group->params[0], group->values, item, error) ||
                (value && !param_parse(&group->params[1], group->values, value, error)))
                return false;
            continue;
        }
        const Param *param = param_named(group->params, item);
        if (!param || !value) {
            text_printf(error, "'%s': expected one of", item);
            for (param = group->params; param->name; param++)
                text_printf(error, " %s:", param->name);
            if (value)
                put_nearest(group->params, item, error);
            return false;
        }
        if (!param_parse(param, group->values, value, error))
            return false;
    }
    return true;
}

/* One parameter of the operator.  Lines of earlier versions, and those without a version, may have
 * its former name. */
static bool parse_param(Case *c, bool earlier, const char *name, const char *value, Text *error)
{
    const Param *param = param_named(c->op->params, name);
    if (param)
        return param_parse(param, c->params, value, error);
    for (param = c->op->params; param->name; param++) {
        if (!param->formerly || strcmp(param->formerly, name) != 0)
            continue;
        Param former = param_former(param);
        if (earlier)
            return param_parse(&former, c->params, value, error);
        text_printf(error, "'%s' is called '%s' in %s/%d", name, param->name, c->op->name,
                    c->op->version);
        return false;
    }
    text_printf(error, "'%s' is no parameter of %s", name, c->op->name);
    put_nearest(c->op->params, name, error);
    return false;
}

/* Where in a line a word is: its section (0: parameters, 1: operands, 2: exec), and whether the
 * line is of an earlier version of the operator or of none. */
typedef struct Place {
    int section;
    bool earlier;
} Place;

/* False with a reason where the section has the name already. */
static bool note_name(Text *seen, int section, const char *token, Text *error)
{
    Text name = {0};
    text_printf(&name, " %d:%.*s=", section, (int)strcspn(token, "="), token);
    bool first = !strstr(text_string(seen), text_string(&name));
    if (first)
        text_put(seen, text_string(&name));
    else
        text_printf(error, "%.*s is given twice", (int)strcspn(token, "="), token);
    text_release(&name);
    return first;
}

static bool parse_token(Case *c, const ParamGroup *groups, int count, const Place *place,
                        char *token, Text *error)
{
    char *value = strchr(token, '=');
    if (!value) {
        text_printf(error, "'%s': expected name=value", token);
        return false;
    }
    *value++ = '\0';
    if (place->section == 0)
        return parse_param(c, place->earlier, token, value, error);
    for (int i = 1; i < count; i++)
        if (!strcmp(groups[i].name, token) && (i == count - 1) == (place->section == 2))
            return parse_group(&groups[i], value, error);
    text_printf(error, "'%s' is no %s of %s", token, place->section == 1 ? "operand" : "section",
                c->op->name);
    Nearest nearest = nearest_begin(token, strlen(token));
    for (int i = place->section == 1 ? 1 : count - 1; i < count; i++)
        nearest_offer(&nearest, groups[i].name);
    nearest_put(&nearest, error);
    return false;
}

/* The operator and its version.  With `begun` the case stays as it is. */
static bool parse_head(Case *c, char *head, bool begun, bool *earlier, Text *error)
{
    char *version = strchr(head, '/');
    if (version)
        *version++ = '\0';
    const OpDesc *op = op_find(head);
    if (!op) {
        text_printf(error,
                    "unknown operator '%s' (opconform list ops; --plugin for those of plug-ins)",
                    head);
        Nearest nearest = nearest_begin(head, strlen(head));
        op_offer_names(&nearest);
        nearest_put(&nearest, error);
        return false;
    }
    char *end = NULL;
    long number = version ? strtol(version, &end, 10) : 0;
    if (version && (number < 1 || number > op->version || *end)) {
        text_printf(error, "%s/%s: this build knows version%s %d", head, version,
                    op->version > 1 ? "s 1 to" : "", op->version);
        return false;
    }
    *earlier = number < op->version;
    if (!begun)
        case_init(c, op);
    return true;
}

static bool has_room(const Case *c, Text *error)
{
    double components = case_components(c);
    if (case_has_room(c))
        return true;
    text_printf(
        error,
        "case line: its operands hold %.0f numbers, there is room for %d: take smaller extents",
        components, CASE_COMPONENTS_MAX);
    return false;
}

/* Reads the words of a line into a case; with `begun` into one that was read before. */
static bool read_words(Case *c, const char *line, bool begun, Text *error)
{
    Text copy = {0}, reason = {0}, seen = {0};
    text_printf(&copy, "%s", line);
    char *rest = copy.data ? copy.data : NULL, *token = rest;
    bool ok = true, headed = false;
    Place place = {0, false};
    int count = 0;
    ParamGroup groups[CASE_GROUPS_MAX];
    while (ok && rest) {
        token = strsep(&rest, " \t\r\n");
        if (*token == '\0')
            continue;
        if (!headed) {
            ok = headed = parse_head(c, token, begun, &place.earlier, &reason);
            count = ok ? case_groups(c, groups) : 0;
        } else if (!strcmp(token, "|")) {
            ok = ++place.section <= 2;
            if (!ok)
                text_printf(&reason, "more than three sections");
        } else {
            ok = note_name(&seen, place.section, token, &reason) &&
                 parse_token(c, groups, count, &place, token, &reason);
        }
    }
    if (ok && !headed) {
        ok = false;
        text_printf(&reason, "empty line");
    }
    if (!ok)
        text_printf(error, "case line, column %td: %s", token - copy.data + 1,
                    text_string(&reason));
    text_release(&copy);
    text_release(&reason);
    text_release(&seen);
    return ok;
}

/* A number of a line is read in the type that it has in the case: rounded, but no other number. */
static bool is_rounded(double given, double own)
{
    const double least_digits = 1.0 / 256;
    return value_same(given, own) ||
           (isfinite(own) && fabs(own - given) <= fabs(given) * least_digits);
}

static bool is_as_given(const Param *param, const void *given, const void *own)
{
    Text texts[2] = {{0}};
    const Scalar *a = (const void *)((const char *)given + param->offset),
                 *b = (const void *)((const char *)own + param->offset);
    if (param->kind == PARAM_SCALAR)
        return is_rounded(a->re, b->re) && is_rounded(a->im, b->im);
    param_print(param, given, &texts[0]);
    param_print(param, own, &texts[1]);
    bool same = !strcmp(text_string(&texts[0]), text_string(&texts[1]));
    text_release(&texts[0]);
    text_release(&texts[1]);
    return same;
}

static void put_element_types(const OpDesc *op, Text *error)
{
    text_printf(error, ", whose element types are");
    for (int i = 0; i < DT_COUNT; i++)
        if (op_dtypes(op) >> i & 1)
            text_printf(error, " %s", dtype_names[i]);
}

/* Says what a line has that its case cannot have, and the case that is nearest. */
static void put_difference(const Case *c, const ParamGroup *given, const ParamGroup *own,
                           const Param *param, Text *error)
{
    const char *inside = given->name[0] ? ":" : "=";
    text_printf(error, "case line: %s%s%s%s", given->name, given->name[0] ? "=" : "", param->name,
                inside);
    param_print(param, given->values, error);
    text_printf(error, " cannot be in this case of %s", c->op->name);
    if (param->kind == PARAM_DTYPE)
        put_element_types(c->op, error);
    else {
        text_printf(error, ", where it is ");
        param_print(param, own->values, error);
    }
    text_printf(error, "; the nearest line that can be run is: ");
    case_print(c, error);
}

/* False with one sentence where the case, which is legal, is not what the line says. */
static bool is_exact(const Case *c, const char *line, Text *error)
{
    Case own = *c, given = *c;
    ParamGroup owns[CASE_GROUPS_MAX], givens[CASE_GROUPS_MAX];
    if (!read_words(&given, line, true, error))
        return false;
    int count = case_groups(&own, owns);
    (void)case_groups(&given, givens);
    for (int i = 0; i < count; i++)
        for (const Param *param = owns[i].params; param->name; param++)
            if (!is_as_given(param, givens[i].values, owns[i].values)) {
                put_difference(c, &givens[i], &owns[i], param, error);
                return false;
            }
    return true;
}

bool case_parse(Case *c, const char *line, Text *error)
{
    if (!read_words(c, line, false, error))
        return false;
    case_normalise(c, NULL);
    return is_exact(c, line, error) && has_room(c, error);
}

bool case_returns_from_line(const Case *c)
{
    Case again;
    Text line = {0}, ignored = {0};
    case_print(c, &line);
    bool same = case_parse(&again, text_string(&line), &ignored) && case_equal(&again, c);
    text_release(&line);
    text_release(&ignored);
    return same;
}
