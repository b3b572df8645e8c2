/* Clauses and departures as rows, and as a page. */
#include "contracts.h"

#include <stdio.h>
#include <string.h>

#include "ops/contract/adjustment.h"
#include "ops/contract/policy.h"
#include "ranges.h"
#include "reference/escape.h"
#include "reports/json.h"
#include "zeros.h"

enum { COLUMNS = 9 };
static const char *const columns[COLUMNS] = {
    "clause", "library", "versions", "operators", "verdict", "reading", "says", "source", "types"};

static const char *verdict_of(const Departure *d)
{
    return d->source ? "convention" : "bug";
}

static const char *source_of(const Departure *d)
{
    return d->source ? d->source : "undocumented";
}

static void put_json(const char *const cells[COLUMNS], bool first)
{
    Text json = {0};
    text_put(&json, first ? "[{" : ",\n {");
    for (int i = 0; i < COLUMNS; i++)
        json_put_member(&json, columns[i], cells[i]);
    printf("%s}", text_string(&json));
    text_release(&json);
}

static void put_separated(const char *const cells[COLUMNS], bool quoted)
{
    Text row = {0};
    for (int i = 0; i < COLUMNS; i++) {
        text_put(&row, i == 0 ? "" : quoted ? "," : "\t");
        if (quoted)
            escape_put_csv(&row, cells[i], false);
        else
            text_put(&row, cells[i]);
    }
    printf("%s\n", text_string(&row));
    text_release(&row);
}

static void put_words(const char *const cells[COLUMNS])
{
    if (!strcmp(cells[4], "definition"))
        printf("%s%s%s%s: %s\n  %s\n  %s\n", cells[0], cells[5][0] ? " (" : "", cells[5],
               cells[5][0] ? ")" : "", cells[3], cells[6], cells[7]);
    else
        printf("    %s of %s%s%s, %s%s%s, as %s: %s\n      %s\n", cells[4], cells[1],
               strcmp(cells[2], "*") ? " " : "", strcmp(cells[2], "*") ? cells[2] : "", cells[3],
               strcmp(cells[8], "*") ? " in " : "", strcmp(cells[8], "*") ? cells[8] : "", cells[5],
               cells[6], cells[7]);
}

static void put_row(const char *const cells[COLUMNS], QueryFormat format, bool first)
{
    if (format == QUERY_JSON)
        put_json(cells, first);
    else if (format == QUERY_TABLE)
        put_words(cells);
    else
        put_separated(cells, format == QUERY_CSV);
}

/* A row for each rank limit, under the clause of ranks. */
static void list_ranks(QueryFormat format)
{
    for (const RankLimit *limit = contract_ranks; limit->library; limit++) {
        char range[32];
        (void)snprintf(range, sizeof range, "rank=%d..%d", limit->least, limit->greatest);
        const char *const cells[COLUMNS] = {"ranks",
                                            limit->library,
                                            limit->versions,
                                            limit->operators,
                                            limit->source ? "convention" : "bug",
                                            range,
                                            limit->says,
                                            limit->source ? limit->source : "undocumented",
                                            "*"};
        put_row(cells, format, false);
    }
}

static void put_range(const void *context, const Function *function, const RangeWords *words)
{
    Text says = {0}, name = {0};
    text_printf(&name, "nn/%s", function->name);
    text_put(&says, text_string(&words->limits));
    if (words->results.length > 0)
        text_printf(&says, "%sresults in %s", says.length > 0 ? "; " : "",
                    text_string(&words->results));
    const char *const cells[COLUMNS] = {"ranges",
                                        "",
                                        "",
                                        text_string(&name),
                                        "definition",
                                        "",
                                        text_string(&says),
                                        words->source.length > 0 ? text_string(&words->source)
                                                                 : "this tool",
                                        "*"};
    put_row(cells, *(const QueryFormat *)context, false);
    text_release(&says);
    text_release(&name);
}

static void put_zeros(const void *context, const ZeroSign *zeros, const char *operators)
{
    const char *const cells[COLUMNS] = {zeros->source ? "zero-sign" : "usual-zero",
                                        "",
                                        "",
                                        operators,
                                        "definition",
                                        zeros->source ? "" : POLICY_OTHER_ZERO,
                                        zeros->which,
                                        zeros_source(zeros),
                                        "*"};
    put_row(cells, *(const QueryFormat *)context, false);
}

