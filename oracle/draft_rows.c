/* The loops of one row.  REFERENCE_ISA names this compilation. */
#include <math.h>
#include <string.h>

#include "draft_rows.h"
#include "reference/isa.h"

static const double UP = 1 + 0x1p-20;
enum { INFINITE_BITS = 0x7f800000 };

static inline double larger(double x, double y)
{
    return x > y ? x : y;
}

static inline float row_ratio(const DraftRule *rule, const DraftRow *row, size_t j, double addend)
{
    double product = rule->alpha * row->products[j], value = product + addend;
    double both = row->sum * row->sums[j], rest = row->rest * row->rests[j];
    double sizes = both + rest, size = both - rest - DRAFT_SLACK * sizes;
    size = larger(size, fabs(product) * (1 - DRAFT_SLACK));
    addend = fabs(addend);
    DraftElement e = {fabs(row->got[j] - value) + DRAFT_VALUE_SLACK * (sizes + addend), fabs(value),
                      addend, size, rule->share * size * size};
    return (float)(draft_ratio(rule, &e) * UP);
}

/* Rows of a draft are arrays of their own. */
#define EACH_APART _Pragma("clang loop vectorize(assume_safety)")

/* Of numbers that are not negative, as their bits are ordered. */
static double largest_finite(const float *ratios, size_t count)
{
    uint32_t most = 0;
    float largest;
    for (size_t j = 0; j < count; j++) {
        uint32_t bits;
        memcpy(&bits, &ratios[j], sizeof bits);
        bits = bits < INFINITE_BITS ? bits : 0;
        most = bits > most ? bits : most;
    }
    memcpy(&largest, &most, sizeof largest);
    return largest;
}

static double ratios_of_row(const DraftRule *rule, const DraftRow *row)
{
    const DraftRule own = *rule;
    const DraftRow of = *row;
    float *ratios = row->ratios;
    size_t with = of.addends ? of.count : 0, without = of.count - with;
    EACH_APART
    for (size_t j = 0; j < with; j++)
        ratios[j] = row_ratio(&own, &of, j, own.beta * of.addends[j]);
    EACH_APART
    for (size_t j = 0; j < without; j++)
        ratios[j] = row_ratio(&own, &of, j, 0);
    return largest_finite(ratios, of.count);
}

static bool is_row_equal(const DraftRule *rule, const DraftRow *row)
{
    uint64_t other = 0;
    const double *c = row->addends;
    for (size_t j = 0; c && j < row->count; j++)
        other += !(row->got[j] == rule->alpha * row->products[j] + rule->beta * c[j]);
    for (size_t j = 0; !c && j < row->count; j++)
        other += !(row->got[j] == rule->alpha * row->products[j]);
    return other == 0;
}

static void sizes_of(const DraftFactors *f, double *size, double *square)
{
    enum { SUMS = 16 };
    double sizes[SUMS] = {0}, squares[SUMS] = {0}, total = 0, of_squares = 0;
    size_t l = 0;
    for (; l + SUMS <= f->depth; l += SUMS)
        for (size_t lane = 0; lane < SUMS; lane++) {
            double product = f->left[l + lane] * (double)f->right[l + lane];
            sizes[lane] += fabs(product);
            squares[lane] += product * product;
        }
    for (; l < f->depth; l++) {
        double product = f->left[l] * (double)f->right[l];
        total += fabs(product);
        of_squares += product * product;
    }
    for (size_t lane = 0; lane < SUMS; lane++) {
        total += sizes[lane];
        of_squares += squares[lane];
    }
    *size = total;
    *square = of_squares;
}

const DraftKernels REFERENCE_ISA_NAME(draft_kernels_) = {ratios_of_row, is_row_equal, sizes_of};
