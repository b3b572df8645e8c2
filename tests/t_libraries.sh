# The libraries of the system, and copies of one side by side; what doctor and the store say of them.
. tests/lib.sh
expect 0 "$opconform" doctor
grep -q "self-test passed" "$scratch/out" || fail "doctor"
grep -qE '^openblas +0\.' "$scratch/out" || fail "OpenBLAS: $(cat "$scratch/out")"
library=$(sed -n '/^openblas/{n;s/ //g;p}' "$scratch/out")
cp "$library" "$scratch/one.so"
cp "$library" "$scratch/two.so"
"$opconform" fuzz --engine random --cases 400 --db "$scratch/l.db" --quiet \
    --backend "openblas,blis,netlib,cblas@$scratch/one.so,cblas@$scratch/two.so" >"$scratch/out" 2>&1
[ $? -le 1 ] || fail "five libraries in one run: $(cat "$scratch/out")"
[ "$(sql "$scratch/l.db" "SELECT count(*) FROM backend WHERE version <> ''")" = 5 ] || fail "versions"
[ "$(sql "$scratch/l.db" "SELECT count(DISTINCT path) FROM backend")" = 5 ] || fail "paths"
[ "$(sql "$scratch/l.db" "SELECT count(DISTINCT backend) FROM coverage")" = 5 ] || fail "coverage"
# A plain product is right everywhere.
expect 0 "$opconform" replay "gemm/1 dtype=f64 m=33 n=17 k=65 | a=normal:1 b=normal:2" --backend openblas,blis,netlib
grep -c AGREE "$scratch/out" | grep -qx 3 || fail "$(cat "$scratch/out")"
# The thin targets are ordinary libFuzzer programs.
expect 0 env OPCONFORM_BACKEND=planted:ok-reference "$BUILD/fuzz-gemm" -runs=500 -seed=1
expect 77 env OPCONFORM_BACKEND=planted:drop-last-k "$BUILD/fuzz-gemm" -runs=5000 -seed=1 -artifact_prefix="$scratch/"
grep -q "DEDUP_TOKEN" "$scratch/err" || fail "no token"
expect 0 env OPCONFORM_CONTINUE=1 OPCONFORM_BACKEND=planted:drop-last-k "$BUILD/fuzz-gemv" -runs=500 -seed=1
finish
