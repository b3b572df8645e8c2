/* Tables from descriptions, and the functions that read them. */
#include "operator.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "formula.h"
#include "reference/function.h"

enum {
    USUAL_FILLS = 1 << FILL_INT | 1 << FILL_NORMAL | 1 << FILL_POSITIVE | 1 << FILL_EXPONENTS |
                  1 << FILL_ONES | 1 << FILL_SPARSE | 1 << FILL_NEAR,
    WORK_OF_AN_ELEMENT = 16,
    CHOICES_MAX = 64
};

_Static_assert((int)OPCONFORM_U64 == DT_U64 && DT_U64 + 1 == DT_COUNT &&
                   (int)OPCONFORM_E5M2 == DT_E5M2 && (int)OPCONFORM_BF16 == DT_BF16 &&
                   (int)OPCONFORM_BOOL == DT_BOOL,
               "element types have one order");
_Static_assert((int)OPCONFORM_INOUT == ROLE_INOUT && (int)OPCONFORM_OUT == ROLE_OUT &&
                   (int)OPCONFORM_AXES == TENSOR_RANK_MAX,
               "roles and axes");

static const PluginOperator *operator_of(const OpDesc *op)
{
    return op->detail;
}

/* A letter, then letters, digits and _. */
static bool is_name(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyz_", digits[] = "0123456789";
    size_t length = name ? strlen(name) : 0, first = name ? strspn(name, letters) : 0;
    if (first == 0 || length >= 32)
        return false;
    for (size_t i = first; i < length; i++)
        if (!strchr(letters, name[i]) && !strchr(digits, name[i]))
            return false;
    return true;
}

/* Words with spaces between as an array that ends with NULL. */
static const char **cut_choices(const char *words)
{
    const char **names = memory_allocate(CHOICES_MAX + 1, sizeof *names);
    char *copy = memory_duplicate(words), *word;
    int count = 0;
    while (count < CHOICES_MAX && (word = strsep(&copy, " ")))
        if (*word)
            names[count++] = word;
    return names;
}

static int64_t choice_count(const char *const *names)
{
    int64_t count = 0;
    while (names[count])
        count++;
    return count;
}

const void *plugin_whole_row(const void *row, int size, size_t own_size)
{
    if ((size_t)size == own_size)
        return row;
    void *whole = memory_allocate(1, own_size);
    memcpy(whole, row, (size_t)size);
    return whole;
}

static bool refuse(Text *error, const opconform_operator *given, const char *what,
                   const char *which)
{
    text_printf(error, "operator %s: %s%s", given->name, which, what);
    return false;
}

static bool set_range(Param *param, const opconform_param *row)
{
    bool extent = row->kind == OPCONFORM_EXTENT;
    param->minimum = row->low;
    param->maximum = row->high;
    param->simplest = row->simplest ? row->simplest : extent && row->low <= 1 ? 1 : row->low;
    if (row->kind == OPCONFORM_INTEGER && !row->simplest && row->low <= 0 && row->high >= 0)
        param->simplest = 0;
    return row->low <= row->high && param->simplest >= row->low && param->simplest <= row->high &&
           (!extent || (row->low >= 0 && row->high <= SHAPE_EXTENT_MAX)) && row->low > INT32_MIN &&
           row->high < INT32_MAX;
}

/* Fills in what depends on the kind; the size of its value, or 0 where the row is wrong. */
static size_t set_kind(Param *param, const opconform_param *row)
{
    switch (row->kind) {
    case OPCONFORM_EXTENT:
        param->kind = PARAM_DIM;
        return set_range(param, row) ? sizeof(int64_t) : 0;
    case OPCONFORM_INTEGER:
        param->kind = PARAM_INTEGER;
        return set_range(param, row) ? sizeof(int64_t) : 0;
    case OPCONFORM_CHOICE:
        param->kind = PARAM_CHOICE;
        param->names = cut_choices(row->words ? row->words : "");
        param->maximum = choice_count(param->names) - 1;
        return param->maximum >= 0 ? sizeof(int64_t) : 0;
    case OPCONFORM_REAL:
        param->kind = PARAM_SCALAR;
        param->maximum = 1;
        param->simplest = row->simplest;
        return sizeof(Scalar);
    case OPCONFORM_SHAPE:
        param->kind = PARAM_SHAPE;
        param->minimum = row->low;
        param->maximum = row->high;
        param->simplest = 1;
        return row->low >= 0 && row->low <= row->high && row->high <= TENSOR_RANK_MAX
                   ? sizeof(Shape)
                   : 0;
    default:
        return 0;
    }
}

