/* Modes of backends that are words with + between them. */
#ifndef OPS_BACKEND_MODE_WORDS_H
#define OPS_BACKEND_MODE_WORDS_H

#include "reference/base.h"

typedef struct ModeWord {
    const char *word;
    bool *flag; /* what it sets */
} ModeWord;

/* Reads the words of a mode; a whole number below `numbers` goes to *number, which may be NULL
 * where there are none.  False with one sentence in *error that says what is known. */
bool mode_read_words(const char *mode, const ModeWord *known, size_t count, int numbers,
                     int *number, Text *error);

#endif
