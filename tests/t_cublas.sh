# The whole adapter of cuBLAS against a simulator in host memory (tests/fakecuda), and the functions it calls against
# the headers of CUDA where these are at hand.
. tests/lib.sh
. tests/fakecuda.sh
cublas() { # mode: the backend on the simulator
    echo "cublas$1@$fake"
}

# A correct library in every mode: nothing is found that the reference BLAS behind the simulator does not show.
allowed="op = 'rotg' OR kind = 'POLICY'"
# The rotmg of the reference BLAS never returns for infinity, and each such case takes seconds: it has one case below.
ops='blas/[a-qs-z]*,rot,rotg,rotm,rscal'
expect 0 "$opconform" replay "rotmg/1 dtype=f32 y1=0x1p+0 | d1=ones d2=ones x1=ones param=ones" --backend "$(cublas :device)"
grep -qE "cublas.*(AGREE|VACUOUS)" "$scratch/out" || fail "rotmg: $(cat "$scratch/out")"
for mode in "" :device+pointers :64+pedantic+stream; do
    db=$scratch/ok.db
    rm -f "$db"*
    "$opconform" fuzz --engine random --op "$ops" --backend "$(cublas "$mode")" --cases "${CUBLAS_CASES:-4000}" --jobs 2 --quiet \
        --deadline 5s --db "$db" >"$scratch/out" 2>&1
    [ $? -le 1 ] || fail "$mode: $(cat "$scratch/out")"
    [ "$(sql "$db" "SELECT count(*) FROM finding WHERE NOT ($allowed)")" = 0 ] ||
        fail "$mode: $(sql "$db" "SELECT signature, min_line FROM finding WHERE NOT ($allowed)")"
    [ "$(sql "$db" "SELECT count(DISTINCT op || dtype) FROM coverage WHERE executions > 0")" -ge 140 ] ||
        fail "$mode: only $(sql "$db" "SELECT count(DISTINCT op || dtype) FROM coverage WHERE executions > 0") routines ran"
done

[ "$(sql "$db" "SELECT count(*) FROM backend WHERE build LIKE 'no GPU: a simulator%'")" = 1 ] || fail "the simulator poses as a GPU"

# Faults of the device: found, minimised, filed once under their names.
shows() { # fault kind text [mode operator]
    finds "$1" "$2" "$3" "$(cublas "${4:-:device}")" "${5:-gemm}"
}
shows drop-last-k DIVERGE "whole | k>4"
shows drop-last-k DIVERGE "whole | k>4" :ex+stream gemm_wide
shows past-end CONTRACT "writes outside the elements: c"
shows input-modified CONTRACT "modifies an input: a"
shows sticky FAULT "cudaErrorIllegalAddress"
shows execution STATUS "CUBLAS_STATUS_EXECUTION_FAILED"
# An error that stays is its case's: all that ran beside it in a batch agree.
[ "$(sql "$scratch/sticky-gemm.db" "SELECT count(*) > 0 AND count(*) = count(DISTINCT dtype) FROM finding WHERE min_line LIKE '% m=1 n=1 k=3 %'")" = 1 ] || fail "another case is blamed"
FAKECUDA=hang expect 1 "$opconform" replay "gemm/1 m=1 n=1 k=5" --backend "$(cublas "")" --deadline 300ms
grep -q "FAULT.*hang" "$scratch/out" || fail "hang: $(cat "$scratch/out")"
# Matrix units: how the device's adds is asked of it and told; sums are judged by that, and what keeps fewer bits is found.
# Factors that are rounded, and slices of sums, are right where the mode allows them and nowhere else.
for library in cublas cublaslt cudnn; do
    FAKECUDA=unit expect 0 "$opconform" doctor "$library@$fake"
    grep -q "adds 16 products at once, keeps 25 bits below the largest" "$scratch/out" || fail "$library: the unit is not told"
    FAKECUDA=none expect 0 "$opconform" doctor "$library@$fake"
    ! grep -q "products at once" "$scratch/out" || fail "$library: a unit that is not there"
