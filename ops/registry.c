/* All operators: those of the files op_*.c one by one, and the tables of the files ops_*.c. */
#include "op.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "reference/random.h"

static const OpDesc *registry[OP_MAX + 1];
static uint16_t tags[OP_MAX];
static int registry_count, sorted_count;

/* Numbers by the address of an operator's description, with open addressing; numbers are stored
 * plus 1. */
enum { PLACES = 2 * OP_MAX };
static int places[PLACES];
const OpDesc *const *op_registry = registry;

static int compare_names(const void *a, const void *b)
{
    return strcmp((*(const OpDesc *const *)a)->name, (*(const OpDesc *const *)b)->name);
}

static void registry_add(const OpDesc *op)
{
    if (registry_count == OP_MAX)
        BUG("more than %d operators", OP_MAX);
    registry[registry_count++] = op;
}

static bool is_taken(uint16_t tag, int count)
{
    for (int i = 0; i < count; i++)
        if (tags[i] == tag)
            return true;
    return false;
}

/* A tag for a name behind `count` others. */
static uint16_t free_tag(const char *name, int count)
{
    uint16_t tag = name_tag("op", name);
    while (is_taken(tag, count))
        tag++;
    return tag;
}

static size_t place_of(const OpDesc *op)
{
    return (size_t)(random_mix((uintptr_t)op) % PLACES);
}

static void note_place(int number)
{
    size_t place = place_of(registry[number]);
    while (places[place] != 0)
        place = (place + 1) % PLACES;
    places[place] = number + 1;
}

/* Before main, so that the registry is constant for everyone. */
__attribute__((constructor)) static void registry_fill(void)
{
    for (const OpDesc *const *op = op_files; *op; op++)
        registry_add(*op);
    for (OpTable *const *table = op_tables; *table; table++)
        for (const OpDesc *op = (*table)(); op->name; op++)
            registry_add(op);
    qsort(registry, (size_t)registry_count, sizeof(const OpDesc *), compare_names);
    for (int i = 1; i < registry_count; i++)
        if (compare_names(&registry[i - 1], &registry[i]) == 0)
            BUG("two operators are named %s", registry[i]->name);
    for (int i = 0; i < registry_count; i++)
        tags[i] = free_tag(registry[i]->name, i);
    for (int i = 0; i < registry_count; i++)
        note_place(i);
    sorted_count = registry_count;
}

static int registry_search(const char *name)
{
    int low = 0, high = sorted_count;
    for (int i = sorted_count; i < registry_count; i++)
        if (!strcmp(registry[i]->name, name))
            return i;
    while (low < high) {
        int middle = (low + high) / 2, order = strcmp(registry[middle]->name, name);
        if (order == 0)
            return middle;
        *(order < 0 ? &low : &high) = order < 0 ? middle + 1 : middle;
    }
    return -1;
}

/* The numbers of the others stay as they are: tables by number may have been made. */
bool op_add(const OpDesc *op, Text *error)
{
    if (op_find(op->name) || registry_count == OP_MAX) {
        text_printf(error,
                    op_find(op->name) ? "there is an operator %s already"
                                      : "no more room for operators: %s",
                    op->name);
        return false;
    }
    tags[registry_count] = free_tag(op->name, registry_count);
    registry_add(op);
    note_place(registry_count - 1);
    return true;
}

const OpDesc *op_find(const char *name)
{
    int number = registry_search(name);
    return number < 0 ? NULL : registry[number];
}

void op_offer_names(Nearest *nearest)
{
    for (const OpDesc *const *op = op_registry; *op; op++)
        nearest_offer(nearest, (*op)->name);
}

int op_number(const OpDesc *op)
{
    for (size_t place = place_of(op); places[place] != 0; place = (place + 1) % PLACES)
        if (registry[places[place] - 1] == op)
            return places[place] - 1;
    return registry_search(op->name);
}

uint16_t op_tag(const OpDesc *op)
{
    return tags[op_number(op)];
}

uint32_t op_dtypes(const OpDesc *op)
{
    return op->dtypes ? op->dtypes : DTYPES_BLAS;
}

