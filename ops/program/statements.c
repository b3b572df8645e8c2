/* The table of statements: the source of each, and its effect on the machine. */
#include <math.h>

#include "effects.h"

static Ball greater(const Format *format, Ball x, Ball y)
{
    (void)format;
    return ball_max(x, y);
}

static Ball smaller(const Format *format, Ball x, Ball y)
{
    (void)format;
    return ball_negate(ball_max(ball_negate(x), ball_negate(y)));
}

static Ball clipped_product(const Format *format, Ball x, Ball y)
{
    Ball product = ball_multiply(format, x, y);
    return greater(format, smaller(format, product, ball_exact(64)), ball_exact(-64));
}

/* Divided, or multiplied by a rounded reciprocal: compilers do either where the divisor is known.
 */
static Ball third(const Format *format, Ball x, Ball y)
{
    return ball_mean(format, x, (double)y.value);
}

static Ball absolute(const Format *format, Ball x, Ball y)
{
    (void)format;
    (void)y;
    return ball_abs(x);
}

static Ball truncated(const Format *format, Ball x, Ball y)
{
    (void)format;
    (void)y;
    /* A conversion to 32 bits is undefined outside their range. */
    if (!(fabsl(x.value) + (long double)x.radius < 0x1p31L))
        return ball_unknown();
    double low = (double)truncl(x.value - (long double)x.radius),
           high = (double)truncl(x.value + (long double)x.radius);
    return low == high ? ball_exact(low) : ball_either(ball_exact(low), ball_exact(high));
}

static void run_set(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, *variable(m, number, 1));
}

static void run_add(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined(m, variable(m, number, 1), variable(m, number, 2), ball_add));
}

static void run_sub(Machine *m, const uint8_t *number)
{
    bind_variable(m, number,
                  combined(m, variable(m, number, 1), variable(m, number, 2), ball_subtract));
}

static void run_mul(Machine *m, const uint8_t *number)
{
    bind_variable(m, number,
                  combined(m, variable(m, number, 1), variable(m, number, 2), clipped_product));
}

static void run_maximum(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined(m, variable(m, number, 1), variable(m, number, 2), greater));
}

static void run_third(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined_with(m, variable(m, number, 1), ball_exact(3), third));
}

static void run_abs(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined_with(m, variable(m, number, 1), ball_exact(0), absolute));
}

static void run_trunc(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined_with(m, variable(m, number, 1), ball_exact(0), truncated));
}

static void run_full(Machine *m, const uint8_t *number)
{
    Vector full = {0};
    for (int i = 0; i < m->n; i++)
        full.at[i] = ball_exact(number[2]);
    bind_variable(m, number, full);
}

static void run_plus(Machine *m, const uint8_t *number)
{
    Vector *at = variable(m, number, 0);
    *at = combined_with(m, at, ball_exact(number[2]), ball_add);
}

static void run_halve(Machine *m, const uint8_t *number)
{
    Vector *at = variable(m, number, 0);
    *at = combined_with(m, at, ball_exact(0.5), ball_multiply);
}

static void run_extent(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined_with(m, variable(m, number, 1), ball_exact(m->n), ball_add));
}

static void run_roll(Machine *m, const uint8_t *number)
{
    Vector from = *variable(m, number, 1), rolled = {0};
    for (int i = 0; i < m->n; i++)
        rolled.at[i] = from.at[(i + 1) % m->n];
    bind_variable(m, number, rolled);
}

static void run_put(Machine *m, const uint8_t *number)
{
    if (m->n > 0)
        variable(m, number, 0)->at[0] = ball_exact(number[2]);
}

static void run_swap(Machine *m, const uint8_t *number)
{
    int *one = &m->variable[number[0]], *other = &m->variable[number[1]], kept = *one;
    *one = *other;
    *other = kept;
}

static void run_choose_i(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, *variable(m, number, m->i > 1 ? 1 : 2));
}

static bool sum_exceeds(Machine *m, const Vector *vector, double threshold)
{
    Ball sum = ball_sum(m->format, vector->at, (size_t)m->n);
    if (!ball_is_known(sum) || fabsl(sum.value - threshold) <= (long double)sum.radius)
        m->undecided = sum.radius > 0;
    return sum.value > threshold;
}

static void run_choose(Machine *m, const uint8_t *number)
{
    bool positive = sum_exceeds(m, variable(m, number, 2), 0);
    bind_variable(m, number, *variable(m, number, positive ? 1 : 2));
}

