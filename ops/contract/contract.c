/* Looks clauses and departures up. */
#include "contract.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { WORD_BYTES = 64, VERSION_PARTS = 4 };

/* Takes the next word of a list with spaces between them; false at its end. */
static bool next_word(const char **list, char word[WORD_BYTES])
{
    *list += strspn(*list, " ");
    size_t length = strcspn(*list, " ");
    REQUIRE(length < WORD_BYTES);
    memcpy(word, *list, length);
    word[length] = '\0';
    *list += length;
    return length > 0;
}

bool contract_covers(const char *operators, const OpDesc *op)
{
    char word[WORD_BYTES];
    while (next_word(&operators, word))
        if (op_matches(op, word))
            return true;
    return false;
}

static bool has_word(const char *list, const char *wanted)
{
    char word[WORD_BYTES];
    while (next_word(&list, word))
        if (!strcmp(word, wanted))
            return true;
    return false;
}

/* True where words with + between them have a word, or where any will do. */
static bool mode_has(const char *mode, const char *wanted)
{
    size_t length = strlen(wanted);
    for (const char *word = mode; word; word = strchr(word, '+')) {
        word += *word == '+';
        if (strcspn(word, "+") == length && !strncmp(word, wanted, length))
            return true;
    }
    return false;
}

/* True where a word, NAME or NAME:WORD, names the library in the mode, any where that is NULL. */
static bool is_named(char word[WORD_BYTES], const char *library, const char *mode)
{
    char *colon = strchr(word, ':');
    if (colon)
        *colon = '\0';
    return !strcmp(word, library) && (!colon || !mode || mode_has(mode, colon + 1));
}

static bool has_library(const char *libraries, ContractParty party)
{
    char word[WORD_BYTES];
    bool all = has_word(libraries, "*");
    while (next_word(&libraries, word))
        if (is_named(word + (word[0] == '!'), party.library, party.mode))
            return word[0] != '!';
    return all;
}

bool contract_names(const Departure *departure, const char *library)
{
    char word[WORD_BYTES];
    const char *libraries = departure->library;
    while (next_word(&libraries, word))
        if (is_named(word, library, NULL))
            return true;
    return false;
}

/* The first numbers of a text, as of version 0.3.27 or "OpenBLAS 0.3.27"; returns how many. */
static int read_version(const char *text, size_t length, long parts[VERSION_PARTS])
{
    const char *end = text + length;
    int count = 0;
    while (text < end && !isdigit((unsigned char)*text))
        text++;
    while (count < VERSION_PARTS && text < end && isdigit((unsigned char)*text)) {
        char *after;
        parts[count++] = strtol(text, &after, 10);
        text = after + (after < end && *after == '.');
    }
    return count;
}

/* Compares as many numbers as the limit has. */
static int compare_version(const long parts[VERSION_PARTS], int count,
                           const long limit[VERSION_PARTS], int limit_count)
{
    for (int i = 0; i < limit_count; i++) {
        long part = i < count ? parts[i] : 0;
        if (part != limit[i])
            return part < limit[i] ? -1 : 1;
    }
    return 0;
}

bool contract_has_version(const char *versions, const char *version)
{
    const char *dots = strstr(versions, "..");
    long parts[VERSION_PARTS], limit[VERSION_PARTS];
    if (!dots)
        return !strcmp(versions, "*");
    int count = read_version(version, strlen(version), parts);
    int first = read_version(versions, (size_t)(dots - versions), limit);
    if (count == 0 || compare_version(parts, count, limit, first) < 0)
        return false;
    int last = read_version(dots + 2, strlen(dots + 2), limit);
    return compare_version(parts, count, limit, last) <= 0;
}

bool contract_is_unspecified(const Clause *clause)
{
    static const char word[] = "unspecified:";
    return !strncmp(clause->source, word, sizeof word - 1);
}

const Clause *contract_clause(const char *name)
{
    for (const Clause *clause = contract_clauses; clause->name; clause++)
        if (!strcmp(clause->name, name))
            return clause;
    return NULL;
}

const Clause *contract_demand(const char *policy, const OpDesc *op)
{
    for (const Clause *clause = contract_clauses; clause->name; clause++)
        if (has_word(clause->policies, policy) && (!op || contract_covers(clause->operators, op)))
            return clause;
    return NULL;
}

const Departure *contract_departure(ContractParty party, const OpDesc *op, DType dtype,
                                    const char *policy)
{
    const Departure *found = NULL;
    for (const Departure *d = contract_departures; d->library; d++)
        if (!strcmp(d->policy, policy) && (!found || !found->source) &&
            has_library(d->library, party) && contract_has_version(d->versions, party.version) &&
            contract_covers(d->operators, op) &&
            (has_word(d->types, "*") || has_word(d->types, dtype_name(dtype))))
            found = found && !d->source ? found : d;
    return found;
}

const Departure *contract_admits(ContractParty party, const OpDesc *op, DType dtype,
                                 const char *policy)
{
    const Departure *found = contract_departure(party, op, dtype, policy);
    return found && found->source ? found : NULL;
}

const RankLimit *contract_rank_limit(const char *library, const char *version, const OpDesc *op,
                                     int rank)
{
    const RankLimit *found = NULL;
    for (const RankLimit *limit = contract_ranks; limit->library; limit++)
        if ((rank < limit->least || rank > limit->greatest) && (!found || !found->source) &&
            !strcmp(limit->library, library) && contract_has_version(limit->versions, version) &&
            contract_covers(limit->operators, op))
            found = found && !limit->source ? found : limit;
    return found;
}
