/* Calls as one would write them, with numbers for what the case says. */
#include "emit.h"

#include <stdio.h>
#include <string.h>

#include "ops/backend/c_source.h"

extern const char kernel_expect_c_in[];

static KernelEntry *entry_of(const Backend *backend, const Operands *o)
{
    Text why = {0};
    KernelEntry *entry = kernel_entry_for(backend->context, o->source, &why);
    if (!entry)
        BUG("no call to write: %s", text_string(&why));
    text_release(&why);
    return entry;
}

/* An operand, with a cast where its array has another type. */
static void emit_operand(const KernelArgument *argument, const Operands *o, int operand, Text *text)
{
    if (operand < 0) {
        text_put(text, "NULL");
        return;
    }
    bool alike = !strcmp(argument->type.words, c_number_type(o->view[operand].dtype));
    text_printf(text, "%s%s", alike || argument->type.kind == C_VOID ? "" : "(void *)",
                o->source->op->tensors[operand]);
}

static void emit_numbers(const KernelArgument *argument, const KernelValue *value, Text *text)
{
    const CType *type = &argument->type;
    DType dtype = type->kind == C_FLOAT && type->bytes == 4 ? DT_F32 : DT_F64;
    if (type->pointers)
        text_printf(text, "(%s[]){",
                    type->kind == C_COMPLEX && type->bytes == 8 ? "float"
                    : type->kind == C_COMPLEX                   ? "double"
                                                                : type->words);
    for (int i = 0; i < value->count; i++) {
        text_put(text, i ? ", " : "");
        if (value->kind == KERNEL_VALUE_INTEGERS)
            text_put_integer(text, value->integers[i]);
        else
            c_put_number(text, dtype, value->reals[i]);
    }
    text_put(text, type->pointers ? "}" : "");
}

static void emit_call(const KernelEntry *entry, const Operands *o, Text *text)
{
    text_printf(text, "%s(", entry->function);
    for (int i = 0; i < entry->count; i++) {
        const KernelArgument *argument = &entry->arguments[i];
        KernelValue value = kernel_value(argument, o);
        text_put(text, i ? ", " : "");
        if (value.kind == KERNEL_VALUE_ADDRESS)
            emit_operand(argument, o, value.operand, text);
        else if (value.kind == KERNEL_VALUE_TEXT)
            text_printf(text, "\"%s\"", value.text);
        else
            emit_numbers(argument, &value, text);
    }
    text_put(text, ")");
}

void kernel_emit(const Backend *backend, const Operands *o, Text *declaration, Text *call)
{
    const KernelEntry *entry = entry_of(backend, o);
    kernel_entry_put_declaration(entry, declaration);
    text_put(declaration, ";\n");
    if (entry->result == KERNEL_VALUE_OPERAND)
        text_printf(call, "%s[0] = ", o->source->op->tensors[entry->result_operand]);
    emit_call(entry, o, call);
    text_put(call, ";");
}

void kernel_emit_brief(const Backend *backend, const Operands *o, BriefCall *call)
{
    const KernelEntry *entry = entry_of(backend, o);
    (void)snprintf(call->function, sizeof call->function, "%s", entry->function);
    kernel_entry_put_declaration(entry, &call->head);
    text_put(&call->head, ";\n");
    if (entry->result == KERNEL_VALUE_STATUS) {
        call->refuses = true;
        text_printf(&call->head, "\n%s", kernel_expect_c_in);
        text_put(&call->call, "expect(");
        emit_call(entry, o, &call->call);
        text_printf(&call->call, " == %lld);", (long long)entry->worked);
        return;
    }
    if (entry->result == KERNEL_VALUE_OPERAND) {
        call->value = entry->result_operand;
        text_printf(&call->call, "%s %s = ", c_number_type(o->view[call->value].dtype),
                    o->source->op->tensors[call->value]);
    }
    emit_call(entry, o, &call->call);
    text_put(&call->call, ";");
}
