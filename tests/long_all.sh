# Every routine on the reference BLAS and on our own rounded reference: nothing outside the policies.
. tests/lib.sh
"$opconform" fuzz --engine random --op 'blas/*' --backend netlib,planted:ok-reference \
    --cases "${ALL_CASES:-100000}" --seed "${ALL_SEED:-21}" --jobs 2 --db "$scratch/all.db" --quiet --deadline 20s
# Its rotmg loses coefficients (docs/findings.md).
outside=$(sql "$scratch/all.db" "SELECT line FROM v_open WHERE backend LIKE 'planted%' OR
    (op <> 'rotmg' AND id NOT IN (SELECT finding FROM finding_policy))")
[ -z "$outside" ] || fail "$outside"
finish
