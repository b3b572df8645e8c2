/* Calls of the BLAS in words: of MKL by position, as Fortran has them, and of rocBLAS by name. */
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "format.h"
#include "ops/backend/blas/entry.h"
#include "recorded.h"

enum { NAME_MAX_BYTES = 48, WORDS_MAX = 64 };

static bool refuse_line(Text *why, const char *format, ...) PRINTF_LIKE(2, 3);
static bool refuse_line(Text *why, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    text_vprintf(why, format, arguments);
    va_end(arguments);
    return false;
}

static bool read_whole(const char *word, int64_t *value)
{
    char *end;
    errno = 0;
    long long number = strtoll(word, &end, 10);
    *value = number;
    return end != word && *end == '\0' && errno == 0;
}

/* One argument as its word says; operands are addresses. */
static bool put_word(FortranCall *fortran, int i, const char *word, Text *why)
{
    const CblasArgument *argument = &fortran->entry->arguments[i];
    int64_t *value = &fortran->call.integers[i];
    if (argument->kind == ARGUMENT_OPERAND || argument->kind == ARGUMENT_SCALAR)
        return true;
    if (argument->kind == ARGUMENT_CHOICE) {
        *value = (unsigned char)toupper((unsigned char)word[0]);
        return (word[0] && !word[1]) ||
               refuse_line(why, "%s: expected a letter, not '%s'", argument->name, word);
    }
    return read_whole(word, value) ||
           refuse_line(why, "%s: expected a whole number, not '%s'", argument->name, word);
}

/* Cuts a list at its commas. */
static int split(char *list, char *words[WORDS_MAX])
{
    int count = 0;
    for (char *rest = list; rest && count < WORDS_MAX;)
        words[count++] = strsep(&rest, ",");
    return count;
}

static bool put_positions(FortranCall *fortran, char **words, int count, Text *why)
{
    const CblasEntry *entry = fortran->entry;
    /* MKL's functions put complex values where a first argument says. */
    if (entry->value == VALUE_COMPLEX && count == entry->count + 1) {
        words++;
        count--;
    }
    if (count != entry->count)
        return refuse_line(why, "expected %d arguments, not %d", entry->count, count);
    for (int i = 0; i < count; i++)
        if (!put_word(fortran, i, words[i], why))
            return false;
    return true;
}

/* MKL_VERBOSE SGEMM(N,N,3,5,7,0x7ffe,0x55ab,3,0x55cd,7,0x7fff,0x55ef,3) 1.2us ...  Factors are
 * addresses, so that nothing is known of them. */
LineMeaning import_mkl_line(Import *import, char *line, Text *why)
{
    static const char mark[] = "MKL_VERBOSE ";
    char *name = strstr(line, mark), *words[WORDS_MAX];
    if (!name)
        return LINE_OTHER;
    name += strlen(mark);
    char *open = strchr(name, '('), *space = strchr(name, ' ');
    if (!open || (space && space < open))
        return LINE_OTHER;
    *open = '\0';
    char *close = strchr(open + 1, ')');
    for (char *at = name; *at; at++)
        *at = (char)tolower((unsigned char)*at);
    if (!close || strchr(open + 1, '{')) {
        (void)refuse_line(why,
                          close ? "%s: shapes of groups are not read"
                                : "%s: the list of arguments does not end",
                          name);
        return LINE_BAD;
    }
    *close = '\0';
    FortranCall fortran;
    if (!fortran_call_begin(&fortran, name)) {
        (void)refuse_line(why, "no operator has the function %s", name);
        return LINE_BAD;
    }
    bool read = put_positions(&fortran, words, split(open + 1, words), why);
    read = read && import_call(import, &fortran.call, why);
    free(fortran.entry);
    return read ? LINE_CALL : LINE_BAD;
}

/* A name and its value. */
typedef struct Pair {
    const char *name, *value;
} Pair;

typedef struct Pairs {
    Pair list[WORDS_MAX];
    int count;
} Pairs;

static const char *value_of(const Pairs *pairs, const char *names)
{
    for (const char *name = names; *name; name += strlen(name) + 1)
        for (int i = 0; i < pairs->count; i++)
            if (!strcmp(pairs->list[i].name, name))
                return pairs->list[i].value;
    return NULL;
}

