# The numbers of the functions that we call of ONNX Runtime, on every version that is here, and what it computes as it
# may: a quotient that is subnormal before a scale multiplies it, and products of integers in pairs of 16 bits, with the
# zero point in the padding.  Attributes are of binary32: a number of binary64 that is none is not handed over.  Forms of
# a graph show nothing where its library is right, and what their constants, extents and idle nodes are for where it is not.
. tests/lib.sh
for folder in "${OPCONFORM_DEPS:-.deps}"/ort-*; do
    [ -f "$folder/libonnxruntime.so.1" ] || continue
    expect 0 "$BUILD/tests/ort_slots" "$folder/libonnxruntime.so.1" "${folder##*/ort-}"
    while IFS= read -r line; do
        "$opconform" replay "$line" --backend "ort:${folder##*/ort-}" --json >"$scratch/out" 2>&1
        [[ "$(verdicts)" =~ \ (AGREE|POLICY|DECLINED)$ ]] || fail "$(cat "$scratch/out")"
    done <<'LINES'
rms_norm/1 dtype=f32 shape=2 axis=0 epsilon=0x1p+0 | x=ones,scale:6,special:min scale=ones,scale:5
softshrink/2 dtype=f64 shape=2 lambd=0x1.663ca04bf76dp+0 | x=int
argmin/1 dtype=f32 | x=ones | exec=form:extents
matmul_integer/2 dtype=u8 dtype_b=i8 m=1 n=4 k=4 | a=bits:1 b=bits
conv2d_integer/2 dtype=i8 dtype_b=u8 zero_point_a=76 in_channels_per_group=2 input_size=1x1 pads_end=1x0 | a=ones b=bits
conv2d_quantized/2 dtype=u8 dtype_b=i8 in_channels_per_group=18 input_size=3x2 kernel_size=1x3 pads_begin=0x2 | a=bits:3 b=bits:72b7
LINES
    # Steps that are rounded make NaN of the first head; what the second one takes of a hidden column is blamed.
    line="attention/2 dtype=f16 kv_num_heads=2 q_sequence_length=1 kv_sequence_length=2 head_size=2 v_head_size=1 is_causal=yes | "
    "$opconform" replay "${line}q=list,values:0;-321;640.5;0x1p-13 k=list,values:0;-3480;0;-0.5;-0x1.5p-14;-inf;0x1p-10;-8440 v=ones" \
        --backend "ort:${folder##*/ort-}" >"$scratch/out" 2>&1
    grep -qE "DECLINED|1 of 2 bad|AGREE" "$scratch/out" || fail "$(cat "$scratch/out")"
    # Sums decide large products.
    expect 0 "$opconform" replay "matmul/2 dtype=f32 m=800 n=700 k=800 | a=int b=int" --backend "ort:${folder##*/ort-}"
    check "a large product" grep -q 'checked by sums, exact data: 100 %' "$scratch/out"
    # Constants of every type have a text.
    for dtype in f64 f32 f16; do
        expect 0 "$opconform" reproduce "matmul/2 dtype=$dtype m=1 n=1 k=1 activation=relu6 | a=ones b=ones" \
            --backend "ort:${folder##*/ort-}" --out "$scratch/program"
    done
    # A program in C with an illegal argument shows whether it is accepted: an axis of no elements is, that of others is refused.
    for shape in 0 2x3; do
        line="softmax/1 dtype=f32 shape=$shape axis=0 | x=ones y=ones | exec=illegal:1" status=0
        "$opconform" replay "$line" --backend "ort:${folder##*/ort-}" >"$scratch/out" 2>&1 || status=$?
        for right in "" --right; do
            expect 0 "$opconform" reproduce "$line" --backend "ort:${folder##*/ort-}" --harness $right --out "$scratch/illegal"
            build=$(sed -n 's/^ \* build: *//p' "$(cat "$scratch/out")")
            (cd "$scratch/illegal" && sh -c "$build -Wall -Wextra -Werror") || fail "no program: $build"
            expect "$([ "$right" ] && echo 0 || echo "$status")" "$scratch/illegal/reproducer"
        done
    done
    # What it lacks is said each time, not only when the model is read.
    line="prod/1 dtype=bf16 shape=2 axes=1 | x=ones"
    printf '%s\n%s\n' "$line" "$line" >"$scratch/twice"
    expect 0 "$opconform" replay "$scratch/twice" --backend "ort:${folder##*/ort-}" --json
    [ "$(grep -c 'lacks it: [A-Za-z]' "$scratch/out")" = 2 ] || fail "$(cat "$scratch/out")"
    # What it has no kernels for is told, and not drawn.
    expect 0 "$opconform" doctor --routines "ort:${folder##*/ort-}"
    check "kernels that are lacking" grep -q 'erf f64: .*Could not find an implementation for Erf' "$scratch/out"
    "$opconform" fuzz --op erf,asinh,acosh,relu,matmul --backend "ort:${folder##*/ort-}" --engine random --seed 3 \
        --cases 300 --db "$scratch/drawn.db" --json >"$scratch/out" 2>&1
    declined=$(grep -o '"declined":[0-9]*' "$scratch/out") declined=${declined#*:}
    check "of 300 cases $declined are declined" test "$declined" -le 9
done
[ "$checks" -gt 0 ] || skip_all "there is no ONNX Runtime (make backends)"

# form_of VERSION FORM WANTED LINE: the verdict of a line in a form, or of an illegal call by its number.
form_of() {
    checks=$((checks + 1))
    local kind=form
    [[ $2 =~ ^[0-9] ]] && kind=illegal
    "$opconform" replay "$4 | exec=$kind:$2" --backend "ort:$1" --json >"$scratch/out" 2>/dev/null
    [[ "$(verdicts)" =~ \ ($3)$ ]] || fail "$1 $2 $4: $(cat "$scratch/out")"
}
pool="avg_pool1d/2 dtype=f32 input_size=9 kernel_size=7 stride=3 pads_begin=3 pads_end=3 ceil_mode=yes count_include_pad=yes | x=normal"
regions="roi_align/1 dtype=f32 | x=ones rois=ones batch_indices=ones"
trained="batch_norm_train/2 dtype=f32 batch=64 channels=1 input_size=3x3x3 momentum=0.5 | x=normal mean=normal variance=positive"
for form in extents constant folded idle earlier negative; do
    while IFS= read -r line; do
        [ $form = negative ] && [[ "$line" != *axes=* ]] || echo "$line | exec=form:$form"
    done <<'LINES'
softmax/1 dtype=f32 shape=3x4 | x=normal
sum/1 dtype=i32 shape=2x3x4 axes=2 | x=int
where/2 dtype=f16 shape=3x4 | a=normal b=normal
gather/2 dtype=f32 shape=3x4 | x=normal
neg/1 dtype=f64 shape=3 | x=list,values:-0;0;nan
LINES
done >"$scratch/forms"
for folder in "${OPCONFORM_DEPS:-.deps}"/ort-*; do
    version=${folder##*/ort-}
    "$opconform" replay "$scratch/forms" --backend "ort:$version" --json >"$scratch/out" 2>&1
    check "$version in all forms: $(cat "$scratch/out")" test "$(grep -o '"verdict":"AGREE"' "$scratch/out" | wc -l)" = 26
    [[ $version = 1.23.2 || $version = 1.31.1 ]] && form_of "$version" idle CONTRACT "$trained"
    [ "$version" = 1.23.2 ] && form_of "$version" earlier DIVERGE "$pool"
    [ "$version" = 1.31.1 ] && form_of "$version" earlier AGREE "$pool"
    [ "$version" = 1.23.2 ] && form_of "$version" 1 STATUS "$regions"
    [ "$version" = 1.31.1 ] && form_of "$version" 1 AGREE "$regions"
    [ "$version" = 1.31.1 ] && form_of "$version" 17 FAULT "$regions"
done
if [ -d "${OPCONFORM_DEPS:-.deps}/ort-1.23.2" ] && [ -d "${OPCONFORM_DEPS:-.deps}/ort-1.31.1" ]; then
    tutorial docs/versions.md
else
    skip "docs/versions.md: make backends"
fi
finish
