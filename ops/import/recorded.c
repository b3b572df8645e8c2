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
        if (!cblas_has_enumerator(param->names[i]))
            continue;
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
    bool least = value == RECORDED_LEAST && argument->kind == ARGUMENT_LEADING;
    if (argument->kind != ARGUMENT_OPERAND && !least && (value > INT32_MAX || value < -INT32_MAX))
        return refuse_argument(draft, argument, value);
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
        int64_t least = shapes.tensor[argument->tensor].leading;
        int64_t pad = call->integers[i] == RECORDED_LEAST ? 0 : call->integers[i] - least;
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

bool import_call(Import *import, const RecordedCall *call, Text *why)
{
    Draft draft = {0};
    RecordableFunction function;
    uint64_t calls = atomic_load(&call->count);
    if (!recordable_function(call->function, &function) || !function.op) {
        text_put(why, "the recorder is of another version");
        return false;
    }
    CblasCalling calling = {function.interface, false, false};
    CblasEntry *entry =
        cblas_entry_make(function.routine, function.op, function.dtype, calling, NULL);
    bool taken = put_call(&draft, &function, entry, call) &&
                 import_draft(import, &draft, calls, function.name);
    if (!taken)
        text_printf(why, "%s: %s", function.name, text_string(&draft.why));
    draft_release(&draft);
    free(entry);
    return taken;
}

/* The undecorated functions of Fortran. */
typedef struct FortranName {
    char name[RECORDABLE_NAME_MAX];
    uint32_t number;
} FortranName;
enum { FORTRAN_NAMES_MAX = 1024 };

static size_t list_fortran(FortranName names[FORTRAN_NAMES_MAX])
{
    RecordableFunction function;
    size_t count = 0;
    for (uint32_t number = 0; recordable_function(number, &function); number++) {
        if (!function.op || function.interface != INTERFACE_FORTRAN || function.naming.prefix[0] ||
            function.naming.suffix[0])
            continue;
        if (count == FORTRAN_NAMES_MAX)
            BUG("more than %d functions of Fortran", FORTRAN_NAMES_MAX);
        (void)snprintf(names[count].name, RECORDABLE_NAME_MAX, "%s", function.name);
        names[count++].number = number;
    }
    return count;
}

/* The number of a function; UINT32_MAX where there is none. */
static uint32_t find_fortran(const char *name)
{
    static FortranName names[FORTRAN_NAMES_MAX];
    static size_t count;
    if (count == 0)
        count = list_fortran(names);
    size_t length = strlen(name);
    for (size_t i = 0; i < count; i++)
        if (strlen(names[i].name) == length + 1 && !strncmp(names[i].name, name, length))
            return names[i].number;
    return UINT32_MAX;
}

bool fortran_call_begin(FortranCall *fortran, const char *name)
{
    RecordableFunction function;
    int scalars = 0;
    *fortran = (FortranCall){.call = {.count = 1, .function = find_fortran(name)}};
    if (fortran->call.function == UINT32_MAX ||
        !recordable_function(fortran->call.function, &function))
        return false;
    CblasCalling calling = {INTERFACE_FORTRAN, false, false};
    fortran->entry = cblas_entry_make(function.routine, function.op, function.dtype, calling, NULL);
    for (int i = 0; i < fortran->entry->count && scalars < RECORDED_SCALARS; i++)
        if (fortran->entry->arguments[i].kind == ARGUMENT_SCALAR)
            fortran->call.scalars[scalars++][0] =
                (double)fortran->entry->arguments[i].param->simplest;
    return true;
}

void import_recording(Import *import, const Recording *recording)
{
    Text why = {0};
    for (size_t i = 0; i < RECORDED_CALLS; i++) {
        const RecordedCall *call = &recording->calls[i];
        text_clear(&why);
        if ((atomic_load(&call->state) & 3) == 2 && !import_call(import, call, &why))
            import_skip(import, atomic_load(&call->count), text_string(&why));
    }
    for (int i = 0; i < LOSS_COUNT; i++)
        if (atomic_load(&recording->lost[i]) > 0)
            import_skip(import, atomic_load(&recording->lost[i]), loss_reasons[i]);
    text_release(&why);
}
