# The operators of neural networks on the libraries of the distribution: the C library and our own rounded
# reference are left alone, what is wrong in oneDNN comes out by itself and reproduces without the tool.
. tests/lib.sh
"$opconform" fuzz --engine random --op 'nn/*' --backend libm,planted:ok-reference --cases "${NN_CASES:-9000}" \
    --seed 3 --jobs 2 --deadline 20s --db "$scratch/nn.db" --quiet >"$scratch/out" 2>&1
[ $? -le 1 ] || fail "$(cat "$scratch/out")"
[ "$(sql "$scratch/nn.db" "SELECT count(*) FROM finding")" = 0 ] ||
    fail "$(sql "$scratch/nn.db" "SELECT signature, coalesce(min_line, line) FROM finding")"
idle=$(sql "$scratch/nn.db" "SELECT op FROM coverage GROUP BY op HAVING sum(executions) = 0")
[ -z "$idle" ] || fail "never executed: $idle"
[ "$(sql "$scratch/nn.db" "SELECT count(DISTINCT op) FROM coverage")" -ge 120 ] || fail "fewer than 120 operators"
expect 1 "$opconform" fuzz --engine random --op log,softplus --backend onednn --dtype f32 --cases 600 --seed 1 \
    --db "$scratch/d.db" --quiet
