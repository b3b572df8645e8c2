/* Comparisons: what their names stand for in a case, whether they hold, and how a case is changed
 * so that they do. */
#include "comparison.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "attribute.h"
#include "extent.h"
#include "illegal.h"

/* The subject of a comparison in one case. */
typedef struct Subject {
    const Param *param;
    void *values;
    bool recipe;
    const ExtentRow *extent;
    bool derived;
} Subject;

static bool cut(const char *text, const char *end, char part[COMPARISON_BYTES])
{
    size_t length = (size_t)(end - text);
    if (length == 0 || length >= COMPARISON_BYTES)
        return false;
    memcpy(part, text, length);
    part[length] = '\0';
    return true;
}

/* A few digits, without strtod. */
static bool read_digits(const char *text, const char *end, double *number)
{
    enum { DIGITS = 9, BASE = 10 };
    int whole = 0;
    if (text == end || end - text > DIGITS)
        return false;
    for (; text < end && *text >= '0' && *text <= '9'; text++)
        whole = whole * BASE + (*text - '0');
    *number = whole;
    return text == end;
}

static bool read_number(const char *text, const char *end, double *number)
{
    char part[COMPARISON_BYTES], *stop;
    if (read_digits(text, end, number))
        return true;
    if (!cut(text, end, part))
        return false;
    *number = strtod(part, &stop);
    return *stop == '\0';
}

/* LOW..HIGH, or one number.  False where it is none. */
typedef ComparisonRange Range;

static bool read_numbers(const char *word, Range *range)
{
    const char *dots = strstr(word, ".."), *end = strchr(word, '\0');
    *range = (Range){-INFINITY, INFINITY};
    if (dots)
        return (dots == word || read_number(word, dots, &range->low)) &&
               (dots + 2 == end || read_number(dots + 2, end, &range->high)) && end > dots + 1 &&
               strlen(word) > 2;
    if (!read_number(word, end, &range->low))
        return false;
    range->high = range->low;
    return true;
}

bool comparison_read(Comparison *q, const char *text, Text *error)
{
    const char *mark = strchr(text, '='), *end = mark ? mark : text;
    double divisor = 0;
    *q = (Comparison){0};
    q->unequal = mark && mark > text && mark[-1] == '!';
    end -= q->unequal;
    const char *remainder = memchr(text, '%', (size_t)(end - text));
    bool ok = mark && cut(text, remainder ? remainder : end, q->name) &&
              cut(mark + 1, strchr(mark, '\0'), q->words) &&
              (!remainder || read_number(remainder + 1, end, &divisor));
    if (ok && (!remainder || (divisor >= 1 && divisor <= INT32_MAX))) {
        q->divisor = (int64_t)divisor;
        q->is_range = !strchr(q->words, '|') && read_numbers(q->words, &q->range);
        return true;
    }
    text_printf(error,
                "'%s' is no condition: expected NAME=WORD, NAME!=WORD, NAME=LOW..HIGH or "
                "NAME%%NUMBER=NUMBER",
                text);
    return false;
}

static const Param *find_param(const Param *params, const char *name)
{
    for (; params->name; params++)
        if (!strcmp(params->name, name))
            return params;
    return NULL;
}

static bool has_choice(const Param *param, const char *words)
{
    size_t length = strcspn(words, "|");
    for (int64_t i = 0; param->kind == PARAM_CHOICE && i <= param->maximum; i++)
        if (strlen(param->names[i]) == length && !strncmp(param->names[i], words, length))
            return true;
    return false;
}

/* GROUP.NAME: a parameter of an operand's recipe, or of exec. */
static bool find_in_group(Case *c, const char *name, Subject *subject)
{
    ParamGroup groups[CASE_GROUPS_MAX];
    const char *dot = strchr(name, '.');
    int count = case_groups(c, groups);
    for (int i = 1; dot && i < count; i++)
        if (strlen(groups[i].name) == (size_t)(dot - name) &&
            !strncmp(groups[i].name, name, (size_t)(dot - name)))
            *subject = (Subject){find_param(groups[i].params, dot + 1), groups[i].values, 0, 0, 0};
    return subject->param != NULL;
}

