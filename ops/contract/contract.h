/* What the definitions of operators demand, and what libraries document otherwise: both as data,
 * with the place where it is written.  A result that is right only under a reading
 * (ops/contract/policy.h) is a convention where a departure with a source covers it, and a bug
 * where none does. */
#ifndef OPS_CONTRACT_H
#define OPS_CONTRACT_H

#include "ops/op.h"

/* A demand.  operators are patterns of op_matches with spaces between them; policies are the names
 * of the policies that speak of it, with spaces between them, "" where there is none.  The source
 * is a text and a place in it; "this tool" stands for demands that no text states.  One that begins
 * with "unspecified" stands for what no text settles: with "unspecified:" results may be anything,
 * and are not judged there; with "unspecified but" they are what the demand says. */
typedef struct Clause {
    const char *name, *policies, *operators, *demand, *source;
} Clause;

/* What results are instead, under the reading of a policy.  library is a list of families of
 * backends; `*` stands for all, where the texts that define the operators leave it open, !NAME
 * takes one out that promises the demand, and NAME:WORD is one in modes that have the word alone,
 * as tensorflow:xla: a compiler has texts of its own.  versions is `*` or FIRST..LAST, either of
 * which may be missing; LAST holds for all versions that begin with it.  source is NULL where no
 * documentation of the library was found: known, and a bug.  types is `*` or names of element types
 * with spaces between them. */
typedef struct Departure {
    const char *library, *versions, *operators, *types, *clause, *policy, *instead, *source;
} Departure;

/* The ranks that a library takes of an operator's largest operand, least to greatest; what is
 * refused beyond them is declined where its documentation says so, and a bug where source is NULL.
 * Patterns are as in Departure, and name one library. */
typedef struct RankLimit {
    const char *library, *versions, *operators;
    int least, greatest;
    const char *says, *source;
} RankLimit;

extern const Clause contract_clauses[];       /* ended by a NULL name */
extern const Departure contract_departures[]; /* ended by a NULL library */
extern const RankLimit contract_ranks[];      /* ended by a NULL library */

/* True where a list of patterns has the operator. */
bool contract_covers(const char *operators, const OpDesc *op);
/* True where versions, as in Departure, have the version; the numbers of a text count. */
bool contract_has_version(const char *versions, const char *version);

/* True where a departure names the library, in any mode, rather than all. */
bool contract_names(const Departure *departure, const char *library);

/* True where results may be anything. */
bool contract_is_unspecified(const Clause *clause);

/* By name; NULL where there is none. */
const Clause *contract_clause(const char *name);
/* The first clause of a policy that holds for the operator, or of any operator where op is NULL;
 * NULL where there is none. */
const Clause *contract_demand(const char *policy, const OpDesc *op);
/* A family of backends, its mode ("" where it has none) and its version. */
typedef struct ContractParty {
    const char *library, *mode, *version;
} ContractParty;

/* The departure of a library that covers the operator in the element type under the policy: a
 * documented one before an undocumented one; NULL where there is none. */
const Departure *contract_departure(ContractParty party, const OpDesc *op, DType dtype,
                                    const char *policy);
/* The same where it is documented, else NULL. */
const Departure *contract_admits(ContractParty party, const OpDesc *op, DType dtype,
                                 const char *policy);

/* The limit that a rank is beyond: a documented one before an undocumented one; NULL where the
 * library takes it. */
const RankLimit *contract_rank_limit(const char *library, const char *version, const OpDesc *op,
                                     int rank);

#endif
