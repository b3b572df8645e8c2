# Bad input of every kind: one clear line, the documented status, nothing lost.
. tests/lib.sh
db=$scratch/e.db
expect 1 "$opconform" fuzz --engine random --op gemm --backend planted:one-ulp --cases 300 --db "$db" --quiet
before=$(sql "$db" "SELECT count(*), sum(hits) FROM finding")

expect 2 "$opconform" nonsense; one_line
expect 2 "$opconform" fuzz --nonsense; says "unknown option"; one_line
expect 2 "$opconform" fuzz --time; says "expected T"; one_line
expect 2 "$opconform" fuzz --time 5x; one_line
expect 2 "$opconform" fuzz --jobs 0; one_line
expect 2 "$opconform" fuzz --backend "$(printf 'planted,%.0s' {1..16})planted"; says "expected 1 to 16 names"; one_line
expect 0 "$opconform" fuzz --op "$(printf 'add,%.0s' {1..400})sub" --backend planted:ok-reference --cases 1 --engine random --db "$scratch/many.db"
expect 2 "$opconform" fuzz --engine magic; says "libfuzzer or random"; one_line
expect 2 "$opconform" fuzz --without bias,magic; says "feedback, mutation, schedule, pairs, swarm, bias, not 'magic'"; one_line
expect 2 "$opconform" fuzz --op gem; says "unknown operator 'gem' (opconform list ops); did you mean gemm?"; one_line
expect 2 "$opconform" fuzz --op cblas_sgmm; says "did you mean cblas_sgemm?"; one_line
expect 2 "$opconform" fuzz --op softmax --fix aixs=1 --backend planted:ok-reference; says "did you mean axis?"; one_line
expect 2 "$opconform" fuzz --op gemm --fix n=4..1 --backend planted:ok-reference; says "no range for n"; one_line
expect 2 "$opconform" fuzz --op gemm --fix ta=q --backend planted:ok-reference; says "ta of gemm is never q"; one_line
expect 2 "$opconform" fuzz --dtype f99; says "unknown element type"; one_line
expect 2 "$opconform" fuzz --dtpe f32; says "did you mean dtype?"; one_line
expect 2 "$opconform" fuz; says "did you mean fuzz?"; one_line
expect 2 "$opconform" query nothing --db "$db"; one_line
expect 2 "$opconform" query opne --db "$db"; says "did you mean open?"; one_line
expect 2 "$opconform" query --sql "DELETE FROM finding" --db "$db"; one_line
expect 2 "$opconform" query --sql "SELECT 1; SELECT 2" --db "$db"; one_line
expect 2 "$opconform" query --sql "SELEC" --db "$db"; one_line
expect 2 "$opconform" list nothing; one_line
expect 2 "$opconform" corpus decode zz; one_line
expect 2 "$opconform" replay "gemm/1 m=abc"; says "column 8"; one_line
expect 2 "$opconform" replay "gemm/9"; says "version 1"; one_line
expect 2 "$opconform" replay "conv/1"; says "unknown operator"; one_line
expect 2 "$opconform" replay "gemm/1 dytpe=f32"; says "did you mean dtype?"; one_line
expect 2 "$opconform" replay "gemm/1 dtype=f32 | a=noraml"; says "did you mean normal?"; one_line
expect 2 "$opconform" replay "gemm/1 dtype=f32 | q=ones"; says "'q' is no operand of gemm"; one_line
# A line that cannot be run as it stands: what of it cannot be, and a line that can.
inexact() { # line, words
    expect 2 "$opconform" replay "$1" --backend planted:ok-reference; says "$2"; one_line
    check "output for $1" [ ! -s "$scratch/out" ]
    local nearest
    nearest=$(sed -n 's/.*the nearest line that can be run is: //p' "$scratch/err")
    expect 0 "$opconform" replay "$nearest" --backend planted:ok-reference
    check "the nearest line of $1 becomes another one" [ "$(head -n 1 "$scratch/out")" = "$nearest" ]
}
inexact "gemm/1 dtype=bf16" "dtype=bf16 cannot be in this case of gemm, whose element types are f32 f64 c64 c128"
inexact "softmax/1 dtype=i32 shape=2x3" "dtype=i32 cannot be"
inexact "dsdot/1 dtype=c64 n=2" "dtype=c64 cannot be"
inexact "gemm/1 dtype=f32 alpha=(1,2)" "alpha=(0x1p+0,0x1p+1) cannot be in this case of gemm, where it is 0x1p+0"
inexact "gemm/1 dtype=f32 alpha=1e300" "where it is inf"
inexact "gemm/1 dtype=f32 beta=1e-300" "where it is 0x0p+0"
inexact "gemm/1 dtype=f32 m=2 | a=ones | exec=layout:strided" "exec=layout:strided cannot be in this case of gemm, where it is dense"
inexact "conv2d/2 dtype=f32 input_size=1x1 kernel_size=9x9" "kernel_size=9x9 cannot be"
inexact "index_select/2 dtype=f32 shape=0x3 axis=0 num_indices=4" "shape=0x3 cannot be"
inexact "softmax/1 dtype=f32 shape=2x3 axis=4" "axis=4 cannot be"
inexact "gemm/1 dtype=f32 m=2 | a=ones,values:1;2" "values:0x1p+0;0x1p+1 cannot be"
inexact "gemm/1 dtype=f32 | a=list" "kind:list cannot be"
expect 2 "$opconform" replay "gemm/1 m=2 m=3"; says "column 12: m is given twice"; one_line
expect 2 "$opconform" replay "gemm/1 m=2 | a=ones b=ones a=zeros"; says "a is given twice"; one_line
expect 2 "$opconform" replay "gemm/1 m=2 | a=ones | exec=align:4 exec=align:8"; says "exec is given twice"; one_line
expect 2 "$opconform" reproduce "gemm/1 dtype=bf16" --backend openblas; says "cannot be in this case"; one_line
expect 2 "$opconform" minimize "gemm/1 dtype=bf16" --backend planted:one-ulp; says "cannot be in this case"; one_line
expect 2 "$opconform" corpus encode "gemm/1 dtype=bf16"; says "cannot be in this case"; one_line
echo "gemm/1 dtype=bf16" >"$scratch/inexact.cases"
expect 2 "$opconform" replay "$scratch/inexact.cases" --backend planted:ok-reference; says "cannot be in this case"; one_line
expect 2 "$opconform" fuzz --seeds "$scratch/inexact.cases" --backend planted:ok-reference --cases 1 --db "$scratch/i.db"
says "cannot be in this case"; one_line
# What was asked is said: the model that admits a result, the policy that alone does, or that none does.
expect 0 "$opconform" replay "gemm/1 dtype=f32 m=2 | a=normal b=normal" --backend planted:ok-reference
grep -qx "    admitted by the model ieee" "$scratch/out" || fail "no model: $(cat "$scratch/out")"
expect 1 "$opconform" replay "gemm/1 dtype=f32 k=3 | a=int b=int" --backend planted:one-ulp
grep -q "admitted by no reading and by none of the models ieee" "$scratch/out" || fail "no models: $(cat "$scratch/out")"
expect 2 "$opconform" findings show x; one_line
# Every byte there is, in an order that is no text.
bytes() {
    local i
    for i in {0..255}; do printf '%02x' $((i * 167 + 89 & 255)); done
}
printf "$(bytes | sed 's/../\\x&/g')" >"$scratch/random"
expect 2 "$opconform" replay "$scratch/random"
expect 0 "$opconform" corpus decode "$(bytes)"

