/* Scaling of systems by expert drivers. */
#include "expert.h"

#include <math.h>

#include "equilibrate.h"
#include "reference/equation.h"
#include "reference/function.h"

const char *const expert_facts[] = {"nothing", "equilibrate", "factored", NULL};
const char *const expert_short_facts[] = {"nothing", "factored", NULL};
const char *const expert_equeds[] = {"none", "rows", "columns", "both", NULL};
const char *const expert_definite_equeds[] = {"none", "both", NULL};

Equed expert_equed(const Lapack *q, bool definite)
{
    return definite && q->equed ? EQUED_BOTH : (Equed)q->equed;
}

char expert_letter(Equed equed, bool definite)
{
    return definite && equed ? 'Y' : "NRCB"[equed];
}

static bool scales_rows(Equed equed)
{
    return equed == EQUED_ROWS || equed == EQUED_BOTH;
}

static bool scales_columns(Equed equed)
{
    return equed == EQUED_COLUMNS || equed == EQUED_BOTH;
}

/* Whether a number is below a limit, surely or perhaps. */
typedef struct Guess {
    bool may, must;
} Guess;

static Guess is_below(long double x, long double limit, long double off)
{
    return (Guess){.may = x < limit * (1 + off), .must = x < limit * (1 - off)};
}

/* Whether rows and columns may be scaled, and must be. */
static void decide(const Equilibration *e, DType dtype, bool definite, Guess *rows, Guess *columns)
{
    const Format *format = dtype_format(dtype);
    const long double threshold = 0.1L;
    long double off = equation_gamma(format, EQUILIBRATE_COLUMN_RATIO);
    long double small = format->smallest_normal / (2 * (long double)format->unit);
    Guess ratio = is_below(e->row_ratio, threshold, off);
    Guess low = is_below(e->largest, small, off), high = is_below(1 / e->largest, small, off);
    *rows = (Guess){ratio.may || low.may || high.may, ratio.must || low.must || high.must};
    *columns = definite ? *rows : is_below(e->column_ratio, threshold, off);
}

static Guess choose(Guess guess, bool got)
{
    bool taken = guess.must || (guess.may && got);
    return (Guess){taken, taken};
}

/* What EQUED must be where it is `got`, or 0 and anything else that is none of its letters. */
static Equed expected_equed(const ExpertScaling *s, const Equilibration *e, Equed got)
{
    Guess rows = {true, false}, columns = {true, false};
    if (e->zero || s->q->n == 0)
        rows = columns = (Guess){false, false};
    else if (e->known)
        decide(e, (DType)s->q->dtype, s->definite, &rows, &columns);
    bool by_rows = choose(rows, scales_rows(got)).must;
    bool by_columns = s->definite ? by_rows : choose(columns, scales_columns(got)).must;
    return (Equed)((by_rows ? EQUED_ROWS : 0) + (by_columns ? EQUED_COLUMNS : 0));
}

static Equed read_equed(const ExpertScaling *s)
{
    char letter = (char)dtype_load(DT_U8, s->computed[s->equed].origin, 0);
    for (int equed = EQUED_NONE; equed <= EQUED_BOTH; equed++)
        if (letter == expert_letter((Equed)equed, s->definite))
            return (Equed)equed;
    return EQUED_NONE;
}

/* Factors as they are stored, or ones. */
static double *read_factors(const Tensor *view, int64_t n, Arena *arena)
{
    double *factors = arena_take(arena, (size_t)n + 1, sizeof *factors);
    for (int64_t i = 0; i < n; i++)
        factors[i] = view ? dtype_load(view->dtype, view->origin, i) : 1;
    return factors;
}

/* Factors of ours, rounded; they are put where they count. */
static double *compute_factors(Ref *ref, const long double *from, int64_t n, Arena *arena)
{
    double *factors = arena_take(arena, (size_t)n + 1, sizeof *factors);
    for (int64_t i = 0; i < n; i++) {
        factors[i] = dtype_round(ref->dtype, (double)from[i]);
        ref_set_exact(ref, (size_t)i, factors[i], MATCH_VALUE);
    }
    return factors;
}

