/* Arguments are stored in cells, by address where the routine takes them so. */
#include "call.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "entry.h"
#include "scratch.h"
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

static int64_t integer_of(const CblasEntry *entry, const Cell *value)
{
    return entry->calling.wide_integers ? value->wide_integer : (int64_t)(int32_t)value->returned;
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
    case VALUE_INFO:
        dtype_store(result->dtype, result->origin, 0, (double)integer_of(entry, value));
        break;
    case VALUE_POSITION:
    case VALUE_NUMBER:
        position = integer_of(entry, value);
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
    if (cblas_is_letter(entry, argument))
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
        else if (cblas_is_letter(entry, argument))
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

/* Functions that routines of LAPACK ask which eigenvalues are chosen; a logical value is as long as
 * an integer of the library, or shorter. */
static int64_t is_negative_float(const float *x)
{
    return *x < 0;
}

static int64_t is_negative_double(const double *x)
{
    return *x < 0;
}

static void place_function(const CblasEntry *entry, Cell *cell)
{
    int64_t (*single)(const float *) = is_negative_float;
    int64_t (*twice)(const double *) = is_negative_double;
    bool is_single = dtype_component_size(entry->factors) == sizeof(float);
    memcpy(&cell->address, is_single ? (const void *)&single : (const void *)&twice,
           sizeof cell->address);
}

static void *place_argument(Frame *frame, const CblasEntry *entry, const Operands *o, int i)
{
    const CblasArgument *argument = &entry->arguments[i];
    Cell *cell = &frame->cells[i];
    if (argument->by_group) {
        fill_group_array(entry, argument, o, &frame->arrays[i]);
        cell->address = &frame->arrays[i];
        return cell;
    }
    if (cblas_operand_by_value(entry, argument)) {
        memcpy(cell, o->block[argument->tensor].data, dtype_size(o->view[argument->tensor].dtype));
        return cell;
    }
    if (argument->kind == ARGUMENT_OPERAND) {
        cell->address = o->block[argument->tensor].data;
        return cell;
    }
    if (argument->kind == ARGUMENT_FUNCTION)
        place_function(entry, cell);
    if (argument->kind == ARGUMENT_SCRATCH || argument->kind == ARGUMENT_NOTHING ||
        argument->kind == ARGUMENT_FUNCTION)
        return cell;
    if (argument->kind == ARGUMENT_CONSTANT)
        cell->letter = argument->name[0];
    else if (argument->kind == ARGUMENT_SCALAR)
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

/* Hands the routine arrays of the given lengths, and those as its length arguments; `asked` for
 * these it is given -1.  False where there is no memory. */
static bool place_scratch(Frame *frame, const CblasEntry *entry, CblasScratch *scratch,
                          const Case *c, const int64_t lengths[CBLAS_ARGUMENTS_MAX], bool asked)
{
    for (int i = 0; i < entry->count; i++) {
        const CblasArgument *argument = &entry->arguments[i];
        Cell *cell = &frame->cells[i];
        if (argument->kind == ARGUMENT_LENGTH && i + 1 != c->exec.illegal)
            cell->wide_integer = asked ? -1 : lengths[i];
        if (argument->kind != ARGUMENT_SCRATCH)
            continue;
        size_t count = (size_t)lengths[i] + (lengths[i] == 0);
        cell->address =
            scratch_take(scratch, count, scratch_element(entry, argument, case_dtype(c)));
        if (!cell->address)
            return false;
    }
    return true;
}

/* The lengths of the arrays of a placed call: what the routine says where it is to be asked, else
 * the least.  False where there is no memory to ask with. */
static bool find_lengths(Frame *frame, CblasEntry *entry, CblasScratch *scratch, const Operands *o,
                         int64_t lengths[CBLAS_ARGUMENTS_MAX])
{
    void *arrays[CBLAS_ARGUMENTS_MAX] = {NULL};
    Cell result;
    scratch_least(entry, o->source, lengths);
    if (!scratch_is_queried(entry, o->source))
        return true;
    if (!place_scratch(frame, entry, scratch, o->source, lengths, true))
        return false;
    for (int i = 0; i < entry->count; i++)
        if (entry->arguments[i].kind == ARGUMENT_SCRATCH)
            arrays[i] = frame->cells[i].address;
    void (*function)(void);
    *(void **)&function = entry->function;
    ffi_call(&entry->cif, function, &result, frame->values);
    scratch_read(entry, case_dtype(o->source), arrays, lengths);
    (void)scratch_reset(scratch);
    return true;
}

bool cblas_lengths(const Backend *backend, const Operands *o, int64_t lengths[CBLAS_ARGUMENTS_MAX])
{
    CblasLibrary *library = backend->context;
    CblasEntry *entry = cblas_entry_of(library, o->source);
    Frame frame;
    place_arguments(&frame, entry, o);
    return find_lengths(&frame, entry, &library->scratch, o, lengths);
}

/* What LAPACK says in info of the argument that is illegal, 0 if it says nothing of the kind, or of
 * numbers in an operand, which are a result where all arguments are legal; then info is put back,
 * as a call that is refused writes nothing else. */
static int take_refusal(const CblasEntry *entry, const Operands *o)
{
    if (entry->info < 0)
        return 0;
    const GuardBlock *block = &o->block[entry->info];
    int64_t info = (int64_t)dtype_load(o->view[entry->info].dtype, block->data, 0);
    bool of_operand = info < 0 && -info <= entry->count && o->source->exec.illegal == 0 &&
                      entry->arguments[-info - 1].kind == ARGUMENT_OPERAND;
    bool written = entry->value == VALUE_INFO ||
                   memcmp(block->data, o->pristine[entry->info], block->bytes) != 0;
    if (info >= 0 || of_operand || !written)
        return 0;
    memcpy(block->data, o->pristine[entry->info], block->bytes);
    return (int)-info;
}

/* LAPACK_WORK_MEMORY_ERROR and LAPACK_TRANSPOSE_MEMORY_ERROR of lapacke.h. */
enum { NO_MEMORY = 1010, NO_MEMORY_TO_TRANSPOSE = 1011 };

typedef struct Found {
    DType part;
    int64_t components;
    bool nan, infinity;
} Found;

static void look_at_run(void *context, int64_t first, int64_t count, char *at, int64_t stride)
{
    Found *found = context;
    (void)first;
    for (int64_t i = 0; i < count * found->components; i++) {
        int64_t from = i / found->components * stride * found->components + i % found->components;
        double x = dtype_load(found->part, at, from);
        found->nan = found->nan || isnan(x);
        found->infinity = found->infinity || isinf(x);
    }
}

/* What is not finite of the numbers that the routine is given. */
static Found find_special(const Operands *o)
{
    Found found = {0};
    for (int i = 0; i < o->shapes.count; i++) {
        const TensorSpec *spec = &o->shapes.tensor[i];
        Tensor before = o->view[i];
        if (spec->role == ROLE_OUT || spec->ignored)
            continue;
        found.part = dtype_component(before.dtype);
        found.components = dtype_components(before.dtype);
        before.origin = (char *)o->pristine[i] + ((char *)before.origin - (char *)o->block[i].data);
        tensor_visit_runs(&before, look_at_run, &found);
    }
    return found;
}

bool cblas_is_given_nan(const Operands *o)
{
    return find_special(o).nan;
}

/* Whether a number that the routine is given is no finite one. */
static bool has_special(const Operands *o)
{
    Found found = find_special(o);
    return found.nan || found.infinity;
}

/* LAPACKE is to refuse an array with a NaN where it looks for them ("High-level interface: NaN
 * checking", netlib.org/lapack/lapacke.html): a NaN is an illegal value of numbers that it is
 * given, where no others hold any. */
static bool is_checked(const CblasLibrary *library, const CblasEntry *entry,
                       const CblasArgument *argument, const Operands *o)
{
    if (argument->kind != ARGUMENT_OPERAND || !library->set_nancheck ||
        entry->calling.interface != INTERFACE_LAPACKE || entry->info < 0)
        return false;
    const TensorSpec *spec = &o->shapes.tensor[argument->tensor];
    bool given = spec->role != ROLE_OUT && !spec->ignored &&
                 !cblas_operand_by_value(entry, argument) && spec->index_below == 0;
    bool has_data = o->pristine[argument->tensor] != NULL;
    return given && !dtype_is_integer(spec->layout.dtype) &&
           cblas_nan_place(o, argument->tensor) >= 0 && !(has_data && cblas_is_given_nan(o));
}

int64_t cblas_nan_place(const Operands *o, int i)
{
    const Tensor *view = &o->view[i];
    int64_t rows = view->rank > 0 ? view->extent[0] : 1;
    for (int64_t row = 0; row < rows && view->rank == 2; row++) {
        TensorRow run = tensor_row(view, row);
        if (run.first < run.end)
            return (tensor_origin_offset(view) + tensor_offset(view, row, run.first)) *
                   dtype_components(view->dtype);
    }
    return -1;
}

bool cblas_is_nan_given(const CblasEntry *entry, const Operands *o)
{
    int64_t position = o->source->exec.illegal;
    return position > 0 && position <= entry->count &&
           entry->arguments[position - 1].kind == ARGUMENT_OPERAND;
}

/* Hands the routine a copy of the operand with a NaN in its first element. */
static bool spoil_operand(Frame *frame, const CblasEntry *entry, CblasScratch *scratch,
                          const Operands *o)
{
    int argument = (int)o->source->exec.illegal - 1, i = entry->arguments[argument].tensor;
    DType part = dtype_component(o->view[i].dtype);
    char *copy = scratch_take(scratch, o->block[i].bytes, 1);
    if (!copy)
        return false;
    memcpy(copy, o->block[i].data, o->block[i].bytes);
    dtype_store(part, copy, cblas_nan_place(o, i), NAN);
    frame->cells[argument].address = copy;
    return true;
}

/* What no call is made for: the interface has no words for it, or the library looks for NaN and
 * cannot be told not to. */
static bool declines_call(const CblasLibrary *library, const CblasEntry *entry, const Operands *o,
                          const char **why)
{
    if (cblas_declines(entry, o->source, why))
        return true;
    *why = "LAPACKE refuses NaN, and LAPACKE_set_nancheck, which turns that off, is not there";
    return library->refuses_nan && entry->calling.interface == INTERFACE_LAPACKE &&
           cblas_is_given_nan(o);
}

bool cblas_takes(const Backend *backend, const Operands *o, Text *why)
{
    const char *reason;
    const CblasLibrary *library = backend->context;
    bool declines = declines_call(library, cblas_entry_of(library, o->source), o, &reason);
    text_put(why, declines ? reason : "");
    return !declines;
}

RunStatus cblas_run(Backend *backend, const Operands *o)
{
    CblasLibrary *library = backend->context;
    CblasEntry *entry = cblas_entry_of(library, o->source);
    const char *why;
    Frame frame;
    int64_t lengths[CBLAS_ARGUMENTS_MAX] = {0};
    Cell result = {0};
    if (declines_call(library, entry, o, &why)) {
        (void)snprintf(backend->message, sizeof backend->message, "%s", why);
        return RUN_DECLINED;
    }
    /* A call before this one that crashed has left its arrays. */
    (void)scratch_reset(&library->scratch);
    place_arguments(&frame, entry, o);
    void (*function)(void);
    *(void **)&function = entry->function;
    xerbla_reset(library->called_from_c);
    if (entry->has_scratch &&
        !(find_lengths(&frame, entry, &library->scratch, o, lengths) &&
          place_scratch(&frame, entry, &library->scratch, o->source, lengths, false))) {
        (void)snprintf(backend->message, sizeof backend->message, "no memory to work in");
        return RUN_DECLINED;
    }
    bool with_nan = cblas_is_nan_given(entry, o);
    if (with_nan && !spoil_operand(&frame, entry, &library->scratch, o)) {
        (void)snprintf(backend->message, sizeof backend->message, "no memory for a NaN");
        return RUN_DECLINED;
    }
    if (with_nan)
        library->set_nancheck(1);
    ffi_call(&entry->cif, function, &result, frame.values);
    if (with_nan)
        library->set_nancheck(0);
    if (entry->value == VALUE_INFO)
        store_result(entry, o, &result);
    int reported = xerbla_reported(), refused = take_refusal(entry, o);
    backend->refused_argument = entry->info >= 0 ? refused : reported;
    if (!scratch_reset(&library->scratch)) {
        (void)snprintf(backend->message, sizeof backend->message,
                       "memory in front of an array to work in was written");
        return RUN_BREACHED;
    }
    if (entry->value == VALUE_INFO && (refused == NO_MEMORY || refused == NO_MEMORY_TO_TRANSPOSE)) {
        (void)snprintf(backend->message, sizeof backend->message, "LAPACKE found no memory");
        return RUN_DECLINED;
    }
    bool of_inner = cblas_is_balanced(entry->routine) && refused == 0;
    if (refused > 0 || (reported >= 0 && !(of_inner && has_special(o))))
        return RUN_REFUSED;
    if (entry->result >= 0 && entry->value != VALUE_INFO)
        store_result(entry, o, &result);
    return RUN_DONE;
}

/* Level 1 takes any increment and length: its routines have no order or other choice, nor do they
 * say in info what is wrong; nor do norms of LAPACK. */
const char *cblas_illegal_argument(const Backend *backend, const Operands *o)
{
    const CblasLibrary *library = backend->context;
    const CblasEntry *entry = cblas_entry_of(library, o->source);
    int64_t position = o->source->exec.illegal;
    const char *why;
    if (!library->reports_caught[entry->calling.interface] || cblas_is_counted(entry->routine) ||
        (entry->info < 0 &&
         (!case_has(o->source, "order") || cblas_is_of_lapack(entry->routine))) ||
        cblas_declines(entry, o->source, &why))
        return NULL;
    if (position < 1 || position > entry->count)
        return NULL;
    const CblasArgument *argument = &entry->arguments[position - 1];
    if (is_checked(library, entry, argument, o))
        return argument->name;
    if (argument->by_group || argument->kind == ARGUMENT_OPERAND ||
        argument->kind == ARGUMENT_SCALAR || argument->kind == ARGUMENT_STRIDE ||
        argument->kind == ARGUMENT_SCRATCH || argument->kind == ARGUMENT_CONSTANT ||
        argument->kind == ARGUMENT_NOTHING || argument->kind == ARGUMENT_FUNCTION)
        return NULL;
    return argument->name;
}
