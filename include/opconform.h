/* opconform.h: plug-ins for opconform, with kernels for its operators, and with operators of your
 * own.
 *
 * A plug-in is a shared library that defines OPCONFORM_PLUGIN:
 *
 *     static const opconform_kernel kernels[] = {
 *         {"", "softmax = my_softmax(const float *x, float *y, int rows, int cols)",
 *          (opconform_function *)my_softmax},
 *         {0}};
 *     OPCONFORM_PLUGIN = {OPCONFORM_HEAD, .name = "mine", .kernels = kernels};
 *
 *     cc -shared -fPIC $(pkg-config --cflags opconform) -o mine.so mine.c
 *     opconform fuzz --backend plugin@./mine.so
 *
 * The functions of this header are those of the opconform that loads the plug-in; there is nothing
 * to link with.  docs/plugin.md has a plug-in from its first line to a bug that it finds.
 *
 * Versions: OPCONFORM_ABI changes when a plug-in that was compiled before would be misread; later
 * versions of opconform load all plug-ins of their number.  Members are added at the end of
 * structures, whose sizes a plug-in brings along (OPCONFORM_HEAD), and are 0 where it has none. */
#ifndef OPCONFORM_H
#define OPCONFORM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define OPCONFORM_ABI 1

/* The most axes that an operand has. */
enum { OPCONFORM_AXES = 5 };

/* Element types.  OPCONFORM_MASK makes sets of them. */
typedef enum opconform_dtype {
    OPCONFORM_F32,
    OPCONFORM_F64,
    OPCONFORM_C64,
    OPCONFORM_C128,
    OPCONFORM_F16,
    OPCONFORM_BF16,
    OPCONFORM_I8,
    OPCONFORM_U8,
    OPCONFORM_I32,
    OPCONFORM_I64,
    OPCONFORM_BOOL,
    OPCONFORM_E4M3,
    OPCONFORM_E5M2,
    OPCONFORM_I16,
    OPCONFORM_U16,
    OPCONFORM_U32,
    OPCONFORM_U64
} opconform_dtype;
#define OPCONFORM_MASK(dtype) (1u << (dtype))
enum {
    OPCONFORM_REALS = OPCONFORM_MASK(OPCONFORM_F32) | OPCONFORM_MASK(OPCONFORM_F64),
    OPCONFORM_FLOATS =
        OPCONFORM_REALS | OPCONFORM_MASK(OPCONFORM_F16) | OPCONFORM_MASK(OPCONFORM_BF16)
};

/* ------------------------------------------------------------------------------------------------
 * Wide numbers: a formula that is written once gives the reference and its bound.
 *
 * A Wide is a value and a radius.  Operations compute the value in 64 bits or more, and for the
 * radius how far a kernel may be off that computes the same in the arithmetic that is tested: IEEE
 * arithmetic in the element type, for half precisions in binary32 with one rounding at the end.
 *
 * Theorem.  Let a kernel compute z = x op y of numbers x', y' within the radii of x and y, in
 * arithmetic with unit u, smallest normal number lambda and largest number L.  Its result lies
 * within
 *
 *     p + (u + 2^-62) (|z| + p) + lambda
 *
 * of the value of x op y, where p is what the radii of the operands amount to: rx + ry for sums,
 * |x| ry + (|y| + ry) rx for products, (rx + |x / y| ry) / (|y| - ry) for quotients.  Sums and
 * square roots do not add lambda.  An operation of exact operands whose result the format holds is
 * exact. A sum of n terms in any order, by any tree of additions, fused or not, lies within r + ((n
 * - 1) u M) / (1 - (n - 1) u),  M = (sum of |t| + r + |s|) / 2, of its value s, with r the sum of
 * the radii.  A function adds the ulps that the OpenCL C specification 3.0 gives it (7.4), and p is
 * the change of the function over the radius.  By induction over the formula every result lies
 * within its radius of its value, and so does the exact result, since exact arithmetic is one that
 * rounds by 0.
 *
 * So the radius is a proof for kernels that evaluate the formula as it stands, sums in any order,
 * any operations fused.  Where another form is usual too, wide_either takes both; where a kernel
 * may round more often, as one that scales its sums once a block, wide_round says how often.  A
 * radius of infinity, as of operands that are not finite or of what may overflow, says that nothing
 * is known: any result is admitted. */
typedef struct opconform_wide {
    long double value;
    double radius;
} opconform_wide;

/* A number that the kernel has to the bit. */
opconform_wide opconform_of(double value);
opconform_wide opconform_add(opconform_wide x, opconform_wide y);
opconform_wide opconform_subtract(opconform_wide x, opconform_wide y);
opconform_wide opconform_multiply(opconform_wide x, opconform_wide y);
opconform_wide opconform_divide(opconform_wide x, opconform_wide y);
opconform_wide opconform_sqrt(opconform_wide x);
opconform_wide opconform_negate(opconform_wide x);
opconform_wide opconform_abs(opconform_wide x);
opconform_wide opconform_maximum(opconform_wide x, opconform_wide y);
opconform_wide opconform_minimum(opconform_wide x, opconform_wide y);

