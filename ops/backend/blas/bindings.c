/* What the words of rows mean. */
#include "bindings.h"

#include <stdio.h>
#include <string.h>

#include "ops/case/case.h"
#include "routines.h"

const CblasRoutine *cblas_routine(const char *op)
{
    /* It is asked of every operator each time a library is opened. */
    for (int i = 0; i < cblas_routine_count; i++)
        if (cblas_routines[i].op[0] == op[0] && !strcmp(cblas_routines[i].op, op))
            return &cblas_routines[i];
    return NULL;
}

const CblasRoutine *cblas_routine_number(int number)
{
    return number < cblas_routine_count ? &cblas_routines[number] : NULL;
}

const CblasRoutine *cblas_next_routine(const CblasRoutine *routine)
{
    const CblasRoutine *next = routine + 1;
    return next < cblas_routines + cblas_routine_count && !strcmp(next->op, routine->op) ? next
                                                                                         : NULL;
}

/* Copies a word of the given length; false where it is too long. */
static bool copy_word(char *to, size_t size, const char *word, size_t length)
{
    if (length >= size)
        return false;
    memcpy(to, word, length);
    to[length] = '\0';
    return true;
}

/* The word for an element type in a list such as {f32=s f64=d}; false if it is not there. */
static bool find_letters(const char *list, DType dtype, char *letters, size_t size)
{
    size_t length = strlen(dtype_names[dtype]);
    for (const char *at = list + 1; *at && *at != '}'; at += strspn(at, " ")) {
        const char *end = at + strcspn(at, " }");
        if (!strncmp(at, dtype_names[dtype], length) && at[length] == '=')
            return copy_word(letters, size, at + length + 1, (size_t)(end - at) - length - 1);
        at = end;
    }
    return false;
}

/* The name of the function, behind what takes its value. */
static const char *name_of(const CblasRoutine *routine)
{
    const char *returns = strstr(routine->call, " = ");
    return returns ? returns + 3 : routine->call;
}

bool cblas_spell(const CblasRoutine *routine, DType dtype, char *name, size_t size)
{
    static const char blas[] = "{f32=s f64=d c64=c c128=z}";
    const char *word = name_of(routine);
    const char *open = strchr(word, '('), *mark = strpbrk(word, "?{");
    char letters[32] = "";
    if (!mark || mark > open)
        return copy_word(name, size, word, (size_t)(open - word));
    const char *rest = *mark == '?' ? mark + 1 : strchr(mark, '}') + 1;
    if (!find_letters(*mark == '?' ? blas : mark, dtype, letters, sizeof letters))
        return false;
    size_t before = (size_t)(mark - word), with = before + strlen(letters);
    return copy_word(name, size, word, before) &&
           copy_word(name + before, size - before, letters, with - before) &&
           copy_word(name + with, size - with, rest, (size_t)(open - rest));
}

/* What a row says behind the call. */
static const char *marks_of(const CblasRoutine *routine)
{
    return strrchr(routine->call, ')') + 1;
}

static bool is_for_lapacke_alone(const CblasRoutine *routine)
{
    return strstr(marks_of(routine), "LAPACKE") != NULL;
}

static bool is_for_fortran_alone(const CblasRoutine *routine)
{
    return strstr(marks_of(routine), "Fortran") != NULL;
}

bool cblas_is_lapacke(CblasInterface interface)
{
    return interface == INTERFACE_LAPACKE || interface == INTERFACE_LAPACKE_WORK;
}

bool cblas_is_of_lapack(const CblasRoutine *routine)
{
    return is_for_fortran_alone(routine) || is_for_lapacke_alone(routine);
}

/* True where LAPACKE's function has another row than that of Fortran. */
static bool has_row_for_lapacke(const CblasRoutine *routine)
{
    const CblasRoutine *first = routine;
    while (first > cblas_routines && !strcmp(first[-1].op, routine->op))
        first--;
    for (const CblasRoutine *row = first; row; row = cblas_next_routine(row))
        if (is_for_lapacke_alone(row))
            return true;
    return false;
}

