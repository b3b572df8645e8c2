# The libraries of the system, and copies of one side by side; what doctor and the store say of them.
. tests/lib.sh
expect 0 "$opconform" doctor
grep -q "self-test passed" "$scratch/out" || fail "doctor"
[ "$(grep -cE '^ *blocks of( [0-9]+){4}' "$scratch/out")" -ge 2 ] || fail "OpenBLAS and BLIS do not tell their blocks"
grep -qE '^openblas +0\.' "$scratch/out" || fail "OpenBLAS: $(cat "$scratch/out")"
# The manual of operators, but for the libraries that this machine has.
diff <("$opconform" list manual 2>"$scratch/err" | sed 's/ Backends: .*//') <(sed 's/ Backends: .*//' docs/operators.md) ||
    fail "docs/operators.md is not what opconform list manual prints"
library=$(sed -n '/^openblas  /{n;s/ //g;p}' "$scratch/out")
cp "$library" "$scratch/one.so"
cp "$library" "$scratch/two.so"
"$opconform" fuzz --engine random --cases 400 --db "$scratch/l.db" --quiet \
    --backend "openblas,blis,netlib,cblas@$scratch/one.so,cblas@$scratch/two.so" >"$scratch/out" 2>&1
[ $? -le 1 ] || fail "five libraries in one run: $(cat "$scratch/out")"
[ "$(sql "$scratch/l.db" "SELECT count(*) FROM backend WHERE version <> ''")" = 5 ] || fail "versions"
[ "$(sql "$scratch/l.db" "SELECT count(DISTINCT path) FROM backend")" = 5 ] || fail "paths"
[ "$(sql "$scratch/l.db" "SELECT count(DISTINCT backend) FROM coverage")" = 5 ] || fail "coverage"
# MKL loads its parts for all to see, and takes the calls of libraries that are loaded later: it is opened last.
if [ -e .deps/mkl-2026.2 ]; then
    for backends in mkl:2026.2,netlib vml:2026.2,mkl:2026.2,netlib; do
        expect 1 "$opconform" replay "scal/1 dtype=f32 n=1 alpha=0x0p+0 incx=-1 | x=ones" --json --backend "$backends"
        verdicts | grep -qx 'mkl:2026.2 DIVERGE' || fail "$backends: MKL does nothing where incx is negative, choose another case"
        verdicts | grep -qx 'netlib AGREE' || fail "$backends: $(verdicts)"
    done
else
    skip "MKL is not fetched"
fi
# A file that calls itself as the system's library does is not taken for that.
"${CC:-cc}" -std=c17 -O1 -shared -fPIC -DFAULTY=1 -DVERSION='"1.0"' -Wl,-soname,libblis.so.4 -o "$scratch/own.so" \
    tests/faulty_blas.c -lm || fail "compiler"
expect 1 "$opconform" replay "gemm/1 dtype=f32 m=2 n=7 k=2 | a=ones b=ones c=ones" --json --backend "cblas@$scratch/own.so,blis"
[ "$(verdicts)" = "cblas@$scratch/own.so DIVERGE"$'\n'"blis AGREE" ] || fail "$(verdicts)"
# One library with two sets of kernels in one run, and with those that it chooses itself.
"$opconform" fuzz --engine random --cases 50 --op gemm --db "$scratch/c.db" --quiet \
    --backend openblas:core=Prescott,openblas:core=Nehalem,openblas >"$scratch/out" 2>&1
[ $? -le 1 ] || fail "two cores: $(cat "$scratch/out")"
[ "$(sql "$scratch/c.db" "SELECT count(*), group_concat(DISTINCT CASE WHEN name LIKE '%=%' THEN core END) FROM backend")" = $'3\tPrescott,Nehalem' ] || fail "$(sql "$scratch/c.db" "SELECT name, core FROM backend")"
# Each version of OpenBLAS that is fetched has its routines, however their names are decorated.
for folder in .deps/openblas-*; do
    expect 0 "$opconform" replay "gemm/1 dtype=f32 m=2 n=7 k=2 | a=ones b=ones c=ones" --backend "openblas:${folder#*/openblas-}"
done
# A library with one routine is offered that one; functions stand for their operators and types.
cat >"$scratch/ddot.c" <<'C'
double cblas_ddot(int n, const double *x, int incx, const double *y, int incy)
{
    double sum = 0;
    x -= incx < 0 ? (n - 1) * incx : 0;
    y -= incy < 0 ? (n - 1) * incy : 0;
    for (int i = 0; i < n; i++)
        sum += x[i * incx] * y[i * incy];
    return sum;
}
C
cc -O2 -shared -fPIC -o "$scratch/libddot.so" "$scratch/ddot.c"
expect 0 "$opconform" fuzz --engine random --backend "cblas@$scratch/libddot.so" --cases 400 --db "$scratch/d.db" --quiet
[ "$(sql "$scratch/d.db" "SELECT op, dtype, sum(declined) * 20 <= sum(executions) FROM coverage GROUP BY op, dtype")" = $'dot\tf64\t1' ] ||
    fail "ddot alone: $(sql "$scratch/d.db" "SELECT op, dtype, sum(executions), sum(declined) FROM coverage GROUP BY op, dtype")"
