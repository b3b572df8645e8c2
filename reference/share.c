#include "share.h"

void shares_begin(Shares *s, size_t elements, Arena *arena)
{
    s->elements = elements;
    s->first = arena_take_zeroed(arena, elements + 1, sizeof *s->first);
    s->end = arena_take(arena, elements + 1, sizeof *s->end);
}

void shares_count(Shares *s, size_t element)
{
    s->first[element + 1]++;
}

void shares_allocate(Shares *s, Arena *arena)
{
    for (size_t i = 0; i < s->elements; i++) {
        s->first[i + 1] += s->first[i];
        s->end[i] = s->first[i];
    }
    s->terms = arena_take(arena, s->first[s->elements] + 1, sizeof *s->terms);
}

void shares_add(Shares *s, size_t element, Ball term)
{
    if (s->end[element] == s->first[element + 1])
        BUG("more terms than were counted for element %zu", element);
    s->terms[s->end[element]++] = term;
}

void shares_put(const Shares *s, Ref *ref)
{
    const Format *format = dtype_format(ref->accumulator);
    for (size_t i = 0; i < s->elements; i++)
        ref_put_ball(ref, i, ball_sum(format, s->terms + s->first[i], s->end[i] - s->first[i]));
}
