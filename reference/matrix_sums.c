/* Products with vectors by the kernels of product_kernel.h: the parts of a triangle that are whole
 * rectangles as they lie, and small copies of what is around the diagonal. */
#include "matrix_sums.h"

#include <math.h>
#include <stdlib.h>

#include "affine_parts.h"
#include "product_kernel.h"

/* Rows of a tile around the diagonal, and terms that are summed up at once for a triangle. */
enum { TILE = 32, DEPTH_AT_ONCE = 256 };

Vectors vectors_zero(size_t length, Arena *arena)
{
    Vectors v = {{{NULL}}};
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < CHECKSUM_VECTORS; k++)
            v.part[part][k] = arena_take_zeroed(arena, length + 1, sizeof(double));
    return v;
}

/* The vectors from an element on. */
static Vectors vectors_from(const Vectors *x, int64_t first)
{
    Vectors v = *x;
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < CHECKSUM_VECTORS; k++)
            if (v.part[part][k])
                v.part[part][k] += first;
    return v;
}

NotedMatrix matrix_noted(const StoredMatrix *matrix)
{
    enum { LOOKED_AT = 8 };
    const Tensor image = matrix->patches ? patches_image(matrix->patches) : matrix->view;
    const Tensor *t = &image;
    int lattice = LATTICE_NONE, components = dtype_components(t->dtype);
    double largest = 0;
    /* All rows of one that is broadcast are alike. */
    int64_t columns = t->stride[0] == 0 ? LOOKED_AT * LOOKED_AT : LOOKED_AT;
    for (int64_t i = 0; i < LOOKED_AT && i < t->extent[0]; i++) {
        TensorRow row = tensor_row(t, i);
        for (int64_t j = row.first; j < row.first + columns && j < row.end; j++) {
            double value = dtype_load(t->dtype, t->origin, tensor_offset(t, i, j) * components);
            if (!isfinite(value) || value == 0)
                continue;
            lattice = lowest_set_bit(value) < lattice ? lowest_set_bit(value) : lattice;
            largest = fmax(largest, fabs(value));
        }
    }
    if (lattice == LATTICE_NONE || (matrix->expansion == EXPAND_TRIANGULAR && lattice > 0))
        lattice = 0;
    return (NotedMatrix){.of = matrix, .lattice = lattice, .largest = largest};
}

static void project(NotedMatrix *f, Projection *p, bool sizes)
{
    p->sizes = sizes;
    p->rounder = ldexp(0x1.8p52, f->lattice);
    product_kernels()->project(p);
    f->largest = fmax(f->largest, p->largest);
    f->between = f->between || p->between > 0;
}

/* The rectangle of a view. */
static Tensor rectangle(const Tensor *view, int64_t row, int64_t rows, int64_t column,
                        int64_t columns)
{
    Tensor part = *view;
    part.limited = false;
    part.extent[0] = rows;
    part.extent[1] = columns;
    part.origin = (char *)view->origin + (row * view->stride[0] + column * view->stride[1]) *
                                             (int64_t)dtype_size(view->dtype);
    return part;
}

/* One part of a whole view times both vectors of one part, added to `to` with a sign, which the
 * second one has not where it is of magnitudes. */
static void add_part(NotedMatrix *f, const Tensor *view, int part, double *const x[], double sign,
                     bool sizes, double *const to[], Arena *arena)
{
    size_t rows = (size_t)view->extent[0], used = arena->used;
    int64_t components = dtype_components(view->dtype);
    DType type = dtype_component(view->dtype);
    Projection p = {
        .origin = (const char *)view->origin + (size_t)part * dtype_size(type),
        .dtype = type,
        .rows = rows,
        .columns = (size_t)view->extent[1],
        .row_stride = view->stride[0] * components,
        .column_stride = view->stride[1] * components,
        .x = {x[0], x[1]},
        .y = {to[0], to[1]},
    };
    if (sign == 1) {
        project(f, &p, sizes);
        return;
    }
    for (int k = 0; k < CHECKSUM_VECTORS; k++)
        p.y[k] = arena_take_zeroed(arena, rows + 1, sizeof(double));
    project(f, &p, sizes);
    for (size_t i = 0; i < rows; i++) {
        to[0][i] += sign * p.y[0][i];
        to[1][i] += sizes ? p.y[1][i] : sign * p.y[1][i];
    }
    arena->used = used;
}