expect 0 "$opconform" fuzz --engine random --backend netlib --op 'cblas_ddot,sgemm,zdotu_sub,axpy' --dtype f32,f64,c128 --cases 200 \
    --db "$scratch/o.db" --quiet
[ "$(sql "$scratch/o.db" "SELECT group_concat(DISTINCT op || dtype) FROM (SELECT op, dtype FROM coverage ORDER BY op, dtype)")" = \
    axpyc128,axpyf32,axpyf64,dotf64,dotuc128,gemmf32 ] || fail "operators of functions"
expect 3 "$opconform" fuzz --backend openblas:no-such-build --cases 1 --db "$scratch/x.db"
says "no variant 'no-such-build'"
one_line
expect 3 env OPCONFORM_DEPS="$scratch" "$opconform" fuzz --backend openblas:0.3.26 --cases 1 --db "$scratch/x.db"
says "version 0.3.26 is not in $scratch: 'make backends' fetches it"
one_line
expect 3 "$opconform" fuzz --backend openblas:core=NoSuchCore --cases 1 --db "$scratch/x.db"
says "instead: use a name or a number"
one_line
# Illegal arguments come back as reports, and the process goes on.
expect 0 "$opconform" replay "gemm/1 dtype=f32 m=2 n=2 k=2 | a=ones b=ones c=ones | exec=illegal:9" --backend netlib
# Every routine that a library exports is executed in every type; but for rotmg, which never returns for
# infinities and would take all the time.
"$opconform" fuzz --engine random --cases 12000 --op 'blas/[a-q]*,blas/rot,blas/rot[gm],blas/rscal,blas/[s-z]*' --backend netlib --jobs 2 --db "$scratch/all.db" \
    --quiet >"$scratch/out" 2>&1
[ $? -le 1 ] || fail "all routines: $(cat "$scratch/out")"
idle=$(sql "$scratch/all.db" "SELECT DISTINCT op FROM (SELECT op, dtype, sum(executions) AS n FROM coverage
    GROUP BY op, dtype) WHERE n = 0 AND op NOT IN ('axpby', 'geadd', 'gemm3m', 'gemmt', 'iamin', 'imatcopy',
    'omatcopy', 'gemm_batch', 'gemm_groups', 'gemm_half', 'gemm_wide')")