static bool says_for(const CblasRoutine *routine, CblasInterface interface)
{
    switch (interface) {
    case INTERFACE_C:
        return !cblas_is_of_lapack(routine);
    case INTERFACE_FORTRAN:
        return !is_for_lapacke_alone(routine);
    case INTERFACE_LAPACKE:
        return is_for_lapacke_alone(routine) ||
               (is_for_fortran_alone(routine) && !has_row_for_lapacke(routine));
    default:
        return is_for_fortran_alone(routine);
    }
}

/* Whether the routine has a function of the interface; read once of each row, since every process
 * that opens a library asks for all names. */
static bool is_for(const CblasRoutine *routine, CblasInterface interface)
{
    enum { READ = 1 << INTERFACE_COUNT };
    static unsigned char interfaces[CBLAS_ROUTINES_MAX];
    unsigned char *own = &interfaces[routine - cblas_routines];
    for (int i = 0; !(*own & READ) && i < INTERFACE_COUNT; i++)
        *own |= (unsigned char)(says_for(routine, (CblasInterface)i) << i);
    *own |= READ;
    return *own >> interface & 1;
}

bool cblas_is_balanced(const CblasRoutine *routine)
{
    return strstr(marks_of(routine), "balanced") != NULL;
}

bool cblas_is_counted(const CblasRoutine *routine)
{
    return strstr(marks_of(routine), "counted") != NULL;
}

/* The length of a name without what says in C that a result is an argument. */
static size_t length_as_function(const char *name)
{
    static const char suffix[] = "_sub";
    size_t length = strlen(name);
    bool has = length > strlen(suffix) && !strcmp(name + length - strlen(suffix), suffix);
    return has ? length - strlen(suffix) : length;
}

bool cblas_spell_symbol(const CblasRoutine *routine, CblasInterface interface, DType dtype,
                        char *name, size_t size)
{
    static const struct {
        const char *before, *after;
    } around[INTERFACE_COUNT] = {[INTERFACE_C] = {"cblas_", ""},
                                 [INTERFACE_FORTRAN] = {"", "_"},
                                 [INTERFACE_LAPACKE] = {"LAPACKE_", ""},
                                 [INTERFACE_LAPACKE_WORK] = {"LAPACKE_", "_work"}};
    char word[64];
    if (!is_for(routine, interface) || !cblas_spell(routine, dtype, word, sizeof word))
        return false;
    const char *before = around[interface].before, *after = around[interface].after;
    size_t letters = interface == INTERFACE_C ? strlen(word) : length_as_function(word);
    size_t start = strlen(before), end = start + letters;
    return copy_word(name, size, before, start) &&
           copy_word(name + start, size - start, word, letters) &&
           copy_word(name + end, size - end, after, strlen(after));
}

bool cblas_known_function(int number, KnownFunction *function)
{
    enum { FORMS = INTERFACE_COUNT + 1 };
    int form = number % FORMS, row = number / FORMS;
    char word[48];
    *function = (KnownFunction){.dtype = (DType)(row % DT_COUNT)};
    row /= DT_COUNT;
    if (row >= cblas_routine_count)
        return false;
    const OpDesc *op = op_find(cblas_routines[row].op);
    if (!op || !(op_dtypes(op) & 1u << function->dtype))
        return true;
    bool spelt = form == INTERFACE_COUNT
                     ? cblas_spell(&cblas_routines[row], function->dtype, word, sizeof word)
                     : cblas_spell_symbol(&cblas_routines[row], (CblasInterface)form,
                                          function->dtype, word, sizeof word);
    if (spelt) {
        function->op = op;
        (void)snprintf(function->name, sizeof function->name, "%s", word);
    }
    return true;
}

const char *cblas_until(const CblasRoutine *routine)
{
    static const char word[] = " until OpenBLAS ";
    const char *until = strstr(routine->call, word);
    return until ? until + strlen(word) : NULL;
}

bool cblas_is_extension(const CblasRoutine *routine)
{
    return strstr(marks_of(routine), "extension") != NULL;
}

bool cblas_has_scratch(const CblasRoutine *routine)
{
    return strstr(routine->call, "work") != NULL;
}

/* True where the C routine puts its result where an argument says, and that of Fortran returns it.
 */
static bool becomes_function(const CblasRoutine *routine)
{
    return strstr(routine->call, "_sub(") != NULL;
}

