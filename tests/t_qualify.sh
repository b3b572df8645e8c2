# Two versions of a library on the same cases: a fault that is new, one that is gone, one in both, sums in another order, and
# a function that only the new one has.  What a part says, it says of nothing else.
. tests/lib.sh
for version in 1 2; do
    cc -O2 -shared -fPIC -DVERSION=$version -o "$scratch/libblas.so.$version" examples/qualify/blas.c -lm
done
cd "$scratch" || exit 2
old=cblas@./libblas.so.1 new=cblas@./libblas.so.2

qualify() { # STATUS OLD NEW DB WORDS...
    expect "$1" "$opconform" qualify "$2" "$3" --op axpy,asum,dot,nrm2,scal,rot --engine random --cases 4000 --db "$4" --quiet "${@:5}"
}
operators() { # DB VERDICT
    sql "$1" "SELECT group_concat(DISTINCT operators) FROM (SELECT operators FROM v_qualification WHERE verdict = '$2' ORDER BY 1)"
}
is() { # WHAT GOT WANTED
    check "$1: $2 instead of $3" [ "$2" = "$3" ]
}

qualify 1 $old $new there.db
cp out there.out
is "new" "$(operators there.db new)" scal
is "gone" "$(operators there.db gone)" asum
is "still there" "$(operators there.db 'still there')" nrm2
is "changed" "$(operators there.db changed)" dot
is "declined" "$(sql there.db "SELECT DISTINCT operators || ' ' || what FROM v_qualification WHERE verdict = 'declined'")" \
    "rot declined by the old one: has no such operator"
is "more, less or not reproducible" "$(sql there.db "SELECT count(*) FROM v_qualified_bug WHERE verdict IN ('more', 'less', 'not reproducible')")" 0
for part in "new: " "gone: 1" "still there: " "changed within bounds: " "run by one of them only: 1" "declined by the old one  rot "; do
    check "no part '$part'" grep -qF "$part" there.out
done
# The other way round, new is gone.
qualify 1 $new $old back.db --csv
is "new, backwards" "$(operators back.db new)" asum
is "gone, backwards" "$(operators back.db gone)" scal
is "rows as CSV" "$(python3 -c 'import csv, sys; print(sorted({(r["verdict"], r["operators"]) for r in csv.DictReader(sys.stdin)}))' <out)" \
    "[('changed', 'dot'), ('declined', 'rot'), ('gone', 'scal'), ('new', 'asum'), ('still there', 'nrm2')]"
# The same library under two names: nothing is new, gone or changed, though it has faults; a copy of each other does not differ.
cp libblas.so.2 libcopy.so.2
qualify 0 $new cblas@./libcopy.so.2 same.db --json
is "of the same library" "$(python3 -c 'import json, sys; print(sorted({r["verdict"] for r in json.load(sys.stdin)}))' <out)" "['still there']"
# What is suppressed does not count, and is said.
bugs=$(sql there.db "SELECT group_concat(bug) FROM v_qualified_bug WHERE verdict = 'new'")
expect 0 "$opconform" bugs suppress "$bugs" --reason known --owner me --expires 2999-01-01 --db there.db
qualify 0 $old $new there.db
check "no word of what is expected" grep -q '^expected' out
# Through a merge, and on a newer schema alone.
expect 0 "$opconform" merge both.db there.db back.db
is "merged" "$(sql both.db "SELECT count(*) FROM v_qualification")" \
    "$(($(sql there.db "SELECT count(*) FROM v_qualification") + $(sql back.db "SELECT count(*) FROM v_qualification")))"
# Wrong use.
expect 2 "$opconform" qualify $old
one_line
expect 2 "$opconform" qualify $old $old
one_line
expect 3 "$opconform" qualify $old cblas@./libblas.so.3
one_line
finish
