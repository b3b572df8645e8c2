# Every routine on the reference BLAS and on our own rounded reference: nothing outside the policies.
. tests/lib.sh
# Without rotmg: the reference loses coefficients and never returns for infinities (docs/findings.md).
"$opconform" fuzz --engine random --op 'blas/[a-q]*,blas/rot,blas/rot[gm],blas/rscal,blas/[s-z]*' --backend netlib,planted:ok-reference \
    --cases "${ALL_CASES:-100000}" --seed "${ALL_SEED:-21}" --jobs 2 --db "$scratch/all.db" --quiet --deadline 20s
outside=$(sql "$scratch/all.db" "SELECT line FROM v_open WHERE backend LIKE 'planted%' OR
    id NOT IN (SELECT finding FROM finding_policy)")
check "$outside" [ -z "$outside" ]
finish