static void run_i_set(Machine *m, const uint8_t *number)
{
    m->i = number[2];
}

static void run_i_plus(Machine *m, const uint8_t *number)
{
    m->i += number[2] - 2;
}

static void run_i_length(Machine *m, const uint8_t *number)
{
    (void)number;
    m->i = m->item_count;
}

static void run_i_swap(Machine *m, const uint8_t *number)
{
    int64_t kept = m->i;
    (void)number;
    m->i = m->j;
    m->j = kept;
}

static void run_plus_i(Machine *m, const uint8_t *number)
{
    bind_variable(m, number,
                  combined_with(m, variable(m, number, 1), ball_exact((double)m->i), ball_add));
}

static void run_plus_j(Machine *m, const uint8_t *number)
{
    bind_variable(m, number,
                  combined_with(m, variable(m, number, 1), ball_exact((double)m->j), ball_add));
}

static void run_plus_e(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined_with(m, variable(m, number, 1), m->e, ball_add));
}

static void run_plus_v(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined(m, variable(m, number, 1), &m->store[m->v], ball_add));
}

static void run_append(Machine *m, const uint8_t *number)
{
    machine_bind(m, items_next(m), *variable(m, number, 0));
}

static void run_last(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, m->store[m->items[m->item_count - 1]]);
}

static void run_tail(Machine *m, const uint8_t *number)
{
    (void)number;
    m->items[0] = m->items[m->item_count - 1];
    m->item_count = 1;
}

static void run_double_items(Machine *m, const uint8_t *number)
{
    (void)number;
    for (int64_t i = 0; i < m->item_count; i++)
        machine_bind(m, &m->items[i],
                     combined_with(m, &m->store[m->items[i]], ball_exact(2), ball_multiply));
}

static void run_store(Machine *m, const uint8_t *number)
{
    machine_bind(m, &m->table[number[2]], *variable(m, number, 0));
}

static void run_load(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, m->store[m->table[number[2]]]);
}

static void run_scale(Machine *m, const uint8_t *number)
{
    bind_variable(m, number,
                  combined_with(m, variable(m, number, 1), ball_exact(number[2]), ball_multiply));
}

static void run_scale_default(Machine *m, const uint8_t *number)
{
    bind_variable(m, number,
                  combined_with(m, variable(m, number, 1), ball_exact(2), ball_multiply));
}

static void run_descend(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, *variable(m, number, 1));
    for (int i = 0; i < number[2]; i++)
        bind_variable(m, number, combined_with(m, variable(m, number, 0), ball_exact(1), ball_add));
}

/* A closure sees what the outer variable holds when it is called. */
static void run_closure(Machine *m, const uint8_t *number)
{
    machine_bind(m, &m->variable[number[2]],
                 combined_with(m, variable(m, number, 2), ball_exact(1), ball_add));
    bind_variable(m, number, combined(m, variable(m, number, 1), variable(m, number, 2), ball_add));
}

static void run_late(Machine *m, const uint8_t *number)
{
    double late = m->i > number[2] ? 1 : 2;
    bind_variable(m, number, combined_with(m, variable(m, number, 0), ball_exact(late), ball_add));
}

static void run_increase(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined_with(m, variable(m, number, 0), ball_exact(1), ball_add));
}

static void run_nothing(Machine *m, const uint8_t *number)
{
    (void)m;
    (void)number;
}

static void run_weight(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined(m, variable(m, number, 1), &m->weight, ball_add));
}

static void run_part(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined(m, variable(m, number, 1), &m->weight, ball_multiply));
}

/* Of calls with other extents the sum is kept. */
static void run_keep(Machine *m, const uint8_t *number)
{
    Vector *kept = variable(m, number, 0);
    if (m->program->extents.rank == 0) {
        m->state = combined(m, &m->state, kept, ball_add);
        return;
    }
    Ball sum = ball_sum(m->format, kept->at, (size_t)m->n);
    for (int64_t i = 0; i < m->program->n; i++)
        m->state.at[i] = ball_add(m->format, m->state.at[i], sum);
}

static void run_kept(Machine *m, const uint8_t *number)
{
    bind_variable(m, number, combined(m, variable(m, number, 1), &m->state, ball_add));
}

static void run_print(Machine *m, const uint8_t *number)
{
    (void)number;
    if (m->printed_count < LOG_MAX)
        m->printed[m->printed_count++] = m->i;
}