static void put_nan(const void *context, const char *text, const char *operators)
{
    const char *const cells[COLUMNS] = {"nan-of-comparisons", "",   "", operators, "definition", "",
                                        "NaN stays NaN.",     text, "*"};
    put_row(cells, *(const QueryFormat *)context, false);
}

void contracts_list(QueryFormat format)
{
    if (format == QUERY_CSV)
        put_separated(columns, true);
    for (const Clause *c = contract_clauses; c->name; c++) {
        const char *const demand[COLUMNS] = {
            c->name, "", "", c->operators, "definition", c->policies, c->demand, c->source, "*"};
        put_row(demand, format, c == contract_clauses);
        for (const Departure *d = contract_departures; d->library; d++) {
            const char *const cells[COLUMNS] = {d->clause,    d->library,    d->versions,
                                                d->operators, verdict_of(d), d->policy,
                                                d->instead,   source_of(d),  d->types};
            if (!strcmp(d->clause, c->name))
                put_row(cells, format, false);
        }
        if (!strcmp(c->name, "ranks"))
            list_ranks(format);
        if (!strcmp(c->name, "ranges"))
            ranges_visit(put_range, &format);
        if (!strcmp(c->name, "zero-sign"))
            zeros_visit(put_zeros, &format);
        if (!strcmp(c->name, "nan-of-comparisons"))
            nan_visit(put_nan, &format);
    }
    if (format == QUERY_JSON)
        printf("]\n");
}

/* Families that are named in departures, in the order of their first. */
enum { LIBRARIES_MAX = 32, LIBRARY_BYTES = 32 };
typedef struct Libraries {
    char names[LIBRARIES_MAX][LIBRARY_BYTES];
    int count;
} Libraries;

static void add_library(Libraries *libraries, const char *name, size_t length)
{
    REQUIRE(length < LIBRARY_BYTES && libraries->count < LIBRARIES_MAX);
    for (int i = 0; i < libraries->count; i++)
        if (!strncmp(libraries->names[i], name, length) && !libraries->names[i][length])
            return;
    (void)snprintf(libraries->names[libraries->count++], LIBRARY_BYTES, "%.*s", (int)length, name);
}

static void find_libraries(Libraries *libraries)
{
    for (const Departure *d = contract_departures; d->library; d++)
        for (const char *word = d->library; *word;) {
            size_t length = strcspn(word, " ");
            if (word[0] != '*' && word[0] != '!')
                add_library(libraries, word, strcspn(word, ": "));
            word += length + (word[length] == ' ');
        }
}

/* The numbers of a library's departures from a clause; those that hold for all libraries have a
 * column of their own. */
static void put_cell(const Clause *clause, const char *library)
{
    printf(" |");
    for (const Departure *d = contract_departures; d->library; d++)
        if (!strcmp(d->clause, clause->name) &&
            (library ? contract_names(d, library) : d->library[0] == '*'))
            printf(" %s %d", verdict_of(d), (int)(d - contract_departures) + 1);
}

static bool is_departed_from(const Clause *clause)
{
    for (const Departure *d = contract_departures; d->library; d++)
        if (!strcmp(d->clause, clause->name))
            return true;
    return false;
}

static void put_matrix(const Libraries *libraries)
{
    printf("\n| clause | all");
    for (int i = 0; i < libraries->count; i++)
        printf(" | %s", libraries->names[i]);
    printf(" |\n|---|---");
    for (int i = 0; i < libraries->count; i++)
        printf("|---");
    printf("|\n");
    for (const Clause *c = contract_clauses; c->name; c++) {
        if (!is_departed_from(c))
            continue;
        printf("| %s", c->name);
        put_cell(c, NULL);
        for (int i = 0; i < libraries->count; i++)
            put_cell(c, libraries->names[i]);
        printf(" |\n");
    }
}

static void put_rank_table(void)
{
    printf(
        "\n## Ranks\n\nRanks that libraries take of an operator's largest operand. Cases have %d "
        "axes at most.\n\n| library | versions | operators | ranks | says | source |\n"
        "|---|---|---|---|---|---|\n",
        TENSOR_RANK_MAX);
    for (const RankLimit *limit = contract_ranks; limit->library; limit++)
        printf("| `%s` | `%s` | `%s` | %d to %d | %s | %s |\n", limit->library, limit->versions,
               limit->operators, limit->least, limit->greatest, limit->says,
               limit->source ? limit->source : "undocumented");
}