/* False where the operator has nothing of the name. */
static bool look_up(const Comparison *q, Case *c, Subject *subject)
{
    const Param *param = op_param(c->op, q->name, strlen(q->name));
    int operand = op_operand(c->op, q->name);
    bool is_choice = param && has_choice(param, q->words);
    *subject = (Subject){0};
    if (operand >= 0 && !is_choice) {
        *subject = (Subject){fill_params, &c->fill[operand], .recipe = true};
    } else if (!(subject->extent = extent_row(c->op, q->name))) {
        subject->derived = attribute_is_derived(c->op, q->name);
        if (!subject->derived && param)
            *subject = (Subject){.param = param, .values = c->params};
        else if (!subject->derived && (param = find_param(exec_params, q->name)))
            *subject = (Subject){.param = param, .values = &c->exec};
    }
    return subject->param || subject->extent || subject->derived ||
           find_in_group(c, q->name, subject);
}

static bool find_subject(const Comparison *q, Case *c, Subject *subject)
{
    const ComparisonSubject *known = &q->subject;
    if (q->op != c->op)
        return look_up(q, c, subject);
    *subject = (Subject){known->param, (char *)c + known->values, known->recipe, known->extent,
                         known->derived};
    return true;
}

void comparison_bind(Comparison *q, const OpDesc *op)
{
    Case c = {.op = op};
    Subject s;
    if (!look_up(q, &c, &s))
        return;
    size_t values = s.param ? (size_t)((char *)s.values - (char *)&c) : 0;
    q->subject = (ComparisonSubject){s.param, values, s.recipe, s.extent, s.derived};
    q->op = op;
}

bool comparison_is_of(const Comparison *q, const OpDesc *op)
{
    Case c;
    Subject subject;
    case_init(&c, op);
    return find_subject(q, &c, &subject);
}

/* Takes the next of the words; false at their end. */
static bool next_word(const char **words, char word[COMPARISON_BYTES])
{
    size_t length = strcspn(*words, "|");
    if (length == 0)
        return false;
    memcpy(word, *words, length);
    word[length] = '\0';
    *words += length + ((*words)[length] == '|');
    return true;
}

/* `last` is the last axis; else as read_numbers. */
static bool read_range(const char *word, const Case *c, Range *range)
{
    if (read_numbers(word, range))
        return true;
    if (strcmp(word, "last") != 0 || !case_has(c, "shape"))
        return false;
    range->low = range->high = (double)(case_shape(c, "shape")->rank - 1);
    return true;
}

/* Factors are numbers of the case's element type, and some of binary32. */
static bool is_near(const Case *c, double factor, double value)
{
    DType dtype = case_dtype(c);
    if (dtype_is_integer(dtype) || dtype_size(dtype) == 1)
        dtype = DT_F32;
    return isfinite(value) && (factor == dtype_round(dtype, value) ||
                               factor == dtype_round(dtype, (double)(float)value));
}

static bool range_has(const Range *range, const Case *c, double number, bool factor)
{
    return (number >= range->low && number <= range->high) ||
           (factor && (is_near(c, number, range->low) || is_near(c, number, range->high)));
}

static bool number_is_in(const Comparison *q, const Case *c, double number, bool factor)
{
    const char *words = q->words;
    char word[COMPARISON_BYTES];
    Range range;
    if (q->divisor)
        number = fmod(number, (double)q->divisor);
    if (q->is_range)
        return range_has(&q->range, c, number, factor);
    while (next_word(&words, word))
        if (read_range(word, c, &range) && range_has(&range, c, number, factor))
            return true;
    return false;
}

static bool word_is_in(const Comparison *q, const char *text)
{
    const char *words = q->words;
    char word[COMPARISON_BYTES];
    while (next_word(&words, word))
        if (!strcmp(word, text))
            return true;
    return false;
}

static bool tuple_is_in(const Comparison *q, const Case *c, const int64_t *numbers, int64_t count)
{
    for (int64_t i = 0; i < count; i++)
        if (!number_is_in(q, c, (double)numbers[i], false))
            return false;
    return true;
}

static bool attribute_is_in(const Comparison *q, const Case *c)
{
    Attribute value;
    (void)attribute_get(c, q->name, &value);
    switch (value.kind) {
    case ATTRIBUTE_TEXT:
        return word_is_in(q, value.text);
    case ATTRIBUTE_BOOLEAN:
        return word_is_in(q, value.integer ? "yes" : "no");
    case ATTRIBUTE_REAL:
        return number_is_in(q, c, value.real, true);
    case ATTRIBUTE_INTEGER:
        return number_is_in(q, c, (double)value.integer, false);
    case ATTRIBUTE_TUPLE:
        return tuple_is_in(q, c, value.list, value.count);
    }
    return false;
}

