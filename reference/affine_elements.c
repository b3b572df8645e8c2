/* The elements of alpha A B + beta C: the parts are scaled and added, with the companions of each
 * element from which oracle/bound.c takes its bounds. */
#include <math.h>

#include "affine_parts.h"
#include "mag.h"
#include "power.h"
#include "product_kernel.h"
#include "wide.h"

static bool scalar_is_unit(Scalar s)
{
    return fabs(s.re) == 1 && s.im == 0;
}

static double scalar_magnitude(Scalar s)
{
    return fabs(s.re) + fabs(s.im);
}

size_t affine_index(const Affine *w, size_t i, size_t j, int part)
{
    size_t row = i * (size_t)w->components + (size_t)part;
    return w->factors.swapped ? j * w->factors.stride + row : row * w->factors.stride + j;
}

/* Chooses the common exponent so that the largest magnitudes are comfortable in binary64. */
static void choose_exponents(Affine *w, Ref *ref)
{
    enum { COMFORTABLE = 300, NOTHING = -100000, LOWEST = -900, HIGHEST = 900, FAR = 1400 };
    int product_top = NOTHING, addend_top = NOTHING;
    if (w->product_read) {
        ValueNotes notes;
        product_kernels()->note(&notes, w->product.magnitude, w->factors.rows * w->factors.stride);
        double largest = notes.largest;
        w->product_exponent = w->alpha.exponent - w->a.scale - w->b.scale;
        if (largest > 0)
            product_top = w->alpha.top - w->a.scale - w->b.scale + ilogb(largest);
    }
    if (w->c_read) {
        w->addend_exponent = w->beta.exponent - w->c.scale;
        if (w->c.largest > 0)
            addend_top = w->beta.top + ilogb(w->c.largest);
    }
    int top = product_top > addend_top ? product_top : addend_top;
    bool comfortable = top == NOTHING || (top > -COMFORTABLE && top < COMFORTABLE);
    ref->exponent = comfortable ? 0 : top < LOWEST ? LOWEST : top;
    /* Where 2^-exponent is a normal number rows can be put at once. */
    if (top > HIGHEST && top < FAR)
        ref->exponent = HIGHEST;
    w->product_exponent -= ref->exponent;
    w->addend_exponent -= ref->exponent;
}

double affine_underflow(const Affine *w)
{
    double absolute = ((double)w->factors.depth + 8) * 0x1p-1072;
    int exponent =
        w->product_exponent > w->addend_exponent ? w->product_exponent : w->addend_exponent;
    return ldexp_up(absolute, exponent > 0 ? exponent : 0);
}

/* Decides where every way of evaluating is exact: all terms are multiples of one power of two and
 * their magnitudes add up to no more than 2^precision of it. */
void affine_choose_lattice(Affine *w, Ref *ref)
{
    const AffineInput *in = w->in;
    const Format *format = dtype_format(ref->dtype);
    int smallest = format->minimum_exponent - format->precision + 1;
    int lattice = LATTICE_NONE;
    w->scalars_exact = in->alpha.im == 0 && in->beta.im == 0 &&
                       is_power_of_two_or_zero(in->alpha.re) &&
                       is_power_of_two_or_zero(in->beta.re);
    w->lattice_normal = true;
    if (!w->scalars_exact)
        return;
    if (w->product_read && w->a.lattice != LATTICE_NONE && w->b.lattice != LATTICE_NONE) {
        int alpha = ilogb(in->alpha.re);
        lattice = w->a.lattice + w->b.lattice + alpha;
        w->lattice_normal = w->a.lattice + w->b.lattice >= smallest && lattice >= smallest &&
                            w->a.lattice + alpha >= smallest && w->b.lattice + alpha >= smallest;
    }
    if (w->c_read && w->c.lattice != LATTICE_NONE) {
        int addend = w->c.lattice + ilogb(in->beta.re);
        w->lattice_normal = w->lattice_normal && addend >= smallest;
        lattice = addend < lattice ? addend : lattice;
    }
    w->lattice_bits = lattice == LATTICE_NONE ? LATTICE_NONE : lattice + format->precision;
    w->lattice_limit = times_power_of_two(1, w->lattice_bits - ref->exponent);
    if (w->lattice_normal && !w->a.lossy && !w->b.lossy && !w->c.lossy)
        ref->lattice = lattice == LATTICE_NONE ? REF_ZERO_LATTICE : lattice;
}

