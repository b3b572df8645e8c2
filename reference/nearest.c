/* Distances between names: letters that are missing, too many, wrong, or exchanged with the next
 * one (optimal string alignment). */
#include "nearest.h"

#include <stdio.h>
#include <string.h>

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

static size_t distance_of(const char *a, const char *b)
{
    size_t rows[3][NEAREST_BYTES], length = strlen(b);
    for (size_t k = 0; k <= length; k++)
        rows[0][k] = k;
    for (size_t i = 1; i <= strlen(a); i++) {
        const size_t *before = rows[(i - 1) % 3], *first = rows[(i + 1) % 3];
        size_t *row = rows[i % 3];
        row[0] = i;
        for (size_t k = 1; k <= length; k++) {
            row[k] =
                least(before[k - 1] + (a[i - 1] != b[k - 1]), least(before[k], row[k - 1]) + 1);
            if (i > 1 && k > 1 && a[i - 1] == b[k - 2] && a[i - 2] == b[k - 1])
                row[k] = least(row[k], first[k - 2] + 1);
        }
    }
    return rows[strlen(a) % 3][length];
}

static size_t common_start(const char *a, const char *b)
{
    size_t length = 0;
    while (a[length] && a[length] == b[length])
        length++;
    return length;
}

Nearest nearest_begin(const char *wanted, size_t length)
{
    Nearest nearest = {.distance = NEAREST_BYTES};
    (void)snprintf(nearest.wanted, sizeof nearest.wanted, "%.*s", (int)length, wanted);
    return nearest;
}

void nearest_offer(Nearest *nearest, const char *name)
{
    if (strlen(name) >= sizeof nearest->name)
        return;
    size_t distance = distance_of(nearest->wanted, name);
    bool begins_nearer =
        common_start(nearest->wanted, name) > common_start(nearest->wanted, nearest->name);
    if (distance > nearest->distance || (distance == nearest->distance && !begins_nearer))
        return;
    nearest->distance = distance;
    (void)snprintf(nearest->name, sizeof nearest->name, "%s", name);
}

/* One letter in three may be wrong, and one of two. */
void nearest_put(const Nearest *nearest, Text *text)
{
    size_t length = strlen(nearest->wanted), most = length < 3 ? length / 2 : length / 3;
    if (nearest->name[0] && nearest->distance <= most)
        text_printf(text, "; did you mean %s?", nearest->name);
}
