/* Fuzzes what changes cases: mutants and children of two inputs are cases again, and whatever is
 * simpler than a parameter is legal, with candidates that end. */
#include <stdlib.h>
#include <string.h>

#include "fuzz/engine/mutate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CANDIDATES_MAX = 100000 };

static void check_legal(const Case *c)
{
    Case again = *c;
    Text line = {0}, error = {0};
    case_normalise(&again, NULL);
    case_print(&again, &line);
    if (!case_equal(c, &again) || !case_parse(&again, text_string(&line), &error))
        abort();
    text_release(&line);
    text_release(&error);
}

/* Takes every candidate of every parameter once. */
static void simplify(const Case *c)
{
    ParamGroup groups[CASE_GROUPS_MAX];
    Case copy = *c;
    int count = case_groups(&copy, groups);
    for (int g = 0; g < count; g++)
        for (const Param *param = groups[g].params; param->name; param++)
            for (int number = 0;; number++) {
                Case candidate = *c;
                ParamGroup own[CASE_GROUPS_MAX];
                (void)case_groups(&candidate, own);
                if (number == CANDIDATES_MAX)
                    abort();
                if (!param_simpler(param, own[g].values, number))
                    break;
                case_normalise(&candidate, NULL);
                if (number < 32)
                    check_legal(&candidate);
            }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[CASE_BYTES_MAX], child[CASE_BYTES_MAX];
    Scope scope = scope_all();
    uint64_t seed = size;
    size_t half = size / 2;
    Case c;
    for (size_t i = 0; i < size; i++)
        seed = seed * 31 + data[i];
    case_decode(&c, &scope, data, size);
    check_legal(&c);
    simplify(&c);
    size_t mutant = size < sizeof bytes ? size : sizeof bytes;
    memcpy(bytes, data, mutant);
    mutant = mutate_bytes(bytes, mutant, sizeof bytes, &scope, seed);
    size_t born =
        cross_bytes(data, half, data + half, size - half, child, sizeof child, &scope, seed);
    if (mutant > sizeof bytes || born > sizeof child)
        abort();
    case_decode(&c, &scope, bytes, mutant);
    check_legal(&c);
    case_decode(&c, &scope, child, born);
    check_legal(&c);
    return 0;
}
