/* A program that is called several times; ops/program/program.h has the language. */
#include <math.h>

#include "ops/nn/nn.h"
#include "program.h"

enum { X, Z, FIRST, LOG = FIRST + CALLS };

static const char *names[128];
static const char *const signatures[] = {"fixed", "first", "open", NULL};

static const Param params[] = {
    P_DTYPE(Program, dtype, "element type"),
    P_DIM(Program, n, 1, VECTOR_MAX, "elements of a vector"),
    P_SHAPE(Program, extents, 0, CALLS,
            "elements of a vector in each call; without them three calls have n", .terse = true),
    P_CHOICE(Program, signature, signatures, "what compilers are told of extents", .terse = true),
    P_CODE(Program, code, names, PROGRAM_STRUCTURE, PROGRAM_ALIASES, NUMBER_MAX, "statements"),
    P_END,
};
static const char *const tensors[] = {"x", "z", "y1", "y2", "y3", "y4", "log", NULL};

__attribute__((constructor)) static void collect_names(void)
{
    for (size_t i = 0; i < COUNT_OF(names) - 1 && program_statements[i].name; i++)
        names[i] = program_statements[i].name;
}

static void normalise(void *params_of_case)
{
    program_normalise(params_of_case);
}

static void shape(const void *params_of_case, Shapes *shapes)
{
    const Program *program = params_of_case;
    DType dtype = (DType)program->dtype;
    const Shape vector = {1, {program->n}}, log = {1, {LOG_MAX}};
    *shapes = (Shapes){.count = LOG + 1, .depth = 1};
    shapes->tensor[X] = nn_tensor(dtype, &vector, ROLE_IN);
    shapes->tensor[Z] = nn_tensor(dtype, &vector, ROLE_IN);
    for (int call = 0; call < CALLS; call++) {
        const Shape all = {2, {VARIABLES, program_extent(program, call)}};
        shapes->tensor[FIRST + call] = nn_tensor(dtype, &all, ROLE_OUT);
    }
    shapes->tensor[LOG] = nn_tensor(DT_I64, &log, ROLE_OUT);
}

static double work(const void *params_of_case)
{
    const Program *program = params_of_case;
    return (double)((program->code.count + 1) * program->n * CALLS * 64);
}

static Vector read_vector(const Tensor *tensor)
{
    Vector vector = {0};
    for (int64_t i = 0; i < tensor->extent[0]; i++)
        vector.at[i] = ball_exact(tensor_value(tensor, i));
    return vector;
}

static void put_call(Ref *ref, const Machine *m)
{
    for (int k = 0; k < VARIABLES; k++)
        for (int i = 0; i < m->n; i++)
            ref_put_ball(ref, (size_t)k * (size_t)m->n + (size_t)i,
                         m->undecided ? ball_unknown() : m->store[m->variable[k]].at[i]);
}

static void reference(Ref *refs, const ReferenceInput *input, Arena *arena)
{
    const Program *program = input->params;
    const Tensor *tensor = input->tensors;
    Vector given[] = {read_vector(&tensor[X]), read_vector(&tensor[Z])};
    Machine m;
    int64_t log[LOG_MAX] = {0};
    machine_init(&m, program, dtype_format((DType)program->dtype));
    for (int call = 0; call < CALLS; call++) {
        ref_allocate_bounded(&refs[FIRST + call], (DType)program->dtype, &tensor[FIRST + call],
                             arena);
        if (!m.undecided && call < program_calls(program))
            machine_call(&m, (int)program_extent(program, call), &given[call % 2],
                         &given[1 - call % 2]);
        else
            m.n = (int)program_extent(program, call);
        put_call(&refs[FIRST + call], &m);
    }
    machine_log(&m, log);
    ref_allocate_exact(&refs[LOG], &tensor[LOG], arena);
    for (int i = 0; i < LOG_MAX; i++) {
        ref_set_exact(&refs[LOG], (size_t)i, (double)log[i], MATCH_VALUE);
        if (m.undecided)
            ref_set_classes(&refs[LOG], (size_t)i, CLASS_ANY);
    }
}

static void source(const void *params_of_case, Text *text)
{
    program_source(params_of_case, text);
}

const OpDesc op_program = {
    .family = "program",
    .version = 1,
    .size = sizeof(Program),
    .name = "program",
    .summary = "a small imperative program, called several times",
    .params = params,
    .tensors = tensors,
    .dtypes = DTYPES_REAL,
    /* Compilers may add constants in another order, which exact sums do not show. */
    .fills = 1 << FILL_ZEROS | 1 << FILL_ONES | 1 << FILL_INT,
    .normalise = normalise,
    .shape = shape,
    .work = work,
    .reference = reference,
    .source = source,
};
