/* Parameter kinds.  All behaviour of a parameter hangs on its kind: drawing it from bytes, mutating
 * it, printing and parsing it, encoding it, making it simpler.  Operators, fills and execution
 * modifiers only list their parameters. */
#ifndef OPS_PARAM_H
#define OPS_PARAM_H

#include "choices.h"
#include "reference/base.h"
#include "reference/dtype.h"
#include "reference/tensor.h"

enum {
    CODE_MAX = 20,
    CODE_NUMBERS = 3,
    PARAM_LIST_MAX = 16,
    SHAPE_EXTENT_MAX = 65536,
    SHAPE_COUNT_MAX = 1 << 22
};

/* Extents of a tensor, outermost first; those beyond the rank are 0. */
typedef struct Shape {
    int64_t rank, extent[TENSOR_RANK_MAX];
} Shape;

/* Up to PARAM_LIST_MAX explicit values. */
typedef struct ValueList {
    int64_t count;
    double values[PARAM_LIST_MAX];
} ValueList;

/* A program: statements by their places in a table of names, each with some small numbers. */
typedef struct CodeStatement {
    uint8_t name, number[CODE_NUMBERS];
} CodeStatement;

typedef struct Code {
    int64_t count;
    CodeStatement statements[CODE_MAX];
} Code;

typedef enum ParamKind {
    PARAM_DTYPE,     /* element type */
    PARAM_CHOICE,    /* one of `names`, the simplest first */
    PARAM_DIM,       /* an extent */
    PARAM_PAD,       /* elements beyond the minimum, as for leading dimensions */
    PARAM_INCREMENT, /* a stride, possibly negative, and 0 where it may be */
    PARAM_INTEGER,   /* any number in the range */
    PARAM_SEED,      /* 32 bits, printed in hexadecimal */
    PARAM_SCALAR,    /* a number of the case's element type; real where maximum is 1 */
    PARAM_LIST,      /* explicit values */
    PARAM_SHAPE,     /* extents of minimum to maximum axes, printed as 2x3x4; no axes: scalar */
    PARAM_TUPLE,     /* a number in the range for each of `rank` axes, printed as 2x3 */
    PARAM_CODE       /* statements, printed as add.1.2,end; numbers are 0 to `maximum` */
} ParamKind;

/* One row of a table; a table ends with a row whose name is NULL.  The value is an int64_t, Scalar,
 * Shape, ValueList or Code at `offset` in the structure that the table describes. */
typedef struct Param {
    const char *name; /* in lines, signatures and the manual */
    ParamKind kind;
    size_t offset;
    const char *help;
    const char *const *names;
    int64_t minimum, maximum, simplest; /* of code only maximum */
    int64_t rank;     /* of tuples; of code, how many names give it structure, from number 1 on */
    int64_t special;  /* of code: names at the end of the table, in half of the drawn ones */
    bool may_be_zero; /* of increments */
    double usual;     /* of scalars: the simplest value, where that is no whole number; else 0 */
    /* Of shapes: why no extent is 0, a text or what no text says; NULL: extents begin at 0. */
    const char *full;
    bool few;     /* of shapes: axes of a batch, of which a few indices show what many do */
    bool blocked; /* of integers: beside its simplest drawn as extents are, which meets blocks */
    bool terse;   /* left out of lines at its simplest */
    /* Where operands lie and which way round they are used, not what is computed: two cases that
     * differ in it only may well show one bug. */
    bool placement;
    int64_t computing; /* choices of a placement from this one on change it after all; 0: none */
    /* The name of what it is to other operators, where that is another one than its own; else NULL.
     */
    const char *like;
    /* The name in lines of earlier versions of the operator, and what its choices were called
     * there, in the order of `names`; NULL where that is as it was. */
    const char *formerly;
    const char *const *former_names;
} Param;

/* The name by which parameters of different operators are compared. */
const char *param_common_name(const Param *param);

/* Rows.  P_KIND(type, field, ...) has the name of its field, P_KIND_AS(name, type, field, ...)
 * another one.  After the help may come further members, such as .formerly = "alpha". */
