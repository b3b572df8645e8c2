# Correct kernels are never flagged, whatever their order of summation.
. tests/lib.sh
. tests/faults.sh
. tests/variants.sh
expect 0 "$opconform" fuzz --engine random --op gemm,gemv --backend "$summing_variants" --cases "${VARIANT_CASES:-10000}" \
    --seed "${VARIANT_SEED:-5}" --jobs 2 --db "$scratch/v.db" --quiet --deadline 20s
cat "$scratch/out" "$scratch/err"
[ "$(sql "$scratch/v.db" "SELECT count(*) FROM finding")" = 0 ] ||
    fail "$(sql "$scratch/v.db" "SELECT signature, min_line FROM finding")"
undecided=$(sql "$scratch/v.db" "SELECT 100.0 * sum(undecided) / sum(executions) < 10 FROM coverage")
[ "$undecided" = 1 ] || fail "too many undecided executions"
# So are reductions, normalisations, softmax, layers and convolutions in each order of summation.
expect 0 "$opconform" fuzz --engine random --backend "$summing_variants" --cases $((${VARIANT_CASES:-10000} / 10)) --seed "${VARIANT_SEED:-5}" \
    --op asum,nrm2,dot,sum,mean,norm2,var,logsumexp,softmax,log_softmax,cumsum,layer_norm,rms_norm,linear,conv2d,hypot,logaddexp \
    --jobs 2 --db "$scratch/w.db" --quiet --deadline 20s
[ "$(sql "$scratch/w.db" "SELECT count(*) FROM finding")" = 0 ] ||
    fail "$(sql "$scratch/w.db" "SELECT signature, min_line FROM finding")"
# And the variants that operators of the BLAS have of their own.
while read -r variant op; do
    expect 0 "$opconform" fuzz --engine random --op "$op" --backend "planted:$variant" --cases $((${VARIANT_CASES:-10000} / 5)) \
        --seed "${VARIANT_SEED:-5}" --db "$scratch/$variant.db" --quiet
    [ "$(sql "$scratch/$variant.db" "SELECT count(*) FROM finding")" = 0 ] ||
        fail "$variant: $(sql "$scratch/$variant.db" "SELECT signature, min_line FROM finding")"
done <<<"$blas_variants"
[ -n "$blas_variants" ] || fail "there are no variants of the BLAS"
# The bounds are not slack: some correct kernel comes close to one.
[ "$(sql "$scratch/v.db" "SELECT max(worst_ratio) BETWEEN 0.9 AND 1 FROM coverage")" = 1 ] ||
    fail "worst ratio $(sql "$scratch/v.db" "SELECT max(worst_ratio) FROM coverage")"
finish