/* Of count > 0 terms: the sum and the mean in any order, the greatest. */
opconform_wide opconform_sum(const opconform_wide *terms, int64_t count);
opconform_wide opconform_mean(const opconform_wide *terms, int64_t count);
opconform_wide opconform_greatest(const opconform_wide *terms, int64_t count);

/* Within 3 ulp for exp, 4 for log, erf, sin and cos, 5 for tanh, 16 for power; power is for x >= 0.
 */
opconform_wide opconform_exp(opconform_wide x);
opconform_wide opconform_log(opconform_wide x);
opconform_wide opconform_tanh(opconform_wide x);
opconform_wide opconform_erf(opconform_wide x);
opconform_wide opconform_sin(opconform_wide x);
opconform_wide opconform_cos(opconform_wide x);
opconform_wide opconform_power(opconform_wide x, opconform_wide y);
/* Others by their names, which are acos acosh asin asinh atan atanh cbrt erfc exp2 expm1 log10
 * log1p log2 sigmoid sinh softplus. */
opconform_wide opconform_apply(const char *function, opconform_wide x);

/* Either of two results: two usual forms of one formula, or the two sides of a branch. */
opconform_wide opconform_either(opconform_wide x, opconform_wide y);
/* The same after `roundings` more operations that each round it, products and quotients too;
 * rounded to a narrower type. */
opconform_wide opconform_round(opconform_wide x, int roundings);
opconform_wide opconform_narrow(opconform_wide x, opconform_dtype dtype);

/* ------------------------------------------------------------------------------------------------
 * Calls: what a reference is given. */
typedef struct opconform_call opconform_call;

/* An operand: its elements are numbered row-major.  values has them in binary64 where the function
 * computes in that, else it is NULL; what it writes into those of outputs are the results. */
typedef struct opconform_tensor {
    int32_t rank, dtype;
    int64_t count, extent[OPCONFORM_AXES];
    double *values;
    void *host;
} opconform_tensor;

/* By the names of the operator's description; another name ends the call with a message. */
const opconform_tensor *opconform_operand(opconform_call *call, const char *name);
int64_t opconform_integer(opconform_call *call, const char *name); /* an extent, a whole number */
double opconform_real(opconform_call *call, const char *name);
const char *opconform_word(opconform_call *call, const char *name); /* a choice */
opconform_dtype opconform_type(opconform_call *call);               /* of the case */
/* Memory that lasts as long as the call; not cleared. */
void *opconform_memory(opconform_call *call, size_t count, size_t size);

/* An element of an input, exact. */
opconform_wide opconform_at(const opconform_tensor *x, int64_t number);
/* The sum of x[i] y[k], x[i + step] y[k + other], ... over count > 0 products, in any order, each
 * rounded `roundings` times more, as where factors are scaled before. */
opconform_wide opconform_dot(const opconform_tensor *x, int64_t i, int64_t step,
                             const opconform_tensor *y, int64_t k, int64_t other, int64_t count,
                             int roundings);
/* The sum of w[0] x[i], w[1] x[i + step], ... */
opconform_wide opconform_combine(const opconform_wide *w, const opconform_tensor *x, int64_t i,
                                 int64_t step, int64_t count);
/* Puts an element of an output. */
void opconform_put(const opconform_tensor *y, int64_t number, opconform_wide value);
/* The same of a reference with an analysis of its own: the value is high + low, off by at most
 * `error`, and no correct kernel is off by more than `bound`. */
void opconform_put_bounded(const opconform_tensor *y, int64_t number, double high, double low,
                           double error, double bound);

/* ------------------------------------------------------------------------------------------------
 * Operators of your own. */
typedef enum opconform_param_kind {
    OPCONFORM_END,
    OPCONFORM_EXTENT,  /* an extent, low to high, biased to where kernels change their ways */
    OPCONFORM_INTEGER, /* a whole number, low to high */
    OPCONFORM_CHOICE,  /* one of `words`, which have spaces between, the simplest first */
    OPCONFORM_REAL,    /* a number of the element type */
    OPCONFORM_SHAPE    /* the extents of low to high axes */
} opconform_param_kind;

/* simplest is what minimal cases have: 1 of extents, if it is left out. */
typedef struct opconform_param {
    const char *name;
    opconform_param_kind kind;
    int64_t low, high, simplest;
    const char *words, *help;
} opconform_param;

typedef enum opconform_role { OPCONFORM_IN, OPCONFORM_OUT, OPCONFORM_INOUT } opconform_role;

enum {
    OPCONFORM_POSITIVE = 1, /* data are magnitudes */
    OPCONFORM_SORTED = 2    /* rows of the last axis are sorted, the least first */
};

/* shape has an extent for each axis, outermost first, with spaces between: whole numbers,
 * parameters, and + - * / % of them ("rows", "2*size", "(size+3)/4"); the name of an
 * OPCONFORM_SHAPE stands for all its extents; "" is a scalar.  The data of an operand with `below`
 * are indices below that number.  An input with `present`, as "bias=yes", is left out where the
 * choice has another word. dtype is 1 + the type of operands that do not have the case's. */