static bool param_is_in(const Comparison *q, const Case *c, const Subject *s)
{
    const Scalar *scalar;
    switch (s->param->kind) {
    case PARAM_DTYPE:
    case PARAM_CHOICE:
        return word_is_in(q, s->param->names[*param_integer(s->param, s->values)]) &&
               (!s->recipe || ((const Fill *)s->values)->special == 0);
    case PARAM_SCALAR:
        scalar = param_scalar(s->param, s->values);
        return number_is_in(q, c, scalar->re, true) && scalar->im == 0;
    case PARAM_SHAPE:
    case PARAM_TUPLE:
        return tuple_is_in(q, c, param_shape(s->param, s->values)->extent,
                           param_shape(s->param, s->values)->rank);
    case PARAM_LIST:
    case PARAM_CODE:
        return false;
    default:
        return number_is_in(q, c, (double)*param_integer(s->param, s->values), false);
    }
}

bool comparison_admits_number(const Comparison *q, const Case *c, double number)
{
    return number_is_in(q, c, number, false) != q->unequal;
}

bool comparison_admits_word(const Comparison *q, const char *word)
{
    return word_is_in(q, word) != q->unequal;
}

bool comparison_holds(const Comparison *q, const Case *c)
{
    Subject subject;
    if (!find_subject(q, (Case *)(uintptr_t)c, &subject))
        BUG("%s has no %s to compare", c->op->name, q->name);
    bool is_in = subject.param ? param_is_in(q, c, &subject) : attribute_is_in(q, c);
    return is_in != q->unequal;
}

/* Element types are numbered alike in all operators, each of which has some. */
static bool can_be(const OpDesc *op, const Param *param, int64_t choice)
{
    return param != op->params || op_dtypes(op) >> choice & 1;
}

/* Says what words there are, where a choice has not those that it is compared with. */
static bool check_words(const Comparison *q, const OpDesc *op, const Param *param, Text *error)
{
    const char *words = q->words;
    char word[COMPARISON_BYTES];
    while (next_word(&words, word)) {
        Nearest nearest = nearest_begin(word, strlen(word));
        bool known = false;
        for (int64_t i = 0; i <= param->maximum; i++) {
            if (!q->unequal && !can_be(op, param, i))
                continue;
            known = known || !strcmp(param->names[i], word);
            nearest_offer(&nearest, param->names[i]);
        }
        if (known)
            continue;
        text_printf(error, "%s of %s is never %s", q->name, op->name, word);
        nearest_put(&nearest, error);
        return false;
    }
    return true;
}

static bool check_numbers(const Comparison *q, const Case *c, Text *error)
{
    const char *words = q->words;
    char word[COMPARISON_BYTES];
    Range range;
    while (next_word(&words, word)) {
        if (read_range(word, c, &range) && range.low <= range.high)
            continue;
        text_printf(error, "'%s' is no number and no range for %s", word, q->name);
        return false;
    }
    return true;
}

bool comparison_fits(const Comparison *q, const OpDesc *op, Text *error)
{
    Case c;
    Subject subject;
    case_init(&c, op);
    if (!find_subject(q, &c, &subject)) {
        Nearest nearest = nearest_begin(q->name, strlen(q->name));
        comparison_offer_names(op, &nearest);
        text_printf(error, "%s has nothing for the condition %s", op->name, q->name);
        nearest_put(&nearest, error);
        return false;
    }
    const Param *param = subject.param;
    if (param && (param->kind == PARAM_CHOICE || param->kind == PARAM_DTYPE))
        return check_words(q, op, param, error);
    if (!subject.derived && (!param || (param->kind != PARAM_LIST && param->kind != PARAM_CODE)))
        return check_numbers(q, &c, error);
    if (subject.derived)
        return true;
    text_printf(error, "%s of %s cannot be compared", q->name, op->name);
    return false;
}