static bool add_params(PluginOperator *made, const opconform_plugin *plugin, Text *error)
{
    const opconform_operator *given = made->given;
    int count = 0;
    made->params[count++] = (Param){.name = "dtype",
                                    .kind = PARAM_DTYPE,
                                    .help = "element type",
                                    .names = dtype_names,
                                    .maximum = DT_COUNT - 1};
    made->op.size = sizeof(int64_t);
    made->op.params = made->params;
    const char *at = (const char *)given->params;
    for (; at && ((const opconform_param *)(const void *)at)->name; at += plugin->param_size) {
        const opconform_param *row = plugin_whole_row(at, plugin->param_size, sizeof *row);
        if (count > OP_PARAMS_MAX - 1)
            return refuse(error, given, "more parameters than there is room for", "");
        if (!is_name(row->name) || op_param(&made->op, row->name, strlen(row->name)))
            return refuse(error, given, " is no name of a parameter, or comes twice", row->name);
        made->param_rows[count] = row;
        Param *param = &made->params[count++];
        *param =
            (Param){.name = row->name, .help = row->help ? row->help : "", .offset = made->op.size};
        size_t size = set_kind(param, row);
        if (size == 0)
            return refuse(error, given, " has no range, or no choices", row->name);
        made->op.size += size;
    }
    if (made->op.size > OP_PARAMS_BYTES_MAX)
        return refuse(error, given, "more parameters than there is room for", "");
    return true;
}

/* A word of a shape: the name of a parameter that is a shape; NULL for formulas. */
static const Param *shape_param(const OpDesc *op, const char *word)
{
    const Param *param = op_param(op, word, strlen(word));
    return param && param->kind == PARAM_SHAPE ? param : NULL;
}

static bool check_shape(const OpDesc *op, const char *shape, Text *error)
{
    char word[FORMULA_BYTES];
    int64_t axes = 0;
    while (formula_next_word(&shape, word)) {
        const Param *param = shape_param(op, word);
        if (!param && !formula_check(word, op, error))
            return false;
        axes += param ? param->maximum : 1;
    }
    if (axes <= TENSOR_RANK_MAX && *shape == '\0')
        return true;
    text_printf(error, "more than %d axes, or a word that is too long", TENSOR_RANK_MAX);
    return false;
}

/* "bias=yes": a choice and one of its words. */
static bool check_present(const OpDesc *op, const char *present, Text *error)
{
    char need[FORMULA_BYTES];
    (void)snprintf(need, sizeof need, "%s", present);
    char *mark = strchr(need, '=');
    if (mark)
        *mark = ':';
    if (mark && op_has_params(op, need))
        return true;
    text_printf(error, "'%s' is no choice of the operator with one of its words", present);
    return false;
}

static bool check_operand(const PluginOperator *made, const opconform_operand_row *row, bool first,
                          Text *error)
{
    Text why = {0};
    bool ok = row->shape && check_shape(&made->op, row->shape, &why) &&
              (!row->below || formula_check(row->below, &made->op, &why)) &&
              (!row->present || check_present(&made->op, row->present, &why));
    if (ok && (row->dtype < 0 || row->dtype > DT_COUNT || (int)row->role < 0 ||
               row->role > OPCONFORM_INOUT || (row->present && row->role != OPCONFORM_IN))) {
        text_put(&why, "a type, a role or `present` that an operand cannot have");
        ok = false;
    }
    if (ok && first && row->role == OPCONFORM_OUT && !row->shape) {
        text_put(&why, "no shape");
        ok = false;
    }
    if (!ok)
        text_printf(error, "operator %s, operand %s: %s", made->given->name, row->name,
                    why.length ? text_string(&why) : "no shape");
    text_release(&why);
    return ok;
}

static bool add_operands(PluginOperator *made, const opconform_plugin *plugin, Text *error)
{
    const opconform_operator *given = made->given;
    const char *at = (const char *)given->operands;
    int count = 0, outputs = 0;
    made->op.tensors = made->names;
    for (; at && ((const opconform_operand_row *)(const void *)at)->name;
         at += plugin->operand_size) {
        const opconform_operand_row *row = plugin_whole_row(at, plugin->operand_size, sizeof *row);
        if (count == OP_TENSORS_MAX)
            return refuse(error, given, "more operands than there is room for", "");
        if (!is_name(row->name) || op_operand(&made->op, row->name) >= 0)
            return refuse(error, given, " is no name of an operand, or comes twice", row->name);
        if (outputs > 0 && row->role == OPCONFORM_IN)
            return refuse(error, given, ", an input, stands behind an output", row->name);
        if (!check_operand(made, row, count == 0, error))
            return false;
        outputs += row->role != OPCONFORM_IN;
        made->rows[count] = row;
        made->names[count++] = row->name;
    }
    return outputs > 0 || refuse(error, given, "it has no output", "");
}