int cblas_result(const CblasRoutine *routine, const OpDesc *op, CblasInterface interface)
{
    const char *returns = strstr(routine->call, " = ");
    if (returns)
        return cblas_operand(op, routine->call, (size_t)(returns - routine->call));
    if (cblas_is_lapacke(interface))
        return cblas_operand(op, "info", strlen("info"));
    return interface == INTERFACE_FORTRAN && becomes_function(routine)
               ? cblas_operand(op, "result", strlen("result"))
               : -1;
}

int cblas_position(const CblasRoutine *routine, const OpDesc *op)
{
    return name_of(routine)[0] == 'i' ? cblas_operand(op, "result", strlen("result")) : -1;
}

int cblas_operand(const OpDesc *op, const char *name, size_t length)
{
    for (int i = 0; op->tensors[i]; i++)
        if (strlen(op->tensors[i]) == length && !strncmp(op->tensors[i], name, length))
            return i;
    return -1;
}

DType cblas_operand_dtype(const OpDesc *op, DType dtype, int operand)
{
    Case c;
    Shapes shapes;
    case_init(&c, op);
    case_set_dtype(&c, dtype);
    op_shape(op, c.params, &shapes);
    return shapes.tensor[operand].layout.dtype;
}

DType cblas_factor_dtype(const OpDesc *op, DType dtype)
{
    int c = cblas_operand(op, "c", 1);
    return c < 0 || op->tensors[c + 1] ? dtype : cblas_operand_dtype(op, dtype, c);
}

/* True when a word is a keyword with parentheses around or behind it: type(a), 'n'. */
static bool is_between(const char *word, size_t length, const char *before, const char *after)
{
    size_t front = strlen(before), back = strlen(after);
    return length > front + back && !strncmp(word, before, front) &&
           !strncmp(word + length - back, after, back);
}

/* work, rwork(n) or lwork(n|1); false where the word is none of these. */
static bool resolve_scratch(CblasArgument *argument, const char *word, size_t length)
{
    static const char *const names[] = {"work", "rwork", "iwork", "bwork"};
    const char *open = memchr(word, '(', length);
    size_t bare = open ? (size_t)(open - word) : length, is_length = *word == 'l';
    for (size_t i = 0; i < COUNT_OF(names); i++)
        if (strlen(names[i]) == bare - is_length &&
            !strncmp(names[i], word + is_length, bare - is_length)) {
            argument->kind = is_length ? ARGUMENT_LENGTH : ARGUMENT_SCRATCH;
            argument->formula = open ? open + 1 : NULL;
            return copy_word(argument->name, sizeof argument->name, word, bare);
        }
    return false;
}

/* An argument that no parameter and no operand gives; false where the word is one of those. */
static bool resolve_other(CblasArgument *argument, const OpDesc *op, const char *word,
                          size_t length)
{
    argument->tensor = -1;
    if (resolve_scratch(argument, word, length))
        return true;
    if (is_between(word, length, "type(", ")")) {
        argument->kind = ARGUMENT_TYPE;
        argument->tensor = cblas_operand(op, word + 5, length - 6);
        (void)snprintf(argument->name, sizeof argument->name, "type_%.*s", (int)length - 6,
                       word + 5);
        return true;
    }
    bool function = length == strlen("negative") && !strncmp(word, "negative", length);
    if (function || (length == strlen("nothing") && !strncmp(word, "nothing", length))) {
        argument->kind = function ? ARGUMENT_FUNCTION : ARGUMENT_NOTHING;
        return copy_word(argument->name, sizeof argument->name, word, length);
    }
    if (is_between(word, length, "'", "'")) {
        argument->kind = ARGUMENT_CONSTANT;
        (void)snprintf(argument->name, sizeof argument->name, "%.*s", (int)length - 2, word + 1);
        return true;
    }
    (void)snprintf(argument->name, sizeof argument->name, "%.*s", (int)length, word);
    argument->kind = !strcmp(argument->name, "compute") ? ARGUMENT_COMPUTE : ARGUMENT_ALGORITHM;
    return argument->kind == ARGUMENT_COMPUTE || !strcmp(argument->name, "algorithm");
}

static const Param *find_param(const OpDesc *op, const char *name)
{
    for (const Param *param = op->params; param->name; param++)
        if (!strcmp(param->name, name))
            return param;
    BUG("%s: no parameter or operand '%s'", op->name, name);
}

