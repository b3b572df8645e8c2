/* Arguments are stored in cells, by address where the routine takes them so. */
#include "call.h"

#include <stdio.h>
#include <string.h>

#include "entry.h"
#include "xerbla.h"

/* One argument or result in memory. */
typedef union Cell {
    int32_t integer;
    int64_t wide_integer;
    float narrow;
    double wide;
    float narrow_pair[2];
    double wide_pair[2];
    char letter;
    void *address;
    ffi_arg returned;
} Cell;

static void store_scalar(DType dtype, const CblasArgument *argument, const Case *c, Cell *cell)
{
    Scalar scalar = *(const Scalar *)(const void *)(c->params + argument->param->offset);
    dtype_store(dtype, cell, 0, scalar.re);
    if (dtype_components(dtype) == 2)
        dtype_store(dtype, cell, 1, scalar.im);
}

static void store_result(const CblasEntry *entry, const Operands *o, const Cell *value)
{
    const Tensor *result = &o->view[entry->result];
    int64_t position;
    switch (entry->value) {
    case VALUE_REAL:
    case VALUE_COMPLEX:
        memcpy(result->origin, value, dtype_size(result->dtype));
        break;
    case VALUE_POSITION:
    case VALUE_NUMBER:
        position =
            entry->calling.wide_integers ? value->wide_integer : (int64_t)(int32_t)value->returned;
        if (cblas_counts_from_one(entry, o) || (entry->value == VALUE_NUMBER && position > 0))
            position--;
        dtype_store(result->dtype, result->origin, 0, (double)position);
        break;
    default:
        break;
    }
}

enum { GROUPS_MAX = 4, MATRICES_MAX = 32 };

/* The array behind an argument that is given by group. */
typedef union GroupArray {
    int32_t integers[GROUPS_MAX];
    int64_t wide_integers[GROUPS_MAX];
    double scalars[2 * GROUPS_MAX];
    char letters[GROUPS_MAX];
    void *addresses[MATRICES_MAX];
} GroupArray;

/* One integer or choice, as the interface has it. */
static void store_integer(const CblasEntry *entry, const CblasArgument *argument, int64_t value,
                          Cell *cell)
{
    if (entry->calling.interface == INTERFACE_FORTRAN && argument->kind == ARGUMENT_CHOICE)
        cell->letter = cblas_letter(value);
    else
        cell->wide_integer = value;
}

static void fill_group_array(const CblasEntry *entry, const CblasArgument *argument,
                             const Operands *o, GroupArray *array)
{
    CblasGroups groups = cblas_groups(o);
    DType dtype = case_dtype(o->source);
    size_t size = dtype_size(dtype);
    for (int64_t i = 0; i < groups.matrices && argument->kind == ARGUMENT_OPERAND; i++)
        array->addresses[i] = o->block[argument->tensor].data +
                              (size_t)(i * o->shapes.tensor[argument->tensor].batch_stride) * size;
    for (int64_t i = 0; i < groups.groups && argument->kind != ARGUMENT_OPERAND; i++) {
        Cell cell = {0};
        if (argument->kind == ARGUMENT_SCALAR) {
            store_scalar(dtype, argument, o->source, &cell);
            memcpy((char *)array + (size_t)i * size, &cell, size);
            continue;
        }
        store_integer(entry, argument, cblas_legal_integer(argument, o), &cell);
        if (argument->kind != ARGUMENT_CHOICE && entry->calling.wide_integers)
            array->wide_integers[i] = cell.wide_integer;
        else if (argument->kind == ARGUMENT_CHOICE && entry->calling.interface == INTERFACE_FORTRAN)
            array->letters[i] = cell.letter;
        else
            array->integers[i] = cell.integer;
    }
}

/* The arguments of a call: each in a cell, whose address is passed, or that of it. */
typedef struct Frame {
    Cell cells[CBLAS_ARGUMENTS_MAX];
    GroupArray arrays[CBLAS_ARGUMENTS_MAX];
    void *addresses[CBLAS_ARGUMENTS_MAX], *values[CBLAS_VALUES_MAX], *hidden;
} Frame;

