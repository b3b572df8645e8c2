/* Lists of elements, and their arrays in each format. */
#include "matrix.h"

#include <string.h>

/* Elements with their places, in the order in which they are stored. */
typedef struct Elements {
    int64_t rows, columns, count;
    int64_t *row, *column;
    const char **at;
} Elements;

static void take_room(Elements *e, int64_t count, Arena *arena)
{
    e->row = arena_take(arena, (size_t)count + 1, sizeof *e->row);
    e->column = arena_take(arena, (size_t)count + 1, sizeof *e->column);
    e->at = arena_take(arena, (size_t)count + 1, sizeof *e->at);
}

static void put(Elements *e, int64_t row, int64_t column, const Tensor *values, int64_t number)
{
    size_t size = dtype_size(values->dtype);
    e->row[e->count] = row;
    e->column[e->count] = column;
    e->at[e->count++] =
        (const char *)values->origin + tensor_offset_of(values, number) * (int64_t)size;
}

/* Where a mask is set; of a triangle that is solved its diagonal as well. */
static Elements masked(const Tensor *mask, const Tensor *values, bool with_diagonal, Arena *arena)
{
    int64_t rows = values->extent[0], columns = values->extent[1];
    Elements e = {.rows = rows, .columns = columns};
    take_room(&e, rows * columns, arena);
    for (int64_t i = 0; i < rows * columns; i++)
        if (tensor_value(mask, i) != 0 || (with_diagonal && i / columns == i % columns))
            put(&e, i / columns, i % columns, values, i);
    return e;
}

static Elements listed(const Operands *o, Arena *arena)
{
    int64_t count = tensor_count(&o->view[2]);
    Elements e = {.rows = case_int(o->source, "m"), .columns = case_int(o->source, "k")};
    take_room(&e, count, arena);
    for (int64_t i = 0; i < count; i++)
        put(&e, (int64_t)tensor_value(&o->view[0], i), (int64_t)tensor_value(&o->view[1], i),
            &o->view[2], i);
    return e;
}

static Elements turned(const Elements *e, Arena *arena)
{
    Elements back = {.rows = e->rows, .columns = e->columns, .count = e->count};
    take_room(&back, e->count, arena);
    for (int64_t i = 0; i < e->count; i++) {
        back.row[i] = e->row[e->count - 1 - i];
        back.column[i] = e->column[e->count - 1 - i];
        back.at[i] = e->at[e->count - 1 - i];
    }
    return back;
}

/* By lines, each in the order of the elements: the lines are rows, or columns. */
static void put_lines(SparseMatrix *m, const Elements *e, size_t size, Arena *arena)
{
    bool by_columns = m->format == SPARSE_CSC;
    const int64_t *line = by_columns ? e->column : e->row, *other = by_columns ? e->row : e->column;
    int64_t lines = by_columns ? e->columns : e->rows, at = 0;
    m->count = e->count;
    m->firsts = lines + 1;
    m->first = arena_take(arena, (size_t)lines + 1, sizeof *m->first);
    m->places = arena_take(arena, (size_t)e->count + 1, sizeof *m->places);
    m->elements = arena_take(arena, (size_t)e->count + 1, size);
    for (int64_t i = 0; i < lines; i++) {
        m->first[i] = at + m->base;
        for (int64_t k = 0; k < e->count; k++)
            if (line[k] == i) {
                m->places[at] = other[k] + m->base;
                memcpy(m->elements + (size_t)at++ * size, e->at[k], size);
            }
    }
    m->first[lines] = at + m->base;
}

static void put_entries(SparseMatrix *m, const Elements *e, size_t size, Arena *arena)
{
    m->count = m->firsts = e->count;
    m->first = arena_take(arena, (size_t)e->count + 1, sizeof *m->first);
    m->places = arena_take(arena, (size_t)e->count + 1, sizeof *m->places);
    m->elements = arena_take(arena, (size_t)e->count + 1, size);
    for (int64_t i = 0; i < e->count; i++) {
        m->first[i] = e->row[i] + m->base;
        m->places[i] = e->column[i] + m->base;
        memcpy(m->elements + (size_t)i * size, e->at[i], size);
    }
}

/* The elements of one block, at its place; false where it has none. */
static bool fill_block(const SparseMatrix *m, const Elements *e, int64_t row, int64_t column,
                       char *block, size_t size)
{
    bool any = false;
    for (int64_t k = 0; k < e->count; k++)
        if (e->row[k] / m->block == row && e->column[k] / m->block == column) {
            int64_t place = e->row[k] % m->block * m->block + e->column[k] % m->block;
            memcpy(block + (size_t)place * size, e->at[k], size);
            any = true;
        }
    return any;
}

static void put_blocks(SparseMatrix *m, const Elements *e, size_t size, Arena *arena)
{
    int64_t rows = e->rows / m->block, columns = e->columns / m->block;
    size_t each = (size_t)(m->block * m->block) * size;
    m->firsts = rows + 1;
    m->first = arena_take(arena, (size_t)rows + 1, sizeof *m->first);
    m->places = arena_take(arena, (size_t)e->count + 1, sizeof *m->places);
    m->elements = arena_take_zeroed(arena, (size_t)e->count + 1, each);
    for (int64_t i = 0; i < rows; i++) {
        m->first[i] = m->count + m->base;
        for (int64_t j = 0; j < columns && m->count < e->count; j++)
            if (fill_block(m, e, i, j, m->elements + (size_t)m->count * each, size))
                m->places[m->count++] = j + m->base;
    }
    m->first[rows] = m->count + m->base;
}

static void put_matrix(SparsePlan *plan, const Elements *e, Arena *arena)
{
    SparseMatrix *m = &plan->matrix[plan->matrix_count++];
    size_t size = dtype_size(plan->dtype);
    Elements back = plan->row.backwards ? turned(e, arena) : *e;
    *m = (SparseMatrix){.format = plan->row.format,
                        .base = plan->row.base,
                        .rows = e->rows,
                        .columns = e->columns,
                        .block = plan->row.block};
    if (m->format == SPARSE_COO)
        put_entries(m, &back, size, arena);
    else if (m->format == SPARSE_BSR)
        put_blocks(m, &back, size, arena);
    else
        put_lines(m, &back, size, arena);
}

void mkl_sparse_matrices(SparsePlan *plan, Arena *arena)
{
    const Operands *o = plan->operands;
    const char *const *names = o->source->op->tensors;
    bool solves = !strncmp(plan->row.routine, "trs", 3);
    for (int i = 0; i + 1 < o->shapes.count; i++) {
        if (strncmp(names[i], "mask", 4) != 0)
            continue;
        bool with_diagonal = solves && case_int(o->source, "diag") == 0;
        Elements e = masked(&o->view[i], &o->view[i + 1], with_diagonal, arena);
        put_matrix(plan, &e, arena);
    }
    if (plan->matrix_count == 0) {
        Elements e = listed(o, arena);
        put_matrix(plan, &e, arena);
    }
}