static CblasArgument resolve(const OpDesc *op, const char *word, size_t length)
{
    CblasArgument argument = {.tensor = -1};
    if (resolve_other(&argument, op, word, length))
        return argument;
    argument = (CblasArgument){
        .by_group = *word == '*', .as_scalar = *word == '&', .by_value = *word == '='};
    size_t marked = argument.by_group || argument.as_scalar || argument.by_value;
    word += marked;
    length -= marked;
    (void)snprintf(argument.name, sizeof argument.name, "%.*s", (int)length, word);
    argument.tensor = cblas_operand(op, word, length);
    if (argument.tensor >= 0) {
        argument.kind = ARGUMENT_OPERAND;
        return argument;
    }
    bool stride = is_between(word, length, "stride", ""),
         leads = is_between(word, length, "ld", "");
    if (stride || leads || is_between(word, length, "inc", "")) {
        size_t front = strlen(stride ? "stride" : leads ? "ld" : "inc");
        argument.kind = stride ? ARGUMENT_STRIDE : ARGUMENT_LEADING;
        argument.tensor = cblas_operand(op, word + front, length - front);
    }
    if (stride)
        return argument;
    argument.param = find_param(op, argument.name);
    if (argument.kind != ARGUMENT_LEADING)
        argument.kind = argument.param->kind == PARAM_CHOICE   ? ARGUMENT_CHOICE
                        : argument.param->kind == PARAM_SCALAR ? ARGUMENT_SCALAR
                                                               : ARGUMENT_INTEGER;
    return argument;
}

int cblas_arguments(const CblasRoutine *routine, const OpDesc *op,
                    CblasArgument arguments[CBLAS_ARGUMENTS_MAX])
{
    int count = 0;
    const char *word = strchr(routine->call, '(') + 1, *end = strrchr(routine->call, ')');
    while (word < end) {
        size_t length = strcspn(word, ","), left = (size_t)(end - word);
        if (count == CBLAS_ARGUMENTS_MAX)
            BUG("%s: too many arguments", routine->call);
        CblasArgument *argument = &arguments[count++];
        *argument = resolve(op, word, length < left ? length : left);
        for (int i = 0; i + 1 < count && argument->kind == ARGUMENT_INTEGER; i++)
            argument->repeated = argument->repeated || arguments[i].param == argument->param;
        word += length + strspn(word + length, ", ");
    }
    return count;
}

static int fortran_arguments(const CblasRoutine *routine, int count,
                             CblasArgument arguments[CBLAS_ARGUMENTS_MAX])
{
    bool ordered = strstr(marks_of(routine), "ordered") != NULL;
    if (becomes_function(routine))
        count--;
    if (count == 0 || ordered || strcmp(arguments[0].name, "order") != 0)
        return count;
    memmove(arguments, arguments + 1, (size_t)(count - 1) * sizeof *arguments);
    return count - 1;
}

/* Puts `order` in front, and leaves out info, and arrays to work in unless they are to be given. */
static int lapacke_arguments(const OpDesc *op, bool given, int count,
                             CblasArgument arguments[CBLAS_ARGUMENTS_MAX])
{
    static const char order[] = "order", info[] = "info";
    CblasArgument all[CBLAS_ARGUMENTS_MAX];
    int kept = 0;
    memcpy(all, arguments, (size_t)count * sizeof *all);
    if (op_param(op, order, strlen(order)))
        arguments[kept++] = resolve(op, order, strlen(order));
    for (int i = 0; i < count; i++) {
        bool scratch = all[i].kind == ARGUMENT_SCRATCH || all[i].kind == ARGUMENT_LENGTH;
        if ((!scratch || given) && strcmp(all[i].name, info) != 0)
            arguments[kept++] = all[i];
    }
    return kept;
}

int cblas_arguments_by(const CblasRoutine *routine, const OpDesc *op, CblasInterface interface,
                       CblasArgument arguments[CBLAS_ARGUMENTS_MAX])
{
    int count = cblas_arguments(routine, op, arguments);
    if (interface == INTERFACE_FORTRAN)
        return fortran_arguments(routine, count, arguments);
    if (!cblas_is_lapacke(interface))
        return count;
    bool given = interface == INTERFACE_LAPACKE_WORK || is_for_lapacke_alone(routine);
    return lapacke_arguments(op, given, count, arguments);
}

