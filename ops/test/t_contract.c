/* The tables of contracts agree with each other, with the operators, the libraries and the
 * policies, and are looked up as they say. */
#include <string.h>

#include "ops/backend/backend.h"
#include "ops/contract/policy.h"
#include "tests/check.h"

enum { WORD_BYTES = 64 };

static bool next_word(const char **list, char word[WORD_BYTES])
{
    *list += strspn(*list, " ");
    size_t length = strcspn(*list, " ");
    CHECK(length < WORD_BYTES);
    (void)snprintf(word, WORD_BYTES, "%.*s", (int)length, *list);
    *list += length;
    return length > 0;
}

static const Policy *find_policy(const char *name)
{
    for (const Policy *policy = policies; policy->name; policy++)
        if (!strcmp(policy->name, name))
            return policy;
    return NULL;
}

static bool is_sentence(const char *text)
{
    return text && strlen(text) > 3 && text[strlen(text) - 1] == '.';
}

/* Each pattern of a list has an operator. */
static void check_operators(const char *operators)
{
    char word[WORD_BYTES];
    CHECK(operators[0] != '\0');
    while (next_word(&operators, word)) {
        bool found = false;
        for (int i = 0; op_registry[i]; i++)
            found = found || op_matches(op_registry[i], word);
        CHECK(found);
    }
}

static bool has_policy(const Clause *clause, const char *name)
{
    const char *list = clause->policies;
    char word[WORD_BYTES];
    while (next_word(&list, word))
        if (!strcmp(word, name))
            return true;
    return false;
}

static void test_clauses(void)
{
    for (const Clause *clause = contract_clauses; clause->name; clause++) {
        const char *list = clause->policies;
        char word[WORD_BYTES];
        CHECK(contract_clause(clause->name) == clause);
        CHECK(is_sentence(clause->demand));
        CHECK(clause->source && clause->source[0]);
        check_operators(clause->operators);
        while (next_word(&list, word))
            CHECK(find_policy(word));
    }
    CHECK(!contract_clause("no such clause"));
}

/* NAME, or NAME:WORD of a library with modes. */
static bool is_library(const char *name)
{
    size_t length = strcspn(name, ":");
    for (int i = 0; backend_registry[i]; i++) {
        const BackendKind *kind = backend_registry[i];
        if (!strncmp(kind->name, name, length) && !kind->name[length])
            return !name[length] || name[length + 1];
    }
    return false;
}

static void check_libraries(const Departure *d)
{
    const char *list = d->library;
    char word[WORD_BYTES];
    CHECK(list[0] != '\0');
    while (next_word(&list, word))
        CHECK(!strcmp(word, "*") || is_library(word + (word[0] == '!')));
}

/* A departure is from a clause that holds for each of its operators, and of a policy of that clause
 * that results can be found under. */
static void test_departures(void)
{
    for (const Departure *d = contract_departures; d->library; d++) {
        const Clause *clause = contract_clause(d->clause);
        const Policy *policy = find_policy(d->policy);
        CHECK(clause && has_policy(clause, d->policy));
        CHECK(policy && policy->by_reading);
        CHECK(is_sentence(d->instead));
        CHECK(!d->source || strlen(d->source) > 8);
        CHECK(d->source || d->library[0] != '*');
        CHECK(!strcmp(d->versions, "*") || strstr(d->versions, ".."));
        check_libraries(d);
        check_operators(d->operators);
        for (int i = 0; clause && op_registry[i]; i++)
            CHECK(!contract_covers(d->operators, op_registry[i]) ||
                  contract_covers(clause->operators, op_registry[i]));
    }
}

/* Of an operator that compares, a text says what becomes of NaN: that it stays, or something else.
 */
static void test_nan_of_comparisons(void)
{
    for (int i = 0; op_registry[i]; i++) {
        const OpDesc *op = op_registry[i];
        const char *policy = "nan-by-comparison";
        bool compares = op->policy && !strcmp(op->policy, policy);
        bool departs =
            contract_admits((ContractParty){"a library", "", "1"}, op, DT_F32, policy) != NULL;
        if ((op->nan != NULL) != (compares && !departs))
            (void)fprintf(stderr, "%s/%s: what becomes of NaN\n", op->family, op->name);
        CHECK((op->nan != NULL) == (compares && !departs));
        CHECK(!departs || compares);
    }
}

static void test_ranks(void)
{
    const OpDesc *add = op_find("add"), *lrn = op_find("local_response_norm");
    for (const RankLimit *limit = contract_ranks; limit->library; limit++) {
        CHECK(is_library(limit->library));
        CHECK(!strcmp(limit->versions, "*") || strstr(limit->versions, ".."));
        CHECK(limit->least >= 0 && limit->least <= limit->greatest);
        CHECK(is_sentence(limit->says));
        CHECK(!limit->source || strlen(limit->source) > 8);
        check_operators(limit->operators);
    }
    CHECK(contract_rank_limit("onednn", "3.2.0", add, 13)->source);
    CHECK(!contract_rank_limit("onednn", "3.2.0", add, 12));
    CHECK(contract_rank_limit("numpy", "1.26.4", add, 33));
    CHECK(!contract_rank_limit("numpy", "2.4.6", add, 33));
    CHECK(contract_rank_limit("numpy", "2.4.6", add, 65));
    CHECK(!contract_rank_limit("ort", "1.31.1", add, 5));
    CHECK(!contract_rank_limit("ort", "1.31.1", lrn, 4));
    CHECK(contract_rank_limit("ort", "1.31.1", lrn, 3));
    CHECK(!contract_rank_limit("ort", "1.31.1", lrn, 3)->source);
    CHECK(contract_rank_limit("paddle", "3.3.1", op_find("tile"), 10)->source);
}

