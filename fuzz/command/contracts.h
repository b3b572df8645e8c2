/* Prints the contracts: demands of definitions, and what libraries do instead. */
#ifndef FUZZ_COMMAND_CONTRACTS_H
#define FUZZ_COMMAND_CONTRACTS_H

#include "reports/query.h"

/* A row for each clause, with "definition" as its verdict, and behind it one for each departure
 * from it: a "convention" where it is documented, else a "bug". */
void contracts_list(QueryFormat format);

/* The page docs/contracts.md. */
void contracts_manual(void);

#endif