for op in log softplus; do
    id=$(sql "$scratch/d.db" "SELECT id FROM finding WHERE op = '$op' AND kind = 'DIVERGE' LIMIT 1")
    [ -n "$id" ] || fail "$op of oneDNN was not found"
    expect 0 "$opconform" reproduce "$id" --db "$scratch/d.db" --out "$scratch/$op"
    check "$op: $(cat "$scratch/err")" [ ! -s "$scratch/err" ]
    source=$(ls "$scratch/$op"/*.c*)
    grep -q '#include <oneapi/dnnl/dnnl.hp*>' "$source" || fail "$source does not include the library's header"
    check "$source has $(wc -l <"$source") lines" [ "$(wc -l <"$source")" -le 35 ]
    expect 1 env -C "$scratch/$op" sh -c "$(sed -n 's/^ \* build: *//p' "$source")"
done
# A value that the judge admits, here the sine of a great argument, is admitted by the program as well.
expect 0 "$opconform" reproduce "sin/1 dtype=f64 shape=40 | x=exponents:2" --backend libm --out "$scratch/sin"
expect 0 env -C "$scratch/sin" sh -c "$(sed -n 's/^ \* build: *//p' "$scratch/sin/reproducer.c")"
expect 1 "$opconform" replay "log/1 dtype=f32 shape=scalar | x=ones" --backend onednn
grep -q DIVERGE "$scratch/out" || fail "$(cat "$scratch/out")"
# Images with channels last, and operands in other layouts, by the library and by the program.
line="max_pool2d/2 dtype=f32 batch=2 channels=1 input_size=1x1 kernel_size=2x1 stride=1x1 dilation=1x2 pads_begin=1x0 pads_end=1x0 ceil_mode=no | x=int"
expect 1 "$opconform" replay "$line" --backend xnnpack
expect 0 "$opconform" reproduce "$line" --backend xnnpack --out "$scratch/pool"
expect 1 env -C "$scratch/pool" sh -c "$(sed -n 's/^ \* build: *//p' "$scratch/pool/reproducer.c")"
for layout in dense channels_last sliced strided; do
    expect 0 "$opconform" replay "conv2d/2 dtype=f32 in_channels_per_group=3 out_channels_per_group=2 input_size=5x4 kernel_size=3x2 | x=int w=int | exec=layout:$layout" \
        --backend planted:ok-reference,xnnpack,onednn,onednn:blocked
    grep -q DECLINED "$scratch/out" && [ "$layout" = dense ] && fail "$(cat "$scratch/out")"
done
# A distance from the mean may multiply a sum of products with it before the root makes both small.
expect 0 "$opconform" replay "batch_norm_backward/2 dtype=f32 batch=1 channels=1 input_size=1 epsilon=0x1p-17 | dy=ones x=ones scale=ones mean=list,values:0x1p+90 variance=list,values:0x1p+65" --backend onednn
grep -q AGREE "$scratch/out" || fail "$(cat "$scratch/out")"
# An exponential may overflow that multiplies 0. That NaN of a padding that is multiplied is clipped is documented of the
# padding, not of the clipping.
expect 0 "$opconform" replay "log_softmax_backward/1 dtype=f32 shape=2 axis=0 | dy=zeros y=int,scale:5" --backend onednn
grep -q AGREE "$scratch/out" || fail "$(cat "$scratch/out")"
line="conv2d/2 dtype=f32 input_size=1x1 kernel_size=2x1 pads_begin=1x0 activation=relu6 | x=ones w=ones,special:nan"
expect 1 "$opconform" replay "$line" --backend onednn --json
[ "$(verdicts)" = "onednn DIVERGE" ] && grep -q '"reading":"nan-by-comparison","admitted_by":""' "$scratch/out" || fail "$(cat "$scratch/out")"
# Where a reference admits anything, no value is expected.
expect 0 "$opconform" replay "cast/1 dtype=f32 to=i32 | x=ones,special:nan,place:all" --backend planted:ok-reference
grep -q "expected anything" "$scratch/out" || fail "$(cat "$scratch/out")"
# What the description of a primitive does not name lies there as the library wants it: scales, statistics and their
# gradients.  Its normalisation of layers takes rows of a longer tensor for dense ones.
while IFS= read -r line; do
    expect 0 "$opconform" replay "$line | exec=layout:strided" --backend onednn
    grep -q AGREE "$scratch/out" || fail "$(cat "$scratch/out")"
done <<'LINES'
batch_norm/2 dtype=f32 batch=2 channels=3 input_size=2 | x=int scale=int bias=int mean=int variance=ones
batch_norm_backward/2 dtype=f32 batch=2 channels=3 input_size=2 | dy=int x=int scale=int mean=ones variance=ones
layer_norm/1 dtype=f32 shape=2x3x2 axis=2 | x=int scale=int bias=int
layer_norm_backward/1 dtype=f32 shape=3x2 | dy=int x=int scale=int mean=ones variance=ones
LINES
line="layer_norm/1 dtype=f32 shape=1x2x3 axis=2 | x=int scale=int bias=int y=ones | exec=layout:sliced"
expect 1 "$opconform" replay "$line" --backend onednn
expect 0 "$opconform" reproduce "$line" --harness --backend onednn --out "$scratch/rows"
expect 1 env -C "$scratch/rows" sh -c "$(sed -n 's/^ \* build: *//p' "$scratch/rows/reproducer.c") && ./reproducer"
expect 1 "$opconform" replay "sqrt/1 dtype=f32 shape=scalar | x=ones,special:subnormal" --backend xnnpack
grep -q "flush" "$scratch/out" || fail "$(cat "$scratch/out")"
expect 1 "$opconform" replay "relu/1 dtype=f32 shape=2 | x=int | exec=layout:strided" --backend onednn
grep -q "CONTRACT" "$scratch/out" || fail "$(cat "$scratch/out")"
# Functions that are accurate to their largest value only, or flush, are bugs where nobody documents it, and an overlap is to
# blame for nothing that shows without it.
printf '%s\n' 'silu/1 dtype=f32 shape=37 | x=bits:3020' 'silu/1 dtype=f32 shape=3x262 | x=exponents:eb4c' \
    'exp/1 dtype=f32 shape=scalar | x=ones,special:nan | exec=overlap:output' >"$scratch/conventions.cases"
expect 1 "$opconform" fuzz --engine random --op silu,exp --backend onednn --seeds "$scratch/conventions.cases" --cases 1 \
    --db "$scratch/conventions.db" --quiet
bugs=$(sql "$scratch/conventions.db" "SELECT severity FROM bug WHERE part_of IS NULL ORDER BY severity" | tr '\n' ' ')
[ "$bugs" = "1 3 " ] || fail "bugs of severity $bugs: $(sql "$scratch/conventions.db" "SELECT id, bug, signature FROM finding")"
# Element types that a library has no primitive of on this processor are said, and not drawn.
"$opconform" fuzz --engine random --op relu,matmul,add --backend onednn --cases 600 --seed 2 --db "$scratch/types.db" --quiet >"$scratch/out" 2>&1
[ $? -le 1 ] || fail "$(cat "$scratch/out")"
idle=$(sql "$scratch/types.db" "SELECT dtype FROM coverage GROUP BY dtype HAVING sum(executions) = 0")
[ -z "$idle" ] || fail "drawn in vain: $idle"
"$opconform" doctor onednn >"$scratch/doctor"
for dtype in f32 bf16 f16; do
    "$opconform" replay "relu/1 dtype=$dtype shape=3 | x=ones" --backend onednn --json >"$scratch/out"
    wanted=AGREE
    ! grep -q "no $dtype here" "$scratch/doctor" || wanted=DECLINED
    [ "$(verdicts)" = "onednn $wanted" ] || fail "$dtype: $(verdicts), wanted $wanted"
done
# An operator that no backend has is named.
expect 2 "$opconform" fuzz --op conv2d --backend netlib --cases 1 --db "$scratch/x.db"
says "no backend has these operators"
one_line
finish
