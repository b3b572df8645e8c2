# The whole adapter of cuDNN against a simulator in host memory (tests/fakecuda).
. tests/lib.sh
. tests/fakecuda.sh
dnn() { # mode: the backend on the simulator
    echo "cudnn$1@$fake"
}

# Correct operators in every type, with windows of every kind: each of them runs.
all='conv?d,conv?d_backward_*,max_pool?d,avg_pool?d,avg_pool?d_backward,*softmax,*softmax_backward,relu,sigmoid,tanh,batch_norm'
for mode in "" :0+stream :2+fma; do admits none "$(dnn "$mode")" "$all"; done
expect 0 "$opconform" fuzz --engine random --op "$all" --backend "$(dnn "")" --cases 2500 --quiet --db "$scratch/all.db"
[ "$(sql "$scratch/all.db" "SELECT count(DISTINCT op) FROM coverage WHERE executions > 0")" = 26 ] || fail "an operator never ran"
# What it has no function for is declined: an algorithm that is not there, and padding that differs.
expect 0 "$opconform" replay "conv2d/1 dtype=f32 batch=1 channels=1 outputs=1 size=2x2 kernel=1x1 | x=ones w=ones" --backend "$(dnn :3)"
grep -q DECLINED "$scratch/out" || fail "algorithm 3: $(cat "$scratch/out")"
expect 0 "$opconform" replay "conv2d/1 dtype=f32 batch=1 channels=1 outputs=1 size=4x4 kernel=3x3 after=1x1 | x=ones w=ones" --backend "$(dnn "")"
grep -q DECLINED "$scratch/out" || fail "padding: $(cat "$scratch/out")"

# Faults of one kind of operator each, and factors that are rounded: right unless the mode is fma.
finds last-channel DIVERGE "channels>1" "$(dnn "")" conv1d_backward_data f32
finds padded-max DIVERGE "kernel>1 before>0" "$(dnn :stream)" max_pool2d f32
finds no-relu DIVERGE "activation=relu" "$(dnn "")" conv3d f32
finds dropped-pad DIVERGE "count_pads=yes" "$(dnn "")" avg_pool2d_backward f32
rejects no-epsilon "$(dnn "")" batch_norm
rejects no-relu "$(dnn "")" relu
rejects last-channel "$(dnn "")" conv3d_backward_weights
rejects naive-softmax "$(dnn "")" softmax
admits tf32 "$(dnn "")" 'conv?d,conv?d_backward_*'
rejects tf32 "$(dnn :fma)" 'conv?d'

# What is absent says why, in one line.
FAKECUDA=no-device expect 3 "$opconform" fuzz --backend "$(dnn "")" --cases 1; says "no device: cudaErrorNoDevice"; one_line
FAKECUDA=create expect 3 "$opconform" fuzz --backend "$(dnn "")" --cases 1; says "CUDNN_STATUS_NOT_INITIALIZED"; one_line
expect 3 "$opconform" fuzz --backend "$(dnn :4)" --cases 1; says "no mode '4'"; one_line
finish
