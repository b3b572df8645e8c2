/* The policies.  The situation of a case follows from its parameters, its data and the policy in
 * the description of its operator, never from an operator's name. */
#include "policy.h"

#include <math.h>
#include <string.h>

#include "relation.h"

static bool any_special(const Case *c, const char *const *names)
{
    for (const Param *param = fill_params; param->name; param++) {
        if (strcmp(param->name, "special") != 0)
            continue;
        for (int i = 0; c->op->tensors[i]; i++)
            for (const char *const *name = names; *name; name++)
                if (!strcmp(param->names[c->fill[i].special], *name))
                    return true;
    }
    return false;
}

static bool any_scalar(const Case *c, bool (*test)(Scalar))
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == PARAM_SCALAR &&
            test(*(const Scalar *)(const void *)(c->params + param->offset)))
            return true;
    return false;
}

static bool scalar_not_finite(Scalar s)
{
    return !isfinite(s.re) || !isfinite(s.im);
}

static bool has_not_finite(const Case *c)
{
    static const char *const names[] = {"nan", "inf", "-inf", NULL};
    return any_special(c, names) || any_scalar(c, scalar_not_finite);
}

static bool has_nan(const Case *c)
{
    static const char *const names[] = {"nan", NULL};
    return any_special(c, names);
}

static bool has_structure(const Case *c)
{
    return case_has(c, "uplo") || case_has(c, "kl") || case_has(c, "kernel_size");
}

static bool filling_decides(const Case *c)
{
    return has_structure(c) && has_not_finite(c);
}

static bool scalar_not_finite_decides(const Case *c)
{
    return any_scalar(c, scalar_not_finite);
}

static bool scalar_named_zero(const Case *c, const char *name)
{
    return case_has(c, name) && scalar_is_zero(case_scalar(c, name));
}

static bool beta_is_zero(const Case *c)
{
    return scalar_named_zero(c, "beta");
}

static bool alpha_is_zero(const Case *c)
{
    return case_multiplies(c, "alpha") && scalar_named_zero(c, "alpha");
}

/* alpha rounds when it multiplies, and there is something that it should not multiply. */
static bool factoring_decides(const Case *c)
{
    if (!case_multiplies(c, "alpha") || !case_has(c, "beta") || beta_is_zero(c))
        return false;
    Scalar alpha = case_scalar(c, "alpha");
    return alpha.im != 0 || !is_power_of_two_or_zero(alpha.re);
}

static bool any_of_kind(const Case *c, ParamKind kind, int64_t below)
{
    for (const Param *param = c->op->params; param->name; param++)
        if (param->kind == kind &&
            *(const int64_t *)(const void *)(c->params + param->offset) < below)
            return true;
    return false;
}

static bool is_empty(const Case *c)
{
    return any_of_kind(c, PARAM_DIM, 1);
}

static bool runs_backwards(const Case *c)
{
    return any_of_kind(c, PARAM_INCREMENT, 0) && case_has(c, "incy");
}

static bool lone_vector_backwards(const Case *c)
{
    return any_of_kind(c, PARAM_INCREMENT, 0) && !case_has(c, "incy") &&
           op_tensor_count(c->op) <= 2 && !case_has(c, "uplo");
}

/* The description of the operator says that references of it have this reading. */
static bool is_described(const Case *c, const char *policy)
{
    return c->op->policy && !strcmp(c->op->policy, policy);
}

static bool index_meets_nan(const Case *c)
{
    return is_described(c, "index-first-nan") && has_nan(c);
}

static bool has_negative_zero(const Case *c)
{
    static const char *const names[] = {"-0", NULL};
    return any_special(c, names);
}

static bool any_fill(const Case *c, FillKind kind)
{
    for (int i = 0; c->op->tensors[i]; i++)
        if (c->fill[i].kind == kind)
            return true;
    return false;
}

static bool nears_overflow(const Case *c)
{
    static const char *const names[] = {"max", NULL};
    return any_fill(c, FILL_HUGE) || any_special(c, names);
}

static bool nears_underflow(const Case *c)
{
    static const char *const names[] = {"min", "subnormal", NULL};
    return any_fill(c, FILL_TINY) || any_special(c, names);
}

static bool is_illegal(const Case *c)
{
    return c->exec.illegal != 0;
}

static bool is_moved(const Case *c)
{
    return c->exec.relation == RELATION_MOVED;
}

