/* Draws the bad elements of an output into a small grid that is stored with a finding. */
#include "judge.h"

static size_t cells(size_t extent, size_t most)
{
    return extent < most ? extent : most;
}

void picture_draw(Picture *picture, const uint8_t *mask, size_t rows, size_t columns)
{
    size_t down = cells(rows, PICTURE_ROWS), across = cells(columns, PICTURE_COLUMNS);
    picture->rows = (uint8_t)down;
    picture->columns = (uint8_t)across;
    for (size_t r = 0; r < rows; r++)
        for (size_t c = 0; c < columns; c++)
            if (mask[r * columns + c])
                picture->bad[r * down / rows] |= 1u << (c * across / columns);
}

void picture_count(Picture *picture, uint64_t ulps)
{
    int bin = 0;
    while (bin < PICTURE_ULPS - 1 && ulps > 1) {
        ulps >>= 1;
        bin++;
    }
    if (picture->ulps[bin] < UINT16_MAX)
        picture->ulps[bin]++;
}