/* One component of scalar * (re, im): the terms of it, their magnitude and their squares. */
typedef struct Part {
    Wide value;
    double magnitude, square;
} Part;

static Wide wide_ldexp_if(Wide x, int exponent)
{
    return exponent == 0 ? x : wide_ldexp(x, exponent);
}

static Part product_part(const Affine *w, size_t i, size_t j, int part)
{
    const Product *p = &w->product;
    size_t at = affine_index(w, i, j, part);
    Part result = {wide_scale((Wide){p->high[at], p->low[at]}, w->alpha.re),
                   mul_up(fabs(w->alpha.re), p->magnitude[at]),
                   p->square ? w->alpha.re * w->alpha.re * p->square[at] : 0};
    if (w->alpha.im != 0) {
        size_t other = affine_index(w, i, j, 1 - part);
        double factor = part == 0 ? -w->alpha.im : w->alpha.im;
        result.value =
            wide_add(result.value, wide_scale((Wide){p->high[other], p->low[other]}, factor));
        result.magnitude = add_up(result.magnitude, mul_up(fabs(factor), p->magnitude[other]));
        result.square += p->square ? factor * factor * p->square[other] : 0;
    }
    result.value = wide_ldexp_if(result.value, w->product_exponent);
    result.magnitude = ldexp_up(result.magnitude, w->product_exponent);
    if (result.square != 0 && w->product_exponent != 0)
        result.square = times_power_of_two(result.square, 2 * w->product_exponent);
    return result;
}

static double finite_or_zero(double value)
{
    return isfinite(value) ? value : 0;
}

static Part addend_part(const Affine *w, size_t element, int part, uint32_t *terms)
{
    const double *c = w->c.values + element * (size_t)w->components;
    double own = finite_or_zero(c[part]);
    Part result = {wide_two_product(w->beta.re, own), mul_up(fabs(w->beta.re), fabs(own)), 0};
    *terms += own != 0 && w->beta.re != 0;
    if (w->beta.im != 0) {
        double factor = part == 0 ? -w->beta.im : w->beta.im, other = finite_or_zero(c[1 - part]);
        result.value = wide_add(result.value, wide_two_product(factor, other));
        result.magnitude = add_up(result.magnitude, mul_up(fabs(factor), fabs(other)));
        *terms += other != 0;
    }
    result.value = wide_ldexp_if(result.value, w->addend_exponent);
    result.magnitude = ldexp_up(result.magnitude, w->addend_exponent);
    return result;
}

static uint32_t product_terms(const Affine *w, size_t i, size_t j, int part)
{
    size_t at = affine_index(w, i, j, part);
    uint32_t terms = w->product.terms ? w->product.terms[at] : (uint32_t)w->factors.depth;
    if (w->alpha.im != 0) {
        size_t other = affine_index(w, i, j, 1 - part);
        terms += w->product.terms ? w->product.terms[other] : (uint32_t)w->factors.depth;
    }
    return terms;
}

/* Sums and largest magnitudes of the factors that meet in one element. */
typedef struct Meeting {
    double sums, largest;
} Meeting;

static Meeting factors_meeting(const Affine *w, size_t i, size_t j, int part)
{
    size_t row = i * (size_t)w->components + (size_t)part;
    return (Meeting){fmax(w->factors.of_a.sum[row], w->factors.of_b.sum[j]),
                     fmax(w->factors.of_a.largest[row], w->factors.of_b.largest[j])};
}

