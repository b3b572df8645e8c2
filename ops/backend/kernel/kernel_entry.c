/* Words become arguments; types come from the row, else from debug information, else from the
 * operator. */
#include "kernel_entry.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel_conditions.h"
#include "ops/backend/blas/bindings.h"
#include "ops/backend/c_source.h"
#include "ops/case/attribute.h"
#include "ops/case/comparison.h"
#include "ops/case/condition.h"

/* One entry on its way.  bits: the row or the function's name says for which element types it is;
 * told: so does the type of an operand. */
typedef struct Maker {
    KernelEntry *entry;
    const KernelRow *row;
    const DebugInfo *info;
    CSignature signature;
    bool has_signature, bits, told;
    Text *error;
} Maker;

/* The type of an element as C has it. */
static CType type_of_dtype(DType dtype)
{
    bool is_signed = dtype_lowest(dtype) < 0;
    CTypeKind kind = dtype_is_integer(dtype) ? (is_signed ? C_SIGNED : C_UNSIGNED)
                     : c_lacks(dtype)        ? C_UNSIGNED
                                             : C_FLOAT;
    return c_type_named(kind, (int)dtype_component_size(dtype), c_number_type(dtype));
}

static CType address_of(CType type, bool constant)
{
    type.pointers = 1;
    type.constant = constant;
    return type;
}

/* `NAME[INDEX]`: cuts the index off; -1 where there is none, -2 where it is no number. */
static int cut_index(char *word)
{
    char *open = strchr(word, '['), *end;
    if (!open)
        return -1;
    long index = strtol(open + 1, &end, 10);
    bool sound = end > open + 1 && !strcmp(end, "]") && index >= 0 && index < TENSOR_RANK_MAX;
    *open = '\0';
    return sound ? (int)index : -2;
}

/* OPERAND.stride[0] and the like; false where the word is none. */
static bool read_member(const OpDesc *op, char *word, KernelArgument *argument)
{
    static const struct {
        const char *name;
        KernelArgumentKind kind;
        bool indexed;
    } members[] = {{"stride", KERNEL_STRIDE, true},
                   {"extent", KERNEL_EXTENT, true},
                   {"rank", KERNEL_RANK, false},
                   {"count", KERNEL_COUNT, false}};
    char operand[ROW_WORD_BYTES], member[ROW_WORD_BYTES];
    if (!row_cut(word, '.', operand, member))
        return false;
    argument->operand = op_operand(op, operand);
    argument->index = cut_index(member);
    for (size_t i = 0; argument->operand >= 0 && i < COUNT_OF(members); i++)
        if (!strcmp(members[i].name, member) && members[i].indexed == (argument->index >= 0)) {
            argument->kind = members[i].kind;
            return true;
        }
    return false;
}

/* lda, incx and stridea, of operands a and x; false where the word is none. */
static bool read_leading(const OpDesc *op, const char *word, KernelArgument *argument)
{
    static const struct {
        const char *prefix;
        KernelArgumentKind kind;
    } prefixes[] = {
        {"ld", KERNEL_LEADING}, {"inc", KERNEL_LEADING}, {"stride", KERNEL_BATCH_STRIDE}};
    for (size_t i = 0; i < COUNT_OF(prefixes); i++) {
        size_t length = strlen(prefixes[i].prefix);
        if (strncmp(word, prefixes[i].prefix, length) != 0 || op_operand(op, word + length) < 0)
            continue;
        argument->kind = prefixes[i].kind;
        argument->operand = op_operand(op, word + length);
        return true;
    }
    return false;
}

/* 7, -1.5, 'N' and NULL; false where the word is none. */
static bool read_constant(const char *word, KernelArgument *argument)
{
    char *end;
    size_t length = strlen(word);
    if (!strcmp(word, "NULL") || !strcmp(word, "None")) {
        argument->kind = KERNEL_NULL;
    } else if (length >= 3 && word[0] == '\'' && word[length - 1] == '\'') {
        argument->kind = KERNEL_TEXT;
        (void)snprintf(argument->name, sizeof argument->name, "%.*s", (int)length - 2, word + 1);
    } else {
        argument->kind = KERNEL_NUMBER;
        argument->number = strtod(word, &end);
        return strchr("-0123456789", word[0]) && end > word && *end == '\0';
    }
    return true;
}

