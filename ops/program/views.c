/* Names of one vector, views of it, and updates in place. */
#include <string.h>

#include "effects.h"

static void mark(bool *used, const int *names, int count)
{
    for (int i = 0; i < count; i++)
        used[names[i]] = true;
}

void machine_bind(Machine *m, int *name, Vector value)
{
    bool used[STORES] = {false};
    int at = 0;
    mark(used, m->input, 2);
    mark(used, m->variable, VARIABLES);
    mark(used, m->items, ITEMS_MAX);
    mark(used, m->table, KEYS);
    mark(used, &m->v, 1);
    mark(used, &m->view.store, 1);
    for (int i = 0; i < m->depth; i++)
        mark(used, m->loop[i].items, ITEMS_MAX);
    while (used[at])
        at++;
    m->store[at] = value;
    *name = at;
}

Vector *variable(Machine *m, const uint8_t *number, int which)
{
    return &m->store[m->variable[number[which]]];
}

void bind_variable(Machine *m, const uint8_t *number, Vector value)
{
    machine_bind(m, &m->variable[number[0]], value);
}

Vector combined(const Machine *m, const Vector *x, const Vector *y, Elementwise *operation)
{
    Vector result = {0};
    for (int i = 0; i < m->n; i++)
        result.at[i] = operation(m->format, x->at[i], y->at[i]);
    return result;
}

Vector combined_with(const Machine *m, const Vector *x, Ball y, Elementwise *operation)
{
    Vector result = {0};
    for (int i = 0; i < m->n; i++)
        result.at[i] = operation(m->format, x->at[i], y);
    return result;
}

int *items_next(Machine *m)
{
    if (m->item_count == ITEMS_MAX - 1) {
        m->item_count--;
        memmove(m->items, m->items + 1, sizeof *m->items * (size_t)m->item_count);
    }
    return &m->items[m->item_count++];
}

void run_slice_add(Machine *m, const uint8_t *number)
{
    Vector *to = variable(m, number, 0), *from = variable(m, number, 1);
    for (int i = 1; i < m->n; i++)
        to->at[i] = ball_add(m->format, to->at[i], from->at[i]);
}

void run_slice_shift(Machine *m, const uint8_t *number)
{
    Vector from = *variable(m, number, 1), *to = variable(m, number, 0);
    for (int i = 1; i < m->n; i++)
        to->at[i] = from.at[i - 1];
}

void run_step_set(Machine *m, const uint8_t *number)
{
    for (int i = 0; i < m->n; i += 2)
        variable(m, number, 0)->at[i] = ball_exact(number[2]);
}

void run_add_in_place(Machine *m, const uint8_t *number)
{
    Vector *to = variable(m, number, 0);
    *to = combined(m, to, variable(m, number, 1), ball_add);
}

void run_alias(Machine *m, const uint8_t *number)
{
    m->variable[number[0]] = m->variable[number[1]];
}

void run_alias_append(Machine *m, const uint8_t *number)
{
    *items_next(m) = m->variable[number[0]];
}

void run_alias_item(Machine *m, const uint8_t *number)
{
    m->variable[number[0]] = m->items[m->item_count - 1];
}

void run_view(Machine *m, const uint8_t *number)
{
    m->view = (View){m->variable[number[0]], 1, 1, m->n - 1};
}

void run_view_step(Machine *m, const uint8_t *number)
{
    m->view = (View){m->variable[number[0]], 0, 2, (m->n + 1) / 2};
}

void run_view_turned(Machine *m, const uint8_t *number)
{
    m->view = (View){m->variable[number[0]], 0, 1, m->n};
}

void run_view_input(Machine *m, const uint8_t *number)
{
    (void)number;
    m->view = (View){m->input[0], 1, 1, m->n - 1};
}

void run_view_view(Machine *m, const uint8_t *number)
{
    (void)number;
    m->view.count = m->view.count < 2 ? m->view.count : 2;
}

static Ball *viewed(Machine *m, int i)
{
    return &m->store[m->view.store].at[m->view.start + i * m->view.step];
}

static void update_view(Machine *m, Ball y, Elementwise *operation)
{
    for (int i = 0; i < m->view.count; i++)
        *viewed(m, i) = operation(m->format, *viewed(m, i), y);
}

void run_view_add(Machine *m, const uint8_t *number)
{
    update_view(m, ball_exact(number[2]), ball_add);
}

void run_view_halve(Machine *m, const uint8_t *number)
{
    (void)number;
    update_view(m, ball_exact(0.5), ball_multiply);
}

void run_view_set(Machine *m, const uint8_t *number)
{
    if (m->view.count > 0)
        *viewed(m, 0) = ball_exact(number[2]);
}

void run_view_copy(Machine *m, const uint8_t *number)
{
    Vector from = *variable(m, number, 0);
    for (int i = 0; i < m->view.count; i++)
        *viewed(m, i) = from.at[i];
}

void run_view_get(Machine *m, const uint8_t *number)
{
    Vector result = *variable(m, number, 1);
    for (int i = 0; i < m->view.count; i++)
        result.at[i] = *viewed(m, i);
    bind_variable(m, number, result);
}