/* A whole view times vectors, of its conjugate if so. */
static void add_view(NotedMatrix *f, const Tensor *view, bool conjugate, const Vectors *x,
                     bool sizes, const Vectors *to, Arena *arena)
{
    double imaginary = conjugate ? -1 : 1;
    if (view->extent[0] <= 0 || view->extent[1] <= 0)
        return;
    add_part(f, view, 0, x->part[0], 1, sizes, to->part[0], arena);
    if (dtype_components(view->dtype) == 1)
        return;
    add_part(f, view, 1, x->part[0], imaginary, sizes, to->part[1], arena);
    if (!x->part[1][0])
        return;
    add_part(f, view, 1, x->part[1], -imaginary, sizes, to->part[0], arena);
    add_part(f, view, 0, x->part[1], 1, sizes, to->part[1], arena);
}

static bool is_lower(const Tensor *view)
{
    return view->above <= 0;
}

/* A triangle, or what it is on the other side of the diagonal: rows and columns of a view. */
typedef struct TriangleSum {
    NotedMatrix *f;
    Tensor view;
    bool mirrored, conjugate, sizes;
    const Vectors *x, *to;
    Arena *arena;
} TriangleSum;

/* Rows first to end - 1 and the same columns: two halves, and the square beside them; at last tiles
 * as copies. */
static void add_diagonal(const TriangleSum *s, int64_t first, int64_t end)
{
    int64_t tiles = (end - first + TILE - 1) / TILE, middle = first + tiles / 2 * TILE;
    size_t used = s->arena->used;
    if (tiles <= 1) {
        Tensor tile = stored_tile(s->f->of, first, end, s->mirrored, s->arena);
        Vectors x = vectors_from(s->x, first), to = vectors_from(s->to, first);
        add_view(s->f, &tile, s->conjugate, &x, s->sizes, &to, s->arena);
        s->arena->used = used;
        return;
    }
    int64_t row = is_lower(&s->view) ? middle : first, column = is_lower(&s->view) ? first : middle;
    int64_t rows = row == first ? middle - first : end - middle;
    Tensor beside = rectangle(&s->view, row, rows, column, end - first - rows);
    Vectors x = vectors_from(s->x, column), to = vectors_from(s->to, row);
    add_diagonal(s, first, middle);
    add_view(s->f, &beside, s->conjugate, &x, s->sizes, &to, s->arena);
    add_diagonal(s, middle, end);
}

/* A triangle times vectors, or what it is on the other side of the diagonal. */
static void add_triangle(NotedMatrix *f, bool mirrored, const Vectors *x, bool sizes,
                         const Vectors *to, Arena *arena)
{
    Tensor view = mirrored ? tensor_transposed(f->of->view) : f->of->view;
    bool conjugate = f->of->conjugate != (mirrored && f->of->expansion == EXPAND_HERMITIAN);
    int64_t n = view.extent[0];
    REQUIRE(view.extent[1] == n && view.packing == PACKING_NONE && view.storage == 0);
    REQUIRE((view.above <= 0 && view.below >= n - 1) || (view.below <= 0 && view.above >= n - 1));
    const TriangleSum sum = {f, view, mirrored, conjugate, sizes, x, to, arena};
    if (n > 0)
        add_diagonal(&sum, 0, n);
}

/* What one tap adds, of some channels. */
typedef struct TapSum {
    NotedMatrix *f;
    const Vectors *x, *to; /* a number for each of these channels, and for each place */
    int64_t channel, channels;
    bool sizes;
    Arena *arena;
} TapSum;

static void add_line_of_places(void *context, const PatchLine *line)
{
    const TapSum *s = context;
    int64_t places = line->view.extent[0];
    Vectors at = vectors_from(s->to, line->first);
    Tensor some = rectangle(&line->view, 0, places, s->channel, s->channels);
    size_t used = s->arena->used;
    if (line->step == 1) {
        add_view(s->f, &some, s->f->of->conjugate, s->x, s->sizes, &at, s->arena);
        return;
    }
    Vectors sum = vectors_zero((size_t)places, s->arena);
    add_view(s->f, &some, s->f->of->conjugate, s->x, s->sizes, &sum, s->arena);
    for (int part = 0; part < dtype_components(some.dtype); part++)
        for (int k = 0; k < CHECKSUM_VECTORS; k++)
            for (int64_t i = 0; i < places; i++)
                at.part[part][k][i * line->step] += sum.part[part][k][i];
    s->arena->used = used;
}

