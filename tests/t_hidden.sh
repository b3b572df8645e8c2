# A rare cause that diverges as a frequent one does: same operator, type, symptom and pattern.  Each is filed, and where
# there is no more of either than the other explains, nothing is.
. tests/lib.sh
"${CC:-cc}" -std=c17 -O1 -w -shared -fPIC -DFAULTY=256 -DVERSION='"1.0"' -o "$scratch/one.so" tests/faulty_blas.c -lm || fail "compiler"
"${CC:-cc}" -std=c17 -O1 -w -shared -fPIC -DFAULTY=768 -DVERSION='"1.0"' -o "$scratch/two.so" tests/faulty_blas.c -lm || fail "compiler"
find_in() { # name
    expect 1 "$opconform" fuzz --engine random --op gemm --dtype f32 --fix m=1..64,n=1..64,k=1..64 --backend "cblas@$scratch/$1.so" --cases 4000 --seed 2 \
        --quiet --json --db "$scratch/$1.db"
}
filed() { # name, facet
    sql "$scratch/$1.db" "SELECT coalesce(sum(hits), 0) FROM finding WHERE kind = 'DIVERGE' AND signature LIKE '%whole | %$2%'"
}
find_in two
[ "$(filed two 'beta=0')" -ge 200 ] || fail "the frequent cause: $(sql "$scratch/two.db" "SELECT hits, signature FROM finding")"
[ "$(filed two 'ldb>min')" -ge 1 ] || fail "the rare cause is hidden: $(sql "$scratch/two.db" "SELECT hits, signature FROM finding")"
grep -q '"unlike":[1-9]' "$scratch/out" || fail "counts: $(cat "$scratch/out")"
find_in one
[ "$(sql "$scratch/one.db" "SELECT count(*) FROM finding")" = 1 ] || fail "one cause: $(sql "$scratch/one.db" "SELECT hits, signature FROM finding")"
finish