static bool rotates_zero(const Case *c)
{
    return is_described(c, "old-rotation-of-zero") && dtype_components(case_dtype(c)) == 2 &&
           c->fill[0].kind == FILL_ZEROS;
}

static bool uses_threads(const Case *c)
{
    return c->exec.threads > 1;
}

static bool shares_inputs(const Case *c)
{
    return c->exec.overlap == OVERLAP_INPUTS && op_tensor_count(c->op) > 2;
}

static bool works_in_place(const Case *c)
{
    return c->exec.overlap == OVERLAP_OUTPUT && c->op->in_place;
}

static bool may_compare(const Case *c)
{
    return is_described(c, "nan-by-comparison") && has_nan(c);
}

static bool is_narrow(const Case *c)
{
    return dtype_format(case_dtype(c))->unit > 0x1p-24;
}

static const char *const standard = "BLAS Technical Forum Standard (2001)";
static const char *const reference = "reference implementation of the BLAS";

const Policy policies[] = {
    {"zero-skip",
     "A product with a factor of exactly 0 is formed, so that NaN or infinity beside it shows; "
     "loops that skip zeros lose it.",
     "IEEE 754-2019, 6.2 and 7.2; the loops of the reference implementation skip", has_not_finite,
     NULL, true},
    {"zero-fill",
     "The zeros outside a triangle or band, or of a padding, are not multiplied: infinity or NaN "
     "beside them does not show.",
     "BLAS Technical Forum Standard (2001), 2.2: those elements are not referenced",
     filling_decides, NULL, true},
    {"scalar-not-finite", "A factor alpha or beta of NaN or infinity reaches every result.",
     "IEEE 754-2019, 6.2", scalar_not_finite_decides, NULL, false},
    {"beta-zero", "With beta = 0 the output is not read: NaN in it does not show.",
     "BLAS Technical Forum Standard (2001), 2.7", beta_is_zero, "beta=0", false},
    {"alpha-zero", "With alpha = 0 the factors are not read.",
     "BLAS Technical Forum Standard (2001), 2.7; reference implementation", alpha_is_zero, NULL,
     false},
    {"empty", "Where an extent is 0 the routine returns; outputs are scaled or kept as it says.",
     standard, is_empty, NULL, false},
    {"backwards", "A negative increment stores a vector from its last element to its first.",
     standard, runs_backwards, NULL, false},
    {"backwards-counts",
     "A routine on one vector does nothing, or gives 0, for a negative increment; some libraries "
     "run "
     "through it.",
     reference, lone_vector_backwards, NULL, true},
    {"backwards-is-empty",
     "nrm2 runs through a vector with a negative increment; before LAPACK 3.10 it gave 0.",
     "reference implementation, LAPACK 3.10", lone_vector_backwards, NULL, true},
    {"index-nan", "NaN among the elements leads iamax and iamin to one of the named outcomes.",
     reference, index_meets_nan, NULL, false},
    {"index-first-nan",
     "iamax and iamin compare as the reference does, so that NaN wins only in the first place; "
     "some "
     "give the first NaN.",
     "reference implementation; Demmel and others, arXiv:2207.09281, propose the first NaN",
     index_meets_nan, NULL, true},
    {"index-skips-nan",
     "iamax and iamin compare as the reference does; some libraries pass over NaN even in the "
     "first "
     "place.",
     reference, index_meets_nan, NULL, true},
    {"negative-zero", "-0 is a zero: it changes no value, and copies keep its sign.",
     "IEEE 754-2019, 6.3", has_negative_zero, NULL, false},
    {"overflow",
     "A result within the range is found unless a partial sum leaves it; norms never overflow on "
     "the way.",
     "Blue, ACM TOMS 4 (1978); bound of this tool", nears_overflow, NULL, false},
    {"underflow", "Subnormal numbers are kept.", "IEEE 754-2019, 7.5", nears_underflow, NULL,
     false},
    {"flush", "Subnormal results and arguments are kept; some kernels replace them by zero.",
     "IEEE 754-2019, 7.5; processors' instructions for bfloat16 always do", nears_underflow, NULL,
     true},
    {"illegal-argument",
     "An illegal argument is reported, nothing is written, and the process goes on.",
     "BLAS Technical Forum Standard (2001), 1.8", is_illegal, NULL, false},
    {POLICY_ARGUMENT_NUMBER,
     "The error handler gets the number of the illegal argument, counted from 1 in the C "
     "interface.",
     "BLAS Technical Forum Standard (2001), 1.8 and B.2", is_illegal, NULL, true},
    {"old-rotation-of-zero",
     "Complex rotg with a = 0 gives c = 0, s = conj(b)/|b|, r = |b|; before LAPACK 3.10 c = 0, "
     "s = 1, r = b.",
     "reference implementation, LAPACK 3.10", rotates_zero, NULL, true},
    {POLICY_POSITION, "Moving operands by one element does not change a bit of the result.",
     "measured: holds for matrix products of the common libraries", is_moved, NULL, true},
    {"threads", "The number of threads does not change a result beyond its bound.",
     "bound of this tool", uses_threads, NULL, false},
    {"shared-inputs", "Two inputs may be the same array.",
     "Fortran 2018, 15.5.2.13: only arguments that are defined may not overlap", shares_inputs,
     NULL, false},
    {POLICY_IN_PLACE,
     "axpy, axpby and copy may write over the vector that they read, element by element.",
     "loops of the reference implementation; Fortran 2018, 15.5.2.13, forbids it", works_in_place,
     NULL, true},
    {"absolute-accuracy",
     "A function is accurate in the last places of its result; some are only in those of its "
     "largest "
     "value, as rational approximations or exp(x) - 1 are.",
     "OpenCL C 3.0, 7.4; bound of this tool", NULL, NULL, true},
    {"one-pass-variance",
     "The variance is that of the deviations from the mean; the mean of squares minus the square "
     "of the "
     "mean loses it where the mean is large.",
     "Chan, Golub and LeVeque, The American Statistician 37 (1983)", NULL, NULL, true},
    {"folded-mean",
     "The mean is subtracted before the scale multiplies; folded into the bias it cancels where it "
     "is "
     "large.",
     "bound of this tool", NULL, NULL, true},
    {"nan-by-comparison",
     "NaN goes through functions that are made of comparisons; where it fails the comparison it "
     "becomes a "
     "number.",
     "IEEE 754-2019, 6.2; ONNX defines Shrink and ThresholdedRelu by comparisons", may_compare,
     NULL, true},
    {"nan-clamped",
     "NaN stays NaN; kernels that clamp every result to a range, even an infinite one, may return "
     "an end of it.",
     "IEEE 754-2019, 6.2; XNNPACK", has_nan, NULL, true},
    {"saturated-pairs",
     "Products of integers of 8 bits are added in 32 bits; instructions of AVX2 add pairs of them "
     "in "
     "16 bits, with saturation.",
     "oneDNN, Nuances of int8 Computations; ONNX Runtime, Quantize ONNX Models", NULL, NULL, true},
    {"float-coordinates",
     "Coordinates of binary64 images are computed in binary64; some libraries have them in "
     "binary32.",
     "bound of this tool", NULL, NULL, true},
    {"faithful-rounding",
     "A square root, reciprocal or square is rounded correctly; some libraries are within 1 ulp.",
     "IEEE 754-2019, 5.4", NULL, NULL, true},
    {POLICY_NARROW_ARITHMETIC,
     "Sums and functions of half precision are computed in binary32 and rounded once; some kernels "
     "round "
     "every step.",
     "bound of this tool; BLAS and ONNX leave it open", is_narrow, NULL, true},
    {"alpha-factored",
     "beta C is added to alpha times the sum; some libraries sum A B + (beta/alpha) C and multiply "
     "by alpha.",
     "ATLAS", factoring_decides, NULL, true},
    {NULL, NULL, NULL, NULL, NULL, false},
};

uint64_t policy_situations(const Case *c)
{
    uint64_t mask = 0;
    for (int i = 0; policies[i].name; i++)
        if (policies[i].applies ? policies[i].applies(c) : is_described(c, policies[i].name))
            mask |= UINT64_C(1) << i;
    return mask;
}

uint64_t policy_of_finding(const Case *minimal, const char *reading, const char *needed)
{
    uint64_t mask = 0;
    for (int i = 0; reading && policies[i].name; i++)
        if (!strcmp(policies[i].name, reading))
            mask |= UINT64_C(1) << i;
    if (mask)
        return mask;
    mask = policy_situations(minimal);
    for (int i = 0; policies[i].name; i++)
        if (policies[i].by_reading || (policies[i].needs && !strstr(needed, policies[i].needs)))
            mask &= ~(UINT64_C(1) << i);
    return mask;
}
