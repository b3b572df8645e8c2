/* A line for each call: what is asked, and on which conditions. */
#include "describe.h"

#include "binding.h"

static void put_conditions(const char *mark, const char *conditions, Text *text)
{
    if (conditions && *conditions)
        text_printf(text, "%s%s", mark, conditions);
}

void bindings_describe(const char *name, const OpDesc *op, Text *text)
{
    const Bindings *bindings = bindings_find(name);
    const BindingCall *call = bindings ? bindings_calls(bindings, TARGET_PYTHON, op) : NULL;
    for (; call; call = call->next) {
        text_printf(text, "%s%s", call->is_gradient ? "gradient of " : "", call->expression.text);
        put_conditions(" requires ", call->conditions, text);
        put_conditions(" gradient requires ", call->gradient_conditions, text);
        text_put(text, "\n");
    }
}