static void put_range_row(const void *context, const Function *function, const RangeWords *words)
{
    (void)context;
    printf("| `%s` | %s | %s | %s |\n", function->name, text_string(&words->limits),
           text_string(&words->results), text_string(&words->source));
}

static void put_range_table(void)
{
    printf("\n## Ranges\n\nWhat functions are at the ends of their domains, beyond them, at poles "
           "and at zeros, to the bit and with the\nsign, or near that where no text says more; the "
           "first of the rows that fit holds. The "
           "closed range of results: an end that a text or a theorem holds\nresults to, once it is "
           "rounded, is not left, whatever the bound is; elsewhere the bound alone decides.\n\n"
           "| function | there | results | source |\n|---|---|---|---|\n");
    ranges_visit(put_range_row, NULL);
}

static void put_zeros_row(const void *context, const ZeroSign *zeros, const char *operators)
{
    (void)context;
    printf("| %s | `%s` | %s |\n", zeros->which, operators, zeros_source(zeros));
}

static void put_zeros_table(void)
{
    printf("\n## Zeros\n\nResults that are 0 and whose sign counts, by the text that demands it. "
           "Where there is no text the\nusual sign is that of 0, or of what is kept, and the other "
           "one is a convention, " POLICY_OTHER_ZERO ", and no bug.\nAll other zeros may have "
           "either sign.\n\n| zeros | operators | text |\n|---|---|---|\n");
    zeros_visit(put_zeros_row, NULL);
}

static void put_nan_row(const void *context, const char *text, const char *operators)
{
    (void)context;
    printf("| `%s` | %s |\n", operators, text);
}

static void put_nan_table(void)
{
    printf(
        "\n## NaN\n\nOperators that are made of comparisons, in which NaN stays NaN, by the text "
        "that demands it. What others of\nthem make of it is a departure of all libraries.\n\n"
        "| operators | text |\n|---|---|\n");
    nan_visit(put_nan_row, NULL);
}

static void put_full_row(const char *parameter, const char *why, int count, const char *operators)
{
    printf("| `%s` | %s | %d | `%s` |\n", parameter, why, count, operators);
}

static void put_full_table(void)
{
    printf("\n## Extents from 1 on\n\nParameters that no case has at 0, and why: a text that "
           "excludes it, or that none says what holds. All other extents\nare drawn from 0 on.\n\n"
           "| parameter | why | operators | |\n|---|---|---|---|\n");
    full_visit(put_full_row);
}

static void put_adjustment_table(void)
{
    printf(
        "\n## Values that are changed\n\nParameters whose drawn values are made others so that a "
        "case is legal, and why: what no case has of them is\nrefused by a text, an illegal "
        "argument, or of no meaning. Others are drawn as their kind is.\n"
        "`build/ops/test/t_adjusted shares` says of each how often.\n\n"
        "| parameters | operators | why |\n|---|---|---|\n");
    for (const Adjustment *row = contract_adjustments; row->parameters; row++)
        printf("| `%s` | `%s` | %s |\n", row->parameters, row->operators, row->why);
}

void contracts_manual(void)
{
    Libraries libraries = {0};
    find_libraries(&libraries);
    printf("# Contracts\n\nMade by `opconform list contract-manual`. What definitions demand, and "
           "what libraries do instead: a departure that\na library documents is a convention, one "
           "that nobody documents is a bug. `all` stands for departures that the texts\nthat "
           "define the operators leave open. `opconform list contracts` has the same, as text, "
           "`--json` or `--csv`.\n\n## Demands\n\n| clause | operators | demand | source | "
           "policies |\n|---|---|---|---|---|\n");
    for (const Clause *c = contract_clauses; c->name; c++)
        printf("| %s | `%s` | %s | %s | %s |\n", c->name, c->operators, c->demand, c->source,
               c->policies);
    printf("\n## Departures by library\n");
    put_matrix(&libraries);
    printf("\n## Departures\n\n| | library | versions | operators | types | clause | reading | "
           "instead | source |\n|---|---|---|---|---|---|---|---|---|\n");
    for (const Departure *d = contract_departures; d->library; d++)
        printf("| %d | `%s` | `%s` | `%s` | `%s` | %s | %s | %s | %s |\n",
               (int)(d - contract_departures) + 1, d->library, d->versions, d->operators, d->types,
               d->clause, d->policy, d->instead, source_of(d));
    put_rank_table();
    put_range_table();
    put_zeros_table();
    put_nan_table();
    put_full_table();
    put_adjustment_table();
}