static void run_touch(Machine *m, const uint8_t *number)
{
    (void)number;
    if (m->seen_count < LOG_MAX)
        m->seen[m->seen_count++] = m->i;
}

static int rounds_range(const Machine *m, const uint8_t *number)
{
    (void)m;
    return number[2];
}

static int rounds_while(const Machine *m, const uint8_t *number)
{
    (void)m;
    (void)number;
    return 4;
}

static int rounds_rows(const Machine *m, const uint8_t *number)
{
    (void)number;
    return m->n;
}

static int rounds_items(const Machine *m, const uint8_t *number)
{
    (void)number;
    return m->item_count < 3 ? (int)m->item_count : 3;
}

static int rounds_both(const Machine *m, const uint8_t *number)
{
    int items = rounds_items(m, number);
    return items < m->n ? items : m->n;
}

static void next_range(Machine *m, const LoopSource *source, int round)
{
    (void)source;
    m->i = round;
}

static void next_row(Machine *m, const LoopSource *source, int round)
{
    m->e = source->rows.at[round];
}

static void next_item(Machine *m, const LoopSource *source, int round)
{
    m->v = source->items[round];
}

static void next_numbered(Machine *m, const LoopSource *source, int round)
{
    m->j = round;
    next_item(m, source, round);
}

static void next_both(Machine *m, const LoopSource *source, int round)
{
    next_row(m, source, round);
    next_item(m, source, round);
}

static bool exceeds(Machine *m, const uint8_t *number)
{
    return sum_exceeds(m, variable(m, number, 1), number[2]);
}

static bool i_exceeds(Machine *m, const uint8_t *number)
{
    return m->i > number[2];
}

static bool i_between(Machine *m, const uint8_t *number)
{
    return 0 < m->i && m->i <= number[2];
}

static bool i_or_not(Machine *m, const uint8_t *number)
{
    return m->i > number[2] || !sum_exceeds(m, variable(m, number, 1), 1);
}

static bool exceeds_and_i(Machine *m, const uint8_t *number)
{
    return exceeds(m, number) && m->i < 3;
}

static bool neither(Machine *m, const uint8_t *number)
{
    return !(exceeds(m, number) || m->i > 1);
}

const ConditionDesc program_conditions[CONDITIONS] = {
    {"i > #2", i_exceeds},
    {"xp.sum($1) > #2.0", exceeds},
    {"0 < i <= #2", i_between},
    {"i > #2 or not xp.sum($1) > 1.0", i_or_not},
    {"xp.sum($1) > #2.0 and i < 3", exceeds_and_i},
    {"not (xp.sum($1) > #2.0 or i > 1)", neither},
};

#define VARIABLE                                                                                   \
    {                                                                                              \
        VARIABLES                                                                                  \
    }
#define TWO                                                                                        \
    {                                                                                              \
        VARIABLES, VARIABLES                                                                       \
    }
#define THREE                                                                                      \
    {                                                                                              \
        VARIABLES, VARIABLES, VARIABLES                                                            \
    }
/* The gradient of what a function gives of number 1, taken by xp.NAME. */
#define SLOPE_BY(name, function, of) "$0 = xp.clip(xp." name "(" function ", " of "), -64.0, 64.0)"
#define SLOPE(name, function)        SLOPE_BY(name, "lambda u: " function, "$1")
/* A product of matrices, n by 1 and 1 by 1, under autocast. */
#define PRODUCT    "h = xp.matmul($1.reshape(-1, 1), $2[:1].reshape(1, -1)).reshape(-1)\n"
#define AND_WIDTH  "i = xp.width(h)\n"
#define SCALED_SUM "$0 = xp.clip(($1 + h) * 0.125, -64.0, 64.0)"
#define CONDITION                                                                                  \
    {                                                                                              \
        CONDITIONS, VARIABLES, 5                                                                   \
    }