static bool is_normal(const Format *format, double x)
{
    double size = fabs(x);
    return x == 0 || (size >= 2 * format->smallest_normal && size <= format->largest / 2);
}

/* A component of what is scaled by two factors.  A number that is not finite may spread to both
 * parts of a complex one. */
static void put_scaled(Ref *ref, size_t at, double x, double by_row, double by_column)
{
    const Format *format = dtype_format(ref->dtype);
    long double value = (long double)x * by_row * by_column;
    bool told = isfinite((double)value) && isfinite(x) && is_normal(format, x * by_row) &&
                is_normal(format, x * by_column) && is_normal(format, by_row * by_column) &&
                is_normal(format, (double)value);
    if (!told)
        ref_set_classes(ref, at, CLASS_ANY);
    else
        ref_put_bounded(ref, at, value, 0x1p-60L * fabsl(value),
                        equation_gamma(format, 3) * fabs((double)value));
}

static void put_unchanged(Ref *ref, const Matrix *from)
{
    matrix_put(from, ref);
    for (int64_t i = 0; i < from->rows; i++)
        for (int64_t j = 0; j < from->columns; j++)
            for (int part = 0; part < dtype_components(ref->dtype); part++) {
                Scalar x = *matrix_at(from, i, j);
                double value = part ? x.im : x.re;
                if (!isfinite(value))
                    ref_set_classes(ref, matrix_element(ref, i, j) + (size_t)part,
                                    value_class(value));
            }
}

/* The reference of a matrix that is scaled, and what it is after that: as computed, or rounded. */
static Matrix scale_matrix(Ref *ref, const Tensor *given, const Tensor *computed,
                           const double *rows, const double *columns, Arena *arena)
{
    Matrix from = matrix_read(given, arena), to = matrix_copy(&from, arena);
    bool scaled = rows || columns;
    ref_allocate_bounded(ref, given->dtype, given, arena);
    if (!scaled)
        put_unchanged(ref, &from);
    for (int64_t i = 0; i < from.rows && scaled; i++)
        for (int64_t j = 0; j < from.columns; j++)
            for (int part = 0; part < dtype_components(given->dtype); part++) {
                double by_row = rows ? rows[i] : 1, by_column = columns ? columns[j] : 1;
                Scalar x = *matrix_at(&from, i, j);
                double value = part ? x.im : x.re;
                if (!scalar_is_finite(x))
                    value = NAN;
                put_scaled(ref, matrix_element(ref, i, j) + (size_t)part, value, by_row, by_column);
                *(part ? &matrix_at(&to, i, j)->im : &matrix_at(&to, i, j)->re) =
                    dtype_round(dtype_component(given->dtype), by_row * by_column * value);
            }
    if (!computed && scaled)
        matrix_put(&to, ref);
    ref_limit(ref, given);
    return computed ? matrix_read(computed, arena) : to;
}

/* The least factor over the largest one, both within the range that a routine keeps. */
static double ratio_of(const double *factors, int64_t n, DType dtype)
{
    double least = dtype_format(dtype)->smallest_normal, low = 1 / least, high = 0;
    for (int64_t i = 0; i < n; i++) {
        low = fmin(low, factors[i]);
        high = fmax(high, factors[i]);
    }
    return n == 0 ? 1 : fmax(low, least) / fmin(high, 1 / least);
}

/* What rows and columns are multiplied by: NULL where they are not. */
typedef struct Factors {
    Equed equed;
    double *rows, *columns;
    double row_ratio, column_ratio; /* NaN: not known */
} Factors;

static Factors given_factors(const ExpertScaling *s, Arena *arena)
{
    int64_t n = s->q->n;
    Factors f = {.equed = expert_equed(s->q, s->definite)};
    if (scales_rows(f.equed))
        f.rows = read_factors(&s->given[s->r], n, arena);
    if (scales_columns(f.equed))
        f.columns = read_factors(&s->given[s->c], n, arena);
    f.row_ratio = f.rows ? ratio_of(f.rows, n, (DType)s->q->dtype) : 1;
    f.column_ratio = f.columns ? ratio_of(f.columns, n, (DType)s->q->dtype) : 1;
    return f;
}

