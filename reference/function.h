/* Elementwise functions of one variable: values, and how far a correct kernel may be off.
 *
 * Values come from the C library's long double functions, whose errors are a few units in the last
 * place of a 64-bit significand (glibc manual, "Known Maximum Errors in Math Functions"), far below
 * one of binary64; test/t_function.c holds them against MPFR.
 *
 * The bound has the form
 *     E = ulps ulp(y) + u (of_value |y| + of_argument |x| + absolute) + steps lambda
 * with u the unit of the arithmetic, lambda its smallest normal number.  Functions of the C library
 * have the ulps that the OpenCL C specification 3.0 asks for in section 7.4 (full profile, single
 * precision), 4 for the cube root, as glibc's manual has it; formulas of several operations have
 * one u for each rounding of their usual evaluation, weighted by what multiplies it afterwards.  A
 * second, weaker bound adds u (loose s + loose_of_argument |x|), s the product of the parameters:
 * an evaluation that has an absolute error inside, as a rational approximation or exp(x) - 1 has.
 * Where a reciprocal of the argument is formed, its underflow adds subnormals |x| eta, eta the
 * smallest subnormal; where the argument multiplies a value that may be flushed, that adds
 * steps_of_argument |x| lambda; where a step may underflow before another factor enlarges it, that
 * adds enlarged eta / 2, enlarged being that factor where the step underflows.
 *
 * Of most special functions no library promises anything.  They are held to a mixed forward and
 * backward error (Higham, Accuracy and Stability of Numerical Algorithms, 2nd edition, 1.5, with
 * the underflow of 2.8): E grows by max |f(x (1 +- moved u) +- eta) - f(x)|, so that near zeros and
 * poles, where the argument decides, an evaluation may be off by as much as another argument is.
 * Both ulps and moved are the 16 that the OpenCL C specification asks of its least accurate
 * functions, pow and tgamma.  Functions that are sums of terms, such as polynomials, may be off by
 * of_terms u times what their terms are in size. */
#ifndef REFERENCE_FUNCTION_H
#define REFERENCE_FUNCTION_H

#include "function_limits.h"
#include "ref.h"
#include "zero_sign.h"

/* Parameters of the functions that have some, such as the slope of leaky_relu or the degree of a
 * polynomial. */
typedef struct FunctionParams {
    double alpha, beta;
    int degree;
} FunctionParams;

/* A value and a bound of its own error. */
/* What is known of an integer beside its value: nothing; its lowest 64 bits; these, which are the
 * result whatever its value. */
typedef enum FunctionBits { BITS_UNKNOWN, BITS_OF_VALUE, BITS_ALONE } FunctionBits;

typedef struct FunctionValue {
    long double value, error;
    FunctionBits known;
    uint64_t bits;
    bool or_nan; /* an infinity times 0 on the usual way there */
    bool any;    /* not judged: no text settles it, or the reference does not reach it */
    bool named;  /* a text names the value: a number is it to the bit */
    bool usual;  /* a zero whose sign no text demands */
    /* The other one-sided value at a kink, for functions that are rounded once. */
    bool has_other;
    long double other;
    long double peak; /* largest intermediate; beyond the format it makes anything of the result */
    long double rise; /* beyond the format it may make the result an infinity of its sign */
    /* How far the value is from those of arguments beside; of a function that is rounded once
     * otherwise, how far the usual way may lead from it. */
    long double moved;
    long double terms; /* what the roundings on the usual way there are relative to */
} FunctionValue;

typedef FunctionValue FunctionEvaluate(long double x, const FunctionParams *params);
typedef FunctionValue FunctionSpecial(long double x);
typedef FunctionValue FunctionEvaluatePair(long double a, long double b);
/* Of functions whose values depend on the element type. */
typedef FunctionValue FunctionEvaluateTyped(long double a, long double b, DType dtype);

typedef enum FunctionMatch {
    FUNCTION_BOUND,   /* within the bound */
    FUNCTION_ROUNDED, /* the exact value, rounded once; the sign of zero is free */
    FUNCTION_BITS     /* the exact value and its sign */
} FunctionMatch;

/* Where a finite result may be infinite under the policy "early-infinity". */
typedef enum FunctionRange {
    RANGE_WHOLE,   /* nowhere */
    RANGE_RESULT,  /* results beyond an eighth of the largest number */
    RANGE_SQUARE,  /* arguments whose square is beyond 0.98 of the largest number */
    RANGE_ARGUMENT /* arguments beyond a 32nd of the largest number */
} FunctionRange;