static bool read_attribute(const OpDesc *op, char *word, KernelArgument *argument)
{
    argument->kind = KERNEL_ATTRIBUTE;
    argument->index = cut_index(word);
    (void)snprintf(argument->name, sizeof argument->name, "%s", word);
    return argument->index >= -1 && attribute_exists(op, word);
}

static bool refuse_word(const Maker *m, const char *word)
{
    const OpDesc *op = m->entry->op;
    Nearest nearest = nearest_begin(word, strcspn(word, "[."));
    comparison_offer_names(op, &nearest);
    text_printf(m->error, "%s is no operand and no attribute of %s", word, op->name);
    nearest_put(&nearest, m->error);
    return false;
}

static bool read_word(const Maker *m, const char *text, KernelArgument *argument)
{
    const OpDesc *op = m->entry->op;
    char word[ROW_WORD_BYTES];
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == ' ')
        length--;
    argument->optional = length > 0 && text[length - 1] == '?';
    (void)snprintf(word, sizeof word, "%.*s", (int)(length - argument->optional), text);
    (void)snprintf(argument->name, sizeof argument->name, "%s", word);
    argument->operand = argument->index = -1;
    if ((argument->operand = op_operand(op, word)) >= 0) {
        argument->kind = KERNEL_OPERAND;
        return true;
    }
    return read_constant(word, argument) || read_member(op, word, argument) ||
           read_leading(op, word, argument) || read_attribute(op, word, argument) ||
           refuse_word(m, text);
}

/* What the argument is for those who say nothing of its type. */
static CType usual_type(const Maker *m, const KernelArgument *argument)
{
    const KernelEntry *entry = m->entry;
    const CType integer = c_type_named(C_SIGNED, sizeof(int), "int");
    Attribute value;
    Case c;
    if (argument->kind == KERNEL_OPERAND)
        return m->bits || m->told ? address_of(type_of_dtype(cblas_operand_dtype(
                                                   entry->op, entry->dtype, argument->operand)),
                                               false)
                                  : (CType){0};
    if (argument->kind == KERNEL_NULL)
        return address_of(c_type_named(C_VOID, 0, "void"), false);
    if (argument->kind == KERNEL_TEXT)
        return c_type_named(C_CHARACTER, 1, "char");
    if (argument->kind == KERNEL_NUMBER && argument->number != (double)(int)argument->number)
        return c_type_named(C_FLOAT, 8, "double");
    if (argument->kind != KERNEL_ATTRIBUTE || argument->index >= 0)
        return integer;
    case_init(&c, entry->op);
    (void)attribute_get(&c, argument->name, &value);
    if (value.kind == ATTRIBUTE_TUPLE)
        return address_of(integer, true);
    if (value.kind != ATTRIBUTE_REAL)
        return integer;
    DType factor = cblas_factor_dtype(entry->op, entry->dtype);
    return dtype_component_size(factor) == 8 ? c_type_named(C_FLOAT, 8, "double")
                                             : c_type_named(C_FLOAT, 4, "float");
}

static void put_type(const CType *type, Text *text)
{
    Text words = {0};
    c_type_put(type, &words);
    while (words.length && words.data[words.length - 1] == ' ')
        words.data[--words.length] = '\0';
    text_put(text, text_string(&words));
    text_release(&words);
}

static bool is_integer_kind(CTypeKind kind)
{
    return kind == C_SIGNED || kind == C_UNSIGNED || kind == C_CHARACTER || kind == C_BOOL;
}

/* True when two people may call one type by these names. */
static bool are_alike(const CType *a, const CType *b)
{
    if (a->pointers != b->pointers)
        return false;
    if (a->pointers &&
        (a->kind == C_VOID || b->kind == C_VOID || a->kind == C_OTHER || b->kind == C_OTHER))
        return true;
    return a->bytes == b->bytes && (a->kind == b->kind || a->bytes == 2 ||
                                    (is_integer_kind(a->kind) && is_integer_kind(b->kind)));
}