bool op_matches(const OpDesc *op, const char *pattern)
{
    char full[96];
    (void)snprintf(full, sizeof full, "%s/%s", op->family, op->name);
    return !fnmatch(pattern, op->name, 0) || !fnmatch(pattern, full, 0);
}

int op_tensor_count(const OpDesc *op)
{
    int count = 0;
    while (op->tensors[count])
        count++;
    return count;
}

int op_operand(const OpDesc *op, const char *name)
{
    for (int i = 0; op->tensors[i]; i++)
        if (!strcmp(op->tensors[i], name))
            return i;
    return -1;
}

static void fill_shape(const Param *param, void *params)
{
    Shape *shape = param_shape(param, params);
    for (int64_t axis = 0; axis < shape->rank; axis++)
        shape->extent[axis] = shape->extent[axis] > 1 ? shape->extent[axis] : 1;
}

void op_normalise(const OpDesc *op, void *params)
{
    for (const Param *param = op->params; param->name; param++)
        if (param->full)
            fill_shape(param, params);
    if (op->normalise_of_row)
        op->normalise_of_row(op, params);
    else if (op->normalise)
        op->normalise(params);
}

double op_work(const OpDesc *op, const void *params)
{
    return op->work_of_row ? op->work_of_row(op, params) : op->work(params);
}

bool op_has_sums(const OpDesc *op, const void *params)
{
    return (op->product || op->factors) && (!op->is_product || op->is_product(params));
}

void op_shape(const OpDesc *op, const void *params, Shapes *shapes)
{
    if (op->shape_of_row)
        op->shape_of_row(op, params, shapes);
    else
        op->shape(params, shapes);
}

/* What the operator makes of one part of its operands. */
static void reference_of_part(Ref *refs, const ReferenceInput *input, int part, Arena *arena)
{
    const OpDesc *op = input->op;
    Tensor tensors[OP_TENSORS_MAX];
    ReferenceInput real = *input;
    int64_t *params = arena_take(arena, op->size + 1, 1);
    memcpy(params, input->params, op->size);
    *params = dtype_component((DType)*params);
    for (int i = 0, count = op_tensor_count(op); i < count; i++)
        tensors[i] = tensor_part(input->tensors[i], part);
    real.params = params;
    real.tensors = tensors;
    real.part = part;
    memset(refs, 0, OP_TENSORS_MAX * sizeof *refs);
    op->reference(refs, &real, arena);
}

void op_reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const OpDesc *op = input->op;
    Ref re[OP_TENSORS_MAX], im[OP_TENSORS_MAX];
    if (!op->by_parts || dtype_components((DType) * (const int64_t *)input->params) == 1) {
        op->reference(refs, input, arena);
        return;
    }
    reference_of_part(re, input, 0, arena);
    reference_of_part(im, input, 1, arena);
    for (int i = 0, count = op_tensor_count(op); i < count; i++) {
        DType dtype = input->tensors[i].dtype;
        if (re[i].count == 0 || dtype_components(dtype) == 1)
            refs[i] = re[i];
        else
            ref_interleave(&refs[i], &re[i], &im[i], dtype, arena);
    }
}

const Param *op_code(const OpDesc *op)
{
    for (const Param *param = op->params; param->name; param++)
        if (param->kind == PARAM_CODE)
            return param;
    return NULL;
}

const Param *op_param(const OpDesc *op, const char *name, size_t length)
{
    for (const Param *param = op->params; param->name; param++)
        if (strlen(param->name) == length && !strncmp(param->name, name, length))
            return param;
    return NULL;
}

static bool has_word(const Param *param, const char *word, size_t length)
{
    for (int64_t i = 0; param->kind == PARAM_CHOICE && param->names[i]; i++)
        if (strlen(param->names[i]) == length && !strncmp(param->names[i], word, length))
            return true;
    return false;
}

bool op_has_params(const OpDesc *op, const char *needs)
{
    while (*needs) {
        size_t length = strcspn(needs, " "), name = strcspn(needs, " :");
        const Param *param = op_param(op, needs, name);
        if (!param || (name < length && !has_word(param, needs + name + 1, length - name - 1)))
            return false;
        needs += length + (needs[length] == ' ');
    }
    return true;
}
