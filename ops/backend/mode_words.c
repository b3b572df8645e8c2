/* Word by word. */
#include "mode_words.h"

#include <stdlib.h>
#include <string.h>

#include "reference/nearest.h"

enum { DIGITS_MAX = 4 };

static bool read_word(const char *word, size_t length, const ModeWord *known, size_t count,
                      int numbers, int *number)
{
    if (number && length > 0 && length <= DIGITS_MAX && strspn(word, "0123456789") == length) {
        *number = atoi(word);
        return *number < numbers;
    }
    for (size_t i = 0; i < count; i++)
        if (strlen(known[i].word) == length && !strncmp(known[i].word, word, length)) {
            *known[i].flag = true;
            return true;
        }
    return false;
}

bool mode_read_words(const char *mode, const ModeWord *known, size_t count, int numbers,
                     int *number, Text *error)
{
    while (*mode) {
        size_t length = strcspn(mode, "+");
        if (!read_word(mode, length, known, count, numbers, number)) {
            text_printf(error, "no mode '%.*s': expected", (int)length, mode);
            if (number)
                text_printf(error, " 0 to %d", numbers - 1);
            Nearest nearest = nearest_begin(mode, length);
            for (size_t i = 0; i < count; i++) {
                text_printf(error, " %s", known[i].word);
                nearest_offer(&nearest, known[i].word);
            }
            nearest_put(&nearest, error);
            return false;
        }
        mode += length + (mode[length] == '+');
    }
    return true;
}