/* Intermediates that a correct kernel may form beside the final sum: unscaled sums, and factors
 * multiplied by alpha beforehand.  None when alpha is 1 or -1. */
static void put_middle(const Affine *w, Ref *ref, size_t element, size_t i, size_t j, int part)
{
    const AffineInput *in = w->in;
    double parts = (double)w->components, products = parts * (double)w->factors.depth;
    double alpha = add_up(fabs(w->alpha.re), fabs(w->alpha.im));
    bool beta_exact = scalar_is_unit(in->beta) || scalar_is_zero(in->beta);
    double count = beta_exact ? 0 : parts;
    ref->middle[element] = 0;
    if (w->product_read)
        count += products;
    if (w->product_read && !scalar_is_unit(in->alpha)) {
        Meeting meeting = factors_meeting(w, i, j, part);
        double magnitude = w->product.magnitude[affine_index(w, i, j, part)];
        if (w->components == 2)
            magnitude = fmax(magnitude, w->product.magnitude[affine_index(w, i, j, 1 - part)]);
        ref->middle[element] =
            fmax(ldexp_up(magnitude, w->product_exponent - w->alpha.exponent),
                 ldexp_up(mul_up(alpha, meeting.largest), w->alpha.exponent - ref->exponent));
        count = add_up(count + products, mul_up(parts, meeting.sums));
    }
    ref->underflow[element] = ldexp_up(count, -ref->exponent);
    if (w->product_read && w->alpha.top > 0)
        ref->underflow[element] =
            add_up(ref->underflow[element],
                   ldexp_up(mul_up(products, alpha), w->alpha.exponent - ref->exponent));
}

/* Rotates the classes of a sum's terms by a real factor; a zero or non-finite factor is decided by
 * the caller. */
static unsigned scale_classes(unsigned classes, double factor)
{
    if (factor > 0 || classes == 0)
        return classes;
    unsigned kept = classes & CLASS_NAN;
    if (classes & CLASS_POSITIVE_INFINITY)
        kept |= CLASS_NEGATIVE_INFINITY;
    if (classes & CLASS_NEGATIVE_INFINITY)
        kept |= CLASS_POSITIVE_INFINITY;
    return kept;
}

/* Classes of beta * c for real and complex beta; *touched when a term is not finite even if its
 * factor is zero. */
static unsigned addend_classes(const Affine *w, size_t element, int part, bool *touched)
{
    unsigned leaves = 0;
    for (int other = 0; other < w->components; other++) {
        double value = w->c.values[element * (size_t)w->components + (size_t)other];
        double factor = other == part ? w->in->beta.re : w->in->beta.im;
        if (part == 0 && other == 1)
            factor = -factor;
        *touched = *touched || !isfinite(value) || !isfinite(factor);
        if (factor != 0)
            leaves |= value_class(factor * (isfinite(value) && isfinite(factor) ? 0 : value));
    }
    return leaves & ~(unsigned)CLASS_FINITE;
}

static unsigned product_classes(const Affine *w, size_t i, size_t j, int part, Reading reading,
                                bool *touched)
{
    const Factors *f = &w->factors;
    unsigned leaves = 0;
    for (int other = 0; other < w->components; other++) {
        size_t row = i * (size_t)w->components + (size_t)other;
        size_t left = f->swapped ? j : row, right = f->swapped ? row : j;
        double factor = other == part ? w->in->alpha.re : w->in->alpha.im;
        if (part == 0 && other == 1)
            factor = -factor;
        if (!f->left_special[left] && !f->right_special[right])
            continue;
        unsigned classes = factors_leaf_classes(f, left, right, reading);
        *touched = *touched || classes != 0;
        if (factor != 0)
            leaves |= scale_classes(classes, factor);
    }
    return leaves;
}

static bool reaches_across(const Operand *operand, int64_t line, int64_t extent)
{
    int64_t first = line - operand->below, last = line + operand->above;
    return !operand->limited || (first < extent && last >= 0 && -operand->below <= operand->above);
}

