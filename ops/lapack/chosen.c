/* Eigenvalues by their numbers and by intervals. */
#include "chosen.h"

#include <math.h>

const char *const chosen_ranges[] = {"all", "indices", "interval", NULL};

void chosen_normalise(Lapack *q, int64_t n)
{
    if (q->compz != RANGE_ALL) {
        lapack_normalise_block(q, n);
        return;
    }
    q->ilo = 1;
    q->ihi = 0;
}

Matrix chosen_tridiagonal(const Matrix *d, const Matrix *e, int64_t first, int64_t end,
                          Arena *arena)
{
    Matrix lower = matrix_zeros(end - first, end - first, arena);
    for (int64_t i = first; i < end; i++)
        *matrix_at(&lower, i - first, i - first) = *matrix_at(d, i, 0);
    for (int64_t i = first; i + 1 < end; i++)
        *matrix_at(&lower, i + 1 - first, i - first) = *matrix_at(e, i, 0);
    return lower;
}

/* A number midway between two, in the type of an operand, within its range. */
static void store_between(const Tensor *to, double low, double high)
{
    double largest = dtype_format(to->dtype)->largest;
    dtype_store(to->dtype, to->origin, 0, fmax(-largest, fmin(low / 2 + high / 2, largest)));
}

void chosen_put_numbers(const Tensor *il, const Tensor *iu, const Lapack *q)
{
    dtype_store(il->dtype, il->origin, 0, (double)q->ilo);
    dtype_store(iu->dtype, iu->origin, 0, (double)q->ihi);
}

void chosen_put_ends(const Tensor *vl, const Tensor *vu, const Spectrum *s, int64_t n,
                     const Lapack *q, bool from_zero)
{
    double beyond = s->known && s->norm > 0 ? 2 * s->norm : 2, below = from_zero ? 0 : -beyond;
    bool least = !s->known || q->ilo <= 1, greatest = !s->known || q->ihi >= n;
    store_between(vl, least ? below : s->values[q->ilo - 2], least ? below : s->values[q->ilo - 1]);
    store_between(vu, greatest ? beyond : s->values[q->ihi - 1],
                  greatest ? beyond : s->values[q->ihi]);
    if (dtype_load(vl->dtype, vl->origin, 0) < dtype_load(vu->dtype, vu->origin, 0))
        return;
    store_between(vl, below, below);
    store_between(vu, beyond, beyond);
}

int64_t chosen_up_to(const Spectrum *s, int64_t n, double end)
{
    int64_t count = 0;
    while (count < n && s->values[count] <= end)
        count++;
    return count;
}

double chosen_distance(const Spectrum *s, const Lapack *q)
{
    return spectrum_factor((DType)q->dtype, q->n) * s->norm * (1 + 0x1p-40) + s->error +
           8 * dtype_format((DType)q->dtype)->smallest_subnormal;
}

bool chosen_is_scaled(const Spectrum *s, DType dtype)
{
    const Format *format = dtype_format(dtype);
    double low = sqrt(format->smallest_normal) / (25 * format->unit);
    double high = sqrt(format->largest) * sqrt(sqrt(format->smallest_normal));
    return s->known && (s->norm == 0 || (s->norm > low && s->norm < high));
}

/* How far values are from the exact ones of numbers from `first` on, at most. */
static double distance_from(const Spectrum *s, const double *w, int64_t first, int64_t count)
{
    double most = 0;
    for (int64_t i = 0; i < count; i++)
        most = fmax(most, fabs(w[i] - s->values[first + i]));
    return most;
}

Chosen chosen_of_interval(Ref *found_ref, const Spectrum *s, int64_t n, double off,
                          const Tensor *vl, const Tensor *vu, const double *w, int64_t found)
{
    double low_end = dtype_load(vl->dtype, vl->origin, 0);
    double high_end = dtype_load(vu->dtype, vu->origin, 0);
    int64_t below = chosen_up_to(s, n, low_end - off), above = chosen_up_to(s, n, low_end + off);
    int64_t least = chosen_up_to(s, n, high_end - off), most = chosen_up_to(s, n, high_end + off);
    int64_t low = least > above ? least - above : 0, high = most - below;
    lapack_put_integer(found_ref, 0, found, low, high);
    Chosen to = {.first = below, .count = found, .known = found >= low && found <= high};
    for (int64_t first = below; to.known && first <= above && first + found <= most; first++)
        if (distance_from(s, w, first, found) < distance_from(s, w, to.first, found))
            to.first = first;
    return to;
}
