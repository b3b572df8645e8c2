# Faults that need extents above 2,048 are found by default in ten minutes, each in operators that have it: wrong columns of
# a product, and the one that needs three large extents; wrong rows and diagonals of triangles. The right library is left
# alone, and large cases have their sixth of the time. A case of 4096 x 4096 x 4096 is run by default on each type.
. tests/lib.sh
for faulty in 0 1 2 3 4; do
    "${CC:-cc}" -std=c17 -g -O3 -mavx2 -mfma -shared -fPIC -DFAULTY=$faulty -o "$scratch/large$faulty.so" tests/large_blas.c || fail "compiler"
    ends=(--first)
    [ $faulty = 0 ] && ends=()
    "$opconform" fuzz --backend "cblas@$scratch/large$faulty.so" --time 600s --seed 1 --db "$scratch/$faulty.db" --json \
        "${ends[@]}" >"$scratch/$faulty.out" 2>&1
    found[faulty]=$(sql "$scratch/$faulty.db" "SELECT count(*) FROM finding WHERE kind = 'DIVERGE' AND
        op IN ('gemm', 'gemmt', 'symm', 'syrk', 'syr2k', 'trmm', 'trsm')")
done
[ "${found[0]}" = 0 ] || fail "the right one: $(sql "$scratch/0.db" "SELECT min_line FROM finding")"
for faulty in 1 2 3 4; do
    [ "${found[faulty]}" -ge 1 ] || fail "fault $faulty is not found: $(cat "$scratch/$faulty.out")"
done
# The operators of networks have them too.
network="matmul = large_matmul(a, b, y, m, n, k)"
expect 0 "$opconform" fuzz --backend "kernel@$scratch/large0.so:$network" --time 120s --seed 1 --db "$scratch/right.db" --json
expect 1 "$opconform" fuzz --backend "kernel@$scratch/large2.so:$network" --time 600s --seed 1 --db "$scratch/network.db" --first
python3 - "$scratch/0.out" <<'END' || fail "the share of large cases: $(cat "$scratch/0.out")"
import json, sys
summary = json.loads(next(line for line in open(sys.argv[1]) if line.startswith("{")))
share = summary["large_seconds"] / summary["seconds"]
sys.exit(not 0.08 < share < 0.25)
END
for type in f32 f64 c64; do
    side=$([ "$type" = c64 ] && echo 2800 || echo 4096)
    expect 0 "$opconform" replay "gemm/1 dtype=$type m=$side n=$side k=$side | a=int:1 b=int:2 c=int:3" --json --backend openblas
    grep -q '"share":1' "$scratch/out" || fail "$type: $(cat "$scratch/out")"
done
# Factors, of which sums alone show what is wrong behind 2,048 rows, and a reference of the row or the column says it.
for faulty in 0 1 2 4; do
    "${CC:-cc}" -std=c17 -g -O3 -mavx2 -mfma -shared -fPIC -DFAULTY=$faulty -DFIRST_WRONG=2048 -o "$scratch/lapack$faulty.so" tests/large_lapack.c -lm || fail "compiler"
done
for line in 'geqrf/1 dtype=f64 m=2100 n=2100 | a=normal:1' 'trtri/1 dtype=f64 diag=unit n=2100 | a=normal:1,scale:-10' \
    'getri/1 dtype=f64 n=2100 | a=normal:1,scale:-10'; do
    expect 1 "$opconform" replay "$line" --json --deadline 300s --backend "$(printf "lapack@$scratch/lapack%s.so," 0 1 2)lapack@$scratch/lapack4.so"
    [ "$(grep -c '"verdict":"AGREE".*"method":"sums within a bound"' "$scratch/out")" = 1 ] || fail "$line: $(cat "$scratch/out")"
    [ "$(grep -c '"verdict":"DIVERGE"' "$scratch/out")" = 3 ] || fail "$line: $(cat "$scratch/out")"
done
finish