/* True when a structure leaves out every factor of the sum. */
static bool is_empty_sum(const Affine *w, size_t i, size_t j)
{
    Operand column = w->b;
    column.below = w->b.above;
    column.above = w->b.below;
    int64_t depth = w->in->a.extent[1];
    return !reaches_across(&w->a, (int64_t)i, depth) || !reaches_across(&column, (int64_t)j, depth);
}

/* The admitted classes.  Complex scaling may multiply a non-finite part by a zero one or skip it,
 * so that NaN is admitted beside the class of the terms; a non-finite alpha meets sums or factors
 * of either sign; a factor that underflows under alpha may turn an infinity into NaN; a complex
 * alpha may multiply one factor beforehand, which changes which infinities meet; and where the
 * sum is empty a non-finite alpha may multiply it or be left out. */
static unsigned element_classes(const Affine *w, size_t i, size_t j, int part, Reading reading)
{
    const AffineInput *in = w->in;
    bool touched = false, product_touched = false, skip_zero = reading == READING_SKIPPING;
    unsigned leaves = 0, more = 0;
    if (w->c_read)
        leaves |= addend_classes(w, i * (size_t)in->c.extent[1] + j, part, &touched);
    if (w->product_read && !scalar_is_finite(in->alpha)) {
        bool left_out = skip_zero || is_empty_sum(w, i, j);
        unsigned alone = left_out ? sum_class(leaves) : 0;
        if (isnan(in->alpha.re) || isnan(in->alpha.im))
            return CLASS_NAN | alone;
        return CLASS_NAN | CLASS_POSITIVE_INFINITY | CLASS_NEGATIVE_INFINITY | alone;
    }
    if (w->product_read) {
        unsigned products = product_classes(w, i, j, part, reading, &product_touched);
        double smallest = fmin(w->a.smallest, w->b.smallest) * scalar_magnitude(in->alpha);
        if (products && !scalar_is_unit(in->alpha) &&
            smallest < dtype_format(in->c.dtype)->smallest_normal)
            more |= CLASS_NAN;
        leaves |= products;
    }
    if (!w->product_read && in->a.extent[1] == 0 && !scalar_is_finite(in->alpha))
        more |= CLASS_NAN;
    if (w->components == 2 && (touched || product_touched))
        more |= CLASS_NAN;
    if (product_touched && in->alpha.im != 0)
        return CLASS_NAN | CLASS_POSITIVE_INFINITY | CLASS_NEGATIVE_INFINITY;
    return sum_class(leaves) | more;
}

/* True where everything that meets in an element is finite: of operands that have other values, no
 * factor of a real sum in this row and column, and not the addend. */
static bool is_all_finite(const Affine *w, size_t element, size_t i, size_t j)
{
    const AffineInput *in = w->in;
    const Factors *f = &w->factors;
    bool scalars = (!w->c_read || scalar_is_finite(in->beta)) && scalar_is_finite(in->alpha);
    bool factors = !w->product_read || (!w->a.has_nonfinite && !w->b.has_nonfinite);
    bool addend = !w->c_read || !w->c.has_nonfinite;
    if (!scalars || (factors && addend) || w->components != 1)
        return scalars && factors && addend;
    size_t left = f->swapped ? j : i, right = f->swapped ? i : j;
    factors = factors || (!f->left_special[left] && !f->right_special[right]);
    return factors && (addend || isfinite(w->c.values[element]));
}

static void put_classes(const Affine *w, Ref *ref, size_t element, size_t i, size_t j, int part)
{
    if (is_all_finite(w, element, i, j))
        return;
    unsigned strict = element_classes(w, i, j, part, READING_STRICT), skipping = strict;
    if (w->a.has_zero || w->b.has_zero || !scalar_is_finite(w->in->alpha))
        skipping |= element_classes(w, i, j, part, READING_SKIPPING);
    ref->classes[element] = (uint8_t)strict;
    ref->classes_skipping[element] = (uint8_t)skipping;
    ref->classes_filling[element] = (uint8_t)strict;
    if (w->a.limited || w->b.limited)
        ref->classes_filling[element] |= (uint8_t)element_classes(w, i, j, part, READING_FILLING);
}