const StatementDesc program_statements[] = {
    {"pass", STATEMENT_PLAIN, {0}, "pass", run_nothing, NULL, NULL},
    {"end", STATEMENT_END, {0}, "", NULL, NULL, NULL},
    {"else", STATEMENT_ELSE, {0}, "else:", NULL, NULL, NULL},
    {"elif", STATEMENT_ELIF, CONDITION, "elif ?0:", NULL, NULL, NULL},
    {"if", STATEMENT_IF, CONDITION, "if ?0:", NULL, NULL, NULL},
    {"while", STATEMENT_LOOP, CONDITION, "w@ = 0\nwhile w@ < 4 and (?0):\n    w@ += 1", NULL,
     rounds_while, NULL},
    {"for_range", STATEMENT_LOOP, {0, 0, 5}, "for i in range(#2):", NULL, rounds_range, next_range},
    {"for_rows", STATEMENT_LOOP, VARIABLE, "for e in $0 * 1.0:", NULL, rounds_rows, next_row},
    {"for_items", STATEMENT_LOOP, {0}, "for v in items[:3]:", NULL, rounds_items, next_item},
    {"for_enumerate",
     STATEMENT_LOOP,
     {0},
     "for j, v in enumerate(items[:3]):",
     NULL,
     rounds_items,
     next_numbered},
    {"for_zip", STATEMENT_LOOP, VARIABLE, "for e, v in zip($0 * 1.0, items[:3]):", NULL,
     rounds_both, next_both},
    {"break", STATEMENT_BREAK, CONDITION, "if ?0:\n    break", NULL, NULL, NULL},
    {"continue", STATEMENT_CONTINUE, CONDITION, "if ?0:\n    continue", NULL, NULL, NULL},
    {"return", STATEMENT_RETURN, CONDITION, "if ?0:\n    return xp.stack([a, b, c, d])", NULL, NULL,
     NULL},
    {"raise", STATEMENT_RAISE, CONDITION, "if ?0:\n    raise ValueError('opconform raises')", NULL,
     NULL, NULL},
    {"set", STATEMENT_PLAIN, TWO, "$0 = $1 * 1.0", run_set, NULL, NULL},
    {"add", STATEMENT_PLAIN, THREE, "$0 = $1 + $2", run_add, NULL, NULL},
    {"sub", STATEMENT_PLAIN, THREE, "$0 = $1 - $2", run_sub, NULL, NULL},
    {"mul", STATEMENT_PLAIN, THREE, "$0 = xp.clip($1 * $2, -64.0, 64.0)", run_mul, NULL, NULL},
    {"maximum", STATEMENT_PLAIN, THREE, "$0 = xp.maximum($1, $2)", run_maximum, NULL, NULL},
    {"third", STATEMENT_PLAIN, TWO, "$0 = $1 / 3.0", run_third, NULL, NULL},
    {"abs", STATEMENT_PLAIN, TWO, "$0 = xp.abs($1)", run_abs, NULL, NULL},
    {"cast", STATEMENT_PLAIN, TWO, "$0 = xp.whole($1)", run_trunc, NULL, NULL},
    {"full", STATEMENT_PLAIN, {VARIABLES, 0, 5}, "$0 = xp.full($0, #2.0)", run_full, NULL, NULL},
    {"plus", STATEMENT_PLAIN, {VARIABLES, 0, 5}, "$0 += #2.0", run_plus, NULL, NULL},
    {"halve", STATEMENT_PLAIN, VARIABLE, "$0 *= 0.5", run_halve, NULL, NULL},
    {"extent", STATEMENT_PLAIN, TWO, "$0 = $1 + float($1.shape[0])", run_extent, NULL, NULL},
    {"slice", STATEMENT_PLAIN, TWO, "$0 = xp.join($1[1:], $1[:1])", run_roll, NULL, NULL},
    {"slice_set", STATEMENT_PLAIN, {VARIABLES, 0, 5}, "$0[:1] = #2.0", run_put, NULL, NULL},
    {"unpack", STATEMENT_PLAIN, TWO, "pair = ($1, $0)\n$0, $1 = pair", run_swap, NULL, NULL},
    {"if_expression", STATEMENT_PLAIN, THREE, "$0 = ($1 if xp.sum($2) > 0.0 else $2) * 1.0",
     run_choose, NULL, NULL},
    {"if_number", STATEMENT_PLAIN, THREE, "$0 = ($1 if i > 1 else $2) * 1.0", run_choose_i, NULL,
     NULL},
    {"i_set", STATEMENT_PLAIN, {0, 0, 5}, "i = #2", run_i_set, NULL, NULL},
    {"i_plus", STATEMENT_PLAIN, {0, 0, 5}, "i += #2 - 2", run_i_plus, NULL, NULL},
    {"len", STATEMENT_PLAIN, {0}, "i = len(items)", run_i_length, NULL, NULL},
    {"swap", STATEMENT_PLAIN, {0}, "i, j = j, i", run_i_swap, NULL, NULL},
    {"plus_i", STATEMENT_PLAIN, TWO, "$0 = $1 + xp.scalar(i, $1)", run_plus_i, NULL, NULL},
    {"plus_j", STATEMENT_PLAIN, TWO, "$0 = $1 + xp.scalar(j, $1)", run_plus_j, NULL, NULL},
    {"plus_e", STATEMENT_PLAIN, TWO, "$0 = $1 + e", run_plus_e, NULL, NULL},
    {"plus_v", STATEMENT_PLAIN, TWO, "$0 = $1 + v", run_plus_v, NULL, NULL},
    {"append", STATEMENT_PLAIN, VARIABLE, "items = items[-3:]\nitems.append($0 * 1.0)", run_append,
     NULL, NULL},
    {"item", STATEMENT_PLAIN, VARIABLE, "$0 = items[-1] * 1.0", run_last, NULL, NULL},
    {"list_slice", STATEMENT_PLAIN, {0}, "items = items[-1:]", run_tail, NULL, NULL},
    {"comprehension",
     STATEMENT_PLAIN,
     {0},
     "items = [v * 2.0 for v in items]",
     run_double_items,
     NULL,
     NULL},
    {"dict_set",
     STATEMENT_PLAIN,
     {VARIABLES, 0, KEYS},
     "table['k#2'] = $0 * 1.0",
     run_store,
     NULL,
     NULL},
    {"dict_get",
     STATEMENT_PLAIN,
     {VARIABLES, 0, KEYS},
     "$0 = table['k#2'] * 1.0",
     run_load,
     NULL,
     NULL},
    {"keyword",
     STATEMENT_PLAIN,
     {VARIABLES, VARIABLES, 3},
     "$0 = helper($1, scale=#2.0)",
     run_scale,
     NULL,
     NULL},
    {"default", STATEMENT_PLAIN, TWO, "$0 = helper($1)", run_scale_default, NULL, NULL},
    {"recursion",
     STATEMENT_PLAIN,
     {VARIABLES, VARIABLES, 3},
     "$0 = descend($1, #2)",
     run_descend,
     NULL,
     NULL},
    {"lambda", STATEMENT_PLAIN, THREE, "$2 = $2 + 1.0\n$0 = (lambda u: u + $2)($1)", run_closure,
     NULL, NULL},
    {"closure", STATEMENT_PLAIN, THREE,
     "def later(u):\n    return u + $2\n$2 = $2 + 1.0\n$0 = later($1)", run_closure, NULL, NULL},
    {"late_name",
     STATEMENT_PLAIN,
     {VARIABLES, 0, 3},
     "if i > #2:\n    late = 1.0\nelse:\n    late = 2.0\n$0 = $0 + late",
     run_late,
     NULL,
     NULL},
    {"shadow",
     STATEMENT_PLAIN,
     {VARIABLES, VARIABLES, 3},
     "sum = #2.0\n$0 = $1 * sum",
     run_scale,
     NULL,
     NULL},
    {"assert", STATEMENT_PLAIN, {0}, "assert len(items) > 0", run_nothing, NULL, NULL},
    {"isinstance", STATEMENT_PLAIN, VARIABLE, "if isinstance(items, list):\n    $0 = $0 + 1.0",
     run_increase, NULL, NULL},
    {"training", STATEMENT_PLAIN, VARIABLE, "if self.training:\n    $0 = $0 + 1.0", run_nothing,
     NULL, NULL},
    {"parameter", STATEMENT_PLAIN, TWO, "$0 = $1 + self.weight{|[:$1.shape[0]]}", run_weight, NULL,
     NULL},
    {"submodule", STATEMENT_PLAIN, TWO, "$0 = self.part($1)", run_part, NULL, NULL},
    {"buffer_set", STATEMENT_PLAIN, VARIABLE, "self.state = self.state + {$0|xp.sum($0)}", run_keep,
     NULL, NULL},
    {"buffer_get", STATEMENT_PLAIN, TWO, "$0 = $1 + self.state{|[:$1.shape[0]]}", run_kept, NULL,
     NULL},
    {"slice_add", STATEMENT_PLAIN, TWO, "$0[1:] += $1[1:]", run_slice_add, NULL, NULL},
    {"slice_shift", STATEMENT_PLAIN, TWO, "$0[1:] = $1[:-1] * 1.0", run_slice_shift, NULL, NULL},
    {"step_set", STATEMENT_PLAIN, {VARIABLES, 0, 5}, "$0[::2] = #2.0", run_step_set, NULL, NULL},
    {"add_in_place", STATEMENT_PLAIN, TWO, "$0 += $1", run_add_in_place, NULL, NULL},
    {"slope_square", STATEMENT_PLAIN, THREE, SLOPE("slope", "xp.sum(u * u * $2)"), run_slope_square,
     NULL, NULL},
    {"slope_maximum", STATEMENT_PLAIN, THREE, SLOPE("slope", "xp.sum(xp.maximum(u, $2))"),
     run_slope_maximum, NULL, NULL},
    {"slope_slice", STATEMENT_PLAIN, THREE, SLOPE("tape", "xp.sum(u[1:] * $2[1:])"),
     run_slope_slice, NULL, NULL},
    {"slope_product", STATEMENT_PLAIN, THREE, SLOPE("tape", "xp.sum(u) * xp.sum(u * $2)"),
     run_slope_product, NULL, NULL},
    {"slope_twice", STATEMENT_PLAIN, THREE,
     SLOPE("slope", "xp.sum(xp.slope(lambda t: xp.sum(t * t * t), u) * $2)"), run_slope_twice, NULL,
     NULL},
    {"slope_loop",
     STATEMENT_PLAIN,
     {VARIABLES, VARIABLES, 3},
     "def later(u):\n    for k in range(#2):\n        u = u * $1\n    return xp.sum(u)\n" SLOPE_BY(
         "slope", "later", "$1"),
     run_slope_loop,
     NULL,
     NULL},
    {"slope_branch",
     STATEMENT_PLAIN,
     {VARIABLES, VARIABLES, 3},
     "def later(u):\n    if i > #2:\n        return xp.sum(u * u)\n    return xp.sum(u)\n" SLOPE_BY(
         "tape", "later", "$1"),
     run_slope_branch,
     NULL,
     NULL},
    {"autocast_product", STATEMENT_PLAIN, THREE,
     "with xp.autocast:\n    " PRODUCT AND_WIDTH SCALED_SUM, run_autocast_product, NULL, NULL},
    {"autocast_off", STATEMENT_PLAIN, THREE,
     "with xp.autocast:\n    with xp.exact:\n        " PRODUCT AND_WIDTH SCALED_SUM,
     run_autocast_off, NULL, NULL},
    {"autocast_sum", STATEMENT_PLAIN, THREE,
     "with xp.autocast:\n    $0 = $1 + $2\ni = xp.width($0)", run_autocast_sum, NULL, NULL},
    {"print", STATEMENT_PLAIN, {0}, "print('opconform', i)", run_print, NULL, NULL},
    {"touch", STATEMENT_PLAIN, {0}, "seen.append(i)", run_touch, NULL, NULL},
    {"alias", STATEMENT_PLAIN, TWO, "$0 = $1", run_alias, NULL, NULL},
    {"alias_append", STATEMENT_PLAIN, VARIABLE, "items = items[-3:]\nitems.append($0)",
     run_alias_append, NULL, NULL},
    {"alias_item", STATEMENT_PLAIN, VARIABLE, "$0 = items[-1]", run_alias_item, NULL, NULL},
    {"view", STATEMENT_PLAIN, VARIABLE, "s = $0[1:]", run_view, NULL, NULL},
    {"view_step", STATEMENT_PLAIN, VARIABLE, "s = $0[::2]", run_view_step, NULL, NULL},
    {"view_turned", STATEMENT_PLAIN, VARIABLE, "s = $0.reshape(-1, 1).T[0]", run_view_turned, NULL,
     NULL},
    {"view_input", STATEMENT_PLAIN, {0}, "s = x[1:]", run_view_input, NULL, NULL},
    {"view_view", STATEMENT_PLAIN, {0}, "s = s[:2]", run_view_view, NULL, NULL},
    {"view_add", STATEMENT_PLAIN, {0, 0, 5}, "s += #2.0", run_view_add, NULL, NULL},
    {"view_halve", STATEMENT_PLAIN, {0}, "s *= 0.5", run_view_halve, NULL, NULL},
    {"view_set", STATEMENT_PLAIN, {0, 0, 5}, "s[:1] = #2.0", run_view_set, NULL, NULL},
    {"view_copy", STATEMENT_PLAIN, VARIABLE, "s[:] = $0[:s.shape[0]] * 1.0", run_view_copy, NULL,
     NULL},
    {"view_get", STATEMENT_PLAIN, TWO, "$0 = xp.join(s, $1[s.shape[0]:])", run_view_get, NULL,
     NULL},
    {NULL, STATEMENT_PLAIN, {0}, NULL, NULL, NULL, NULL},
};