typedef struct Function {
    const char *name, *summary;
    long double (*library)(long double); /* of the C library, or NULL: then special, or evaluate */
    FunctionSpecial *special;            /* without parameters */
    FunctionEvaluate *evaluate;
    FunctionEvaluatePair *evaluate_pair; /* of functions of two variables; x is the first */
    FunctionEvaluateTyped *evaluate_typed;
    /* Of integers, and of booleans, where that is another formula; NULL: it is not. */
    FunctionEvaluatePair *evaluate_whole;
    FunctionEvaluate *evaluate_boolean;
    FunctionMatch match;
    double ulps, of_value, of_argument, absolute, steps, loose, loose_of_argument, subnormals,
        steps_of_argument, enlarged, moved, of_terms;
    FunctionRange range;
    bool faithful; /* an alternative, "faithful-rounding": 1 ulp more, 1 where rounded */
    double domain; /* arguments beyond it are not judged; 0: no limit */
    bool has_alpha, has_beta;
    bool past_degree;   /* not judged up to (degree - 1) / 2 */
    const char *degree; /* what the degree is called, NULL where there is none */
    bool of_integers;   /* also of integers */
    bool only_integers;
    bool counts;         /* the second one of integers is not negative */
    bool divides;        /* the second integer is not 0 */
    bool of_booleans;    /* also of booleans, of which a result is whether the number is not 0 */
    bool slope_vanishes; /* a slope no larger than its error makes NaN of an infinite gradient */
    bool compares;       /* NaN may fail a comparison and become a number: "nan-by-comparison" */
    const char *nan;     /* the text by which NaN stays in one that compares; NULL: no text */
    const FunctionLimit *limits; /* NULL: none */
    const char *source;          /* the texts of the limits */
    ResultRange results;
    /* Of a function that is rounded once: every result that is 0 exactly has a sign that counts.
     * NULL: it is free but for the limits. */
    const ZeroSign *zeros;
    bool positive_alpha;
    bool is_predicate;  /* gives booleans */
    double alpha, beta; /* usual values of the parameters */
} Function;

/* The tables of functions of one variable, of special ones of one, of polynomials, of distributions
 * of one, of two variables, of further ones of two, of distributions of two, and of derivatives:
 * f'(x) times a gradient, with the gradient as the first argument.  Each ends with a NULL name. */
extern const Function functions[], functions_special[], functions_with_degree[],
    functions_of_laws[], functions_of_pairs[], functions_of_further_pairs[],
    functions_of_law_pairs[], function_gradients[];

/* The policy of functions that have a FunctionRange. */
#define FUNCTION_EARLY "early-infinity"

/* The policy that the weaker bound of a function falls under; NULL where it has none. */
const char *function_policy(const Function *function);

/* y = f(x) element by element into an output of `dtype`; half precisions are computed in binary32
 * and rounded once.  Where f has a loose bound, it is an alternative named as function_policy says.
 */
void function_reference(Ref *ref, const Function *function, const FunctionParams *params,
                        const Tensor *x, DType dtype, Arena *arena);

/* y = f(a, b): a and b have the extents of the result, with strides of 0 where they are repeated.
 */
void function_pair_reference(Ref *ref, const Function *function, const Tensor *a, const Tensor *b,
                             DType dtype, Arena *arena);

/* The value of a limit at the arguments. */
FunctionValue function_at(const FunctionLimit *limit, long double x, long double second);

/* The value that the limits of a function name; where they do not, that which it is evaluated to.
 */
FunctionValue function_value(const Function *function, const FunctionParams *params, long double x);

/* An upper bound of a correct kernel's error at x, where the function is y: E as above, with the
 * weaker terms where loose. */
double function_bound(const Function *function, const FunctionParams *params, const Format *format,
                      double x, double y, bool loose);

/* Puts a value with an absolute bound in units of the accumulator: classes follow from where the
 * interval lies.  Shared by references that bound each element themselves. */
void ref_put_bounded(Ref *ref, size_t element, long double value, long double error, double bound);

/* A reference for the extents of a view, whose bounds come from ref_put_bounded; the arithmetic of
 * half precisions is binary32. */
void ref_allocate_bounded(Ref *ref, DType dtype, const Tensor *view, Arena *arena);

/* A reference for values of the type itself, which come from ref_set_exact. */
void ref_allocate_exact(Ref *ref, const Tensor *view, Arena *arena);

#endif
