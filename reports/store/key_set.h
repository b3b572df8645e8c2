/* Numbers for things that are told apart by a hash of 128 bits of what is written of them; private
 * to the store. */
#ifndef REPORTS_KEY_SET_H
#define REPORTS_KEY_SET_H

#include "reference/base.h"

typedef struct Key {
    uint64_t words[2];
} Key;

/* The key of a text; and that of another text behind one that has a key. */
Key key_of(const Text *text);
Key key_behind(const Key *before, const char *text, size_t length);
int key_compare(const Key *a, const Key *b);

/* Zero-initialised is empty. */
typedef struct KeySet {
    Key *keys; /* by their numbers */
    size_t count, room;
    size_t *slots; /* numbers and 1, by their keys; 0 is none */
} KeySet;

/* The number of a key, which is the count of the others where it is a new one: then it is the
 * highest one afterwards. */
size_t key_set_put(KeySet *set, const Key *key);
void key_set_release(KeySet *set);

#endif
