/* The reference: runs a program on balls. */
#include <math.h>
#include <string.h>

#include "program.h"

typedef enum Flow { FLOW_ON, FLOW_BREAK, FLOW_CONTINUE, FLOW_RETURN, FLOW_RAISE } Flow;

void machine_log(const Machine *m, int64_t log[LOG_MAX])
{
    int64_t count = 0;
    for (int64_t i = 0; i < m->printed_count && count < LOG_MAX - 1; i++)
        log[++count] = m->printed[i];
    for (int64_t i = 0; i < m->seen_count && count < LOG_MAX - 1; i++)
        log[++count] = m->seen[i];
    log[0] = count;
}

static StatementKind kind_at(const Machine *m, int64_t at)
{
    return at < m->program->code.count
               ? program_statements[m->program->code.statements[at].name].kind
               : STATEMENT_END;
}

/* The end, else or elif that the block which begins at `at` runs up to. */
static int64_t block_end(const Machine *m, int64_t at)
{
    int depth = 0;
    for (; at < m->program->code.count; at++) {
        StatementKind kind = kind_at(m, at);
        bool ends = statement_ends_block(kind);
        if (depth == 0 && ends)
            return at;
        depth += (statement_begins_block(kind) && !ends) - (kind == STATEMENT_END);
    }
    return at;
}

/* Behind the end of what is open at `at`, whatever branches follow. */
static int64_t behind(const Machine *m, int64_t at)
{
    while ((at = block_end(m, at)) < m->program->code.count && kind_at(m, at) != STATEMENT_END)
        at++;
    return at + 1;
}

static Flow run_block(Machine *m, int64_t at);

static bool condition_holds(Machine *m, const uint8_t *number)
{
    return program_conditions[number[0]].holds(m, number);
}

/* A chain of ifs from its first line on. */
static Flow run_branches(Machine *m, int64_t at)
{
    for (;;) {
        const CodeStatement *statement = &m->program->code.statements[at];
        if (kind_at(m, at) == STATEMENT_ELSE || condition_holds(m, statement->number))
            return run_block(m, at + 1);
        at = block_end(m, at + 1);
        if (m->undecided || kind_at(m, at) == STATEMENT_END)
            return FLOW_ON;
    }
}

static Flow run_rounds(Machine *m, int64_t at, const LoopSource *source)
{
    const CodeStatement *statement = &m->program->code.statements[at];
    const StatementDesc *desc = &program_statements[statement->name];
    int rounds = desc->rounds(m, statement->number);
    for (int round = 0; round < rounds; round++) {
        if (desc->next)
            desc->next(m, source, round);
        else if (!condition_holds(m, statement->number))
            break;
        Flow flow = m->undecided ? FLOW_RETURN : run_block(m, at + 1);
        if (flow != FLOW_ON && flow != FLOW_CONTINUE)
            return flow;
    }
    return FLOW_ON;
}

static Flow run_loop(Machine *m, int64_t at)
{
    int name = m->variable[m->program->code.statements[at].number[0] % VARIABLES];
    LoopSource *source = &m->loop[m->depth++];
    source->rows = m->store[name];
    memcpy(source->items, m->items, sizeof source->items);
    Flow flow = run_rounds(m, at, source);
    m->depth--;
    if (flow != FLOW_ON)
        return flow == FLOW_BREAK ? FLOW_ON : flow;
    int64_t end = block_end(m, at + 1);
    return kind_at(m, end) == STATEMENT_ELSE ? run_block(m, end + 1) : FLOW_ON;
}

static Flow run_exit(Machine *m, const CodeStatement *statement, StatementKind kind)
{
    if (!condition_holds(m, statement->number) || m->undecided)
        return FLOW_ON;
    return kind == STATEMENT_BREAK      ? FLOW_BREAK
           : kind == STATEMENT_CONTINUE ? FLOW_CONTINUE
           : kind == STATEMENT_RAISE    ? FLOW_RAISE
                                        : FLOW_RETURN;
}

static Flow run_block(Machine *m, int64_t at)
{
    Flow flow = FLOW_ON;
    while (flow == FLOW_ON && !m->undecided && at < m->program->code.count) {
        const CodeStatement *statement = &m->program->code.statements[at];
        StatementKind kind = kind_at(m, at);
        switch (kind) {
        case STATEMENT_END:
        case STATEMENT_ELSE:
        case STATEMENT_ELIF:
            return FLOW_ON;
        case STATEMENT_IF:
            flow = run_branches(m, at);
            at = behind(m, at + 1);
            break;
        case STATEMENT_LOOP:
            flow = run_loop(m, at);
            at = behind(m, at + 1);
            break;
        case STATEMENT_PLAIN:
            program_statements[statement->name].run(m, statement->number);
            at++;
            break;
        default:
            flow = run_exit(m, statement, kind);
            at++;
        }
    }
    return flow;
}

void machine_init(Machine *m, const Program *program, const Format *format)
{
    *m = (Machine){.program = program, .format = format, .n = (int)program->n};
    for (int i = 0; i < m->n; i++)
        m->weight.at[i] = ball_exact(0.5 * (i % 4) + 0.5);
}

static void begin_call(Machine *m, const Vector *x, const Vector *z)
{
    Vector difference = {0}, zeros = {0};
    for (int i = 0; i < m->n; i++) {
        difference.at[i] = ball_subtract(m->format, x->at[i], z->at[i]);
        zeros.at[i] = ball_exact(0);
    }
    const Vector *const first[VARIABLES] = {x, z, &difference, &zeros};
    m->depth = 0;
    for (int k = 0; k < VARIABLES; k++)
        machine_bind(m, &m->variable[k], *first[k]);
    for (int k = 0; k < 2; k++) {
        machine_bind(m, &m->input[k], *first[k]);
        machine_bind(m, &m->items[k], *first[k]);
        machine_bind(m, &m->table[k], *first[k]);
    }
    machine_bind(m, &m->v, zeros);
    machine_bind(m, &m->view.store, *x);
    m->view = (View){m->view.store, 1, 1, m->n - 1};
    m->e = m->n > 0 ? x->at[0] : ball_exact(0);
    m->i = 0;
    m->j = 2;
    m->item_count = 2;
}

void machine_call(Machine *m, int n, Vector *x, Vector *z)
{
    m->n = n;
    begin_call(m, x, z);
    Flow flow = run_block(m, 0);
    *x = m->store[m->input[0]];
    *z = m->store[m->input[1]];
    if (flow != FLOW_RAISE)
        return;
    for (int k = 0; k < VARIABLES; k++) {
        machine_bind(m, &m->variable[k], (Vector){0});
        for (int i = 0; i < m->n; i++)
            m->store[m->variable[k]].at[i] = ball_exact(RAISED);
    }
}
