/* oneDNN's verbose lines. */
#include <string.h>

#include "format.h"
#include "onednn_primitive.h"

enum { FIELDS_MAX = 24 };

/* Fields in front of "exec" differ between versions: v1, primitive, a time. */
static bool split_line(char *line, Primitive *primitive)
{
    char *fields[FIELDS_MAX];
    int count = 0, at = 0;
    for (char *rest = line; rest && count < FIELDS_MAX;)
        fields[count++] = strsep(&rest, ",");
    while (at < count && strcmp(fields[at], "exec") != 0)
        at++;
    if (at + 8 >= count)
        return false;
    *primitive = (Primitive){fields[at + 2], fields[at + 4], fields[at + 5],
                             fields[at + 6], fields[at + 7], fields[at + 8]};
    return true;
}

LineMeaning import_onednn_line(Import *import, char *line, Text *why)
{
    Primitive primitive;
    Draft draft = {0};
    char *begin = strstr(line, "onednn_verbose,");
    begin = begin ? begin : strstr(line, "dnnl_verbose,");
    if (!begin || !strstr(begin, ",exec,"))
        return LINE_OTHER;
    begin[strcspn(begin, "\r")] = '\0';
    if (!split_line(begin, &primitive)) {
        text_put(why, "the line has too few fields");
        return LINE_BAD;
    }
    bool taken = onednn_import(import, &primitive, &draft);
    if (!taken)
        text_put(why, text_string(&draft.why));
    draft_release(&draft);
    return taken ? LINE_CALL : LINE_BAD;
}
