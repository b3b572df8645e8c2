# Each row of planted faults, and every other fault that bench/power measures, is found in its case, where the right kernel
# is left alone; every fault has a case; and the harness tells a fault from none.
. tests/lib.sh
. tests/variants.sh
power=$BUILD/power cases=bench/power/faults.cases
expect 0 "$power" check "$cases"
cat "$scratch/out"
"$opconform" list calls | awk '/^  [^ ]/ { planted = $1 == "planted" } /^    / && planted { sub(":", "", $1); print $1 }' |
    grep -vE '^(ok-.*|storm|mixed-storm|trap)$' | sort >"$scratch/faults"
check "faults without a case, or cases without a fault" diff "$scratch/faults" <(cut -f1 "$cases" | sort)
# Correct kernels in every order of summation are left alone.
expect 0 "$opconform" replay bench/power/variants.cases --backend "$summing_variants" --json
check "correct kernels are not judged: $(verdicts | cut -d' ' -f2 | sort | uniq -c)" \
    [ "$(verdicts | grep -c ' AGREE$')" -ge $((11 * $(wc -l <bench/power/variants.cases))) ]
# What does not hold is said.
printf 'gemm-cube\tgemm/1 dtype=f32 m=3 n=4 k=5 | a=int b=int c=int\n' >"$scratch/wrong"
expect 1 "$power" check "$scratch/wrong"
grep -q '^gemm-cube: not found in its case' "$scratch/out" || fail "a fault is found where it is not"
# The tool and the others find what shows in most cases; what only NaN shows, those without NaN do not.
found() { # fault, operator, drawer, and the seconds that the tool has
    if [ "$3" = opconform ]; then "$power" search "$1" "$2" "${4:-0.5}" 1; else "$power" baseline "$1" "$2" 0.5 1 "$3"; fi |
        cut -f 3 | sort -u | tr '\n' ' '
}
for drawer in opconform uniform autotest hypothesis; do
    check "$drawer misses drop-last-k" [ "$(found drop-last-k gemm $drawer)" = "found " ]
    check "$drawer finds a fault in the right kernel" [ "$(found ok-reference add $drawer)" = "missed " ]
done
check "uniform numbers show NaN" [ "$(found relu-nan relu uniform)" = "missed " ]
check "Hypothesis does not show NaN" [ "$(found relu-nan relu hypothesis)" = "found " ]
# One case in a few hundred has a NaN.
check "opconform does not show NaN" [ "$(found relu-nan relu opconform 3)" = "found " ]
# The page has the tables as they are.
bench/power/upstream >"$scratch/tables"
check "tables of upstream's defects that bench/power/README.md lacks" grep -q '^| all | ' "$scratch/tables"
while read -r line; do
    [ -z "$line" ] || grep -qxF "$line" bench/power/README.md || fail "bench/power/README.md lacks: $line"
done <"$scratch/tables"
expect 2 "$power" search drop-last-k nothing 1 1
says "no such operator"
finish
