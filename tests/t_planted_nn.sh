# Every planted fault of the operators of neural networks is found and shrunk, and its minimal case shows
# it again; small extents say that shapes and windows shrink as well.
. tests/lib.sh
cases=${PLANTED_CASES:-500} engine=${PLANTED_ENGINE:-random}
while read -r fault op kind; do
    db=$scratch/$fault.db
    # Some are what libraries are known to do, and rare: they are filed under the name of a policy, in half
    # precision under that of rounding every step.
    which="kind != 'POLICY'" runs=$cases status=1
    if [ -n "$kind" ]; then
        which="kind = '$kind' AND dtype = 'f32'" runs=$((3 * cases)) status=0
    fi
    expect "$status" "$opconform" fuzz --engine "$engine" --op "$op" --backend "planted:$fault" --cases "$runs" \
        --seed 1 --deadline 1s --db "$db" --quiet
    hits=$(sql "$db" "SELECT sum(hits) FROM finding WHERE $which")
    line=$(sql "$db" "SELECT min_line FROM finding WHERE $which ORDER BY id LIMIT 1")
    id=$(sql "$db" "SELECT id FROM finding WHERE $which ORDER BY id LIMIT 1")
    echo "$fault: $hits hits, $line"
    [ "${hits:-0}" -gt 1 ] || fail "$fault: only ${hits:-0} hits"
    [ -n "$line" ] || fail "$fault: not minimised"
    size=$(sed -n 's/.* \(shape\|size\)=\([0-9x]*\) .*/\2/p' <<<"$line" | tr x '*')
    [ "$((${size:-1}))" -le 64 ] || fail "$fault: $line"
    expect 1 "$opconform" replay "$id" --db "$db" --deadline 1s
done <<'FAULTS'
conv-padding conv2d
conv-last-tap conv2d
conv-group conv2d
pool-pads avg_pool2d
pool-ceil max_pool2d
var-unbiased var
norm-epsilon layer_norm
argmax-tie argmax
bf16-truncated add
gelu-tanh gelu
gather-last gather
pad-reflect pad
round-half round
cumsum-inclusive cumsum
log1p-naive log1p
softmax-overflow softmax
matmul-batch matmul
dropout-scale dropout
dropout-none dropout
broadcast-gradient mul_backward
epsilon-outside layer_norm
align-corners interpolate2d
grid-corners grid_sample
scatter-last scatter_add
attention-scale attention
attention-causal attention
lstm-gates lstm
zero-point conv2d_integer
mean-weights cross_entropy
search-side searchsorted
pool-shares avg_pool2d_backward
activation-end conv2d
einsum-diagonal einsum
gelu-slope gelu_linear_backward
bias-rows relu_linear_backward
max-nan amax POLICY
var-one-pass var POLICY
FAULTS
finish
