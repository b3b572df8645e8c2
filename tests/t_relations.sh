# A library against itself: faults that stay within every bound are found by the relations that show them and by no other
# judgement, and correct kernels, whatever the order of their sums, are left alone.
. tests/lib.sh
found() { # FAULT STATUS LINE: 1 where the line shows the fault
    expect "$2" "$opconform" replay "$3" --backend "planted:$1"
}
for type in f32 c64; do
    gemm="gemm/1 dtype=$type m=5 n=6 k=17 | a=normal:3 b=normal:4 c=normal:5 | exec=relation"
    found self-rounds-down 1 "$gemm:opposite"
    for relation in none negated scaled factor moved; do
        found self-rounds-down 0 "$gemm:$relation"
    done
done
found self-rounds-down 1 "$gemm:conjugated"
# What a reference leaves open may be anything in each call: columns behind the vectors that were found; the vectors may not.
stemr="stemr/1 dtype=f64 job=vectors n=7 ldz=0 lwork=queried range=indices last=2 | d=int:3 e=int:4 w=ones z=ones vl=ones vu=ones il=ones iu=ones tryrac=ones m=ones isuppz=ones info=ones | exec=relation"
for relation in none moved; do
    found ok-behind-found 0 "$stemr:$relation"
done
found self-vector-moved 0 "$stemr:none"
found ok-behind-found-both 0 "gesvdx/1 dtype=c128 jobu=vectors jobvt=vectors m=7 n=9 range=interval first=3 last=6 lda=0 ldu=0 ldv=0 matrix=free lwork=queried | a=int:3 vl=ones vu=ones il=ones iu=ones ns=ones s=ones u=ones v=ones info=ones | exec=repeat:3"
exp="exp/1 dtype=f32 shape=23 | x=normal:6 | exec=relation"
found self-tail 1 "$exp:reversed"
for relation in none moved; do
    found self-tail 0 "$exp:$relation"
done
# Outcomes that references leave open must not depend on the place, nor on the sign of what an even function takes: bounds
# see a documented departure, or nothing; last bits may differ.
shrink="softshrink/2 dtype=f32 shape=7 | x=normal,special:nan,place:last | exec=relation"
clamp="clamp/2 dtype=f32 shape=7 | x=normal | exec=relation"
var="var/1 dtype=f32 shape=3x5 axes=1 | x=normal,special:inf,place:row_end | exec=relation"
std="std/1 dtype=f32 shape=3x5 axes=1 | x=normal:3,special:inf,place:last | exec=relation"
answer() { # FAULT LINE RELATION: the relation alone shows it
    found "$1" 1 "$2:$3"
    check "$1, $3: $(cat "$scratch/out")" grep -q "INVARIANCE .*the related call ($3) gives another answer" "$scratch/out"
    "$opconform" replay "$2:none" --backend "planted:$1" >"$scratch/out" 2>&1
    check "$1, none: $(cat "$scratch/out")" grep -qE ' (AGREE|POLICY)' "$scratch/out"
}
answer self-tail-nan "$shrink" alone
answer self-tail-nan "$shrink" part
several="${shrink/exec=/exec=threads:2,}"
answer self-threads-nan "$several" threads
for relation in alone dense mirrored; do
    "$opconform" replay "$several:$relation" --backend planted:self-threads-nan >"$scratch/out" 2>&1
    check "threads, $relation: $(cat "$scratch/out")" grep -q ' POLICY' "$scratch/out"
done
"$opconform" replay "$several:threads" --backend planted:ok-comparison >"$scratch/out" 2>&1
check "a comparison on threads: $(cat "$scratch/out")" grep -q ' POLICY' "$scratch/out"
answer self-tail-zero "$clamp" alone
answer self-tail-zero "$clamp" rotated
answer self-batch-infinity "$var" rotated
answer self-sign-of-infinity "$std" mirrored
for relation in alone part rotated mirrored dense; do
    "$opconform" replay "$shrink:$relation" --backend planted:ok-comparison >"$scratch/out" 2>&1
    check "a comparison: $(cat "$scratch/out")" grep -q ' POLICY' "$scratch/out"
    found self-tail 0 "$exp:$relation"
done
for row in self-tail-nan:softshrink self-tail-zero:clamp self-batch-infinity:var self-sign-of-infinity:std; do
    fault=${row%:*}
    expect 1 "$opconform" fuzz --engine random --op "${row#*:}" --backend "planted:$fault" --fix 'exec.relation=part|rotated|mirrored' \
        --cases 20000 --first --seed 1 --db "$scratch/$fault.db" --quiet
    check "$fault: $(sql "$scratch/$fault.db" "SELECT kind, min_line FROM finding")" \
        [ "$(sql "$scratch/$fault.db" "SELECT group_concat(DISTINCT kind) FROM finding WHERE kind != 'POLICY'")" = INVARIANCE ]