/* Without products a real result is one rounding of beta c, or zero, to which the empty sum, +0,
 * may be added: the sign of a zero is free. */
static void put_rounded(const Affine *w, Ref *ref, size_t element)
{
    double rounded = 0;
    if (w->c_read)
        rounded =
            dtype_round(ref->dtype, w->in->beta.re * unscaled(w->c.values[element], w->c.scale));
    if (!isfinite(rounded) || ref->classes[element] != CLASS_FINITE) {
        unsigned more = ref->classes[element] & CLASS_NAN;
        ref_set_classes(ref, element, value_class(rounded) | more);
        return;
    }
    ref->match[element] = MATCH_ROUNDED;
    ref->high[element] = unscaled(rounded, ref->exponent);
    ref->low[element] = ref->error[element] = 0;
}

static void put_match(const Affine *w, Ref *ref, size_t element)
{
    ref->match[element] = MATCH_BOUND;
    double total = ref->magnitude[element] + ref->addend[element];
    if (!w->product_read && w->components == 1) {
        put_rounded(w, ref, element);
        return;
    }
    int bits = w->lattice_bits - ref->exponent;
    /* Products may have underflowed in the reference's own units. */
    double unit = dtype_format(ref->dtype)->unit;
    if (ref->terms[element] > 0 && !(ref->error[element] <= 0x1p-8 * unit * total))
        return;
    if (ref->lattice != REF_NO_LATTICE && (bits > 1000 || total <= w->lattice_limit))
        ref->match[element] = MATCH_VALUE;
}

/* An upper bound of the change of one sum by the rounding of values that became subnormal when they
 * were scaled; 0 where scaling was exact. */
static double scaling_error(const Affine *w, size_t i, size_t j, int part)
{
    const Factors *f = &w->factors;
    size_t row = i * (size_t)w->components + (size_t)part;
    if (!w->product_read || (!w->a.lossy && !w->b.lossy))
        return 0;
    double sums = add_up(f->left_sum[f->swapped ? j : row], f->right_sum[f->swapped ? row : j]);
    return ldexp_up(mul_up(sums, 0x1p-1073), w->product_exponent);
}

void affine_put_element(const Affine *w, Ref *ref, size_t i, size_t j, int part)
{
    size_t entry = i * ref->columns + j;
    size_t element = entry * (size_t)w->components + (size_t)part;
    Part product = {0}, addend = {0};
    uint32_t terms = 0;
    if (w->product_read) {
        product = product_part(w, i, j, part);
        terms = product_terms(w, i, j, part);
    }
    if (w->c_read)
        addend = addend_part(w, entry, part, &terms);
    Wide value = wide_add(product.value, addend.value);
    ref->high[element] = value.high;
    ref->low[element] = value.low;
    ref->magnitude[element] = product.magnitude;
    ref->addend[element] = addend.magnitude;
    ref->terms[element] = terms;
    /* A sum of zeros is exact.  Five operations; what underflows in them is less than the last
     * term. */
    double scaling = scaling_error(w, i, j, part);
    ref->error[element] = terms == 0
                              ? scaling
                              : formula_up(w->product.error_factor * product.magnitude +
                                               WIDE_UNIT * (product.magnitude + addend.magnitude) +
                                               scaling + w->underflow_error,
                                           5);
    if (ref->square)
        ref->square[element] = product.square;
    put_middle(w, ref, element, i, j, part);
    put_classes(w, ref, element, i, j, part);
    put_match(w, ref, element);
}

/* Powers of two that are normal numbers, as are their inverses. */
static bool is_usual(int exponent)
{
    return exponent > -1000 && exponent < 1000;
}

