/* The tables of a gradient and of its operator beside each other. */
#include "gradient.h"

#include <stdio.h>
#include <string.h>

enum { NAME_BYTES = 64 };

/* The roles of the operands, as the simplest case has them. */
static void put_shapes(const OpDesc *op, Shapes *shapes)
{
    Case c;
    case_init(&c, op);
    op_shape(op, c.params, shapes);
}

static bool is_input(const OpDesc *op, const Shapes *shapes, const char *name)
{
    int i = op_operand(op, name);
    return i >= 0 && shapes->tensor[i].role == ROLE_IN;
}

/* True when the gradient takes dy and inputs of forward only, and gives gradients of those. */
static bool is_of_inputs(const OpDesc *op, const OpDesc *forward)
{
    Shapes own, shapes;
    put_shapes(op, &own);
    put_shapes(forward, &shapes);
    for (int i = 0; op->tensors[i]; i++) {
        const char *name = op->tensors[i];
        bool input = own.tensor[i].role == ROLE_IN;
        if (strcmp(name, "dy") != 0 && !is_input(forward, &shapes, input ? name : name + 1))
            return false;
    }
    return !forward->moments_given;
}

const OpDesc *gradient_forward(const OpDesc *op)
{
    static struct {
        bool known;
        const OpDesc *forward;
    } kept[OP_MAX];
    int number = op_number(op);
    if (!kept[number].known) {
        char name[NAME_BYTES];
        const char *end = strstr(op->name, "_backward");
        (void)snprintf(name, sizeof name, "%.*s", end ? (int)(end - op->name) : 0, op->name);
        const OpDesc *forward = op_find(name);
        kept[number].forward = forward && is_of_inputs(op, forward) ? forward : NULL;
        kept[number].known = true;
    }
    return kept[number].forward;
}

void gradient_forward_case(const Case *c, const OpDesc *forward, Case *to)
{
    case_init(to, forward);
    to->exec = c->exec;
    for (const Param *param = forward->params; param->name; param++) {
        const Param *from = op_param(c->op, param->name, strlen(param->name));
        if (from && from->kind == param->kind)
            param_move(param, to->params, from, c->params);
        else if (!strcmp(param->name, "axis") && case_has(c, "shape"))
            *param_integer(param, to->params) = case_shape(c, "shape")->rank - 1;
    }
}

static bool is_given(const OpDesc *op, const char *name)
{
    return op_operand(op, name) >= 0;
}

void gradient_put_inputs(const OpDesc *op, const OpDesc *forward, Text *text)
{
    const OpDesc *of = forward ? forward : op;
    Shapes shapes;
    put_shapes(of, &shapes);
    for (int i = 0; of->tensors[i]; i++) {
        const char *name = of->tensors[i];
        bool input = shapes.tensor[i].role == ROLE_IN;
        if (forward ? !input : !strcmp(name, "dy") || (!input && is_given(op, name + 1)))
            continue;
        text_put(text, " ");
        text_put(text, forward || input ? name : name + 1);
    }
}