/* Puts what is said of factors: those in use are as they should be. */
static double *put_factors(const ExpertScaling *s, int place, const Equilibration *e,
                           const long double *values, double count, Arena *arena)
{
    int64_t n = s->q->n;
    if (!s->computed)
        return compute_factors(&s->refs[place], values, n, arena);
    for (int64_t i = 0; i < n && e->known; i++)
        equilibrate_put(&s->refs[place], i, values[i], count);
    return read_factors(&s->computed[place], n, arena);
}

static Factors find_factors(const ExpertScaling *s, Arena *arena)
{
    DType dtype = (DType)s->q->dtype;
    Matrix stored = matrix_read(&s->given[s->a], arena);
    Equilibration e = s->definite ? equilibrate_definite(&stored, dtype, arena)
                                  : equilibrate(&stored, dtype, arena);
    Factors f = {.row_ratio = (double)e.row_ratio, .column_ratio = (double)e.column_ratio};
    f.equed = expected_equed(s, &e, s->computed ? read_equed(s) : EQUED_NONE);
    if (!e.known)
        f.row_ratio = f.column_ratio = NAN;
    if (!e.known && !s->computed)
        f.equed = EQUED_NONE;
    if (scales_rows(f.equed))
        f.rows = put_factors(s, s->r, &e, e.r, EQUILIBRATE_ROW, arena);
    if (scales_columns(f.equed))
        f.columns = s->definite ? f.rows : put_factors(s, s->c, &e, e.c, EQUILIBRATE_COLUMN, arena);
    return f;
}

ExpertSystem expert_scale(const ExpertScaling *s, Arena *arena)
{
    const Lapack *q = s->q;
    const Tensor *given = s->given, *computed = s->computed;
    bool turned = q->trans != TRANSPOSE_NONE && !s->definite;
    ExpertSystem to = {.ratio = 1};
    if (s->equed < 0) {
        to.a = matrix_read(&given[s->a], arena);
        to.b = matrix_read(&given[s->b], arena);
        return to;
    }
    for (int i = s->r; i <= s->c && q->fact != FACT_FACTORED; i++)
        lapack_admit_all(&s->refs[i], &given[i], arena);
    Factors f = {.equed = EQUED_NONE};
    if (q->fact == FACT_EQUILIBRATE)
        f = find_factors(s, arena);
    else if (q->fact == FACT_FACTORED)
        f = given_factors(s, arena);
    if (q->fact != FACT_FACTORED) {
        ref_allocate_exact(&s->refs[s->equed], &given[s->equed], arena);
        ref_set_exact(&s->refs[s->equed], 0, expert_letter(f.equed, s->definite), MATCH_VALUE);
    }
    to.a = q->fact != FACT_EQUILIBRATE
               ? matrix_read(&given[s->a], arena)
               : scale_matrix(&s->refs[s->a], &given[s->a], computed ? &computed[s->a] : NULL,
                              f.rows, f.columns, arena);
    to.b = scale_matrix(&s->refs[s->b], &given[s->b], computed ? &computed[s->b] : NULL,
                        turned ? f.columns : f.rows, NULL, arena);
    to.factors_of_x = turned ? f.rows : f.columns;
    to.ratio = turned ? f.row_ratio : f.column_ratio;
    return to;
}

Matrix expert_unscaled(const ExpertSystem *system, const Matrix *x, DType dtype, Arena *arena)
{
    const Format *format = dtype_format(dtype);
    Matrix to = matrix_copy(x, arena);
    for (int64_t j = 0; j < x->columns && system->factors_of_x; j++) {
        bool told = true;
        for (int64_t i = 0; i < x->rows; i++) {
            Scalar *at = matrix_at(&to, i, j);
            double factor = system->factors_of_x[i];
            for (int part = 0; part < dtype_components(dtype); part++) {
                double *value = part ? &at->im : &at->re;
                told = told && is_normal(format, *value) && (*value != 0 || factor >= 1);
                *value /= factor;
                told = told && is_normal(format, *value) && isfinite(*value);
            }
        }
        for (int64_t i = 0; i < x->rows && !told; i++)
            *matrix_at(&to, i, j) = (Scalar){NAN, NAN};
    }
    return to;
}