/* The numbers of one tap: those of channel c are number c * taps + tap. */
static void take_tap(const TapSum *s, const Vectors *x, int64_t tap, int64_t taps)
{
    for (int part = 0; part < 2; part++)
        for (int k = 0; k < CHECKSUM_VECTORS && s->x->part[part][k]; k++)
            for (int64_t i = 0; i < s->channels; i++)
                s->x->part[part][k][i] = x->part[part][k][(s->channel + i) * taps + tap];
}

/* Patches times vectors: of a few channels at a time, whose images stay near while all taps read
 * them. */
static void add_patches(NotedMatrix *f, const Vectors *x, bool sizes, const Vectors *to,
                        Arena *arena)
{
    enum { CHANNELS_AT_ONCE = 16 };
    const Patches *patches = f->of->patches;
    int64_t taps = patches_taps(patches), channels = patches->image.extent[0];
    size_t used = arena->used;
    Vectors of_tap = vectors_zero(CHANNELS_AT_ONCE, arena);
    TapSum s = {.f = f, .x = &of_tap, .to = to, .sizes = sizes, .arena = arena};
    if (!x->part[1][0])
        of_tap.part[1][0] = of_tap.part[1][1] = NULL;
    for (; s.channel < channels; s.channel += CHANNELS_AT_ONCE) {
        int64_t left = channels - s.channel;
        s.channels = left < CHANNELS_AT_ONCE ? left : CHANNELS_AT_ONCE;
        for (int64_t tap = 0; tap < taps; tap++) {
            take_tap(&s, x, tap, taps);
            patches_visit(patches, tap, add_line_of_places, &s);
        }
    }
    arena->used = used;
}

Vectors matrix_multiply(NotedMatrix *f, const Vectors *x, bool sizes, Arena *arena)
{
    const StoredMatrix *of = f->of;
    Vectors to = vectors_zero((size_t)of->view.extent[0], arena);
    if (of->patches) {
        add_patches(f, x, sizes, &to, arena);
        return to;
    }
    if (!of->view.limited && !of->real_diagonal) {
        add_view(f, &of->view, of->conjugate, x, sizes, &to, arena);
        return to;
    }
    add_triangle(f, false, x, sizes, &to, arena);
    if (of->expansion == EXPAND_SYMMETRIC || of->expansion == EXPAND_HERMITIAN)
        add_triangle(f, true, x, sizes, &to, arena);
    return to;
}

/* Rows of a matrix for a part of the sum, by their parts: number i lies DEPTH_AT_ONCE i on. */
typedef struct Lines {
    double part[2][TILE * DEPTH_AT_ONCE];
} Lines;

/* Numbers that lie `bytes` apart, times a sign. */
static void read_numbers(double *to, int64_t step, const char *from, int64_t bytes, int64_t count,
                         bool narrow, double sign)
{
    for (int64_t i = 0; i < count && narrow; i++)
        to[i * step] = sign * (double)*(const float *)(const void *)(from + i * bytes);
    for (int64_t i = 0; i < count && !narrow; i++)
        to[i * step] = sign * *(const double *)(const void *)(from + i * bytes);
}

/* Rows first..end - 1 of a view, and of these the elements from column `column` on. */
static void read_lines(Lines *to, const Tensor *view, bool conjugate, int64_t first, int64_t end,
                       int64_t column, int64_t columns)
{
    int64_t part_size = (int64_t)dtype_component_size(view->dtype);
    int64_t size = (int64_t)dtype_size(view->dtype), rows = end - first;
    int64_t down = view->stride[0] * size, along = view->stride[1] * size;
    const char *origin = (const char *)view->origin + first * down + column * along;
    bool by_columns = llabs(down) < llabs(along), narrow = part_size == sizeof(float);
    for (int part = 0; part < dtype_components(view->dtype); part++, origin += part_size) {
        double sign = part == 1 && conjugate ? -1 : 1, *lines = to->part[part];
        for (int64_t l = 0; l < columns && by_columns; l++)
            read_numbers(lines + l, DEPTH_AT_ONCE, origin + l * along, down, rows, narrow, sign);
        for (int64_t i = 0; i < rows && !by_columns; i++)
            read_numbers(lines + i * DEPTH_AT_ONCE, 1, origin + i * down, along, columns, narrow,
                         sign);
    }
}