typedef struct opconform_operand_row {
    const char *name, *shape;
    opconform_role role;
    int dtype;
    unsigned flags;
    const char *below, *present;
} opconform_operand_row;

/* A relation, for operators whose values nobody knows: the function is called again on changed
 * inputs, and what comes out must follow from what came out before.  change gets both calls, with
 * values in binary64, and writes the inputs of the second; they are copies of those of the first.
 * Element `number` of an output of the second call must be *factor, which is 1, times the element
 * of the first that source returns, within `ulps`; -1: it may be anything. */
typedef struct opconform_relation {
    const char *name;
    void (*change)(opconform_call *first, opconform_call *second);
    int64_t (*source)(opconform_call *first, const char *operand, int64_t number, double *factor);
    double ulps;
} opconform_relation;

/* The parameters come behind the element type.  legal has conditions with spaces between, which are
 * met by changing the parameter on the left: "keys>=rows size%8=0 groups=heads/2".  work is the
 * number of multiplications, as a formula like those of shapes; else 16 for each element.  fills
 * are the kinds of data (opconform list fills) with spaces between; NULL for all of moderate size.
 *
 * What is right is said in one of three ways: by `reference`, which puts every element of the
 * outputs; by `compute`, which computes them in binary64 on operands in binary64, and is off, as
 * kernels are, by at most `ulps` units in the last place of the result's type at the result and
 * `ulps_of_largest` at the largest result; or by relations alone.  Relations may stand beside the
 * others. */
typedef struct opconform_operator {
    const char *name, *summary;
    int version; /* from 1; rises when the name or meaning of a parameter changes */
    uint32_t dtypes;
    const opconform_param *params;         /* ended by a row without name */
    const opconform_operand_row *operands; /* the same; inputs first */
    const char *legal, *work, *fills;
    int in_place; /* elements of outputs need those of inputs at their own place only */
    void (*reference)(opconform_call *call);
    void (*compute)(opconform_call *call);
    double ulps, ulps_of_largest;
    const opconform_relation *relations; /* ended by a row without name; or NULL */
} opconform_operator;

/* ------------------------------------------------------------------------------------------------
 * Kernels: functions for operators, of opconform or of your own. */
typedef void opconform_function(void);

/* row is how the function is called, in the language of docs/own-kernel.md; variant is the word
 * behind plugin: that chooses it, "" for what is taken without one.  The function is not static, so
 * that programs that show a bug can call it by its name. */
typedef struct opconform_kernel {
    const char *variant, *row;
    opconform_function *function;
} opconform_kernel;

typedef struct opconform_plugin {
    int abi, plugin_size, param_size, operand_size, relation_size, operator_size, kernel_size;
    const char *name, *version;          /* name is the family of its operators */
    const opconform_operator *operators; /* ended by a row without name; or NULL */
    const opconform_kernel *kernels;     /* ended by a row without row; or NULL */
} opconform_plugin;

#define OPCONFORM_HEAD                                                                             \
    OPCONFORM_ABI, sizeof(opconform_plugin), sizeof(opconform_param),                              \
        sizeof(opconform_operand_row), sizeof(opconform_relation), sizeof(opconform_operator),     \
        sizeof(opconform_kernel)
#define OPCONFORM_PLUGIN                                                                           \
    extern __attribute__((visibility("default"))) const opconform_plugin opconform_plugin_1;       \
    const opconform_plugin opconform_plugin_1

/* Short names, unless OPCONFORM_LONG_NAMES is defined. */
#ifndef OPCONFORM_LONG_NAMES
typedef opconform_wide Wide;
typedef opconform_call Call;
typedef opconform_tensor Tensor;
#define wide_of       opconform_of
#define wide_add      opconform_add
#define wide_subtract opconform_subtract
#define wide_multiply opconform_multiply
#define wide_divide   opconform_divide
#define wide_sqrt     opconform_sqrt
#define wide_negate   opconform_negate
#define wide_abs      opconform_abs
#define wide_maximum  opconform_maximum
#define wide_minimum  opconform_minimum
#define wide_sum      opconform_sum
#define wide_mean     opconform_mean
#define wide_greatest opconform_greatest
#define wide_exp      opconform_exp
#define wide_log      opconform_log
#define wide_tanh     opconform_tanh
#define wide_erf      opconform_erf
#define wide_sin      opconform_sin
#define wide_cos      opconform_cos
#define wide_power    opconform_power
#define wide_apply    opconform_apply
#define wide_either   opconform_either
#define wide_round    opconform_round
#define wide_narrow   opconform_narrow
#define wide_at       opconform_at
#define wide_dot      opconform_dot
#define wide_combine  opconform_combine
#define wide_put      opconform_put
#define call_operand  opconform_operand
#define call_integer  opconform_integer
#define call_real     opconform_real
#define call_word     opconform_word
#define call_memory   opconform_memory
#endif

#ifdef __cplusplus
}
#endif

#endif
