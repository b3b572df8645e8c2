/* Fills handlers.c.in. */
#include "handlers.h"

#include "reference/template.h"

extern const char handlers_c_in[];

void handlers_put(Text *source, const BackendFacts *facts)
{
    bool marks = facts->marks_calls_from_c;
    const TemplateValue values[] = {{"MARK", marks ? "extern int CBLAS_CallFromC;\n" : "", 0},
                                    {"ADDED", marks ? " + CBLAS_CallFromC" : "", 0},
                                    {0}};
    template_put(source, handlers_c_in, values);
}
