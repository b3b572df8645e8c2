/* Programs as source, and what makes them legal. */
#include <ctype.h>
#include <string.h>

#include "program.h"

/* In programs with extents `several`. */
static void put_template(Text *text, const char *source, const uint8_t *number, int depth,
                         bool several)
{
    bool left_out = false;
    for (; *source; source++) {
        if (strchr("{|}", *source)) {
            left_out = *source != '}' && several == (*source == '{');
            continue;
        }
        if (left_out)
            continue;
        int which =
            strchr("$#?", *source) && isdigit((unsigned char)source[1]) ? source[1] - '0' : -1;
        if (*source == '@')
            text_printf(text, "%d", depth);
        else if (*source == '\n')
            text_printf(text, "\n%*s", 4 * depth, "");
        else if (which < 0)
            text_append(text, source, 1);
        else if (*source == '$')
            text_printf(text, "%c", 'a' + number[which]);
        else if (*source == '#')
            text_printf(text, "%d", number[which]);
        else
            put_template(text, program_conditions[number[which]].source, number, depth, several);
        source += which >= 0;
    }
}

bool statement_begins_block(StatementKind kind)
{
    return kind == STATEMENT_IF || kind == STATEMENT_LOOP || kind == STATEMENT_ELSE ||
           kind == STATEMENT_ELIF;
}

bool statement_ends_block(StatementKind kind)
{
    return kind == STATEMENT_END || kind == STATEMENT_ELSE || kind == STATEMENT_ELIF;
}

void program_source(const Program *program, Text *text)
{
    int depth = 1;
    bool empty = false;
    for (int64_t at = 0; at <= program->code.count; at++) {
        static const CodeStatement end = {0};
        bool last = at == program->code.count;
        const CodeStatement *statement = last ? &end : &program->code.statements[at];
        const StatementDesc *desc = &program_statements[statement->name];
        bool closes = last || statement_ends_block(desc->kind);
        if (empty && closes)
            text_printf(text, "%*spass\n", 4 * depth, "");
        if (last)
            break;
        depth -= closes && depth > 1;
        empty = false;
        if (desc->kind == STATEMENT_END)
            continue;
        text_printf(text, "%*s", 4 * depth, "");
        put_template(text, desc->source, statement->number, depth, program->extents.rank > 0);
        text_put(text, "\n");
        if (statement_begins_block(desc->kind)) {
            depth++;
            empty = !strchr(desc->source, '\n') || desc->kind != STATEMENT_LOOP;
        }
    }
}

/* The blocks that are open, outermost first: the kind of each, STATEMENT_ELSE once it has its last
 * branch. */
typedef struct Nesting {
    StatementKind open[NESTING_MAX];
    int depth;
} Nesting;

static bool in_loop(const Nesting *nesting)
{
    for (int i = 0; i < nesting->depth; i++)
        if (nesting->open[i] == STATEMENT_LOOP)
            return true;
    return false;
}

/* Whether a statement may stand where the nesting is; the nesting then follows it. */
static bool take(Nesting *nesting, StatementKind kind)
{
    StatementKind *inner = nesting->depth ? &nesting->open[nesting->depth - 1] : NULL;
    switch (kind) {
    case STATEMENT_END:
        nesting->depth -= inner != NULL;
        return inner != NULL;
    case STATEMENT_IF:
    case STATEMENT_LOOP:
        if (nesting->depth == NESTING_MAX)
            return false;
        nesting->open[nesting->depth++] = kind;
        return true;
    case STATEMENT_ELIF:
        return inner && *inner == STATEMENT_IF;
    case STATEMENT_ELSE:
        if (!inner || *inner == STATEMENT_ELSE)
            return false;
        *inner = STATEMENT_ELSE;
        return true;
    case STATEMENT_BREAK:
    case STATEMENT_CONTINUE:
        return in_loop(nesting);
    default:
        return true;
    }
}

int program_calls(const Program *program)
{
    return program->extents.rank > 0 ? (int)program->extents.rank : CALLS - 1;
}

int64_t program_extent(const Program *program, int call)
{
    if (program->extents.rank == 0)
        return call < CALLS - 1 ? program->n : 0;
    return program->extents.extent[call];
}

/* Drawn ones are too large: they become any that there are, and 0 and 1 more often. */
static void normalise_extents(Program *program)
{
    int64_t largest = 1;
    if (program->signature == SIGNATURE_FIXED)
        program->extents = (Shape){0};
    for (int64_t call = 0; call < program->extents.rank; call++) {
        int64_t *extent = &program->extents.extent[call];
        if (*extent > VECTOR_MAX)
            *extent = *extent % 4 < 2 ? *extent % 4 : *extent % (VECTOR_MAX + 1);
        largest = *extent > largest ? *extent : largest;
    }
    if (program->extents.rank > 0)
        program->n = largest;
    else
        program->signature = SIGNATURE_FIXED;
}

void program_normalise(Program *program)
{
    normalise_extents(program);
    Code *code = &program->code, kept = {0};
    Nesting nesting = {0};
    for (int64_t at = 0; at < code->count; at++) {
        CodeStatement statement = code->statements[at];
        const StatementDesc *desc = &program_statements[statement.name];
        if (statement.name == 0 || !take(&nesting, desc->kind))
            continue;
        for (int k = 0; k < CODE_NUMBERS; k++)
            statement.number[k] =
                (uint8_t)(desc->limit[k] ? statement.number[k] % desc->limit[k] : 0);
        kept.statements[kept.count++] = statement;
    }
    while (kept.count > 0 &&
           program_statements[kept.statements[kept.count - 1].name].kind == STATEMENT_END)
        kept.statements[--kept.count] = (CodeStatement){0};
    *code = kept;
}