/* The type of argument number i: as the row has it, which must be the function's. */
static bool settle_type(const Maker *m, int i, KernelArgument *argument)
{
    const CType *real = m->has_signature ? &m->signature.arguments[i].type : NULL;
    if (argument->type.kind == C_UNKNOWN)
        argument->type = real ? *real : usual_type(m, argument);
    if (!real || are_alike(real, &argument->type)) {
        argument->type.restricted = argument->type.restricted || (real && real->restricted);
        return true;
    }
    text_printf(m->error, "argument %d of %s is ", i + 1, m->entry->function);
    put_type(real, m->error);
    text_put(m->error, ", the row says ");
    put_type(&argument->type, m->error);
    return false;
}

/* Whether a value of its kind can be passed as the type. */
static bool check_type(const Maker *m, int i, const KernelArgument *argument)
{
    const CType *type = &argument->type;
    bool number = is_integer_kind(type->kind) || (type->kind == C_FLOAT && type->bytes >= 4);
    bool ok = number;
    switch (argument->kind) {
    case KERNEL_OPERAND:
        ok = type->pointers == 1;
        break;
    case KERNEL_NULL:
        ok = type->pointers == 1;
        break;
    case KERNEL_TEXT:
        ok = type->kind == C_CHARACTER;
        break;
    case KERNEL_NUMBER:
        ok = number && !type->pointers;
        break;
    default:
        break;
    }
    if (type->kind == C_UNKNOWN)
        text_printf(
            m->error,
            "the element type of %s is not known: write it, as in %s(const float *%s, ...), "
            "or compile the library with -g",
            argument->name, m->entry->function, argument->name);
    else if (!ok) {
        text_printf(m->error, "argument %d of %s is ", i + 1, m->entry->function);
        put_type(type, m->error);
        text_printf(m->error, ", which %s cannot be passed as", argument->name);
    }
    return type->kind != C_UNKNOWN && ok;
}

/* Tuples are passed by the address of their numbers. */
static bool check_tuple(const Maker *m, const KernelArgument *argument)
{
    Attribute value;
    Case c;
    if (argument->kind != KERNEL_ATTRIBUTE)
        return true;
    case_init(&c, m->entry->op);
    (void)attribute_get(&c, argument->name, &value);
    bool tuple = value.kind == ATTRIBUTE_TUPLE, whole = argument->index < 0;
    if (tuple == !whole || (tuple && whole && argument->type.pointers))
        return true;
    text_printf(m->error,
                tuple ? "%s is several numbers: pass their address, as const int *%s, or %s[0]"
                      : "%s is one number, and has no %s[...]%s",
                argument->name, argument->name, tuple ? argument->name : "");
    return false;
}

static bool read_argument(Maker *m, int i, const char *word)
{
    KernelArgument *argument = &m->entry->arguments[i];
    CType type;
    const char *rest = c_type_read(word, &type, m->error);
    if (!rest || !read_word(m, rest, argument))
        return false;
    argument->type = type;
    m->told = m->told || (argument->kind == KERNEL_OPERAND && type.kind != C_UNKNOWN);
    return true;
}

static bool read_arguments_of_row(Maker *m)
{
    RowWords words;
    row_words(&m->row->binding, &words);
    m->entry->count = words.count;
    if (m->has_signature && m->signature.count != words.count) {
        text_printf(m->error, "the row has %d arguments, the function %d: ", words.count,
                    m->signature.count);
        signature_put(&m->signature, m->entry->function, m->error);
        return false;
    }
    for (int i = 0; i < words.count; i++)
        if (!read_argument(m, i, words.word[i]))
            return false;
    for (int i = 0; i < words.count; i++) {
        KernelArgument *argument = &m->entry->arguments[i];
        if (!settle_type(m, i, argument) || !check_type(m, i, argument) ||
            !check_tuple(m, argument))
            return false;
    }
    return true;
}