done
admits unit "$(cublas "")" gemm_half,gemm_wide
rejects coarse-unit "$(cublas "")" gemm_wide
admits slices "$(cublas "")" gemm_half
rejects slices "$(cublas :full)" gemm_half
admits none "$(cublas :tf32)" gemm
admits unit "$(cublas :tf32+ex)" gemm,gemm_half
# The strictest model that admits a case is kept; a unit that is too coarse has no other excuse.
FAKECUDA=coarse-unit expect 1 "$opconform" fuzz --engine random --op gemm_half --backend "$(cublas :full)" --cases 600 --quiet --db "$scratch/models.db"
for model in ieee matrix-unit; do
    expect 0 "$opconform" query models --db "$scratch/models.db"
    grep -q "$model" "$scratch/out" || fail "no case agreed under $model: $(cat "$scratch/out")"
done
admits cut-factors "$(cublas :tf32+ex)" gemm
admits unit "$(cublas :bf16+ex)" gemm
rejects tf32 "$(cublas "")" gemm
# Products of factors in three parts, of which all nine count.
for mode in :bf16x9 :bf16x9+ex :fixed :fixed+ex; do admits none "$(cublas $mode)" 'gemm,gemm_batch'; done
admits unit "$(cublas :bf16x9+ex)" gemm
rejects three-products "$(cublas :bf16x9)" gemm
admits none "$(cublas :half)" gemm_half
# A result that is right with every step rounded is compared with the related call as the kernel left it.
expect 0 "$opconform" replay "gemm_half/1 dtype=f16 m=1 n=2 k=2 beta=-0x1.31cp+14 | a=int b=int:1 c=int | exec=relation:moved" \
    --backend "$(cublas :half)"
admits none "$(cublas :ex+64)" 'gemm*,geadd,geam'
admits none "$(cublas :stream+workspace)" 'gemm*,trsm,symv'
admits none "$(cublas :ex+pointers+device+half)" 'gemm*,geadd'
finds sum-transposed DIVERGE "tb=t m>1 n>1 beta=1 values" "$(cublas :device)" geam f32
# Each argument of a routine with matrices is refused where it is illegal, and level 1 has none.
for number in 1 2 3 5 8 10 13; do
    expect 0 "$opconform" replay "gemm/1 dtype=f32 order=col m=3 n=2 k=4 | a=int b=int c=int | exec=illegal:$number" --backend "$(cublas :64)"
    grep -q AGREE "$scratch/out" || fail "illegal argument $number: $(cat "$scratch/out")"
done
expect 0 "$opconform" replay "axpy/1 dtype=f32 n=3 | x=int y=int | exec=illegal:1" --backend "$(cublas "")"
grep -q DECLINED "$scratch/out" || fail "an illegal length: $(cat "$scratch/out")"
FAKECUDA=any-choice expect 1 "$opconform" fuzz --engine random --op trsm --backend "$(cublas "")" --cases 12000 --quiet --db "$scratch/illegal.db"
[ "$(sql "$scratch/illegal.db" "SELECT count(*) > 0 AND count(*) = count(DISTINCT dtype) FROM finding WHERE signature LIKE '%accepts an illegal uplo%'")" = 1 ] ||
    fail "illegal: $(sql "$scratch/illegal.db" "SELECT signature FROM finding")"
reproduces any-choice "$scratch/illegal.db" "$scratch/any-choice"
# Cases of a device's size, for which it lends the reference products; wrong ones are thrown away.
expect 0 "$opconform" fuzz --engine random --op gemm --dtype f32 --scale 1000 --deadline 20s --backend "$(cublas "")" --cases 40 --quiet --json --db "$scratch/large.db"
grep -q '"rejected_products":0,"device_products":[1-9]' "$scratch/out" || fail "lent products: $(cat "$scratch/out")"
FAKECUDA=drop-last-k expect 1 "$opconform" fuzz --engine random --op gemm --dtype f32 --scale 1000 --deadline 20s --backend "$(cublas "")" --cases 40 --quiet --json --db "$scratch/wrong.db"
grep -q '"rejected_products":[1-9]' "$scratch/out" || fail "wrong products: $(cat "$scratch/out")"
[ "$(sql "$scratch/wrong.db" "SELECT count(*) FROM finding WHERE signature LIKE '%k>4%'")" = 1 ] || fail "a wrong product lent"
expect 2 "$opconform" fuzz --backend "$(cublas "")" --scale 2000000 --cases 1; says "expected 1 to 1000000"; one_line
# A fault that needs an operand that is not aligned on the device shows in the program as well.
FAKECUDA=misaligned expect 1 "$opconform" fuzz --engine random --op gemm --dtype f32 --backend "$(cublas :ex)" --cases 800 --quiet --db "$scratch/aligned.db"
[ "$(sql "$scratch/aligned.db" "SELECT count(*) FROM finding WHERE id = 1 AND signature LIKE '%align>0%'")" = 1 ] ||
    fail "misaligned: $(sql "$scratch/aligned.db" "SELECT signature FROM finding")"
