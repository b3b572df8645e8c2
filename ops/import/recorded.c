#include "recorded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ops/backend/blas/entry.h"
#include "ops/backend/blas/recordable.h"

static const char *const loss_reasons[LOSS_COUNT] = {
    [LOSS_FULL] = "there were more different calls than the recording has room for",
    [LOSS_GROUPS] = "shapes of groups, which come in arrays, are not recorded",
    [LOSS_NESTED] = "made by the library itself while it served a call that was recorded",
};

/* The word of a choice by its enumerator or its letter, in either case; NULL where it is none of
 * the parameter's. */
static const char *word_of(const CblasEntry *entry, const Param *param, int64_t value)
{
    for (int i = 0; param->names[i]; i++) {
        int64_t own = cblas_enumerator(param->names[i]);
        if (entry->calling.interface == INTERFACE_FORTRAN)
            own = (unsigned char)cblas_letter(own);
        if (own == value || (own < 128 && own + 'a' - 'A' == value))
            return param->names[i];
    }
    return NULL;
}

static bool refuse_argument(Draft *draft, const CblasArgument *argument, int64_t value)
{
    text_clear(&draft->why);
    text_printf(&draft->why, "%s=%lld is not legal", argument->name, (long long)value);
    return false;
}

/* What parameters say without the storage of operands. */
static bool put_argument(Draft *draft, const CblasEntry *entry, int i, const RecordedCall *call,
                         int *scalars)
{
    const CblasArgument *argument = &entry->arguments[i];
    int64_t value = call->integers[i];
    if (argument->kind == ARGUMENT_CHOICE) {
        const char *word = word_of(entry, argument->param, value);
        return word ? draft_choice(draft, argument->name, word)
                    : refuse_argument(draft, argument, value);
    }
    if (argument->kind == ARGUMENT_SCALAR) {
        const double *scalar = call->scalars[(*scalars)++];
        return draft_scalar(draft, argument->name, scalar[0], scalar[1]);
    }
    bool plain = argument->kind == ARGUMENT_INTEGER ||
                 (argument->kind == ARGUMENT_LEADING && argument->param->kind == PARAM_INCREMENT);
    return !plain || draft_integer(draft, argument->name, value);
}

/* Leading dimensions are pads in cases: what they have beyond the least, which follows from the
 * extents as the caller gave them. */
static bool put_leading(Draft *draft, const CblasEntry *entry, const RecordedCall *call)
{
    Case whole = draft->c;
    Shapes shapes;
    for (int i = 0; i < entry->count; i++)
        if (entry->arguments[i].kind == ARGUMENT_INTEGER)
            *param_integer(entry->arguments[i].param, whole.params) = call->integers[i];
    op_shape(draft->c.op, whole.params, &shapes);
    for (int i = 0; i < entry->count; i++) {
        const CblasArgument *argument = &entry->arguments[i];
        if (argument->kind != ARGUMENT_LEADING || argument->param->kind == PARAM_INCREMENT)
            continue;
        int64_t pad = call->integers[i] - shapes.tensor[argument->tensor].leading;
        if (pad < 0)
            return refuse_argument(draft, argument, call->integers[i]);
        if (!draft_integer(draft, argument->name, pad))
            return false;
    }
    return true;
}

static bool put_call(Draft *draft, const RecordableFunction *function, const CblasEntry *entry,
                     const RecordedCall *call)
{
    int scalars = 0;
    if (!draft_begin(draft, function->op->name, function->dtype))
        return false;
    if (function->interface == INTERFACE_FORTRAN && case_has(&draft->c, "order") &&
        !draft_choice(draft, "order", "col"))
        return false;
    for (int i = 0; i < entry->count; i++)
        if (!put_argument(draft, entry, i, call, &scalars))
            return false;
    return put_leading(draft, entry, call);
}

static void take_call(Import *import, const RecordedCall *call)
{
    Draft draft = {0};
    RecordableFunction function;
    uint64_t calls = atomic_load(&call->count);
    if (!recordable_function(call->function, &function) || !function.op) {
        import_skip(import, calls, "the recorder is of another version");
        return;
    }
    CblasCalling calling = {function.interface, false, false};
    CblasEntry *entry =
        cblas_entry_make(function.routine, function.op, function.dtype, calling, NULL);
    if (put_call(&draft, &function, entry, call)) {
        (void)import_draft(import, &draft, calls, function.name);
    } else {
        Text reason = {0};
        text_printf(&reason, "%s: %s", function.name, text_string(&draft.why));
        import_skip(import, calls, text_string(&reason));
        text_release(&reason);
    }
    draft_release(&draft);
    free(entry);
}

void import_recording(Import *import, const Recording *recording)
{
    for (size_t i = 0; i < RECORDED_CALLS; i++)
        if ((atomic_load(&recording->calls[i].state) & 3) == 2)
            take_call(import, &recording->calls[i]);
    for (int i = 0; i < LOSS_COUNT; i++)
        if (atomic_load(&recording->lost[i]) > 0)
            import_skip(import, atomic_load(&recording->lost[i]), loss_reasons[i]);
}