/* What stands in front of = in the call: an operand, `status`, or the value of a call that worked.
 */
static bool read_result(Maker *m, const char *text, size_t length)
{
    KernelEntry *entry = m->entry;
    char word[ROW_WORD_BYTES];
    (void)snprintf(word, sizeof word, "%.*s", (int)length, text);
    const char *rest = c_type_read(word, &entry->result_type, m->error);
    if (!rest)
        return false;
    while (length > 0 && word[strlen(word) - 1] == ' ')
        word[strlen(word) - 1] = '\0';
    char *end;
    entry->result_operand = op_operand(entry->op, rest);
    entry->worked = strtoll(rest, &end, 10);
    bool value = end > rest && *end == '\0', status = value || !strcmp(rest, "status");
    entry->result = entry->result_operand >= 0 ? KERNEL_VALUE_OPERAND
                    : status                   ? KERNEL_VALUE_STATUS
                                               : KERNEL_VALUE_UNUSED;
    if (entry->result == KERNEL_VALUE_UNUSED) {
        text_printf(m->error, "%s in front of = is no operand of %s, no number and not status",
                    rest, entry->op->name);
        return false;
    }
    return true;
}

static bool settle_result(Maker *m)
{
    KernelEntry *entry = m->entry;
    CType *type = &entry->result_type;
    const CType integer = c_type_named(C_SIGNED, sizeof(int), "int");
    if (type->kind == C_UNKNOWN && m->has_signature)
        *type = m->signature.result;
    else if (type->kind == C_UNKNOWN && entry->result == KERNEL_VALUE_UNUSED)
        *type = c_type_named(C_VOID, 0, "void");
    else if (type->kind == C_UNKNOWN && entry->result == KERNEL_VALUE_OPERAND) {
        DType dtype = cblas_operand_dtype(entry->op, entry->dtype, entry->result_operand);
        *type = dtype_is_integer(dtype) ? integer : type_of_dtype(dtype);
    } else if (type->kind == C_UNKNOWN)
        *type = integer;
    bool used = entry->result != KERNEL_VALUE_UNUSED;
    bool number = !type->pointers &&
                  (is_integer_kind(type->kind) || (type->kind == C_FLOAT && type->bytes >= 4));
    if (!used && !c_type_ffi(type))
        *type = c_type_named(C_VOID, 0, "void");
    if (!used || (number && (type->kind != C_FLOAT || entry->result == KERNEL_VALUE_OPERAND)))
        return true;
    text_printf(m->error, "%s returns ", entry->function);
    put_type(type, m->error);
    text_put(m->error, entry->result == KERNEL_VALUE_STATUS ? ", which is no status"
                                                            : ", which is no element");
    return false;
}

/* The start of the function's name in a call, behind what takes its value. */
static const char *function_in(const char *call, const char **equals)
{
    size_t open = strcspn(call, "(");
    *equals = memchr(call, '=', open);
    const char *bracket = memchr(call, '{', open);
    if (bracket && *equals > bracket)
        *equals = NULL;
    const char *function = *equals ? *equals + 1 : call;
    return function + strspn(function, " ");
}

static bool put_function(Maker *m, const char *function, bool *other)
{
    KernelEntry *entry = m->entry;
    const CblasRoutine routine = {entry->op->name, function};
    bool lettered = strcspn(function, "?{") < strcspn(function, "(");
    m->bits = lettered || m->row->dtypes;
    *other = lettered;
    if (!cblas_spell(&routine, entry->dtype, entry->function, sizeof entry->function)) {
        text_printf(m->error, "%.*s has no letter for %s", (int)strcspn(function, "("), function,
                    dtype_names[entry->dtype]);
        return false;
    }
    entry->address = m->row->address;
    if (debug_info_exports(m->info, entry->function))
        return true;
    Nearest nearest = nearest_begin(entry->function, strlen(entry->function));
    debug_info_offer_names(m->info, &nearest);
    text_printf(m->error, "the library has no function %s", entry->function);
    nearest_put(&nearest, m->error);
    return false;
}

