/* Formulas of lengths, and guarded arrays. */
#include "scratch.h"

#include <stdlib.h>
#include <string.h>

/* A formula is read from left to right, by levels of its operators: & and |, + and -, *. */
typedef struct Reader {
    const char *at;
    const Case *c;
} Reader;

static int64_t read_level(Reader *reader, int level);

static int64_t read_operand(Reader *reader)
{
    if (*reader->at == '(') {
        reader->at++;
        int64_t value = read_level(reader, 0);
        REQUIRE(*reader->at == ')');
        reader->at++;
        return value;
    }
    if (*reader->at >= '0' && *reader->at <= '9') {
        char *end;
        int64_t value = strtol(reader->at, &end, 10);
        reader->at = end;
        return value;
    }
    size_t length = strspn(reader->at, "abcdefghijklmnopqrstuvwxyz");
    const Param *param = op_param(reader->c->op, reader->at, length);
    if (!param)
        BUG("%s: '%s' is no parameter", reader->c->op->name, reader->at);
    reader->at += length;
    return *(const int64_t *)(const void *)(reader->c->params + param->offset);
}

static int64_t apply(char operator, int64_t x, int64_t y)
{
    switch (operator) {
    case '+':
        return x + y;
    case '-':
        return x - y;
    case '*':
        return x * y;
    case '&':
        return x < y ? x : y;
    default:
        return x > y ? x : y;
    }
}

static int64_t read_level(Reader *reader, int level)
{
    static const char *const operators[] = {"&|", "+-", "*"};
    if (level == (int)COUNT_OF(operators))
        return read_operand(reader);
    int64_t value = read_level(reader, level + 1);
    while (*reader->at && strchr(operators[level], *reader->at)) {
        char operator= * reader->at++;
        value = apply(operator, value, read_level(reader, level + 1));
    }
    return value;
}

int64_t scratch_formula(const char *formula, const Case *c)
{
    Reader reader = {formula + (*formula == '<'), c};
    int64_t value = read_level(&reader, 0);
    return value > 0 ? value : 0;
}

static bool is_integer(const CblasArgument *argument)
{
    return argument->name[0] == 'i' || argument->name[0] == 'b';
}

size_t scratch_element(const CblasEntry *entry, const CblasArgument *argument, DType dtype)
{
    if (is_integer(argument))
        return entry->calling.wide_integers ? sizeof(int64_t) : sizeof(int32_t);
    return argument->name[0] == 'r' ? dtype_component_size(dtype) : dtype_size(dtype);
}

const char *scratch_type(const CblasEntry *entry, const CblasArgument *argument, DType dtype)
{
    if (is_integer(argument))
        return entry->calling.wide_integers ? "long" : "int";
    bool pair = argument->name[0] == 'w' && dtype_components(dtype) == 2;
    if (dtype_component_size(dtype) == 4)
        return pair ? "float _Complex" : "float";
    return pair ? "double _Complex" : "double";
}

static bool has_lengths(const CblasEntry *entry)
{
    for (int i = 0; i < entry->count; i++)
        if (entry->arguments[i].kind == ARGUMENT_LENGTH)
            return true;
    return false;
}

bool scratch_is_queried(const CblasEntry *entry, const Case *c)
{
    int64_t illegal = c->exec.illegal;
    return has_lengths(entry) && case_int(c, "lwork") == 0 &&
           !(illegal > 0 && illegal <= entry->count &&
             entry->arguments[illegal - 1].kind == ARGUMENT_LENGTH);
}

void *scratch_take(CblasScratch *scratch, size_t count, size_t size)
{
    enum { SLOT_LEAST = 1 << 16 };
    REQUIRE(scratch->count < CBLAS_SCRATCH_MAX);
    GuardSlot *slot = &scratch->slot[scratch->count];
    size_t bytes = count * size, needed = bytes + 2 * GUARD_MARGIN;
    if (slot->base && slot->size < needed)
        guard_release(slot);
    if (!slot->base && !guard_init(slot, needed > SLOT_LEAST ? 2 * needed : SLOT_LEAST))
        return NULL;
    GuardBlock *block = &scratch->block[scratch->count++];
    *block = guard_place(slot, bytes, GUARD_END, 0, size < 8 ? size : 8);
    return block->data;
}

bool scratch_reset(CblasScratch *scratch)
{
    bool intact = true;
    for (int i = 0; i < scratch->count; i++)
        intact = intact && guard_margins_intact(&scratch->block[i]);
    scratch->count = 0;
    return intact;
}

void scratch_release(CblasScratch *scratch)
{
    for (int i = 0; i < CBLAS_SCRATCH_MAX; i++)
        if (scratch->slot[i].base)
            guard_release(&scratch->slot[i]);
}

/* The argument that says how long an array is, or the array that a length is of; -1: none. */
static int partner_of(const CblasEntry *entry, int i)
{
    const CblasArgument *argument = &entry->arguments[i];
    bool array = argument->kind == ARGUMENT_SCRATCH;
    for (int j = 0; j < entry->count; j++) {
        const CblasArgument *other = &entry->arguments[j];
        if (array && other->kind == ARGUMENT_LENGTH && !strcmp(other->name + 1, argument->name))
            return j;
        if (!array && other->kind == ARGUMENT_SCRATCH && !strcmp(argument->name + 1, other->name))
            return j;
    }
    return -1;
}

void scratch_least(const CblasEntry *entry, const Case *c, int64_t lengths[CBLAS_ARGUMENTS_MAX])
{
    for (int i = 0; i < entry->count; i++) {
        const CblasArgument *argument = &entry->arguments[i];
        if (argument->kind != ARGUMENT_SCRATCH && argument->kind != ARGUMENT_LENGTH)
            continue;
        int partner = partner_of(entry, i);
        const char *formula =
            argument->formula ? argument->formula : entry->arguments[partner].formula;
        lengths[i] = scratch_formula(formula, c);
    }
}

void scratch_read(const CblasEntry *entry, DType dtype, void *const arrays[CBLAS_ARGUMENTS_MAX],
                  int64_t lengths[CBLAS_ARGUMENTS_MAX])
{
    for (int i = 0; i < entry->count; i++) {
        if (entry->arguments[i].kind != ARGUMENT_LENGTH)
            continue;
        int array = partner_of(entry, i);
        const CblasArgument *argument = &entry->arguments[array];
        DType type = is_integer(argument) ? (entry->calling.wide_integers ? DT_I64 : DT_I32)
                                          : dtype_component(dtype);
        double length = dtype_load(type, arrays[array], 0);
        lengths[i] = lengths[array] = length >= 0 && length < 0x1p31 ? (int64_t)length : lengths[i];
    }
}
