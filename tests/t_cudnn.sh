# The whole adapter of cuDNN against a simulator in host memory (tests/fakecuda).
. tests/lib.sh
. tests/fakecuda.sh
dnn() { # mode: the backend on the simulator
    echo "cudnn$1@$fake"
}

# Correct operators in every type, with windows of every kind: each of them runs.
all='conv?d,conv?d_backward_*,max_pool?d,avg_pool?d,???_pool?d_backward,*softmax,*softmax_backward,relu,sigmoid,tanh,batch_norm,batch_norm_train'
for mode in "" :0+stream :2+fma; do admits none "$(dnn "$mode")" "$all"; done
expect 0 "$opconform" fuzz --engine random --op "$all" --backend "$(dnn "")" --cases 2500 --quiet --db "$scratch/all.db"
[ "$(sql "$scratch/all.db" "SELECT count(DISTINCT op) FROM coverage WHERE executions > 0")" = 30 ] || fail "an operator never ran"
# Cases without a function in cuDNN are declined: an algorithm that is not there, padding that differs at the two ends.
expect 0 "$opconform" replay "conv2d/2 dtype=f32 batch=1 in_channels_per_group=1 out_channels_per_group=1 input_size=2x2 kernel_size=1x1 | x=ones w=ones" --backend "$(dnn :3)"
grep -q DECLINED "$scratch/out" || fail "algorithm 3: $(cat "$scratch/out")"
expect 0 "$opconform" replay "conv2d/2 dtype=f32 batch=1 in_channels_per_group=1 out_channels_per_group=1 input_size=4x4 kernel_size=3x3 pads_end=1x1 | x=ones w=ones" --backend "$(dnn "")"
grep -q DECLINED "$scratch/out" || fail "padding: $(cat "$scratch/out")"

# Faults of one kind of operator each, and factors that are rounded: right unless the mode is fma.
finds last-channel DIVERGE "in_channels_per_group>1" "$(dnn "")" conv1d_backward_data f32
finds padded-max DIVERGE "kernel_size>1 pads_begin>0" "$(dnn :stream)" max_pool2d f32
finds no-relu DIVERGE "activation=relu" "$(dnn "")" conv3d f32
cases=3000 finds dropped-pad DIVERGE "count_include_pad=yes" "$(dnn "")" avg_pool2d_backward f32
finds lost-peak DIVERGE "max_pool2d_backward" "$(dnn "")" max_pool2d_backward f32
rejects biased-variance "$(dnn "")" batch_norm_train
rejects no-epsilon "$(dnn "")" batch_norm
rejects no-relu "$(dnn "")" relu
rejects last-channel "$(dnn "")" conv3d_backward_weights
rejects naive-softmax "$(dnn "")" softmax
admits tf32 "$(dnn "")" 'conv?d,conv?d_backward_*'
rejects tf32 "$(dnn :fma)" 'conv?d'

# Sums in another order each time: what the mode allows, and each call is judged by itself.
gradient="conv2d_backward_weights/2 dtype=f32 batch=4 in_channels_per_group=2 out_channels_per_group=3 input_size=5x5 kernel_size=2x2 | x=normal:1 dy=normal:2 | exec=repeat:3"
expect 0 "$opconform" replay "$gradient" --backend "$(dnn :unordered)"
admits none "$(dnn :unordered)" 'conv?d_backward_*'
rejects last-channel "$(dnn :unordered)" conv2d_backward_weights

# Convolutions by Fourier transforms, off by as much as they may be, and with a channel lost.
admits transforms "$(dnn :transforms+4)" 'conv?d'
rejects transforms "$(dnn :1)" conv2d
rejects last-channel "$(dnn :transforms+5)" conv2d

