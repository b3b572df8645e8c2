# shellcheck shell=bash disable=SC2034,SC2154
# Correct kernels that must never be flagged.

# The rounded reference, and its sums in each other way, which the operators of summing_operators have.
summing_variants=planted:ok-reference
for name in forward backward fma pairwise lanes blocked wide kahan neumaier halves four alpha-first; do
    summing_variants=$summing_variants,planted:ok-$name
done
summing_operators="gemm gemv dot asum nrm2 sum mean sum_squares norm1 norm2 var std logsumexp softmax log_softmax cumsum
    layer_norm rms_norm linear sparse_matmul sparse_product entries_matmul matmul_nbits conv2d hypot logaddexp"

# Lines "OPERATOR BACKENDS" of the operators that have correct variants of their own: those and the rounded reference.
own_variants() {
    "$opconform" list calls | awk '
        /^[^ ]/ { op = $1 }
        /^  [^ ]/ { planted = $1 == "planted" }
        /^    ok-/ && planted { sub(":", "", $1); if (!(op in list)) order[++count] = op; list[op] = list[op] ",planted:" $1 }
        END { for (i = 1; i <= count; i++) print order[i], "planted:ok-reference" list[order[i]] }'
}