static bool is_float_or_double(DType dtype)
{
    return dtype == DT_F32 || dtype == DT_F64;
}

/* True where the powers of two of a row with a product can be factors. */
static bool has_usual_units(const Affine *w, const Ref *ref)
{
    int product = w->product_exponent;
    return is_usual(product) && is_usual(product - w->alpha.exponent) &&
           is_usual(w->alpha.exponent - ref->exponent) && is_usual(ref->exponent) &&
           (!ref->square || is_usual(2 * product)) && !w->a.lossy && !w->b.lossy;
}

/* True where rows can be put at once (affine_rows.h). */
static bool is_plain(const Affine *w, const Ref *ref)
{
    const AffineInput *in = w->in;
    bool finite = scalar_is_finite(in->alpha) && scalar_is_finite(in->beta);
    bool real = w->components == 1 && in->alpha.im == 0 && in->beta.im == 0;
    bool alone =
        is_float_or_double(ref->dtype) && !w->c.has_nonfinite && !w->c.scale && ref->exponent == 0;
    return real && finite && (w->product_read ? has_usual_units(w, ref) : alone) &&
           (!w->c_read || is_usual(w->addend_exponent));
}

static AffineRule rule_of_rows(const Affine *w, const Ref *ref)
{
    double alpha = add_up(fabs(w->alpha.re), fabs(w->alpha.im));
    double products = (double)w->factors.depth;
    bool on_lattice = ref->lattice != REF_NO_LATTICE;
    bool unlimited = w->lattice_bits - ref->exponent > 1000;
    return (AffineRule){
        .alpha = w->alpha.re,
        .product_power = power_of_two(w->product_exponent),
        .square_power = ref->square ? power_of_two(2 * w->product_exponent) : 0,
        .beta = w->beta.re,
        .addend_power = w->c_read ? power_of_two(w->addend_exponent) : 0,
        .error_factor = w->product.error_factor,
        .underflow_error = w->underflow_error,
        .depth = (uint32_t)w->factors.depth,
        .beside = !scalar_is_unit(w->in->alpha),
        .alpha_size = alpha,
        .alpha_power = power_of_two(w->alpha.exponent - ref->exponent),
        .beside_power = power_of_two(w->product_exponent - w->alpha.exponent),
        .underflow_power = power_of_two(-ref->exponent),
        .count = (scalar_is_unit(w->in->beta) || scalar_is_zero(w->in->beta) ? 0 : 1) +
                 (scalar_is_unit(w->in->alpha) ? products : 2 * products),
        .scaled_count = w->alpha.top > 0
                            ? ldexp_up(mul_up(products, alpha), w->alpha.exponent - ref->exponent)
                            : 0,
        .on_lattice = on_lattice,
        .lattice_limit = unlimited ? INFINITY : w->lattice_limit,
        .error_share = 0x1p-8 * dtype_format(ref->dtype)->unit,
        .whole_beta = w->in->beta.re,
        .single = ref->dtype == DT_F32,
    };
}

/* One column of a product of so many rows that are `stride` apart. */
static const double *turned(const double *values, size_t stride, size_t count, Arena *arena)
{
    double *row = values ? arena_take(arena, count, sizeof *row) : NULL;
    for (size_t j = 0; values && j < count; j++)
        row[j] = values[j * stride];
    return row;
}

const double *affine_sums(const Affine *w, size_t i, size_t count, Arena *arena)
{
    const Factors *f = &w->factors;
    return f->swapped ? turned(w->product.high + i, f->stride, count, arena)
                      : w->product.high + i * f->stride;
}