static bool set_fills(PluginOperator *made, Text *error)
{
    char word[FORMULA_BYTES];
    const char *words = made->given->fills;
    made->op.fills = words ? 0 : USUAL_FILLS;
    while (words && formula_next_word(&words, word)) {
        uint32_t found = 0;
        for (int i = 0; i < FILL_KIND_COUNT; i++)
            found |= strcmp(fill_kind_names[i], word) ? 0 : 1u << i;
        if (!found)
            return refuse(error, made->given, " is no kind of data (opconform list fills)", word);
        made->op.fills |= found;
    }
    return true;
}

static void clamp_real(const opconform_param *row, Scalar *scalar)
{
    if (row->low >= row->high)
        return;
    scalar->re = isnan(scalar->re) ? (double)row->simplest : scalar->re;
    scalar->re = fmin(fmax(scalar->re, (double)row->low), (double)row->high);
}

static void normalise(const OpDesc *op, void *params)
{
    const PluginOperator *made = operator_of(op);
    for (int i = 1; op->params[i].name; i++) {
        const Param *param = &op->params[i];
        int64_t *value = param_integer(param, params);
        if (param->kind == PARAM_SCALAR)
            clamp_real(made->param_rows[i], param_scalar(param, params));
        else if (param->kind != PARAM_SHAPE)
            *value = *value < param->minimum   ? param->minimum
                     : *value > param->maximum ? param->maximum
                                               : *value;
    }
    if (made->given->legal)
        rules_apply(made->given->legal, op, params);
}

static int64_t extent_within(int64_t value)
{
    return value < 0 ? 0 : value > SHAPE_EXTENT_MAX ? SHAPE_EXTENT_MAX : value;
}

static void set_extents(const OpDesc *op, const void *params, const char *shape, Tensor *layout)
{
    char word[FORMULA_BYTES];
    while (formula_next_word(&shape, word)) {
        const Param *param = shape_param(op, word);
        if (!param)
            layout->extent[layout->rank++] = extent_within(formula_value(word, op, params));
        for (int64_t axis = 0; param && axis < param_shape(param, (void *)(uintptr_t)params)->rank;
             axis++)
            layout->extent[layout->rank++] =
                param_shape(param, (void *)(uintptr_t)params)->extent[axis];
    }
    tensor_pack(layout);
}

static bool is_present(const OpDesc *op, const void *params, const char *present)
{
    size_t length = present ? strcspn(present, "=") : 0;
    const Param *param = present ? op_param(op, present, length) : NULL;
    return !present || !strcmp(param->names[*param_integer(param, (void *)(uintptr_t)params)],
                               present + length + 1);
}

static void shape(const OpDesc *op, const void *params, Shapes *shapes)
{
    const PluginOperator *made = operator_of(op);
    *shapes = (Shapes){.count = op_tensor_count(op), .depth = 1};
    for (int i = 0; i < shapes->count; i++) {
        const opconform_operand_row *row = made->rows[i];
        TensorSpec *spec = &shapes->tensor[i];
        *spec = (TensorSpec){
            .role = (TensorRole)row->role,
            .layout = {.dtype = row->dtype ? (DType)(row->dtype - 1)
                                           : (DType) * (const int64_t *)params},
            .contraction = -1,
            .positive = row->flags & OPCONFORM_POSITIVE,
            .ascending = row->flags & OPCONFORM_SORTED,
            .ignored = !is_present(op, params, row->present),
        };
        set_extents(op, params, row->shape, &spec->layout);
        if (row->below) {
            int64_t below = formula_value(row->below, op, params);
            spec->index_below = below > 1 ? below : 1;
        }
        int64_t last = spec->layout.rank ? spec->layout.extent[spec->layout.rank - 1] : 1;
        if (spec->role == ROLE_IN && last > shapes->depth)
            shapes->depth = last;
    }
}

static double work(const OpDesc *op, const void *params)
{
    const PluginOperator *made = operator_of(op);
    Shapes shapes;
    double elements = 0;
    if (made->given->work)
        return (double)formula_value(made->given->work, op, params);
    shape(op, params, &shapes);
    for (int i = 0; i < shapes.count; i++)
        elements += (double)tensor_count(&shapes.tensor[i].layout);
    return WORK_OF_AN_ELEMENT * elements;
}

static bool is_output_of(const opconform_call *call, int i)
{
    return operator_of(call->op)->rows[i]->role != OPCONFORM_IN;
}

/* References of outputs that nobody puts: anything is admitted. */
static void allocate_outputs(const OpDesc *op, Ref *refs, const Tensor *views, Arena *arena)
{
    const PluginOperator *made = operator_of(op);
    for (int i = 0; op->tensors[i]; i++) {
        if (made->rows[i]->role == OPCONFORM_IN)
            continue;
        ref_allocate_bounded(&refs[i], views[i].dtype, &views[i], arena);
        for (size_t k = 0; k < refs[i].count; k++)
            ref_set_classes(&refs[i], k, CLASS_ANY);
    }
}