void comparison_offer_names(const OpDesc *op, Nearest *nearest)
{
    for (const Param *param = op->params; param->name; param++)
        nearest_offer(nearest, param->name);
    for (const ExtentRow *row = extent_rows; row->name; row++)
        if (extent_row(op, row->name))
            nearest_offer(nearest, row->name);
    for (const AttributeRow *row = attribute_rows; row->name; row++)
        if (attribute_exists(op, row->name))
            nearest_offer(nearest, row->name);
    for (int i = 0; op->tensors[i]; i++)
        nearest_offer(nearest, op->tensors[i]);
    for (const Param *param = exec_params; param->name; param++)
        nearest_offer(nearest, param->name);
}

/* One of the words of a comparison that has several: by a number that the case gives, so that all
 * of them come about. */
static void choose_word(const Comparison *q, uint64_t number, char word[COMPARISON_BYTES])
{
    const char *words = q->words;
    int count = 0;
    while (next_word(&words, word))
        count++;
    words = q->words;
    for (uint64_t i = count ? number % (uint64_t)count + 1 : 0; i > 0; i--)
        (void)next_word(&words, word);
}

/* The number nearest to `number` that the comparison allows, between low and high. */
static int64_t nearest_number(const Comparison *q, const Case *c, int64_t number, int64_t low,
                              int64_t high)
{
    char word[COMPARISON_BYTES];
    Range range;
    if (number_is_in(q, c, (double)number, false) != q->unequal)
        return number;
    if (q->unequal)
        return number < high ? number + 1 : number - 1;
    choose_word(q, (uint64_t)number, word);
    if (!read_range(word, c, &range))
        return number;
    if (q->divisor) {
        int64_t wanted = (int64_t)fmax(range.low, 0) % q->divisor;
        number -= ((number - wanted) % q->divisor + q->divisor) % q->divisor;
        return number < low || number <= 0 ? number + q->divisor : number;
    }
    double value = fmin(fmax((double)number, range.low), range.high);
    return (int64_t)fmin(fmax(value, (double)low), (double)high);
}

static void mend_choice(const Comparison *q, const Subject *s)
{
    char word[COMPARISON_BYTES];
    int64_t *value = param_integer(s->param, s->values);
    if (s->recipe && !q->unequal)
        ((Fill *)s->values)->special = 0;
    if (word_is_in(q, s->param->names[*value]) != q->unequal)
        return;
    choose_word(q, (uint64_t)*value, word);
    for (int64_t i = s->param->maximum; i >= 0; i--)
        if (q->unequal ? !word_is_in(q, s->param->names[i]) : !strcmp(s->param->names[i], word))
            *value = i;
}

static uint64_t hash_of_params(const Case *c)
{
    uint64_t hash = 0;
    for (size_t i = 0; i < c->op->size; i++)
        hash = (hash ^ c->params[i]) * 0x100000001b3;
    return hash;
}

static void mend_scalar(const Comparison *q, const Case *c, Scalar *scalar)
{
    char word[COMPARISON_BYTES];
    Range range;
    if (number_is_in(q, c, scalar->re, true) != q->unequal) {
        scalar->im = 0;
        return;
    }
    choose_word(q, hash_of_params(c) >> 20, word);
    if (q->unequal)
        *scalar = (Scalar){scalar->re + 1, 0};
    else if (read_range(word, c, &range))
        *scalar = (Scalar){fmin(fmax(scalar->re, range.low), range.high), 0};
}

/* Most cases have no illegal argument: of a range each number comes about, and so each rule of the
 * operator. */
static void mend_illegal(const Comparison *q, Case *c)
{
    char word[COMPARISON_BYTES];
    Range range;
    uint64_t hash = hash_of_params(c) >> 20;
    choose_word(q, hash, word);
    if (q->unequal || !read_range(word, c, &range))
        return;
    int64_t low = (int64_t)fmax(range.low, 0),
            high = (int64_t)fmin(range.high, ILLEGAL_NUMBERS_MAX);
    c->exec.illegal = high > low ? low + (int64_t)(hash % (uint64_t)(high - low + 1)) : low;
    int64_t drawn = c->exec.illegal;
    illegal_settle(c);
    if (!number_is_in(q, c, (double)c->exec.illegal, false))
        c->exec.illegal = drawn;
}

