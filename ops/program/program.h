/* Programs as cases: a small imperative language on vectors, Python's numbers, lists and dicts.
 * One table has each statement's name, its source, how it nests and what it does; the decoder, the
 * line, the shrinker, the source for every framework and the reference derive from it.
 *
 * A program has the vectors a to d, a scalar e, a vector v, a view s, the numbers i and j, the list
 * items, the dict table, a module with a parameter `weight` and a buffer `state`, and a list
 * outside of it.  It is called three times, (x, z), (z, x) and (x, z); what the module and the
 * outer list hold goes on. Loops end by construction: each has at most 4 rounds, or one for each
 * element.
 *
 * With extents it is called once for each of them, by turns as above, with so many of the first
 * elements of x and z; what a call writes to them shows in the calls behind it.  The parameter and
 * the buffer have n elements, the largest of the extents, of which calls take as many as they
 * need. */
#ifndef OPS_PROGRAM_PROGRAM_H
#define OPS_PROGRAM_PROGRAM_H

#include "ops/op.h"
#include "reference/ball.h"

enum {
    VECTOR_MAX = 8, /* elements */
    VARIABLES = 4,  /* a to d */
    ITEMS_MAX = 5,
    KEYS = 2,
    LOG_MAX = 32,
    CALLS = 4, /* at most; 3 where the extents are those of x and z */
    NESTING_MAX = 4,
    NUMBER_MAX = 7, /* of a statement's numbers */
    STORES = 40,    /* above the number of names that a machine has */
    RAISED = -999   /* what all elements are where a call ends by the program's exception */
};

/* What compilers are told of extents: those of all calls, those of the first, or nothing. */
enum { SIGNATURE_FIXED, SIGNATURE_FIRST, SIGNATURE_OPEN };

typedef struct Program {
    int64_t dtype, n;
    Shape extents; /* of each call; without axes: n, three times */
    int64_t signature;
    Code code;
} Program;

typedef struct Vector {
    Ball at[VECTOR_MAX];
} Vector;

/* The elements of a vector that a view shows. */
typedef struct View {
    int store, start, step, count;
} View;

/* The sequences that a loop iterates over, from when it begins: the variable that its number 0
 * names, copied, and the list. */
typedef struct LoopSource {
    Vector rows;
    int items[ITEMS_MAX];
} LoopSource;

/* The state of a program between two statements.  Names are places in store, where two may have one
 * vector; what loops iterate over are names as well. */
typedef struct Machine {
    const Program *program;
    const Format *format;
    int n, depth; /* n: of the call */
    Vector store[STORES], weight, state;
    int input[2], variable[VARIABLES], items[ITEMS_MAX], v, table[KEYS];
    View view;
    LoopSource loop[NESTING_MAX];
    Ball e;
    int64_t i, j, item_count, printed_count, seen_count;
    int64_t printed[LOG_MAX], seen[LOG_MAX]; /* the first of them */
    bool undecided; /* a branch depends on a value within its radius of the threshold */
} Machine;

/* How a statement takes part in the nesting. */
typedef enum StatementKind {
    STATEMENT_PLAIN,
    STATEMENT_END,
    STATEMENT_ELSE, /* of a chain of ifs, or of a loop */
    STATEMENT_ELIF,
    STATEMENT_IF,
    STATEMENT_LOOP,
    STATEMENT_BREAK, /* inside a loop only */
    STATEMENT_CONTINUE,
    STATEMENT_RETURN,
    STATEMENT_RAISE
} StatementKind;

/* A row of the language's table.  In source, $0 is the variable that number 0 names, #0 the number
 * itself, ?0 the condition that it names, @ the depth, xp.NAME( a function of the framework,
 * and {A|B} is A, or B in programs with extents.
 * Numbers are taken modulo their limits.  Loops have rounds, the largest number of rounds, and
 * next, which sets the loop's variables at the start of one; a loop without next goes on while the
 * condition holds that number 0 names. */
typedef struct StatementDesc {
    const char *name;
    StatementKind kind;
    uint8_t limit[CODE_NUMBERS];
    const char *source;
    void (*run)(Machine *m, const uint8_t number[CODE_NUMBERS]);
    int (*rounds)(const Machine *m, const uint8_t number[CODE_NUMBERS]);
    void (*next)(Machine *m, const LoopSource *source, int round);
} StatementDesc;

/* Ended by a NULL name, and their names for the parameter. */
extern const StatementDesc program_statements[];
extern const char *const program_names[];
enum {
    PROGRAM_STRUCTURE = 3, /* names from 1 on that are drawn more often */
    PROGRAM_ALIASES = 13   /* the last names, which languages without views lack */
};

/* A condition on number 1, a variable, and number 2. */
typedef struct ConditionDesc {
    const char *source;
    bool (*holds)(Machine *m, const uint8_t number[CODE_NUMBERS]);
} ConditionDesc;
enum { CONDITIONS = 6 };
extern const ConditionDesc program_conditions[CONDITIONS];

/* Their number, what was printed, and what is in the list outside; those beyond LOG_MAX - 1 are cut
 * off. */
void machine_log(const Machine *m, int64_t log[LOG_MAX]);

/* Whether indented lines follow a statement, and whether it ends those before it; branches do
 * both. */
bool statement_begins_block(StatementKind kind);
bool statement_ends_block(StatementKind kind);

/* Drops what is out of place: ends without beginnings, branches of nothing, exits outside loops;
 * takes numbers modulo their limits. */
void program_normalise(Program *program);
/* The body of the function that is called, with four spaces before each line. */
void program_source(const Program *program, Text *text);
/* How many calls there are, and elements of the vectors in one; 0 behind the last. */
int program_calls(const Program *program);
int64_t program_extent(const Program *program, int call);
/* Calls it once: the vectors a to d as they are at its end, or RAISED, are in the machine; x and z
 * are as the program leaves them. */
void machine_call(Machine *m, int n, Vector *x, Vector *z);
/* Gives a name a vector that no other name has. */
void machine_bind(Machine *m, int *name, Vector value);
void machine_init(Machine *m, const Program *program, const Format *format);

#endif