/* The product of row i; of one that is swapped, a copy of its column. */
static AffineRow product_row(const Affine *w, size_t i, size_t count, Arena *arena)
{
    const Product *p = &w->product;
    const Factors *f = &w->factors;
    size_t at = f->swapped ? i : i * f->stride;
    AffineRow row = {count,
                     p->high + at,
                     p->low + at,
                     p->magnitude + at,
                     p->square ? p->square + at : NULL,
                     .product_terms = p->terms ? p->terms + at : NULL,
                     .own_sum = w->factors.of_a.sum[i],
                     .own_largest = w->factors.of_a.largest[i],
                     .sums = w->factors.of_b.sum,
                     .largest = w->factors.of_b.largest};
    if (!f->swapped)
        return row;
    row.product_high = turned(row.product_high, f->stride, count, arena);
    row.product_low = turned(row.product_low, f->stride, count, arena);
    row.product_magnitude = turned(row.product_magnitude, f->stride, count, arena);
    row.product_square = turned(row.product_square, f->stride, count, arena);
    uint32_t *terms = row.product_terms ? arena_take(arena, count, sizeof *terms) : NULL;
    for (size_t j = 0; terms && j < count; j++)
        terms[j] = row.product_terms[j * f->stride];
    row.product_terms = terms;
    return row;
}

/* A row of C with 0 for what is not finite. */
static const double *finite_row(const Affine *w, size_t at, size_t count, Arena *arena)
{
    const double *values = w->c.values + at;
    double *row = w->c.has_nonfinite ? arena_take(arena, count, sizeof *row) : NULL;
    for (size_t j = 0; row && j < count; j++)
        row[j] = finite_or_zero(values[j]);
    return row ? row : values;
}

static bool put_row(const Affine *w, const AffineRule *rule, Ref *ref, size_t i, Arena *arena)
{
    size_t at = i * ref->columns;
    AffineRow row = {.count = ref->columns};
    if (w->product_read)
        row = product_row(w, i, ref->columns, arena);
    row.c = w->c_read ? finite_row(w, at, row.count, arena) : NULL;
    row.high = ref->high + at;
    row.low = ref->low + at;
    row.error = ref->error + at;
    row.magnitude = ref->magnitude + at;
    row.addend = ref->addend + at;
    row.middle = ref->middle + at;
    row.square = ref->square ? ref->square + at : NULL;
    row.underflow = ref->underflow + at;
    row.terms = ref->terms + at;
    row.match = ref->match + at;
    const ProductKernels *kernels = product_kernels();
    if (!(w->product_read ? kernels->affine_row : kernels->unread_row)(rule, &row))
        return false;
    bool finite = !w->a.has_nonfinite && !w->b.has_nonfinite && !w->c.has_nonfinite;
    for (size_t j = 0; !finite && j < row.count; j++)
        put_classes(w, ref, at + j, i, j, 0);
    return true;
}

static void put_elements(const Affine *w, Ref *ref, Arena *arena)
{
    AffineRule rule = {0};
    size_t used = arena->used;
    bool plain = is_plain(w, ref);
    if (plain)
        rule = rule_of_rows(w, ref);
    for (size_t i = 0; i < ref->rows; i++, arena->used = used) {
        if (plain && put_row(w, &rule, ref, i, arena))
            continue;
        for (size_t j = 0; j < ref->columns; j++)
            for (int part = 0; part < w->components; part++)
                affine_put_element(w, ref, i, j, part);
    }
}

/* An overflow in one part of a complex sum reaches the other through scaling, even by 1, and from
 * there itself again with the next block of the depth: both parts count among the intermediates. */
void affine_put_all(Affine *w, Ref *ref, Arena *arena)
{
    choose_exponents(w, ref);
    if (ref->exponent != 0)
        ref->square = NULL; /* squares could underflow */
    affine_choose_lattice(w, ref);
    w->underflow_error = affine_underflow(w);
    put_elements(w, ref, arena);
    for (size_t i = 0; w->components == 2 && i < ref->count; i += 2) {
        double re = ref->magnitude[i] + ref->addend[i];
        double im = ref->magnitude[i + 1] + ref->addend[i + 1];
        ref->middle[i] = fmax(ref->middle[i], fmax(re, im));
        ref->middle[i + 1] = fmax(ref->middle[i + 1], fmax(re, im));
    }
}
