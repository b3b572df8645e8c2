/* Classifies where the bad elements of an output lie; part of the signature of a finding. */
#include "judge.h"

static const char *const names[PATTERN_COUNT] = {
    "none",    "one element", "whole",    "last rows", "last columns",
    "one row", "one column",  "diagonal", "periodic",  "scattered"};

const char *pattern_name(Pattern pattern)
{
    REQUIRE(pattern < PATTERN_COUNT);
    return names[pattern];
}

typedef struct Extent {
    size_t first_row, last_row, first_column, last_column;
    bool diagonal;
} Extent;

static Extent extent_of(const uint8_t *mask, size_t rows, size_t columns)
{
    Extent e = {rows, 0, columns, 0, true};
    for (size_t i = 0; i < rows; i++) {
        for (size_t j = 0; j < columns; j++) {
            if (!mask[i * columns + j])
                continue;
            e.first_row = i < e.first_row ? i : e.first_row;
            e.last_row = i > e.last_row ? i : e.last_row;
            e.first_column = j < e.first_column ? j : e.first_column;
            e.last_column = j > e.last_column ? j : e.last_column;
            e.diagonal = e.diagonal && i == j;
        }
    }
    return e;
}

/* Bad columns (or rows) recur with a period that fits in the mask at least twice. */
static bool is_periodic(const uint8_t *mask, size_t rows, size_t columns, size_t period)
{
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j + period < columns; j++)
            if (mask[i * columns + j] != mask[i * columns + j + period])
                return false;
    return true;
}

Pattern pattern_of(const uint8_t *mask, size_t rows, size_t columns, size_t bad)
{
    REQUIRE(bad <= rows * columns);
    if (bad == 0)
        return PATTERN_NONE;
    if (bad == rows * columns)
        return PATTERN_WHOLE;
    if (bad == 1)
        return PATTERN_ONE;
    Extent e = extent_of(mask, rows, columns);
    size_t height = e.last_row - e.first_row + 1, width = e.last_column - e.first_column + 1;
    bool dense = bad * 2 > height * width;
    if (dense && height < rows && width == columns)
        return e.last_row == rows - 1 ? PATTERN_LAST_ROWS : PATTERN_ROW;
    if (dense && width < columns && height == rows)
        return e.last_column == columns - 1 ? PATTERN_LAST_COLUMNS : PATTERN_COLUMN;
    if (e.diagonal)
        return PATTERN_DIAGONAL;
    static const size_t periods[] = {2, 4, 8, 16, 32};
    for (size_t p = 0; p < sizeof periods / sizeof periods[0]; p++)
        if (periods[p] * 2 <= columns && is_periodic(mask, rows, columns, periods[p]))
            return PATTERN_PERIODIC;
    return PATTERN_SCATTERED;
}