/* LAPACKE's functions of a row, whose arguments follow from it. */
static void describe_lapacke(const CblasRoutine *routine, const OpDesc *op, Text *text)
{
    CblasArgument arguments[CBLAS_ARGUMENTS_MAX];
    const char *name = name_of(routine);
    int count = cblas_arguments_by(routine, op, INTERFACE_LAPACKE, arguments);
    text_printf(text, "LAPACKE_%.*s(", (int)strcspn(name, "("), name);
    for (int i = 0; i < count; i++)
        text_printf(text, "%s%s", i ? ", " : "", arguments[i].name);
    text_put(text, "), and with _work behind its name given what it works in\n");
}

void cblas_describe(const char *name, const OpDesc *op, Text *text)
{
    const CblasRoutine *routine = cblas_routine(op->name);
    (void)name;
    for (; routine; routine = cblas_next_routine(routine)) {
        if (!is_for_lapacke_alone(routine))
            text_printf(text, "%s\n", routine->call);
        if (is_for(routine, INTERFACE_LAPACKE))
            describe_lapacke(routine, op, text);
    }
}

typedef struct Enumerator {
    const char *choice, *name;
    int value;
    char letter;
} Enumerator;

static const Enumerator enumerators[] = {
    {"row", "CblasRowMajor", 101, 'R'},
    {"col", "CblasColMajor", 102, 'C'},
    {"n", "CblasNoTrans", 111, 'N'},
    {"t", "CblasTrans", 112, 'T'},
    {"c", "CblasConjTrans", 113, 'C'},
    {"upper", "CblasUpper", 121, 'U'},
    {"lower", "CblasLower", 122, 'L'},
    {"stored", "CblasNonUnit", 131, 'N'},
    {"unit", "CblasUnit", 132, 'U'},
    {"left", "CblasLeft", 141, 'L'},
    {"right", "CblasRight", 142, 'R'},
    {"largest", NULL, 151, 'M'},
    {"one", NULL, 152, 'O'},
    {"infinity", NULL, 153, 'I'},
    {"frobenius", NULL, 154, 'F'},
    {"values", NULL, 161, 'N'},
    {"vectors", NULL, 162, 'V'},
    {"nothing", NULL, 165, 'N'},
    {"permute", NULL, 166, 'P'},
    {"scale", NULL, 167, 'S'},
    {"both", NULL, 168, 'B'},
    {"eigenvalues", NULL, 169, 'E'},
    {"schur", NULL, 170, 'S'},
    {"identity", NULL, 171, 'I'},
    {"given", NULL, 172, 'V'},
    {"some", NULL, 163, 'S'},
    {"all", NULL, 164, 'A'},
    {"indices", NULL, 173, 'I'},
    {"interval", NULL, 174, 'V'},
    {"equilibrate", NULL, 175, 'E'},
    {"factored", NULL, 176, 'F'},
    {"entire", NULL, 177, 'E'},
    {"blocks", NULL, 178, 'B'},
    {"found", NULL, 179, 'U'},
    {"applied", NULL, 180, 'A'},
};

static const Enumerator *enumerator_of(int64_t value)
{
    for (size_t i = 0; i < COUNT_OF(enumerators); i++)
        if (enumerators[i].value == value)
            return &enumerators[i];
    return NULL;
}

static const Enumerator *find_enumerator(const char *choice)
{
    for (size_t i = 0; i < COUNT_OF(enumerators); i++)
        if (!strcmp(enumerators[i].choice, choice))
            return &enumerators[i];
    return NULL;
}

bool cblas_has_enumerator(const char *choice)
{
    return find_enumerator(choice) != NULL;
}

int cblas_enumerator(const char *choice)
{
    const Enumerator *found = find_enumerator(choice);
    if (!found)
        BUG("no enumerator for '%s'", choice);
    return found->value;
}

const char *cblas_enumerator_name(int64_t value)
{
    const Enumerator *enumerator = enumerator_of(value);
    return enumerator ? enumerator->name : NULL;
}

char cblas_letter(int64_t value)
{
    const Enumerator *enumerator = enumerator_of(value);
    return enumerator ? enumerator->letter : '/';
}
