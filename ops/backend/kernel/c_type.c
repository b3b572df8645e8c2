/* Declarations of C, read word by word. */
#include "c_type.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Names that are a whole type. */
static const struct {
    const char *word;
    CTypeKind kind;
    int bytes;
} whole[] = {
    {"void", C_VOID, 0},
    {"bool", C_BOOL, 1},
    {"_Bool", C_BOOL, 1},
    {"float", C_FLOAT, 4},
    {"size_t", C_UNSIGNED, sizeof(size_t)},
    {"ssize_t", C_SIGNED, sizeof(size_t)},
    {"ptrdiff_t", C_SIGNED, sizeof(size_t)},
    {"intptr_t", C_SIGNED, sizeof(size_t)},
    {"uintptr_t", C_UNSIGNED, sizeof(size_t)},
    {"int8_t", C_SIGNED, 1},
    {"int16_t", C_SIGNED, 2},
    {"int32_t", C_SIGNED, 4},
    {"int64_t", C_SIGNED, 8},
    {"uint8_t", C_UNSIGNED, 1},
    {"uint16_t", C_UNSIGNED, 2},
    {"uint32_t", C_UNSIGNED, 4},
    {"uint64_t", C_UNSIGNED, 8},
    {"_Float16", C_FLOAT, 2},
    {"__fp16", C_FLOAT, 2},
    {"__bf16", C_BFLOAT, 2},
};

/* How often each word of a type came. */
typedef struct Words {
    int is_signed, is_unsigned, shorts, longs, ints, chars, doubles, complexes, whole;
} Words;

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (isalnum((unsigned char)text[length]) || text[length] == '_')
        length++;
    return length;
}

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && !strncmp(text, word, length);
}

static int find_whole(const char *text, size_t length)
{
    for (size_t i = 0; i < COUNT_OF(whole); i++)
        if (is_word(text, length, whole[i].word))
            return (int)i;
    return -1;
}

/* Counts a word of a type; false where it is none. */
static bool count_word(const char *text, size_t length, Words *words)
{
    const struct {
        const char *word;
        int *count;
    } rows[] = {{"signed", &words->is_signed},  {"unsigned", &words->is_unsigned},
                {"short", &words->shorts},      {"long", &words->longs},
                {"int", &words->ints},          {"char", &words->chars},
                {"double", &words->doubles},    {"complex", &words->complexes},
                {"_Complex", &words->complexes}};
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        if (is_word(text, length, rows[i].word)) {
            ++*rows[i].count;
            return true;
        }
    return false;
}

CType c_type_named(CTypeKind kind, int bytes, const char *words)
{
    CType type = {.kind = kind, .bytes = bytes};
    (void)snprintf(type.words, sizeof type.words, "%s", words);
    return type;
}

static CType type_of_words(const Words *w)
{
    bool is_unsigned = w->is_unsigned > 0;
    CTypeKind integer = is_unsigned ? C_UNSIGNED : C_SIGNED;
    Text name = {0};
    CType type;
    if (w->doubles)
        return c_type_named(w->complexes ? C_COMPLEX : C_FLOAT, w->complexes ? 16 : 8,
                            w->complexes ? "double _Complex" : "double");
    if (w->chars)
        return c_type_named(is_unsigned    ? C_UNSIGNED
                            : w->is_signed ? C_SIGNED
                                           : C_CHARACTER,
                            1,
                            is_unsigned    ? "unsigned char"
                            : w->is_signed ? "signed char"
                                           : "char");
    text_printf(&name, "%s%s", is_unsigned ? "unsigned " : "",
                w->shorts      ? "short"
                : w->longs > 1 ? "long long"
                : w->longs     ? "long"
                               : "int");
    type = c_type_named(integer,
                        (int)(w->shorts  ? sizeof(short)
                              : w->longs ? sizeof(long long)
                                         : sizeof(int)),
                        text_string(&name));
    text_release(&name);
    return type;
}