[ -z "$idle" ] || fail "never executed: $idle"
# Row-major conjugate-transposed products with m = 0 never return (docs/findings.md).
outside=$(sql "$scratch/all.db" "SELECT line FROM v_open WHERE id NOT IN (SELECT finding FROM finding_policy)
    AND line NOT LIKE 'g%mv/1 %order=row ta=c m=0 %'")
[ -z "$outside" ] || fail "the reference BLAS outside the policies: $outside"
# A plain product is right everywhere.
expect 0 "$opconform" replay "gemm/1 dtype=f64 m=33 n=17 k=65 | a=normal:1 b=normal:2" --backend openblas,blis,netlib
grep -c AGREE "$scratch/out" | grep -qx 3 || fail "$(cat "$scratch/out")"
# The thin targets are ordinary libFuzzer programs.
expect 0 env OPCONFORM_BACKEND=planted:ok-reference "$BUILD/fuzz-gemm" -runs=500 -seed=1
expect 77 env OPCONFORM_BACKEND=planted:drop-last-k "$BUILD/fuzz-gemm" -runs=5000 -seed=1 -artifact_prefix="$scratch/"
grep -q "DEDUP_TOKEN" "$scratch/err" || fail "no token"
expect 0 env OPCONFORM_CONTINUE=1 OPCONFORM_BACKEND=planted:drop-last-k "$BUILD/fuzz-gemv" -runs=500 -seed=1
# A fault beyond 2,048 columns, found by sums, which name the element; the right library agrees, and how is said.
for faulty in 0 1 3 4; do
    "${CC:-cc}" -std=c17 -g -O3 -mavx2 -mfma -shared -fPIC -DFAULTY=$faulty -o "$scratch/large$faulty.so" tests/large_blas.c || fail "compiler"
done
both=cblas@$scratch/large0.so,cblas@$scratch/large1.so
for data in int:%d,1 normal:%d,0.0; do
    IFS=, read -r kind whole <<<"$data"
    line=$(printf 'gemm/1 dtype=f32 order=col m=1200 n=2051 k=1700 | a=%s b=%s c=%s' "${kind//%d/1}" "${kind//%d/2}" "${kind//%d/3}")
    expect 1 "$opconform" replay "$line" --json --deadline 10s --backend "$both"
    [ "$(verdicts)" = "cblas@$scratch/large0.so AGREE"$'\n'"cblas@$scratch/large1.so DIVERGE" ] || fail "$kind: $(verdicts) $(cat "$scratch/err")"
    grep -q '"pattern":"last columns"' "$scratch/out" || fail "$kind: $(cat "$scratch/out")"
    grep AGREE "$scratch/out" | grep -q "\"share\":${whole}[,}0-9]" || fail "$kind: $(cat "$scratch/out")"
done
# So are wrong blocks, rows and diagonals of what has a triangle or is solved, each where it has that fault.
every=$(printf "cblas@$scratch/large%s.so," 0 1 3 4)
while read -r found line; do
    expect 1 "$opconform" replay "$line" --json --deadline 20s --backend "${every%,}"
    for faulty in 0 1 3 4; do
        verdict=AGREE
        [[ $found = *$faulty* ]] && verdict=DIVERGE
        verdicts | grep -qx "cblas@$scratch/large$faulty.so $verdict" || fail "$faulty: $line: $(verdicts)"
    done
done <<'END'
134 symm/1 dtype=f32 order=col side=right uplo=lower m=64 n=2051 | a=int:1 b=int:2 c=int:3
34 trmm/1 dtype=f32 order=col uplo=lower m=2051 n=64 | a=int:1 b=int:2
134 syrk/1 dtype=f32 order=col uplo=lower n=2051 k=48 beta=0x1p+0 | a=int:1 c=int:2
134 syr2k/1 dtype=f32 order=row uplo=upper n=2051 k=48 | a=int:1 b=int:5 c=int:2
134 gemmt/1 dtype=f32 order=col n=2051 k=48 | a=int:1 b=int:5 c=int:2
1 trsm/1 dtype=f32 order=col diag=unit m=320 n=2051 | a=normal:1,scale:-8 b=normal:2
34 trsm/1 dtype=f32 order=row side=right diag=unit m=64 n=2051 | a=normal:1,scale:-8 b=normal:2
END
# Operators of networks have the same sums: here the last rows, which are columns of the library's product.
for faulty in 0 1; do
    expect $faulty "$opconform" replay "matmul/2 dtype=f32 m=2051 n=300 k=800 | a=int:1 b=int:2" --json --deadline 20s \
        --backend "kernel@$scratch/large$faulty.so:matmul = large_matmul(a, b, y, m, n, k)"
    if [ $faulty = 0 ]; then
        grep -q '"method":"sums, exact data","share":1[,}]' "$scratch/out" || fail "$(cat "$scratch/out")"
    else
        grep -q '"index":614400,' "$scratch/out" || fail "$(cat "$scratch/out")"
    fi
done
# So have convolutions, their transposes and gradients of their inputs, by the channels of each place, and half precision, whose exact sums are numbers of the type.
step='batch, %s_channels_per_group, %s_channels_per_group, groups, %s, kernel_size[0], stride[0], dilation[0], pads_begin[0], %s)'
declare -A bound=(
    [matmul]='matmul | bf16 | large_matmul_half(a, b, y, m, n, k)'
    [conv1d]=$(printf "conv1d = large_conv1d(x, w, bias?, y, $step" in out 'input_size[0]' 'y.extent[2]')
    [conv_transpose1d]=$(printf "conv_transpose1d = large_conv_transpose1d(x, w, bias?, y, $step" in out 'input_size[0]' 'y.extent[2]')
    [conv1d_backward_data]=$(printf "conv1d_backward_data = large_conv1d_backward_data(dy, w, dx, $step" out in 'dy.extent[2]' 'input_size[0]')
)
while read -r worst line; do
    for faulty in 0 1; do
        expect $faulty "$opconform" replay "$line" --json --deadline 20s --backend "kernel@$scratch/large$faulty.so:${bound[${line%%/*}]}"
        sought="\"index\":$worst,"
        [ $faulty = 0 ] && sought='"method":"sums, exact data","share":1[,}]'
        grep -q "$sought" "$scratch/out" || fail "$line: $(cat "$scratch/out")"
    done
done <<'END'
614400 matmul/2 dtype=bf16 m=2051 n=300 k=800 | a=wide:1 b=wide:2
2048 conv1d/2 dtype=f32 batch=1 in_channels_per_group=40 out_channels_per_group=60 groups=2 input_size=4111 kernel_size=7 stride=2 dilation=2 pads_begin=3 bias=yes | x=int:1 w=int:2 bias=int:3
4093 conv_transpose1d/2 dtype=f32 batch=2 in_channels_per_group=60 out_channels_per_group=20 groups=2 input_size=2051 kernel_size=7 stride=2 dilation=2 pads_begin=3 bias=yes | x=int:1 w=int:2 bias=int:3
4093 conv1d_backward_data/2 dtype=f32 batch=1 in_channels_per_group=40 out_channels_per_group=60 groups=2 input_size=4111 kernel_size=7 stride=2 dilation=2 pads_begin=3 | dy=int:1 w=int:2
END
finish