/* Whether the element types are those of the function's operands. */
static bool takes_dtype(Maker *m, bool *other)
{
    const KernelEntry *entry = m->entry;
    for (int i = 0; i < entry->count; i++) {
        const KernelArgument *argument = &entry->arguments[i];
        if (argument->kind != KERNEL_OPERAND)
            continue;
        DType dtype = cblas_operand_dtype(entry->op, entry->dtype, argument->operand);
        if (c_type_holds(&argument->type, dtype, m->bits))
            continue;
        *other = !m->row->dtypes;
        bool vague = argument->type.kind == C_VOID || argument->type.kind == C_OTHER;
        text_printf(m->error, "%s is ", argument->name);
        put_type(&argument->type, m->error);
        text_printf(m->error,
                    vague ? " in %s: name its element types, as %s | f32 | %s(...)"
                          : " in %s, which is not %s of %s",
                    entry->function, vague ? entry->op->name : dtype_names[dtype],
                    vague ? entry->function : entry->op->name);
        return false;
    }
    return true;
}

static bool prepare_call(Maker *m)
{
    KernelEntry *entry = m->entry;
    ffi_type *result = c_type_ffi(&entry->result_type);
    for (int i = 0; i < entry->count; i++)
        entry->types[i] = c_type_ffi(&entry->arguments[i].type);
    if (ffi_prep_cif(&entry->cif, FFI_DEFAULT_ABI, (unsigned)entry->count, result, entry->types) ==
        FFI_OK)
        return true;
    text_printf(m->error, "libffi cannot call %s", entry->function);
    return false;
}

/* The conditions behind `requires`, and those that follow. */
static bool put_conditions(Maker *m)
{
    RowWords required;
    Text list = {0}, all = {0};
    row_clause(&m->row->binding, "requires", &required);
    for (int i = 0; i < required.count; i++)
        text_printf(&list, "%s%s", i ? "," : "", required.word[i]);
    bool ok = conditions_fit(text_string(&list), m->entry->op, m->error) &&
              kernel_conditions(m->entry, text_string(&list), &all, m->error);
    m->entry->conditions = memory_duplicate(text_string(&all));
    text_release(&list);
    text_release(&all);
    return ok;
}

static bool make(Maker *m, bool *other)
{
    const char *equals, *call = m->row->binding.call, *function = function_in(call, &equals);
    if (!put_function(m, function, other))
        return false;
    m->has_signature = debug_info_signature(m->info, m->entry->function, &m->signature);
    *other = false;
    return (!equals || read_result(m, call, (size_t)(equals - call))) && read_arguments_of_row(m) &&
           takes_dtype(m, other) && settle_result(m) && prepare_call(m) && put_conditions(m);
}

KernelEntry *kernel_entry_make(const KernelRow *row, const OpDesc *op, DType dtype,
                               const DebugInfo *info, bool *other, Text *error)
{
    KernelEntry *entry = memory_allocate(1, sizeof *entry);
    entry->op = op;
    entry->dtype = dtype;
    entry->result_operand = -1;
    Maker *m = memory_allocate(1, sizeof *m);
    *m = (Maker){.entry = entry, .row = row, .info = info, .error = error};
    bool ok = make(m, other);
    free(m);
    if (ok)
        return entry;
    kernel_entry_release(entry);
    return NULL;
}

void kernel_entry_release(KernelEntry *entry)
{
    free(entry->conditions);
    free(entry);
}

void kernel_entry_put_declaration(const KernelEntry *entry, Text *text)
{
    c_type_put(&entry->result_type, text);
    text_printf(text, "%s(", entry->function);
    for (int i = 0; i < entry->count; i++) {
        const KernelArgument *argument = &entry->arguments[i];
        text_put(text, i ? ", " : "");
        c_type_put(&argument->type, text);
        if (argument->kind < KERNEL_STRIDE && argument->index < 0)
            text_put(text, argument->name);
    }
    while (text->length && text->data[text->length - 1] == ' ')
        text->data[--text->length] = '\0';
    text_put(text, entry->count ? ")" : "void)");
}
