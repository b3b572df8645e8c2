/* Open addressing: at most half of the slots are taken. */
#include "key_set.h"

#include <stdlib.h>
#include <string.h>

#include "reference/random.h"

Key key_behind(const Key *before, const char *text, size_t length)
{
    return (Key){
        {random_fold(before->words[0], text, length), random_fold(before->words[1], text, length)}};
}

Key key_of(const Text *text)
{
    static const Key nothing = {{1, 2}};
    return key_behind(&nothing, text_string(text), text->length);
}

int key_compare(const Key *a, const Key *b)
{
    int at = a->words[0] == b->words[0];
    return (a->words[at] > b->words[at]) - (a->words[at] < b->words[at]);
}

static size_t *slot_of(const KeySet *set, const Key *key)
{
    size_t slots = 2 * set->room, at = key->words[0] % slots;
    while (set->slots[at] && key_compare(&set->keys[set->slots[at] - 1], key) != 0)
        at = (at + 1) % slots;
    return &set->slots[at];
}

static void make_room(KeySet *set)
{
    if (set->count < set->room)
        return;
    set->room = set->room ? 2 * set->room : 64;
    set->keys = memory_resize(set->keys, set->room, sizeof *set->keys);
    free(set->slots);
    set->slots = memory_allocate(2 * set->room, sizeof *set->slots);
    for (size_t i = 0; i < set->count; i++)
        *slot_of(set, &set->keys[i]) = i + 1;
}

size_t key_set_put(KeySet *set, const Key *key)
{
    make_room(set);
    size_t *slot = slot_of(set, key);
    if (*slot == 0) {
        set->keys[set->count++] = *key;
        *slot = set->count;
    }
    return *slot - 1;
}

void key_set_release(KeySet *set)
{
    free(set->keys);
    free(set->slots);
    *set = (KeySet){0};
}