/* Whatever a judgement can name has a clause: policies, readings of promises, alternatives. */
static void test_names(void)
{
    for (const Policy *policy = policies; policy->name; policy++)
        CHECK(contract_demand(policy->name, NULL));
    for (int i = 0; backend_registry[i]; i++)
        for (const Model *m = backend_registry[i]->promise.readings; m && m->name; m++)
            CHECK(find_policy(m->name) && find_policy(m->name)->by_reading);
    for (int i = 0; op_registry[i]; i++) {
        const char *policy = op_registry[i]->policy;
        CHECK(!policy || contract_demand(policy, op_registry[i]));
    }
}

static void test_versions(void)
{
    CHECK(contract_has_version("*", ""));
    CHECK(contract_has_version("..3.9", "3.9.1") && contract_has_version("..3.9", "3.9"));
    CHECK(contract_has_version("..3.9", "3.8.2") && !contract_has_version("..3.9", "3.10.0"));
    CHECK(contract_has_version("3.10..", "3.10") && !contract_has_version("3.10..", "3.9.9"));
    CHECK(contract_has_version("0.3.2..0.3.27", "OpenBLAS 0.3.27"));
    CHECK(!contract_has_version("0.3.2..0.3.27", "0.3.30"));
    CHECK(!contract_has_version("..3.9", "unknown"));
}

static void test_lookup(void)
{
    const OpDesc *nrm2 = op_find("nrm2"), *ger = op_find("ger"), *relu = op_find("relu");
    CHECK(contract_admits((ContractParty){"netlib", "", "3.9.1"}, nrm2, DT_F32,
                          "backwards-is-empty"));
    CHECK(!contract_admits((ContractParty){"netlib", "", "3.11.0"}, nrm2, DT_F32,
                           "backwards-is-empty"));
    CHECK(!contract_admits((ContractParty){"openblas", "", "0.3.21"}, nrm2, DT_F32,
                           "backwards-is-empty"));
    const Departure *known = contract_departure((ContractParty){"openblas", "", "0.3.21"}, nrm2,
                                                DT_F32, "backwards-is-empty");
    CHECK(known && !known->source);
    CHECK(contract_admits((ContractParty){"cblas", "", ""}, ger, DT_F32, "zero-skip"));
    CHECK(!contract_admits((ContractParty){"cblas", "", ""}, op_find("gemm"), DT_F32, "zero-skip"));
    CHECK(contract_admits((ContractParty){"kernel", "", ""}, relu, DT_F32, "in-place"));
    CHECK(!contract_admits((ContractParty){"onednn", "", "3.2.0"}, relu, DT_F32, "in-place"));
    CHECK(!contract_departure((ContractParty){"netlib", "", "3.11.0"}, relu, DT_F32, "zero-skip"));
    CHECK(contract_admits((ContractParty){"onednn", "", "3.2.0"}, relu, DT_BF16, "flush"));
    CHECK(!contract_departure((ContractParty){"onednn", "", "3.2.0"}, relu, DT_F32, "flush"));
    const OpDesc *acos = op_find("acos");
    const char *policy = "narrow-functions";
    CHECK(contract_admits((ContractParty){"tensorflow", "xla", "2.21.0"}, acos, DT_F16, policy));
    CHECK(contract_admits((ContractParty){"tensorflow", "2.20+xla", ""}, acos, DT_BF16, policy));
    CHECK(!contract_admits((ContractParty){"tensorflow", "xla", "2.21.0"}, acos, DT_F32, policy));
    CHECK(!contract_departure((ContractParty){"tensorflow", "", "2.21.0"}, acos, DT_F16, policy));
    CHECK(!contract_departure((ContractParty){"tensorflow", "xlas", ""}, acos, DT_F16, policy));
    CHECK(contract_admits((ContractParty){"jax", "jit", "0.10.2"}, acos, DT_F16, policy));
    CHECK(!contract_admits((ContractParty){"jax", "", "0.10.2"}, op_find("log2"), DT_F16, policy));
    CHECK(!strcmp(contract_demand("zero-fill", ger)->name, "outside-a-structure"));
    CHECK(!strcmp(contract_demand("zero-fill", op_find("conv2d"))->name, "padding"));
}

int main(void)
{
    test_clauses();
    test_departures();
    test_nan_of_comparisons();
    test_ranks();
    test_names();
    test_versions();
    test_lookup();
    return check_end("t_contract");
}
