/* What sums of an equation's rows point to is judged as any other case is, by references of
 * elements: no sum by itself is a finding. */
#include "factors.h"

#include "admission.h"
#include "reference/random.h"

/* Rows that are judged where some are named, and elements of one row.  Where none is named so many
 * elements of one row are judged too, of factors: one of a solution takes as long as a row of the
 * product of both. */
enum { ROWS_NAMED = 4, ELEMENTS_OF_ROW = 4 };

static Judgement judge_ref(Checker *checker, const Operands *o, const Ref *ref, const double *got,
                           const uint8_t *canary)
{
    const Backend *backend = &checker->backends[checker->box->backend];
    const Documented documented = {backend, o->source->op, case_dtype(o->source)};
    const Admission admission = {admission_documented, &documented};
    return judge_output(ref, &backend->promise, &admission, NULL, got, canary,
                        &checker->workspace.arena);
}

/* The integers: false where one is wrong. */
static bool judge_integers(Checker *checker, const Operands *o, const FactorChecks *checks,
                           CheckResult *result)
{
    Arena *arena = &checker->workspace.arena;
    for (int i = 0; i < o->shapes.count; i++) {
        if (!(checks->judged >> i & 1))
            continue;
        size_t count = operands_components(o, i);
        double *got = arena_take(arena, count + 1, sizeof *got);
        uint8_t *canary = arena_take(arena, count + 1, 1);
        operands_output(o, i, got, canary);
        Judgement j = judge_ref(checker, o, &checks->refs[i], got, canary);
        if (j.kind == VERDICT_AGREE)
            continue;
        result->judgement = j;
        result->output = i;
        return false;
    }
    return true;
}

/* Some elements of an operand; false where one is wrong. */
static bool judge_some(Checker *checker, const Operands *o, const Ref *ref, const double *got,
                       const size_t *numbers, int operand, CheckResult *result)
{
    const uint8_t canary[2 * ELEMENTS_OF_ROW] = {0};
    size_t parts = (size_t)dtype_components(ref->dtype);
    Judgement j = judge_ref(checker, o, ref, got, canary);
    j.worst = numbers[j.worst / parts] + j.worst % parts;
    if (j.pattern != PATTERN_NONE)
        j.pattern = j.bad > 1 ? PATTERN_SCATTERED : PATTERN_ONE;
    if (j.kind == VERDICT_AGREE && result->judgement.ratio > j.ratio)
        return true;
    result->judgement = j;
    result->output = operand;
    return j.kind == VERDICT_AGREE;
}

/* Some elements of one row; false where one is wrong. */
static bool judge_elements(Checker *checker, const Operands *o, const FactorEquation *e,
                           int64_t row, const int64_t *columns, int64_t count, CheckResult *result)
{
    size_t numbers[ELEMENTS_OF_ROW];
    double got[2 * ELEMENTS_OF_ROW];
    Ref ref;
    factor_refer(&ref, e, row, columns, count, got, numbers, &checker->workspace.arena);
    return judge_some(checker, o, &ref, got, numbers, e->operand, result);
}

/* Columns that are right in norm; false where one is wrong. */
static bool judge_columns(Checker *checker, const Operands *o, FactorColumns *columns,
                          CheckResult *result, bool *known)
{
    Arena *arena = &checker->workspace.arena;
    size_t numbers[ELEMENTS_OF_ROW];
    double got[2 * ELEMENTS_OF_ROW];
    Ref ref;
    uint64_t seed = random_mix(case_hash(o->source));
    int64_t column = columns->find(columns, seed, known, arena);
    if (column < 0)
        return true;
    (void)columns->refer(&ref, columns, column, ELEMENTS_OF_ROW, got, numbers, arena);
    return judge_some(checker, o, &ref, got, numbers, columns->operand, result);
}

/* One row that was named, or of which something is sampled. */
static bool judge_row(Checker *checker, const Operands *o, const FactorEquation *e, int64_t row,
                      bool named, CheckResult *result)
{
    int64_t columns[ELEMENTS_OF_ROW], width = e->right.view.extent[1];
    int64_t count = width < ELEMENTS_OF_ROW ? width : ELEMENTS_OF_ROW;
    uint64_t seed = case_hash(o->source);
    int64_t stored = 0;
    for (int64_t k = 0; k < count && !named; k++) {
        int64_t at = width - 1 - (int64_t)(random_at(seed, (uint64_t)k) % (uint64_t)(k + 1));
        if (factor_has_element(e, row, at))
            columns[stored++] = at;
    }
    if (named)
        stored = factor_worst_columns(e, row, columns, count, &checker->workspace.arena);
    return stored == 0 || judge_elements(checker, o, e, row, columns, stored, result);
}