/* What rocBLAS calls the arguments of the BLAS, in options and in logs, each ended by a NUL. */
static const struct {
    const char *argument, *names, *otherwise;
} renamed[] = {
    {"ta", "transposeA\0transA\0trans\0transposea\0", "N"},
    {"tb", "transposeB\0transB\0transposeb\0", "N"},
    {"m", "m\0M\0sizem\0", NULL},
    {"n", "n\0N\0sizen\0", NULL},
    {"k", "k\0K\0sizek\0", NULL},
    {"batch", "batch_count\0", "1"},
    {"kl", "kl\0KL\0", NULL},
    {"ku", "ku\0KU\0", NULL},
    {"incx", "incx\0", "1"},
    {"incy", "incy\0", "1"},
    {"side", "side\0", "L"},
    {"uplo", "uplo\0", "U"},
    {"diag", "diag\0", "N"},
};

static const char *word_for(const Pairs *pairs, const char *argument)
{
    char own[16] = {0};
    for (size_t i = 0; i < COUNT_OF(renamed); i++) {
        const char *value = value_of(pairs, renamed[i].names);
        if (!strcmp(renamed[i].argument, argument))
            return value ? value : renamed[i].otherwise;
    }
    /* A list of one name ends with two zeros. */
    (void)snprintf(own, sizeof own - 1, "%s", argument);
    return value_of(pairs, own);
}

static bool put_factor(FortranCall *fortran, const Pairs *pairs, const char *name, int scalar,
                       Text *why)
{
    static const char *const parts[] = {"", "i"};
    for (int part = 0; part < 2; part++) {
        char own[16] = {0}, *end;
        (void)strncat(strncat(own, name, 8), parts[part], 2);
        const char *word = value_of(pairs, own);
        if (!word)
            continue;
        fortran->call.scalars[scalar][part] = strtod(word, &end);
        if (end == word || *end)
            return refuse_line(why, "%s: expected a number, not '%s'", own, word);
    }
    return true;
}

static bool put_names(FortranCall *fortran, const Pairs *pairs, Text *why)
{
    int scalars = 0;
    for (int i = 0; i < fortran->entry->count; i++) {
        const CblasArgument *argument = &fortran->entry->arguments[i];
        const char *word = word_for(pairs, argument->name);
        if (argument->kind == ARGUMENT_SCALAR) {
            if (!put_factor(fortran, pairs, argument->name, scalars++, why))
                return false;
        } else if (argument->kind == ARGUMENT_OPERAND || argument->kind == ARGUMENT_STRIDE) {
            continue;
        } else if (!word && argument->kind == ARGUMENT_LEADING) {
            fortran->call.integers[i] = RECORDED_LEAST;
        } else if (!word) {
            return refuse_line(why, "no %s is given", argument->name);
        } else if (!put_word(fortran, i, word, why)) {
            return false;
        }
    }
    return true;
}

/* The letter of the BLAS for a type of rocBLAS; 0 where there is none. */
static char letter_of(const char *type)
{
    static const struct {
        const char *type;
        char letter;
    } letters[] = {{"f32_r", 's'}, {"f64_r", 'd'}, {"f32_c", 'c'}, {"f64_c", 'z'}, {"f16_r", 'h'},
                   {"s", 's'},     {"d", 'd'},     {"c", 'c'},     {"z", 'z'},     {"h", 'h'}};
    for (size_t i = 0; type && i < COUNT_OF(letters); i++)
        if (!strcmp(letters[i].type, type))
            return letters[i].letter;
    return 0;
}

/* The name of Fortran's function for one of rocBLAS's, such as gemm_strided_batched in a type, or
 * sgemm_strided_batched. */
