# Rows of tables do not compile where a field is of another type.
. tests/lib.sh
compile() { # rows of a table of parameters, rows of a table of options
    cat >"$scratch/rows.c" <<C
#include "fuzz/command/command.h"
#include "ops/param/param.h"
typedef struct Values {
    int64_t number;
    Scalar scalar;
    Shape shape;
    ValueList list;
    Code code;
    int small;
} Values;
extern const char *const words[3];
extern const Param params[];
extern const OptionRow options[];
const Param params[] = {$1, P_END};
const OptionRow options[] = {$2, {0}};
C
    ${CC:-clang} -std=c17 -D_GNU_SOURCE -I. -Wall -Wextra -Werror -fsyntax-only "$scratch/rows.c"
}
refuses() { # the same, of which one is wrong
    expect 1 compile "$@"
    grep -q '_Generic\|generic association' "$scratch/err" || fail "$*: $(cat "$scratch/err")"
}
param='P_DIM(Values, number, 0, 9, "")' option='OPTION("json", FLAG, json, NULL, "")'
expect 0 compile 'P_DTYPE(Values, number, ""), P_CHOICE(Values, number, words, ""), P_DIM(Values, number, 0, 9, ""),
    P_PAD(Values, number, 9, ""), P_INCREMENT(Values, number, 9, ""), P_INTEGER(Values, number, 0, 9, 0, ""),
    P_SEED(Values, number, ""), P_SCALAR(Values, scalar, 0, ""), P_REAL(Values, scalar, 0, "", .formerly = "alpha"),
    P_LIST(Values, list, ""), P_SHAPE(Values, shape, 0, 9, ""), P_TUPLE(Values, shape, 2, 0, 9, 0, ""),
    P_CODE(Values, code, words, 1, 2, 9, "")' 'OPTION("json", FLAG, json, NULL, ""), OPTION("jobs", NUMBER, jobs, "N", ""),
    OPTION("seed", COUNT, seed, "N", ""), OPTION("time", DURATION, seconds, "T", ""), OPTION("db", TEXT, db, "FILE", ""),
    OPTION("op", NAMES, op, "LIST", "")'
while IFS= read -r row; do
    refuses "$row" "$option"
done <<'ROWS'
P_DTYPE(Values, small, "")
P_CHOICE(Values, scalar, words, "")
P_DIM(Values, shape, 0, 9, "")
P_PAD(Values, shape, 9, "")
P_INCREMENT(Values, small, 9, "")
P_INTEGER(Values, scalar, 0, 9, 0, "")
P_SEED(Values, small, "")
P_SCALAR(Values, number, 0, "")
P_REAL(Values, number, 0, "")
P_LIST(Values, shape, "")
P_SHAPE(Values, number, 0, 9, "")
P_TUPLE(Values, number, 2, 0, 9, 0, "")
P_CODE(Values, list, words, 1, 2, 9, "")
P_REAL_AS("slope", Values, shape, 0, "")
ROWS
while IFS= read -r row; do
    refuses "$param" "$row"
done <<'ROWS'
OPTION("json", FLAG, jobs, NULL, "")
OPTION("jobs", NUMBER, seed, "N", "")
OPTION("seed", COUNT, jobs, "N", "")
OPTION("time", DURATION, seed, "T", "")
OPTION("db", TEXT, op, "FILE", "")
OPTION("op", NAMES, db, "LIST", "")
ROWS
finish