# Backends.
expect 3 "$opconform" fuzz --backend nothing --cases 1; says "unknown backend"; one_line
expect 3 "$opconform" fuzz --backend openblsa --cases 1; says "did you mean openblas?"; one_line
expect 3 "$opconform" fuzz --backend openblas:seril --cases 1; says "did you mean serial?"; one_line
expect 3 "$opconform" fuzz --backend planted:nothing --cases 1; says "unknown fault"; one_line
expect 3 "$opconform" fuzz --backend planted:one-upl --cases 1; says "did you mean one-ulp?"; one_line
expect 3 "$opconform" fuzz --backend cblas --cases 1; says "cblas@/path"; one_line
expect 2 "$opconform" fuzz --backend planted:one-ulp,planted:one-ulp --cases 1; says "named twice"; one_line
expect 3 "$opconform" fuzz --backend cblas@/nowhere.so --cases 1; says "nowhere"; one_line
expect 3 "$opconform" fuzz --backend "cblas@$scratch/random" --cases 1; one_line
echo 'int answer(void) { return 42; }' >"$scratch/other.c"
cc -shared -fPIC -o "$scratch/other.so" "$scratch/other.c"
expect 3 "$opconform" fuzz --backend "cblas@$scratch/other.so" --cases 1; says "no function of the CBLAS"; one_line
echo '__attribute__((constructor)) static void f(void) { *(volatile int *)8 = 1; }' >"$scratch/crash.c"
cc -shared -fPIC -w -o "$scratch/crash.so" "$scratch/crash.c"
expect 3 "$opconform" fuzz --backend "cblas@$scratch/crash.so" --cases 1
says "crashes while it loads"; one_line
echo '#include <stdlib.h>
__attribute__((constructor)) static void f(void) { _Exit(0); }' >"$scratch/quit.c"
cc -shared -fPIC -o "$scratch/quit.so" "$scratch/quit.c"
expect 3 "$opconform" fuzz --backend "cblas@$scratch/quit.so" --cases 1; says "ends the process"; one_line

