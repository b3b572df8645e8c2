/* Which causes are switched on, and what all calls go through. */
#include "call.h"
#include "causes.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const Cause *chosen[64];
static int chosen_count;

static void choose(const char *name)
{
    for (const Cause *cause = causes; cause->name; cause++)
        if (!strcmp(cause->name, name) && chosen_count < 64) {
            chosen[chosen_count++] = cause;
            return;
        }
    (void)fprintf(stderr, "no cause is called '%s'\n", name);
    exit(2);
}

__attribute__((constructor)) static void choose_causes(void)
{
    const char *names = getenv("CAUSES");
    char *copy = strdup(names ? names : ""), *rest = copy;
    for (char *name; rest && (name = strsep(&rest, ",")) != NULL;)
        if (*name)
            choose(name);
    free(copy);
}

void *call_find(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function) {
        (void)fprintf(stderr, "the right library has no %s\n", name);
        exit(2);
    }
    return function;
}

int call_takes(const Call *call, const char *argument)
{
    return call_position(call, argument) > 0;
}

int call_position(const Call *call, const char *argument)
{
    int position = 0;
    const char *rest = call->arguments + 1;
    for (; *rest; rest = strchr(rest, ' ') + 1) {
        size_t length = strlen(argument);
        position++;
        if (!strncmp(rest, argument, length) && rest[length] == ' ')
            return position;
    }
    return 0;
}

int call_is(const Call *call, const char *ops)
{
    const char *found = ops;
    size_t length = strlen(call->op);
    for (; (found = strstr(found, call->op)) != NULL; found++)
        if ((found == ops || found[-1] == ' ') && (found[length] == ' ' || !found[length]))
            return 1;
    return 0;
}

size_t call_size(const Call *call)
{
    return (call->is_double ? 8 : 4) * (call->is_complex ? 2 : 1);
}

/* The vector that a routine without a matrix for its result writes, as a matrix of one column. */
static Output vector_of(const Call *call, void *data, int increment)
{
    int length = call_takes(call, "m") && call->ta == NO_TRANS ? call->m : call->n;
    ptrdiff_t step = increment < 0 ? -increment : increment;
    return (Output){data, length, 1, step, 0, increment < 0};
}

Output call_output(const Call *call)
{
    int is_row = call->order == ROW_MAJOR;
    int rows = call_takes(call, "m") ? call->m : call->n;
    if (call_takes(call, "c") && call_takes(call, "ldc"))
        return (Output){call->c, rows, call->n, is_row ? call->ldc : 1, is_row ? 1 : call->ldc, 0};
    if (call_takes(call, "b"))
        return (Output){call->b, rows, call->n, is_row ? call->ldb : 1, is_row ? 1 : call->ldb, 0};
    if (call_is(call, "ger geru gerc syr syr2 her her2"))
        return (Output){call->a, rows, call->n, is_row ? call->lda : 1, is_row ? 1 : call->lda, 0};
    if (call_is(call, "spr spr2 hpr hpr2"))
        return (Output){call->ap, call->n * (call->n + 1) / 2, 1, 1, 0, 0};
    if (call->result)
        return (Output){NULL, 0, 0, 0, 0, 0};
    return call_takes(call, "y") ? vector_of(call, call->y, call->incy)
                                 : vector_of(call, call->x, call->incx);
}

void *output_component(const Call *call, Output output, int i, int j)
{
    ptrdiff_t row = output.is_backwards ? output.rows - 1 - i : i;
    return (char *)output.data + (size_t)(row * output.row + j * output.column) * call_size(call);
}

/* A triangle has no elements outside it. */
int output_has(const Call *call, int i, int j)
{
    if (!call_is(call, "syrk herk syr2k her2k syr her syr2 her2"))
        return 1;
    return call->uplo == UPPER ? i <= j : i >= j;
}

Number call_number_at(const Call *call, const void *at)
{
    const float *narrow = at;
    const double *wide = at;
    Number number = {call->is_double ? wide[0] : narrow[0], 0};
    if (call->is_complex)
        number.im = call->is_double ? wide[1] : narrow[1];
    return number;
}

