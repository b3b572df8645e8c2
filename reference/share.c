/* Collects the terms of a scattered sum, then sums those of each element as a ball. */
#include "share.h"

enum { CHUNK = 1024 };

typedef struct Share {
    size_t element;
    Ball term;
} Share;

struct ShareChunk {
    ShareChunk *next;
    size_t used;
    Share shares[CHUNK];
};

Shares shares_begin(Arena *arena)
{
    return (Shares){.arena = arena};
}

void shares_add(Shares *s, size_t element, Ball term)
{
    REQUIRE(term.radius >= 0);
    if (!s->last || s->last->used == CHUNK) {
        ShareChunk *chunk = arena_take(s->arena, 1, sizeof *chunk);
        chunk->next = NULL;
        chunk->used = 0;
        *(s->last ? &s->last->next : &s->first) = chunk;
        s->last = chunk;
    }
    s->last->shares[s->last->used++] = (Share){element, term};
    s->count++;
}

/* Terms are brought together by element and keep their order. */
void shares_put(const Shares *s, Ref *ref)
{
    const Format *format = dtype_format(ref->accumulator);
    size_t *first = arena_take_zeroed(s->arena, ref->count + 1, sizeof *first);
    size_t *end = arena_take(s->arena, ref->count + 1, sizeof *end);
    Ball *terms = arena_take(s->arena, s->count + 1, sizeof *terms);
    for (const ShareChunk *chunk = s->first; chunk; chunk = chunk->next)
        for (size_t i = 0; i < chunk->used; i++) {
            REQUIRE(chunk->shares[i].element < ref->count);
            first[chunk->shares[i].element + 1]++;
        }
    for (size_t i = 0; i < ref->count; i++) {
        first[i + 1] += first[i];
        end[i] = first[i];
    }
    for (const ShareChunk *chunk = s->first; chunk; chunk = chunk->next)
        for (size_t i = 0; i < chunk->used; i++)
            terms[end[chunk->shares[i].element]++] = chunk->shares[i].term;
    for (size_t i = 0; i < ref->count; i++)
        ref_put_ball(ref, i, ball_sum(format, terms + first[i], end[i] - first[i]));
}
