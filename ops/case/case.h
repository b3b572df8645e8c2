/* A case: one call of one operator, with recipes for its data and the way to drive it.
 *
 * Its text form, the line, is the record:
 *   gemm/1 dtype=f32 order=row ta=n ... beta=0x0p+0 | a=normal:5eed b=int:1 c=ones | exec=align:4
 * Lines, bytes and cases convert into each other without loss. */
#ifndef OPS_CASE_H
#define OPS_CASE_H

#include "ops/op.h"
#include "ops/param/exec.h"

typedef struct Case {
    const OpDesc *op;
    _Alignas(8) unsigned char params[OP_PARAMS_BYTES_MAX];
    Fill fill[OP_TENSORS_MAX];
    Exec exec;
} Case;

/* Largest encoding of any case, in bytes. */
enum { CASE_BYTES_MAX = 4096 };

/* The most that case_components may be: larger cases have no room. */
enum { CASE_COMPONENTS_MAX = 1 << 24 };

/* Which cases are wanted: operators, element types (a mask of 1 << DType; of an operator by its
 * number only these, where they are not 0), how many threads a library may use at most (0: as many
 * as the table allows), and which habits the generator leaves. */
typedef struct Scope {
    const OpDesc *ops[OP_MAX];
    int op_count;
    uint32_t dtypes, only[OP_MAX];
    int64_t threads;
    bool unbiased; /* values are uniform in their ranges, data normal */
    int64_t
        large; /* one case in so many, of operators that have them, is large (large.h); 0: none */
    double scale;  /* how many times the usual work a case may be; 0 is 1 */
    bool no_swarm; /* all kinds of variation are on in every case */
    Blocks blocks; /* sizes are drawn beside them too */
    /* Mask of FormKind: the forms that some library has, of which a case has one now and then; 0:
     * any. */
    uint32_t forms;
    /* Where libraries compile calls: how many cases in a row are one call with other data, and how
     * many of these have the same extents; 0: each is a call of its own.  together: how many such
     * calls come by turns, since they are compiled as one function; 0 is 1. */
    int64_t draws, draws_alike, together;
    /* Changes a case so that it meets what else is asked of it, which `limits` points to; NULL
     * where nothing is (limit.h). */
    void (*limit)(Case *c, const void *limits);
    const void *limits;
    /* Whether one of the libraries takes a case, by turns; `taker` points to what knows it.  Others
     * are drawn again.  again: the same draw is asked for elsewhere, too, and counts there.  NULL
     * where each case is taken. */
    bool (*takes)(const Case *c, uint64_t turn, bool again, const void *taker);
    const void *taker;
    /* Where cases that were drawn from choices are kept, since the same choices come again; NULL:
     * nowhere. */
    struct Drawn *drawn;
    /* Cases that a share of the drawn ones are made of. */
    const Case *const *seeds;
    size_t seed_count;
} Scope;
Scope scope_all(void);
/* Whether a case is taken by the library whose turn it is; again as in Scope.takes. */
bool scope_takes(const Scope *scope, const Case *c, uint64_t turn, bool again);
/* Element types in which an operator is wanted. */
uint32_t scope_dtypes(const Scope *scope, const OpDesc *op);

/* Tables with the values they describe, in the order of the line. */
typedef struct ParamGroup {
    const char *name; /* "" for the operator's own, the tensor's name, or "exec" */
    const Param *params;
    void *values;
} ParamGroup;
enum { CASE_GROUPS_MAX = OP_TENSORS_MAX + 2 };
int case_groups(Case *c, ParamGroup groups[CASE_GROUPS_MAX]);

/* The simplest case of an operator. */
void case_init(Case *c, const OpDesc *op);
bool case_equal(const Case *a, const Case *b);
/* Copies only the bytes that the operator uses; the rest of *to keeps its contents. */
void case_copy(Case *to, const Case *from);
uint64_t case_hash(const Case *c);

/* Makes dependent values legal: scalars become numbers of the case's element type; element types
 * and threads outside the scope (if not NULL) are brought inside it.  Idempotent. */
void case_normalise(Case *c, const Scope *scope);

/* Whether a parameter of a group, numbered as by case_groups, is at its simplest in this case: also
 * where that is no legal value, and normalising makes this one of it. */
bool case_is_simplest(const Case *c, int group, const Param *param);

/* An estimate of the cost of one evaluation, in multiplications; the parameters are legal. */
double case_work(const Case *c);
/* The number of components in all operands, gaps between them included; the parameters are legal.
 */
double case_components(const Case *c);

/* Halves the largest extents until the work is within a budget. */
void case_limit(Case *c, double budget);

/* Total: any bytes give a legal case of the scope.  A tagged record gives back the case that was
 * encoded; any other bytes are choices of the generator, which draws again what is not taken. */
void case_decode(Case *c, const Scope *scope, const uint8_t *bytes, size_t size);
/* The same of bytes whose case another call of case_decode draws, too: what it draws again for a
 * library counts there. */
void case_decode_again(Case *c, const Scope *scope, const uint8_t *bytes, size_t size);
/* Appends the tagged record of the case. */
void case_encode(const Case *c, Text *bytes);
/* The size of the item of a record, one value of one parameter, that begins at a byte of it; 0 at
 * the end.  The first one begins at CASE_RECORD_HEAD. */
enum { CASE_RECORD_HEAD = 3 };
size_t case_item_size(const Text *record, size_t at);
/* Draws a case from choices: what case_decode does with bytes that are no record. */
void case_draw(Case *c, const Scope *scope, Choices choices);
/* The same with choices that follow from a seed. */
void case_draw_seeded(Case *c, const Scope *scope, uint64_t seed);

void case_print(const Case *c, Text *line);
/* Its beginning: the operator and its parameters. */
void case_print_call(const Case *c, Text *line);
/* Appends " source=" and the source of a case whose operator has one, as one word: \s and \n stand
 * for spaces and ends of lines. */
void case_put_source(const Case *c, Text *line);
/* A line is the case that it says, with the simplest value of what it leaves out.  False with one
 * sentence in *error that says what is wrong and where; where it is legal but for parameters that
 * do not go together, also which line can be run.  Factors are rounded to their type. */
MUST_USE bool case_parse(Case *c, const char *line, Text *error);
/* True when the line of a case is legal and that of no other case. */
bool case_returns_from_line(const Case *c);

/* Parameters by name, for backends: an unknown name is a BUG. */
const Param *case_param(const Case *c, const char *name);
int64_t case_int(const Case *c, const char *name);
Scalar case_scalar(const Case *c, const char *name);
const Shape *case_shape(const Case *c, const char *name);
DType case_dtype(const Case *c);
/* Gives it another element type; its values may be none of that type then. */
void case_set_dtype(Case *c, DType dtype);
/* The name of a choice. */
const char *case_choice(const Case *c, const char *name);
/* True when the scalar of this name is a factor: its simplest value is 1, not 0. */
bool case_multiplies(const Case *c, const char *name);
/* True when the operator has a parameter of this name. */
bool case_has(const Case *c, const char *name);

/* Element type and fill kind as they are counted in the coverage table. */
const char *case_fill_name(const Case *c);

#endif