/* Qualifiers, which stand anywhere; false where the word is none. */
static bool read_qualifier(const char *text, size_t length, CType *type)
{
    bool constant = is_word(text, length, "const");
    bool restricted = is_word(text, length, "restrict") || is_word(text, length, "__restrict") ||
                      is_word(text, length, "__restrict__");
    type->constant = type->constant || (constant && type->pointers == 0);
    type->restricted = type->restricted || restricted;
    return constant || restricted || is_word(text, length, "volatile");
}

/* An enumeration has the size of an int. */
static const char *read_enumeration(const char *text, CType *type)
{
    size_t length = word_length(text += strspn(text, " "));
    *type = c_type_named(C_UNSIGNED, sizeof(int), "");
    (void)snprintf(type->words, sizeof type->words, "enum %.*s", (int)length, text);
    return text + length;
}

/* A word that is a whole type, with the qualifiers that stood before it; false where it is none. */
static bool read_whole(const char *text, size_t length, CType *type)
{
    int row = find_whole(text, length);
    if (row < 0)
        return false;
    CType found = c_type_named(whole[row].kind, whole[row].bytes, whole[row].word);
    found.constant = type->constant;
    *type = found;
    return true;
}

/* Reads words as long as they belong to a type; returns the rest. */
static const char *read_words(const char *text, CType *type, Words *words)
{
    for (;;) {
        text += strspn(text, " ");
        size_t length = word_length(text);
        if (*text == '*') {
            type->pointers++;
            text++;
        } else if (is_word(text, length, "enum")) {
            text = read_enumeration(text + length, type);
            words->whole++;
        } else if (read_whole(text, length, type)) {
            text += length;
            words->whole++;
        } else if (count_word(text, length, words) || read_qualifier(text, length, type)) {
            text += length;
        } else {
            return text;
        }
    }
}

const char *c_type_read(const char *text, CType *type, Text *error)
{
    Words words = {0};
    *type = (CType){0};
    const char *rest = read_words(text, type, &words);
    int counted = words.is_signed + words.is_unsigned + words.shorts + words.longs + words.ints +
                  words.chars + words.doubles;
    bool complex_float = words.whole == 1 && words.complexes && type->kind == C_FLOAT;
    CType found = complex_float ? c_type_named(C_COMPLEX, 8, "float _Complex")
                  : counted     ? type_of_words(&words)
                                : *type;
    found.pointers = type->pointers;
    found.constant = type->constant;
    found.restricted = type->restricted;
    bool wrong = words.whole + (counted > 0) > 1 || (complex_float && type->bytes != 4) ||
                 (words.complexes && !complex_float && !words.doubles);
    *type = found;
    if (!wrong && type->pointers <= 1 && (rest == text || type->kind != C_UNKNOWN || *text == ' '))
        return rest;
    text_printf(error, "'%.*s' is no type of C that can be passed", (int)(rest - text), text);
    return NULL;
}

void c_type_put(const CType *type, Text *text)
{
    text_printf(text, "%s%s %s", type->constant && type->pointers ? "const " : "", type->words,
                type->pointers ? "*" : "");
}

/* Formats that are kept as the integers of their bits. */
static bool holds_bits(const CType *type, DType dtype)
{
    return (int)dtype_component_size(dtype) == type->bytes && dtype_size(dtype) <= 2 &&
           !dtype_is_integer(dtype);
}

static bool holds_integer(const CType *type, DType dtype)
{
    static const CTypeKind kinds[DT_COUNT] = {
        [DT_I8] = C_SIGNED,    [DT_U8] = C_UNSIGNED,  [DT_I32] = C_SIGNED,
        [DT_I64] = C_SIGNED,   [DT_BOOL] = C_BOOL,    [DT_I16] = C_SIGNED,
        [DT_U16] = C_UNSIGNED, [DT_U32] = C_UNSIGNED, [DT_U64] = C_UNSIGNED};
    return dtype_is_integer(dtype) && (int)dtype_size(dtype) == type->bytes &&
           (kinds[dtype] == type->kind || type->kind == C_CHARACTER);
}