/* Operands that are asked for as integers are of whole numbers, small ones where they were not. */
static void mend_form(Case *c)
{
    if (form_integer((FormKind)c->exec.form).bits == 0)
        return;
    for (int i = 0; c->op->tensors[i]; i++) {
        Fill *fill = &c->fill[i];
        bool whole = fill->kind == FILL_LIST || fill->kind == FILL_ONES || fill->kind == FILL_ZEROS;
        if (!whole || fill->special || fill->scale)
            *fill = (Fill){
                .kind = whole ? fill->kind : FILL_INT, .seed = fill->seed, .values = fill->values};
    }
}

static void mend_param(const Comparison *q, Case *c, const Subject *s)
{
    const Param *param = s->param;
    Shape *shape = param_shape(param, s->values);
    bool tuple = param->kind == PARAM_TUPLE;
    switch (param->kind) {
    case PARAM_DTYPE:
    case PARAM_CHOICE:
        mend_choice(q, s);
        if (s->values == &c->exec && param_integer(param, s->values) == &c->exec.form)
            mend_form(c);
        break;
    case PARAM_SCALAR:
        mend_scalar(q, c, param_scalar(param, s->values));
        break;
    case PARAM_SHAPE:
    case PARAM_TUPLE:
        for (int64_t i = 0; i < shape->rank; i++)
            shape->extent[i] = nearest_number(q, c, shape->extent[i], tuple ? param->minimum : 0,
                                              tuple ? param->maximum : SHAPE_EXTENT_MAX);
        break;
    case PARAM_LIST:
    case PARAM_CODE:
        break;
    default: {
        int64_t *value = param_integer(param, s->values);
        bool holds = number_is_in(q, c, (double)*value, false) != q->unequal;
        if (value == &c->exec.illegal && !holds && !q->unequal && !q->divisor)
            mend_illegal(q, c);
        else
            *value = nearest_number(q, c, *value, param->minimum, param->maximum);
    }
    }
}

/* Outer axes become one, or axes of one element are put in front. */
static void mend_rank(const Comparison *q, Case *c)
{
    const Param *param = case_param(c, "shape");
    Shape *shape = param_shape(param, c->params);
    int64_t rank = nearest_number(q, c, shape->rank, param->minimum, param->maximum);
    while (shape->rank > rank) {
        int64_t merged = shape->rank > 1 ? shape->extent[0] * shape->extent[1] : 1;
        shape->rank--;
        memmove(shape->extent, shape->extent + 1, (size_t)shape->rank * sizeof *shape->extent);
        shape->extent[shape->rank] = 0;
        if (shape->rank > 0)
            shape->extent[0] = merged < SHAPE_EXTENT_MAX ? merged : SHAPE_EXTENT_MAX;
    }
    while (shape->rank < rank) {
        memmove(shape->extent + 1, shape->extent, (size_t)shape->rank * sizeof *shape->extent);
        shape->extent[0] = 1;
        shape->rank++;
    }
}

/* A scalar gets an axis where something is asked of its extents. */
static Extents numbers_to_mend(Case *c, const ExtentRow *row)
{
    Extents extents = extent_numbers(row, c);
    if (extents.count > 0 || row->factors || case_shape(c, row->of)->rank > 0)
        return extents;
    *param_shape(case_param(c, row->of), c->params) = (Shape){1, {1}};
    return extent_numbers(row, c);
}

/* The innermost extent changes, and the others where they are more than there may be. */
static void mend_extent(const Comparison *q, Case *c, const ExtentRow *row)
{
    Extents extents = extent_numbers(row, c);
    int64_t product = extents_product(&extents, c), rest = 1;
    int64_t wanted = nearest_number(q, c, product, 0, SHAPE_COUNT_MAX);
    if (wanted == product)
        return;
    extents = numbers_to_mend(c, row);
    for (int i = 0; i < extents.count; i++) {
        int64_t *extent = (int64_t *)(void *)(c->params + extents.offset[i]);
        bool innermost = i == extents.count - 1;
        if (innermost)
            *extent = wanted / rest;
        else if (*extent == 0 || wanted % (rest * *extent) != 0)
            *extent = 1;
        rest *= *extent;
    }
}

void comparison_mend(const Comparison *q, Case *c)
{
    Subject subject;
    if (!find_subject(q, c, &subject))
        return;
    if (subject.param)
        mend_param(q, c, &subject);
    else if (subject.extent)
        mend_extent(q, c, subject.extent);
    else if (!strcmp(q->name, "rank"))
        mend_rank(q, c);
}