done
expect 0 "$opconform" fuzz --engine random --op softshrink --backend planted:ok-comparison --cases 1500 --seed 2 --db "$scratch/comparison.db" --quiet
# They are found without being pointed at, and stay what they are when they are minimal.
expect 1 "$opconform" fuzz --engine random --op gemm --dtype f32,c64 --backend planted:self-rounds-down --fix 'exec.relation=opposite|conjugated' \
    --cases 1500 --db "$scratch/down.db" --quiet
check "not found: $(sql "$scratch/down.db" "SELECT signature FROM finding")" \
    [ "$(sql "$scratch/down.db" "SELECT count(*) > 1 FROM finding WHERE signature LIKE '%opposite%' OR signature LIKE '%conjugated%'")" = 1 ]
expect 1 "$opconform" fuzz --engine random --op exp --dtype f32 --backend planted:self-tail --cases 1500 --db "$scratch/tail.db" --quiet
check "found otherwise: $(sql "$scratch/tail.db" "SELECT signature FROM finding")" \
    [ "$(sql "$scratch/tail.db" "SELECT min(kind), max(kind) FROM finding")" = $'INVARIANCE\tINVARIANCE' ]
# A relation is drawn that holds of the case; what was not compared is counted.
expect 0 "$opconform" fuzz --engine random --op gemm,exp,dot,softmax --backend planted:ok-reference --cases 3000 --db "$scratch/drawn.db" --quiet --json
compared=$(sed -n 's/.*"related":\([0-9]*\),"unrelated":\([0-9]*\).*/\1 \2/p' "$scratch/out")
check "second calls: $compared" [ "${compared% *}" -gt $((4 * ${compared#* })) ]
expect 0 "$opconform" fuzz --engine random --op dot --backend planted:ok-reference --fix 'exec.relation=addend' --cases 300 --db "$scratch/none.db" --quiet
check "$(cat "$scratch/out")" grep -qE '^0 second calls were compared with the first, and [1-9][0-9]* were not' "$scratch/out"
# Where the relation does not hold, nothing is said: shared exponents, other sums, a unit diagonal, broadcasts.
for line in "gemm/1 dtype=c64 ta=c m=3 n=4 k=33 beta=0x1p+0 | a=cancel:1 b=wide:2 c=normal | exec=relation:" \
    "gemm3m/1 dtype=c64 m=3 n=4 k=33 beta=0x1p+0 | a=normal:1 b=normal:2 c=normal | exec=relation:" \
    "gemv/1 dtype=c64 ta=t m=9 n=12 alpha=(0x1p+0,0x1.8p+0) beta=0x1p+0 | a=normal:1 x=normal:2 y=normal:3 | exec=relation:" \
    "trmm/1 dtype=c64 diag=unit m=5 n=4 | a=normal:1 b=normal:2 | exec=relation:" \
    "spmv/1 dtype=f32 n=25 alpha=-0x1p+0 beta=-0x1p+0 | ap=int:1 x=int:2 y=int:3 | exec=relation:" \
    "hpr2/1 dtype=c64 uplo=lower n=5 alpha=0x1p-1 | x=normal:1 y=normal:2 ap=normal:3 | exec=relation:" \
    "gbmv/1 dtype=c128 m=7 n=9 kl=2 ku=1 alpha=(0x1p+0,0x1p-1) beta=0x1p+0 | a=normal:1 x=normal:2 y=normal:3 | exec=relation:" \
    "axpy/1 dtype=c64 n=5 incx=0 alpha=0x1.8p+0 | x=normal:1 y=normal:2 | exec=relation:" \
    "axpy/1 dtype=f32 n=29 incx=-2 incy=3 alpha=0x1.8p+0 | x=normal:1 y=normal:2 | exec=relation:" \
    "add/1 dtype=f32 shape=3x5 broadcast_a=1 | a=normal:1 b=normal:2 | exec=relation:" \
    "tanh/1 dtype=f32 shape=3x11 | x=normal:2 | exec=relation:"; do
    for relation in opposite conjugated reversed alone part rotated mirrored dense plain; do
        found ok-reference 0 "$line$relation"
    done
done
for variant in forward backward fma pairwise lanes blocked wide alpha-first; do
    expect 0 "$opconform" replay --backend "planted:ok-$variant" - <<LINES
gemm/1 dtype=f32 m=5 n=6 k=67 alpha=0x1.8p+0 beta=0x1.4p+0 | a=normal:3 b=normal:4 c=normal:5 | exec=relation:opposite
gemm/1 dtype=c64 ta=c m=5 n=6 k=67 alpha=(0x1.8p+0,0x1p-1) beta=0x1.4p+0 | a=normal:3 b=normal:4 c=normal:5 | exec=relation:opposite
gemm/1 dtype=c128 tb=c m=5 n=6 k=67 alpha=(0x1.8p+0,0x1p-1) beta=0x1.4p+0 | a=normal:3 b=normal:4 c=normal:5 | exec=relation:conjugated
LINES
done
finish