# A process in which the arithmetic is not what the reference needs: refuse to compute anything.
if [ "$(uname -m)" = x86_64 ]; then
    echo '__attribute__((constructor)) static void f(void) { __builtin_ia32_ldmxcsr(0x9f80); }' >"$scratch/flush.c"
    cc -shared -fPIC -w -o "$scratch/flush.so" "$scratch/flush.c"
    expect 4 env LD_PRELOAD="$scratch/flush.so" "$opconform" doctor; says "self-test failed"; one_line
fi

# Databases.
expect 3 "$opconform" query open --db "$scratch/none.db"; says "no such database"; one_line
expect 3 "$opconform" fuzz --backend planted:one-ulp --cases 1 --db "$scratch/random" --quiet; one_line
expect 3 "$opconform" query open --db "$scratch/random"; one_line
sqlite3 "$scratch/foreign.db" "CREATE TABLE t (x)"
expect 3 "$opconform" fuzz --backend planted:one-ulp --cases 1 --db "$scratch/foreign.db" --quiet
says "not a database of opconform"; one_line
cp "$db" "$scratch/newer.db"
sqlite3 "$scratch/newer.db" "PRAGMA user_version = 999"
expect 3 "$opconform" fuzz --backend planted:one-ulp --cases 1 --db "$scratch/newer.db" --quiet
says "newer"; one_line
expect 3 "$opconform" query open --db "$scratch/newer.db"; says "newer"; one_line
cp "$db" "$scratch/damaged.db"
printf 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx' | dd of="$scratch/damaged.db" bs=1 seek=4100 conv=notrunc status=none
expect 3 "$opconform" fuzz --backend planted:one-ulp --cases 1 --db "$scratch/damaged.db" --quiet; one_line
# So does a view that SQLite quotes whole.
cp "$db" "$scratch/view.db"
sqlite3 "$scratch/view.db" "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, 'SELECT', 'SELECT [') WHERE name = 'v_open'"
expect 3 "$opconform" query --sql "SELECT 1" --db "$scratch/view.db"; says "malformed database schema"; one_line
expect 3 "$opconform" fuzz --backend planted:one-ulp --cases 1 --db /proc/findings.db --quiet; one_line
expect 3 "$opconform" fuzz --backend planted:one-ulp --cases 1 --db "$scratch/no/such/folder.db" --quiet; one_line
expect 3 "$opconform" report --db "$db" --out /proc/report; one_line

[ "$(sql "$db" "SELECT count(*), sum(hits) FROM finding")" = "$before" ] || fail "findings were lost"
finish
