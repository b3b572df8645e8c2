/* A line for each call: what is asked, and on which conditions. */
#include "describe.h"

#include "binding.h"

void bindings_describe(const char *name, const OpDesc *op, Text *text)
{
    const Bindings *bindings = bindings_find(name);
    const BindingCall *call = bindings ? bindings_calls(bindings, TARGET_PYTHON, op) : NULL;
    for (; call; call = call->next) {
        bool is_conditional = call->conditions && call->conditions[0];
        text_printf(text, "%s%s%s%s\n", call->is_gradient ? "gradient of " : "",
                    call->expression.text, is_conditional ? " requires " : "",
                    is_conditional ? call->conditions : "");
    }
}
