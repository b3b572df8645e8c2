# The bugs of corpus/known.cases: docs/findings.md is made from the list, mistakes in the list are told, and programs
# that reproduce writes of its cases show the bugs.
. tests/lib.sh
docs/make-findings >"$scratch/page" || fail "docs/make-findings"
cmp "$scratch/page" docs/findings.md || fail "docs/findings.md is not what docs/make-findings writes"
# Whatever an entry lacks or says wrongly ends the program with a word about it.
mkdir "$scratch/corpus"
broken() { # SED WORD: the list, changed
    sed "$1" corpus/known.cases >"$scratch/corpus/known.cases"
    cmp -s corpus/known.cases "$scratch/corpus/known.cases" && fail "nothing is changed by $1"
    expect 1 env -C "$scratch" "$PWD/docs/make-findings"
    says "$2"
}
broken '0,/^# upstream/{/^# upstream/d}' "has no upstream"
broken '0,/^# first seen/s/^\(# first seen.*\)/\1\n\1/' "has two of first seen"
broken '0,/^# cause:/s/^# cause:/# because:/' "no field of the list"
broken '0,/^# diverges:/s/^# diverges:.*/# diverges: 0.3.99/' "no column 0.3.99"
broken '0,/^# backend:/{/^# backend:/d}' "does not say on which backend"
broken '0,/^# symptom:/{/^# symptom:/d}' "does not say what its first case shows"
# One program of each kind of library is written, built and shows its bug.
while IFS=$'\t' read -r backend line; do
    expect 0 "$opconform" reproduce "$line" --backend "$backend" --out "$scratch"
    source=$(cat "$scratch/out")
    expect 1 env -C "$scratch" sh -c "$(sed -n 's/^ \* build: *//p' "$source")"
done <<'L'
openblas:core=Prescott	scal/1 dtype=f32 n=1 alpha=nan | x=ones
netlib	rotmg/1 dtype=f64 y1=0x1p+1 | d1=list,values:0x1p-60 d2=list,values:0x1p-60 x1=ones param=ones
sleef	fmod/2 dtype=f64 shape=2 broadcast_a=0 broadcast_b=0 | a=bits b=bits:1
onednn	log/1 dtype=f32 shape=scalar | x=ones
xnnpack	max_pool2d/2 dtype=f32 batch=2 channels=1 input_size=1x1 kernel_size=2x1 stride=1x1 dilation=1x2 pads_begin=1x0 pads_end=1x0 ceil_mode=no | x=int
L
# Programs of oneDNN have the line by which benchdnn is asked for the same, or the reason why there is none.
asks() { # LINE WORDS
    expect 0 "$opconform" reproduce "$1" --backend onednn --out "$scratch"
    check "$1: $(cat "$(tail -n 1 "$scratch/out")")" grep -qF -- "/* $2 */" "$(tail -n 1 "$scratch/out")"
}
asks "log/1 dtype=f32 shape=2x3 | x=ones" "benchdnn --eltwise --dir=FWD_I --dt=f32 --tag=ab --alg=eltwise_log --alpha=0 --beta=0 2x3"
asks "maximum/2 dtype=f32 shape=2x3 broadcast_b=1 | a=ones b=ones" "benchdnn --binary --sdt=f32:f32 --ddt=f32 --stag=ab:ab --dtag=ab --alg=binary_max 2x3:2x1"
asks "maximum/2 dtype=f32 shape=2 | a=ones b=ones | exec=layout:strided" "benchdnn --binary --sdt=f32:f32 --ddt=f32 --strides=2:2:2 --alg=binary_max 2:2"
asks "amin/1 dtype=f32 shape=2x3 axes=1 | x=int" "benchdnn --reduction --sdt=f32 --ddt=f32 --stag=ab --dtag=ab --alg=reduction_min --p=0 --eps=0 2x3:2x1"
asks "matmul/2 dtype=f32 m=1 n=2 k=3 activation=relu | a=ones b=ones" \
    "benchdnn --matmul --dt=f32:f32:f32 --stag=ab --wtag=ab --dtag=ab --attr-post-ops=eltwise_relu:0:0 1x3:3x2"
asks "exp/1 dtype=f32 shape=2 | x=ones,special:nan" "no benchdnn line: it fills operands itself, and the case needs its own numbers"
asks "relu/1 dtype=f32 shape=2 | x=ones | exec=layout:strided" "no benchdnn line: its driver takes no strides"
finish