#define P_ROW(public_name, of_kind, type, field, field_type, text, ...)                            \
    {                                                                                              \
        .name = (public_name), .kind = (of_kind), .offset = FIELD_OFFSET(type, field, field_type), \
        .help = (text), __VA_ARGS__                                                                \
    }
#define P_DTYPE(type, field, text)                                                                 \
    P_ROW(#field, PARAM_DTYPE, type, field, int64_t, text, .names = dtype_names,                   \
          .maximum = DT_COUNT - 1)
#define P_CHOICE_AS(name, type, field, choices, text, ...)                                         \
    P_ROW(name, PARAM_CHOICE, type, field, int64_t, text, .names = (choices),                      \
          .maximum = COUNT_OF(choices) - 2, __VA_ARGS__)
#define P_DIM_AS(name, type, field, low, high, text, ...)                                          \
    P_ROW(name, PARAM_DIM, type, field, int64_t, text, .minimum = (low), .maximum = (high),        \
          .simplest = 1, __VA_ARGS__)
#define P_PAD(type, field, high, text)                                                             \
    P_ROW(#field, PARAM_PAD, type, field, int64_t, text, .maximum = (high))
#define P_INCREMENT(type, field, high, text, ...)                                                  \
    P_ROW(#field, PARAM_INCREMENT, type, field, int64_t, text, .minimum = -(high),                 \
          .maximum = (high), .simplest = 1, __VA_ARGS__)
#define P_INTEGER_AS(name, type, field, low, high, simple, text, ...)                              \
    P_ROW(name, PARAM_INTEGER, type, field, int64_t, text, .minimum = (low), .maximum = (high),    \
          .simplest = (simple), __VA_ARGS__)
#define P_SEED(type, field, text)                                                                  \
    P_ROW(#field, PARAM_SEED, type, field, int64_t, text, .maximum = UINT32_MAX)
#define P_SCALAR(type, field, simple, text, ...)                                                   \
    P_ROW(#field, PARAM_SCALAR, type, field, Scalar, text, .simplest = (simple), __VA_ARGS__)
#define P_REAL_AS(name, type, field, simple, text, ...)                                            \
    P_ROW(name, PARAM_SCALAR, type, field, Scalar, text, .maximum = 1, .simplest = (simple),       \
          __VA_ARGS__)
#define P_LIST(type, field, text)                                                                  \
    P_ROW(#field, PARAM_LIST, type, field, ValueList, text, .maximum = PARAM_LIST_MAX)
#define P_SHAPE_AS(name, type, field, low, high, text, ...)                                        \
    P_ROW(name, PARAM_SHAPE, type, field, Shape, text, .minimum = (low), .maximum = (high),        \
          .simplest = 1, __VA_ARGS__)
#define P_TUPLE_AS(name, type, field, axes, low, high, simple, text, ...)                          \
    P_ROW(name, PARAM_TUPLE, type, field, Shape, text, .minimum = (low), .maximum = (high),        \
          .simplest = (simple), .rank = (axes), __VA_ARGS__)
#define P_CODE(type, field, table, structure, last, high, text)                                    \
    P_ROW(#field, PARAM_CODE, type, field, Code, text, .names = (table), .maximum = (high),        \
          .rank = (structure), .special = (last))

#define P_CHOICE(type, field, ...)  P_CHOICE_AS(#field, type, field, __VA_ARGS__)
#define P_DIM(type, field, ...)     P_DIM_AS(#field, type, field, __VA_ARGS__)
#define P_INTEGER(type, field, ...) P_INTEGER_AS(#field, type, field, __VA_ARGS__)
#define P_REAL(type, field, ...)    P_REAL_AS(#field, type, field, __VA_ARGS__)
#define P_SHAPE(type, field, ...)   P_SHAPE_AS(#field, type, field, __VA_ARGS__)
#define P_TUPLE(type, field, ...)   P_TUPLE_AS(#field, type, field, __VA_ARGS__)

#define P_END                                                                                      \
    {                                                                                              \
        0                                                                                          \
    }

/* True for increments that may not be 0. */
bool param_excludes_zero(const Param *param);

/* The parameter as lines of earlier versions have it. */
Param param_former(const Param *param);

/* Which sizes a case draws, and which kinds of variation are switched off for a stretch of cases
 * (swarm testing). */
typedef enum SizeRegime { REGIME_SMALL, REGIME_MIXED, REGIME_LARGE } SizeRegime;
enum { SWARM_NO_PADS = 1, SWARM_NO_CHOICES = 2, SWARM_PLAIN_SCALARS = 4, SWARM_PLAIN_FILLS = 8 };

/* Extents at which the kernels under test change their paths. */
enum { BLOCKS_MAX = 64, BLOCK_EXTENT_MAX = 4096 };
typedef struct Blocks {
    size_t vector_bytes; /* of the running CPU; 0 where it is not known */
    int64_t count, extents[BLOCKS_MAX];
} Blocks;

enum { DRAW_EXTENTS_MAX = 8 };
typedef struct Draw {
    Choices choices;
    SizeRegime regime;
    unsigned swarm;
    DType dtype;          /* drawn first */
    uint32_t dtypes;      /* mask of allowed element types */
    bool unbiased;        /* uniform in the ranges */
    double scale;         /* of the usual work, 1 or more */
    bool huge;            /* extents of several hundred each */
    const Blocks *blocks; /* or NULL */
    /* Extents that were drawn so far, which pads take leading dimensions to round numbers from. */
    int64_t extents[DRAW_EXTENTS_MAX];
    int extent_count;
} Draw;

int64_t *param_integer(const Param *param, void *values);
Scalar *param_scalar(const Param *param, void *values);
ValueList *param_list(const Param *param, void *values);
Shape *param_shape(const Param *param, void *values);
Code *param_code(const Param *param, void *values);

/* Product of the extents; 1 without axes, INT64_MAX where it is more. */
int64_t shape_count(const Shape *shape);
/* The extents of a tensor. */
Shape shape_of_tensor(const Tensor *layout);
/* The extents but that of one axis. */
Shape shape_without_axis(const Shape *shape, int64_t axis);

/* The simplest value of a scalar. */
double param_usual(const Param *param);
void param_set_simplest(const Param *param, void *values);
bool param_is_simplest(const Param *param, const void *values);
bool param_equal(const Param *param, const void *values, const void *others);
void param_copy(const Param *param, void *values, const void *from);
/* Copies the value of another table's parameter, of the same kind. */
void param_move(const Param *param, void *values, const Param *other, const void *from);

void param_draw(const Param *param, void *values, Draw *draw);
/* A small step, or a fresh draw. */
void param_mutate(const Param *param, void *values, Draw *draw);

void param_print(const Param *param, const void *values, Text *text);
/* Reads the whole of text; false with one sentence in *error that names the parameter. */
bool param_parse(const Param *param, void *values, const char *text, Text *error);

/* The literal form inside a tagged record. */
void param_encode(const Param *param, const void *values, Text *bytes);
/* Total: any payload gives a legal value. */
void param_decode(const Param *param, void *values, const uint8_t *payload, size_t size);

/* Puts the number-th candidate that is simpler than the present value, best first; false when
 * there are no more. */
bool param_simpler(const Param *param, void *values, int number);

/* Extents that the parameter holds, for those that limit the work of a case: addresses of the
 * numbers, at most TENSOR_RANK_MAX; none for other kinds. */
int param_extents(const Param *param, void *values, int64_t *extents[TENSOR_RANK_MAX]);

/* Appends what this parameter contributes to a signature, such as "ta=t" or "k>64": a class of
 * values, never a size.  Nothing when it is at its simplest. */
void param_facet(const Param *param, const void *values, Text *text);

/* A 16-bit name that survives reordering of tables (FNV-1a, folded). */
uint16_t name_tag(const char *prefix, const char *name);

#endif