/* One line times a number each for two vectors, which are added to. */
static void add_line(NotedMatrix *f, const double *line, size_t length, double *const x[],
                     bool sizes, double *const to[])
{
    Projection p = {.origin = line,
                    .dtype = DT_F64,
                    .rows = length,
                    .columns = 1,
                    .row_stride = 1,
                    .column_stride = DEPTH_AT_ONCE,
                    .x = {x[0], x[1]},
                    .y = {to[0], to[1]}};
    project(f, &p, sizes);
}

/* One line times two vectors, added to a number of each with a sign. */
static void add_inner(NotedMatrix *f, const double *line, size_t length, double *const x[],
                      double sign, bool sizes, double *to[])
{
    double sums[2] = {0, 0};
    Projection p = {.origin = line,
                    .dtype = DT_F64,
                    .rows = 1,
                    .columns = length,
                    .row_stride = DEPTH_AT_ONCE,
                    .column_stride = 1,
                    .x = {x[0], x[1]},
                    .y = {&sums[0], &sums[1]}};
    project(f, &p, sizes);
    *to[0] += sign * sums[0];
    *to[1] += sizes ? sums[1] : sign * sums[1];
}

/* What the rows of one tile add, given the sum of the columns before them, which go to it. */
static void add_tile(NotedMatrix *a, NotedMatrix *b, const Lines *rows, const Lines *columns,
                     int64_t i, int64_t row, size_t length, const Vectors *x, bool sizes,
                     Vectors *sum, Vectors *to)
{
    int components = dtype_components(a->of->view.dtype);
    double *factors[2] = {x->part[0][0] + row, x->part[0][1] + row};
    double *at[2][2];
    REQUIRE(components == 1 || components == 2);
    for (int part = 0; part < components; part++) {
        const double *column = columns->part[part] + i * DEPTH_AT_ONCE;
        add_line(b, column, length, factors, sizes, sum->part[part]);
        for (int k = 0; k < 2; k++)
            at[part][k] = to->part[part][k] + row;
    }
    const double *re = rows->part[0] + i * DEPTH_AT_ONCE, *im = rows->part[1] + i * DEPTH_AT_ONCE;
    add_inner(a, re, length, sum->part[0], 1, sizes, at[0]);
    if (components == 1)
        return;
    add_inner(a, im, length, sum->part[1], -1, sizes, at[0]);
    add_inner(a, re, length, sum->part[1], 1, sizes, at[1]);
    add_inner(a, im, length, sum->part[0], 1, sizes, at[1]);
}

Vectors triangle_multiply(NotedMatrix *a, NotedMatrix *b, const Vectors *x, bool lower, bool sizes,
                          Arena *arena)
{
    int64_t n = a->of->view.extent[0], depth = a->of->view.extent[1];
    Tensor columns = tensor_transposed(b->of->view);
    Vectors to = vectors_zero((size_t)n, arena);
    size_t used = arena->used;
    Lines *lines = arena_take(arena, 2, sizeof *lines);
    REQUIRE(!a->of->view.limited && !columns.limited && columns.extent[0] == n);
    for (int64_t l = 0; l < depth; l += DEPTH_AT_ONCE) {
        int64_t length = depth - l < DEPTH_AT_ONCE ? depth - l : DEPTH_AT_ONCE;
        size_t kept = arena->used;
        Vectors sum = vectors_zero(DEPTH_AT_ONCE, arena);
        for (int64_t done = 0; done < n; done += TILE) {
            int64_t count = n - done < TILE ? n - done : TILE;
            int64_t first = lower ? done : n - done - count;
            read_lines(&lines[0], &a->of->view, a->of->conjugate, first, first + count, l, length);
            read_lines(&lines[1], &columns, b->of->conjugate, first, first + count, l, length);
            for (int64_t step = 0; step < count; step++) {
                int64_t i = lower ? step : count - 1 - step;
                add_tile(a, b, &lines[0], &lines[1], i, first + i, (size_t)length, x, sizes, &sum,
                         &to);
            }
        }
        arena->used = kept;
    }
    arena->used = used;
    return to;
}