static void *place_argument(Frame *frame, const CblasEntry *entry, const Operands *o, int i)
{
    const CblasArgument *argument = &entry->arguments[i];
    Cell *cell = &frame->cells[i];
    if (argument->by_group) {
        fill_group_array(entry, argument, o, &frame->arrays[i]);
        cell->address = &frame->arrays[i];
        return cell;
    }
    if (argument->kind == ARGUMENT_OPERAND) {
        cell->address = o->block[argument->tensor].data;
        return cell;
    }
    if (argument->kind == ARGUMENT_SCALAR)
        store_scalar(entry->factors, argument, o->source, cell);
    else
        store_integer(entry, argument,
                      i + 1 == o->source->exec.illegal ? cblas_illegal_integer(argument, o)
                                                       : cblas_legal_integer(argument, o),
                      cell);
    frame->addresses[i] = cell;
    return cblas_by_address(entry, argument) ? (void *)&frame->addresses[i] : cell;
}

static void place_arguments(Frame *frame, const CblasEntry *entry, const Operands *o)
{
    static size_t length_of_choice = 1;
    int count = 0;
    if (entry->value == VALUE_HIDDEN) {
        frame->hidden = o->view[entry->result].origin;
        frame->values[count++] = &frame->hidden;
    }
    for (int i = 0; i < entry->count; i++)
        frame->values[count++] = place_argument(frame, entry, o, i);
    for (int i = 0; i < entry->lengths; i++)
        frame->values[count++] = &length_of_choice;
}

/* What LAPACK says in info of the argument that is illegal, 0 if it says nothing of the kind; then
 * info is put back, as a call that is refused writes nothing else. */
static int take_refusal(const CblasEntry *entry, const Operands *o)
{
    if (entry->info < 0)
        return 0;
    const GuardBlock *block = &o->block[entry->info];
    int64_t info = (int64_t)dtype_load(o->view[entry->info].dtype, block->data, 0);
    if (info >= 0 || memcmp(block->data, o->pristine[entry->info], block->bytes) == 0)
        return 0;
    memcpy(block->data, o->pristine[entry->info], block->bytes);
    return (int)-info;
}

RunStatus cblas_run(Backend *backend, const Operands *o)
{
    const CblasLibrary *library = backend->context;
    CblasEntry *entry = cblas_entry_of(library, o->source);
    const char *why;
    Frame frame;
    Cell result = {0};
    if (cblas_declines(entry, o->source, &why)) {
        (void)snprintf(backend->message, sizeof backend->message, "%s", why);
        return RUN_DECLINED;
    }
    place_arguments(&frame, entry, o);
    void (*function)(void);
    *(void **)&function = entry->function;
    xerbla_reset(library->called_from_c);
    ffi_call(&entry->cif, function, &result, frame.values);
    int reported = xerbla_reported(), refused = take_refusal(entry, o);
    backend->refused_argument = entry->info >= 0 ? refused : reported;
    if (reported >= 0 || refused > 0)
        return RUN_REFUSED;
    if (entry->result >= 0)
        store_result(entry, o, &result);
    return RUN_DONE;
}

/* Level 1 takes any increment and length: its routines have no order or other choice, nor do they
 * say in info what is wrong. */
const char *cblas_illegal_argument(const Backend *backend, const Operands *o)
{
    const CblasLibrary *library = backend->context;
    const CblasEntry *entry = cblas_entry_of(library, o->source);
    int64_t position = o->source->exec.illegal;
    const char *why;
    if (!library->reports_caught[entry->calling.interface] ||
        (entry->info < 0 && !case_has(o->source, "order")) ||
        cblas_declines(entry, o->source, &why))
        return NULL;
    if (position < 1 || position > entry->count)
        return NULL;
    const CblasArgument *argument = &entry->arguments[position - 1];
    if (argument->by_group || argument->kind == ARGUMENT_OPERAND ||
        argument->kind == ARGUMENT_SCALAR || argument->kind == ARGUMENT_STRIDE)
        return NULL;
    return argument->name;
}