/* One equation; false where something is wrong.  *compared: elements that were judged. */
static bool judge_equation(Checker *checker, const Operands *o, const FactorEquation *e,
                           uint64_t seed, CheckResult *result, bool *known, double *compared)
{
    Arena *arena = &checker->workspace.arena;
    int64_t rows = e->right.view.extent[0], met = 0;
    FactorSums sums = factor_sums(e, seed, arena);
    *known = *known && (sums.known || sums.named > 0);
    /* An unknown that is wrong shows most in its own row, as a rule. */
    if (sums.named > 0 && sums.rows[sums.worst] &&
        !judge_row(checker, o, e, sums.worst, true, result))
        return false;
    for (int64_t i = 0; i < rows && sums.named > 0; i++) {
        met += sums.rows[i];
        bool chosen = met <= ROWS_NAMED / 2 || (size_t)met + ROWS_NAMED / 2 > sums.named;
        if (sums.rows[i] && chosen && !judge_row(checker, o, e, i, true, result))
            return false;
    }
    if (!sums.known && e->may_overflow)
        return true;
    if (sums.named > 0 || e->factors > 2 || rows == 0 || e->right.view.extent[1] == 0)
        return true;
    *compared += ELEMENTS_OF_ROW;
    return judge_row(checker, o, e, (int64_t)(random_at(seed, 1) % (uint64_t)rows), false, result);
}

/* Two equations of which one is enough: the one that is less wrong is filed. */
static bool judge_either(Checker *checker, const Operands *o, const FactorEquation *e,
                         uint64_t seed, CheckResult *result, bool *known, double *compared)
{
    CheckResult other = *result;
    bool other_known = true;
    if (judge_equation(checker, o, &e[0], random_at(seed, 0), result, known, compared))
        return true;
    if (judge_equation(checker, o, &e[1], random_at(seed, 1), &other, &other_known, compared)) {
        *result = other;
        *known = other_known;
        return true;
    }
    if (other.judgement.bound_ratio < result->judgement.bound_ratio)
        *result = other;
    return false;
}

/* *total: elements that the equations are of. */
static bool judge_equations(Checker *checker, const Operands *o, const FactorChecks *checks,
                            CheckResult *result, bool *known, double *compared, double *total)
{
    Arena *arena = &checker->workspace.arena;
    uint64_t seed = random_mix(case_hash(o->source));
    bool right = true;
    for (int i = 0; i < checks->count && right; i += checks->either ? 2 : 1) {
        const FactorEquation *e = &checks->equation[i];
        size_t used = arena->used;
        *total += (double)operands_components(o, e->operand);
        if (checks->either)
            right = judge_either(checker, o, e, seed, result, known, compared);
        else
            right = judge_equation(checker, o, e, random_at(seed, (uint64_t)i), result, known,
                                   compared);
        arena->used = used;
    }
    return right;
}

void factors_judge(Checker *checker, const Operands *o, CheckResult *result)
{
    Arena *arena = &checker->workspace.arena;
    const Promise *promise = &checker->backends[result->backend].promise;
    Judgement *j = &result->judgement;
    size_t mark = arena->used;
    double compared = 0, total = 0;
    bool known = true;
    FactorChecks checks;
    *j = (Judgement){.kind = VERDICT_AGREE, .model = promise->models->name};
    operands_factors(o, &checks, arena);
    if (checks.count > 0)
        result->output = checks.equation[checks.count - 1].operand;
    bool right = judge_integers(checker, o, &checks, result) &&
                 judge_equations(checker, o, &checks, result, &known, &compared, &total);
    if (checks.columns) {
        result->output = right ? checks.columns->operand : result->output;
        right = right && judge_columns(checker, o, checks.columns, result, &known);
    }
    if (right && (!known || (checks.count == 0 && !checks.columns)))
        j->kind = VERDICT_UNDECIDED;
    j->total = operands_components(o, result->output);
    j->method = METHOD_SUMS_BOUNDED;
    j->share = total > 0 ? compared / total : 0;
    if (j->kind == VERDICT_AGREE && j->model == promise->models->name)
        j->model = method_name(j->method);
    arena->used = mark;
}