# Graphs: every operator that has one, in operands with any strides, on both engines that sum products.
for mode in :graph :graph+1+stream :graph+fma; do admits none "$(dnn "$mode")" '*'; done
expect 0 "$opconform" fuzz --engine random --op "*" --backend "$(dnn :graph)" --cases 4000 --quiet --db "$scratch/graphs.db"
[ "$(sql "$scratch/graphs.db" "SELECT count(DISTINCT op) FROM coverage WHERE executions > 0")" = 63 ] || fail "a graph never ran"
# An engine by transforms, one on the matrix unit that fma does not admit, and one that there is not.
for mode in graph+2 graph+1+fma graph+6; do
    expect 0 "$opconform" replay "matmul/2 dtype=f32 m=2 n=2 k=2 | a=ones b=ones" --backend "$(dnn ":$mode")"
    grep -q DECLINED "$scratch/out" || fail "$mode: $(cat "$scratch/out")"
done
finds second-engine DIVERGE "k>4" "$(dnn :graph+1)" matmul f32
finds no-graph-bias DIVERGE "bias=yes" "$(dnn :graph)" conv2d f32
rejects no-relu "$(dnn :graph+stream)" linear
rejects no-maximum "$(dnn :graph)" attention
rejects no-mask "$(dnn :graph+stream)" attention
rejects root-epsilon "$(dnn :graph)" rms_norm
finds no-second-sum DIVERGE "layer_norm_backward" "$(dnn :graph)" layer_norm_backward f32
rejects no-second-sum "$(dnn :graph+stream)" batch_norm_backward
rejects second-engine "$(dnn :graph+1)" gelu_linear_backward
rejects no-relu "$(dnn :graph)" leaky_relu

# The real cuDNN, where there is one, takes every one of these graphs for a device that is described, and compiles a
# kernel for it in at least one of the types.
real=
for folder in /usr/lib/x86_64-linux-gnu "$libraries"; do [ -f "$folder/libcudnn.so.9" ] && real=$folder; done
if [ -n "$real" ] && LD_LIBRARY_PATH=$fake/driver:$real "$fake/offer" "$real" 1 relu >"$scratch/out" 2>&1; then
    sql "$scratch/graphs.db" "SELECT DISTINCT op FROM coverage WHERE executions > 0" >"$scratch/ops"
    mapfile -t ops <"$scratch/ops"
    LD_LIBRARY_PATH=$fake/driver:$real timeout 900 "$fake/offer" "$real" 2 "${ops[@]}" >"$scratch/offers" 2>&1 ||
        fail "offer: $(tail -n 3 "$scratch/offers")"
    # Its kernels for gradients of batches want channels by fours, and those of attention few of the masks.
    LD_LIBRARY_PATH=$fake/driver:$real timeout 900 "$fake/offer" "$real" 60 batch_norm_backward attention >>"$scratch/offers" 2>&1 ||
        fail "offer: $(tail -n 3 "$scratch/offers")"
    awk '$3 != $5 { print }' "$scratch/offers" >"$scratch/refused"
    [ ! -s "$scratch/refused" ] || fail "refused: $(head -n 3 "$scratch/refused")"
    while read -r op; do
        grep -q "^$op .* taken, [1-9]" "$scratch/offers" || fail "no kernel: $(grep "^$op " "$scratch/offers" | head -n 1)"
    done <"$scratch/ops"
else
    skip "there is no cuDNN that knows devices by description: graphs were not offered to it"
fi

# fuzz says in one line why a library is absent.
FAKECUDA=no-device expect 3 "$opconform" fuzz --backend "$(dnn "")" --cases 1; says "no device: cudaErrorNoDevice"; one_line
FAKECUDA=create expect 3 "$opconform" fuzz --backend "$(dnn "")" --cases 1; says "CUDNN_STATUS_NOT_INITIALIZED"; one_line
expect 3 "$opconform" fuzz --backend "$(dnn :4)" --cases 1; says "no mode '4'"; one_line
expect 3 "$opconform" fuzz --backend "$(dnn :transforms+6)" --cases 1; says "no mode '6'"; one_line
expect 3 "$opconform" fuzz --backend "$(dnn :graph+100)" --cases 1; says "no mode '100'"; one_line
finish