FAKECUDA=drop-last-k expect 1 "$opconform" fuzz --engine random --op gemm --dtype f64 --backend "$(cublas :workspace)" --cases 200 --quiet --db "$scratch/workspace.db"
reproduces drop-last-k "$scratch/workspace.db" "$scratch/workspace"
grep -q cublasSetWorkspace "$scratch/workspace/"*.c || fail "no workspace in the program"
reproduces misaligned "$scratch/aligned.db" "$scratch/misaligned"
# Memory that is short on the device is no fault.
FAKECUDA=memory expect 0 "$opconform" fuzz --engine random --op gemm --backend "$(cublas "")" --cases 100 --quiet --db "$scratch/memory.db"
[ "$(sql "$scratch/memory.db" "SELECT sum(executions) FROM coverage")" = 0 ] || fail "memory that is short was judged"

# The bundle for machines without a compiler takes its own libraries, whatever the system has.
CUDA_LIBS=$fake ops/backend/fetch/bundle-gpu "$BUILD" "$scratch/bundle" >"$scratch/out" || fail "bundle: $(cat "$scratch/out")"
expect 0 env -i PATH=/usr/bin:/bin "$scratch/bundle/opconform-gpu" selftest --op dot,axpy,scal,ger --dtype f32,c128 --cases 500 --quiet \
    --db "$scratch/self.db"
[ "$(sql "$scratch/self.db" "SELECT count(DISTINCT op) FROM coverage WHERE executions > 0")" = 4 ] || fail "the self-test ran too little"
expect 1 env -i PATH=/usr/bin:/bin FAKECUDA=drop-last-k "$scratch/bundle/opconform-gpu" selftest --op gemm --cases 500 --quiet \
    --db "$scratch/self.db"
expect 3 env -i PATH=/usr/bin:/bin FAKECUDA=no-device "$scratch/bundle/opconform-gpu" fuzz --cases 1; says "no device"

# doctor and fuzz say in one line why a library is absent.
FAKECUDA=no-device expect 3 "$opconform" fuzz --backend "$(cublas "")" --cases 1; says "no device: cudaErrorNoDevice"; one_line
FAKECUDA=create expect 3 "$opconform" fuzz --backend "$(cublas "")" --cases 1; says "CUBLAS_STATUS_NOT_INITIALIZED"; one_line
expect 3 "$opconform" fuzz --backend "cublas@$scratch" --cases 1; says "no libcudart.so"; one_line
expect 3 "$opconform" fuzz --backend "cublas:fast@$fake" --cases 1; says "no mode 'fast'"; one_line

# Every function that is called has the type that the headers say.
"$fake/generate" declarations >"$scratch/declarations.c"
[ "$(grep -c '= cublas' "$scratch/declarations.c")" -ge 350 ] || fail "declarations"
if [ -n "$headers" ]; then
    "${CC:-cc}" -std=c17 -c -Wall -Werror -I"$headers" -o "$scratch/declarations.o" "$scratch/declarations.c" 2>"$scratch/err" ||
        fail "$headers: $(head -n 5 "$scratch/err")"
    # And the libraries of the toolkit have them all.
    echo 'int main(void) { return 0; }' >"$scratch/main.c"
    if [ -f "$libraries/libcublas.so" ] && [ -f "$libraries/libcudnn.so" ]; then
        "${CC:-cc}" -o "$scratch/declarations" "$scratch/main.c" "$scratch/declarations.o" -L"$libraries" -lcublas -lcublasLt \
            -lcudnn -lcudart -lm -Wl,-rpath-link,"$libraries" 2>"$scratch/err" || fail "link: $(grep undefined "$scratch/err" | head -n 5)"
    else
        skip "$libraries has no cuBLAS or no cuDNN: whether they have all that is called was not asked"
    fi
fi
finish