bool c_type_holds(const CType *type, DType dtype, bool bits)
{
    int bytes = (int)dtype_component_size(dtype);
    switch (type->kind) {
    case C_UNKNOWN:
    case C_VOID:
    case C_OTHER:
        return bits;
    case C_FLOAT:
        return !dtype_is_integer(dtype) && dtype != DT_BF16 && bytes == type->bytes &&
               (bytes > 1) && (dtype_components(dtype) == 1 || bits);
    case C_BFLOAT:
        return dtype == DT_BF16;
    case C_COMPLEX:
        return dtype_components(dtype) == 2 && (int)dtype_size(dtype) == type->bytes;
    default:
        return holds_integer(type, dtype) || (bits && holds_bits(type, dtype)) ||
               (bits && dtype == DT_BOOL && type->bytes == 1);
    }
}

ffi_type *c_type_ffi(const CType *type)
{
    static ffi_type *const signed_types[] = {&ffi_type_sint8, &ffi_type_sint16, &ffi_type_sint32,
                                             &ffi_type_sint64};
    static ffi_type *const unsigned_types[] = {&ffi_type_uint8, &ffi_type_uint16, &ffi_type_uint32,
                                               &ffi_type_uint64};
    int size = type->bytes == 8 ? 3 : type->bytes / 2;
    if (type->pointers)
        return &ffi_type_pointer;
    switch (type->kind) {
    case C_VOID:
        return &ffi_type_void;
    case C_BOOL:
    case C_UNSIGNED:
        return unsigned_types[size];
    case C_CHARACTER:
    case C_SIGNED:
        return signed_types[size];
    case C_FLOAT:
        return type->bytes == 4 ? &ffi_type_float : type->bytes == 8 ? &ffi_type_double : NULL;
    default:
        return NULL;
    }
}

static bool holds(const CType *type, int64_t value)
{
    int64_t bits = 8 * type->bytes;
    if (type->kind == C_UNSIGNED || type->kind == C_BOOL)
        return value >= 0 && (bits == 64 || value < (int64_t)1 << bits);
    int64_t highest = INT64_MAX >> (64 - bits);
    return value <= highest && value >= -highest - 1;
}

bool c_type_store_integer(const CType *type, int64_t value, void *at)
{
    int bits = 8 * type->bytes;
    if (type->kind == C_FLOAT)
        return c_type_store_real(type, (double)value, at);
    if (!holds(type, value))
        return false;
    const int8_t i8 = (int8_t)value;
    const int16_t i16 = (int16_t)value;
    const int32_t i32 = (int32_t)value;
    memcpy(at,
           bits == 8    ? (const void *)&i8
           : bits == 16 ? (const void *)&i16
           : bits == 32 ? (const void *)&i32
                        : (const void *)&value,
           (size_t)type->bytes);
    return true;
}

bool c_type_store_real(const CType *type, double value, void *at)
{
    const float narrow = (float)value;
    if (type->kind != C_FLOAT)
        return fabs(value) < 0x1p62 && value == (double)(int64_t)value &&
               c_type_store_integer(type, (int64_t)value, at);
    memcpy(at, type->bytes == 4 ? (const void *)&narrow : (const void *)&value,
           (size_t)type->bytes);
    return isnan(value) || type->bytes == 8 || (double)narrow == value;
}

int64_t c_type_load_integer(const CType *type, const void *at)
{
    bool is_unsigned = type->kind == C_UNSIGNED || type->kind == C_BOOL;
    uint64_t bits = 0;
    memcpy(&bits, at, (size_t)type->bytes);
    int unused = 64 - 8 * type->bytes;
    return is_unsigned ? (int64_t)bits : (int64_t)(bits << unused) >> unused;
}
