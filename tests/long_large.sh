# A fault that needs more than 2,048 columns is found by default in ten minutes, and the right library beside it
# is left alone; a case of 4096 x 4096 x 4096 is run by default on each type.
. tests/lib.sh
for faulty in 0 1 2; do
    "${CC:-cc}" -std=c17 -O3 -mavx2 -mfma -shared -fPIC -DFAULTY=$faulty -o "$scratch/large$faulty.so" tests/large_blas.c || fail "compiler"
    "$opconform" fuzz --backend "cblas@$scratch/large$faulty.so" --time 600s --seed 1 --db "$scratch/$faulty.db" --quiet \
        >"$scratch/out" 2>&1
    found[faulty]=$(sql "$scratch/$faulty.db" "SELECT count(*) FROM finding WHERE kind = 'DIVERGE' AND op = 'gemm'")
done
[ "${found[0]}" = 0 ] || fail "the right one: $(sql "$scratch/0.db" "SELECT min_line FROM finding")"
for faulty in 1 2; do
    [ "${found[faulty]}" -ge 1 ] || fail "fault $faulty is not found"
done
for type in f32 f64 c64; do
    side=$([ "$type" = c64 ] && echo 2800 || echo 4096)
    expect 0 "$opconform" replay "gemm/1 dtype=$type m=$side n=$side k=$side | a=int:1 b=int:2 c=int:3" --json --backend openblas
    grep -q '"share":1' "$scratch/out" || fail "$type: $(cat "$scratch/out")"
done
finish