void call_number_put(const Call *call, void *at, Number number)
{
    float *narrow = at;
    double *wide = at;
    for (int part = 0; part <= call->is_complex; part++) {
        double value = part ? number.im : number.re;
        if (call->is_double)
            wide[part] = value;
        else
            narrow[part] = (float)value;
    }
}

void output_each(Call *call, void (*change)(Call *call, Output output, int i, int j))
{
    Output output = call_output(call);
    for (int j = 0; output.data && j < output.columns; j++)
        for (int i = 0; i < output.rows; i++)
            if (output_has(call, i, j))
                change(call, output, i, j);
}

static void save_element(Call *call, Output output, int i, int j)
{
    char *to = (char *)call->saved + (size_t)(j * output.rows + i) * call_size(call);
    memcpy(to, output_component(call, output, i, j), call_size(call));
}

void output_restore(Call *call, Output output, int i, int j)
{
    const char *from = (char *)call->saved + (size_t)(j * output.rows + i) * call_size(call);
    memcpy(output_component(call, output, i, j), from, call_size(call));
}

/* Calls with illegal arguments have no output that may be looked at. */
static int is_legal(const Call *call)
{
    int positive =
        !call_takes(call, "order") || call->order == ROW_MAJOR || call->order == COL_MAJOR;
    return positive && call->m >= 0 && call->n >= 0 && call->k >= 0 && call->kl >= 0 &&
           call->ku >= 0 && call_lds_fit(call) &&
           (!call_takes(call, "uplo") || call->uplo == UPPER || call->uplo == LOWER) &&
           (!call_takes(call, "ta") || (call->ta >= NO_TRANS && call->ta <= CONJ_TRANS)) &&
           (!call_takes(call, "tb") || (call->tb >= NO_TRANS && call->tb <= CONJ_TRANS)) &&
           (!call_takes(call, "side") || call->side == LEFT || call->side == RIGHT) &&
           (!call_takes(call, "diag") || call->diag == UNIT || call->diag == NON_UNIT);
}

/* Rows (where columns are stored one after the other) or columns of a stored matrix. */
static int extent_of(const Call *call, char matrix)
{
    int rows = call_takes(call, "m") ? call->m : call->n, columns = call->n;
    int swapped = 0;
    if (matrix == 'a' && call_takes(call, "kl"))
        return call->kl + call->ku + 1;
    if (matrix == 'a' && call_is(call, "sbmv hbmv tbmv tbsv"))
        return call->k + 1;
    if (matrix == 'a' && call_takes(call, "side"))
        return call->side == LEFT ? call->m : call->n;
    if (call_takes(call, "k") && matrix != 'c') {
        int is_b = matrix == 'b' && call_takes(call, "tb");
        rows = is_b ? call->k : rows;
        columns = is_b ? call->n : call->k;
        swapped = (is_b ? call->tb : call->ta) != NO_TRANS;
    }
    return (call->order == ROW_MAJOR) != swapped ? columns : rows;
}

static int fits(const Call *call, const char *argument, int leading)
{
    int extent = extent_of(call, argument[2]);
    return !call_takes(call, argument) || leading >= (extent > 1 ? extent : 1);
}

int call_lds_fit(const Call *call)
{
    return fits(call, "lda", call->lda) && fits(call, "ldb", call->ldb) &&
           fits(call, "ldc", call->ldc);
}

int call_begin(Call *call)
{
    int runs = 1, legal = is_legal(call);
    Output output = call_output(call);
    call->before = malloc(sizeof *call);
    *call->before = *call;
    if (legal && output.data) {
        call->saved = malloc((size_t)output.rows * (size_t)output.columns * call_size(call) + 1);
        output_each(call, save_element);
    }
    call->before->saved = call->saved;
    for (int i = 0; i < chosen_count; i++)
        if (chosen[i]->begin && (legal || chosen[i]->takes_illegal))
            runs &= chosen[i]->begin(call);
    call->before->before = legal ? call : NULL;
    return runs;
}

void call_end(Call *call)
{
    Call *before = call->before;
    for (int i = 0; before->before && i < chosen_count; i++)
        if (chosen[i]->end)
            chosen[i]->end(before);
    free(call->saved);
    free(before);
}