/* The results of `compute` with the errors that are declared. */
static void put_computed(opconform_call *call, const opconform_operator *given, int i)
{
    const opconform_tensor *y = &call->tensors[i];
    const Format *format = dtype_format((DType)y->dtype);
    double largest = 0;
    for (int64_t k = 0; k < y->count; k++)
        largest = isfinite(y->values[k]) ? fmax(largest, fabs(y->values[k])) : INFINITY;
    for (int64_t k = 0; k < y->count; k++) {
        double value = y->values[k];
        double bound = given->ulps * format_ulp(format, value) +
                       given->ulps_of_largest * format_ulp(format, fmin(largest, format->largest));
        opconform_put_bounded(y, k, isfinite(value) ? value : 0, 0, 0,
                              isfinite(value) ? bound * (1 + 0x1p-40) : INFINITY);
    }
}

void plugin_refer(opconform_call *call, Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const OpDesc *op = input->op;
    const opconform_operator *given = operator_of(op)->given;
    DType type = (DType) * (const int64_t *)input->params;
    allocate_outputs(op, refs, input->tensors, arena);
    plugin_call_begin(call, op, input->params, input->tensors, refs, arena);
    if (given->reference) {
        plugin_set_format(dtype_format(dtype_arithmetic(type)));
        given->reference(call);
        plugin_set_format(NULL);
    } else if (given->compute) {
        plugin_call_widen(call);
        given->compute(call);
        for (int i = 0; i < call->count; i++)
            if (is_output_of(call, i))
                put_computed(call, given, i);
    }
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    opconform_call call;
    plugin_refer(&call, refs, input, arena);
}

int64_t plugin_missing(const opconform_call *call, int output)
{
    int64_t missing = 0;
    for (int64_t k = 0; call->hosts[output].given && k < call->tensors[output].count; k++)
        missing += !call->hosts[output].given[k];
    return missing;
}

static void add_relations(PluginOperator *made, const opconform_plugin *plugin)
{
    const char *at = (const char *)made->given->relations;
    size_t count = 0;
    for (; at && ((const opconform_relation *)(const void *)at)->name &&
           count + 1 < COUNT_OF(made->relations);
         at += plugin->relation_size)
        made->relations[count++] =
            plugin_whole_row(at, plugin->relation_size, sizeof(opconform_relation));
}

const opconform_relation *const *plugin_relations(const OpDesc *op)
{
    static const opconform_relation *const none[] = {NULL};
    return op->work_of_row == work ? operator_of(op)->relations : none;
}

static bool check_formulas(const PluginOperator *made, Text *error)
{
    const opconform_operator *given = made->given;
    Text why = {0};
    bool ok = (!given->work || formula_check(given->work, &made->op, &why)) &&
              (!given->legal || rules_check(given->legal, &made->op, &why));
    if (!ok)
        text_printf(error, "operator %s: %s", given->name, text_string(&why));
    text_release(&why);
    return ok;
}

static bool check_truth(const PluginOperator *made, Text *error)
{
    const opconform_operator *given = made->given;
    if (given->reference && given->compute)
        return refuse(error, given, "it has a reference and computes, one is enough", "");
    if (!given->reference && !given->compute && !made->relations[0])
        return refuse(error, given, "nothing says what is right: reference, compute or relations",
                      "");
    if (given->compute && !(given->ulps + given->ulps_of_largest > 0))
        return refuse(error, given, "it computes, and does not say how far kernels may be off", "");
    return true;
}

PluginOperator *plugin_operator_make(const opconform_plugin *plugin,
                                     const opconform_operator *given, Text *error)
{
    PluginOperator *made = memory_allocate(1, sizeof *made);
    made->given = given;
    made->op = (OpDesc){
        .name = given->name,
        .family = plugin->name,
        .version = given->version > 0 ? given->version : 1,
        .summary = given->summary ? given->summary : "",
        .dtypes = given->dtypes & ((1u << DT_COUNT) - 1),
        .any_layout = true,
        .in_place = given->in_place != 0,
        .normalise_of_row = normalise,
        .shape_of_row = shape,
        .work_of_row = work,
        .reference = reference,
        .detail = made,
    };
    bool ok = is_name(given->name) || refuse(error, given, "names are letters, digits and _", "");
    if (ok && made->op.dtypes == 0)
        ok = refuse(error, given, "it exists in no element type", "");
    if (ok && add_params(made, plugin, error) && add_operands(made, plugin, error) &&
        set_fills(made, error) && check_formulas(made, error)) {
        add_relations(made, plugin);
        if (check_truth(made, error))
            return made;
    }
    free(made);
    return NULL;
}