static bool put_fortran_name(const Pairs *pairs, Text *name, Text *why)
{
    static const char strided[] = "_strided_batched", extended[] = "_ex";
    const char *given = value_of(pairs, "f\0function\0");
    const char *type = value_of(pairs, "r\0precision\0a_type\0");
    const char *logged = value_of(pairs, "rocblas_function\0");
    if (logged) {
        text_put(name, strncmp(logged, "rocblas_", 8) ? logged : logged + 8);
    } else {
        char letter = letter_of(type ? type : "f32_r");
        if (!given || !letter)
            return refuse_line(why, given ? "no type %s" : "no function is given", type);
        static const char *const types[] = {"b_type\0", "c_type\0", "compute_type\0"};
        for (size_t i = 0; i < COUNT_OF(types); i++)
            if (value_of(pairs, types[i]) && letter_of(value_of(pairs, types[i])) != letter)
                return refuse_line(why, "%s: products of mixed types are not read", given);
        text_append(name, &letter, 1);
        text_put(name, given);
    }
    char *end = strstr(name->data, extended);
    if (end && !end[strlen(extended)])
        *end = '\0';
    end = strstr(name->data, strided);
    if (end)
        memcpy(end, "_batch_strided", sizeof "_batch_strided");
    name->length = strlen(name->data);
    return true;
}

static LineMeaning take_pairs(Import *import, const Pairs *pairs, Text *why)
{
    Text name = {0};
    FortranCall fortran = {0};
    LineMeaning meaning = LINE_BAD;
    const char *count = value_of(pairs, "call_count\0");
    int64_t calls = 1;
    if (put_fortran_name(pairs, &name, why)) {
        if (!fortran_call_begin(&fortran, text_string(&name)))
            (void)refuse_line(why, "no operator has the function %s", text_string(&name));
        else if (count && (!read_whole(count, &calls) || calls < 1))
            (void)refuse_line(why, "call_count: expected a number above 0, not '%s'", count);
        else if (put_names(&fortran, pairs, why)) {
            fortran.call.count = (uint64_t)calls;
            meaning = import_call(import, &fortran.call, why) ? LINE_CALL : LINE_BAD;
        }
    }
    free(fortran.entry);
    text_release(&name);
    return meaning;
}

/* Takes a pair; what is beyond the room is left out, as no call has so many arguments. */
static void add_pair(Pairs *pairs, const char *name, const char *value)
{
    if (pairs->count < WORDS_MAX)
        pairs->list[pairs->count++] = (Pair){name, value};
}

/* Options of a command: -m 3 --transposeA N --lda=4.  A number may be negative. */
static void read_options(char *rest, Pairs *pairs)
{
    const char *name = NULL;
    for (char *word; (word = strsep(&rest, " \t\r\n"));) {
        bool option = word[0] == '-' && (word[1] == '-' || isalpha((unsigned char)word[1]));
        char *equals = option ? strchr(word, '=') : NULL;
        if (!*word)
            continue;
        if (equals)
            *equals = '\0';
        if (option)
            name = word + strspn(word, "-");
        else if (name)
            add_pair(pairs, name, word);
        if (equals)
            add_pair(pairs, name, equals + 1);
        name = option && !equals ? name : NULL;
    }
}

/* Cuts spaces and marks of YAML off both ends. */
static char *trim(char *word)
{
    static const char marks[] = " \t\r\n{}\"'-";
    word += strspn(word, " \t\r\n{}\"'");
    size_t length = strlen(word);
    while (length > 0 && strchr(marks, word[length - 1]))
        word[--length] = '\0';
    return word;
}

/* { rocblas_function: "rocblas_sgemm", transA: "N", M: 3, call_count: 4 } */
static void read_mapping(char *rest, Pairs *pairs)
{
    for (char *item; (item = strsep(&rest, ","));) {
        char *value = strchr(item, ':');
        if (!value)
            continue;
        *value++ = '\0';
        char *name = trim(item);
        add_pair(pairs, name, trim(value));
    }
}

LineMeaning import_rocblas_line(Import *import, char *line, Text *why)
{
    Pairs pairs = {.count = 0};
    char *bench = strstr(line, "blas-bench ");
    char *mapping = strstr(line, "rocblas_function:");
    if (!bench && !mapping)
        return LINE_OTHER;
    if (mapping)
        read_mapping(mapping, &pairs);
    else
        read_options(bench + strlen("blas-bench "), &pairs);
    return take_pairs(import, &pairs, why);
}
