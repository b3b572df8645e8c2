# A bug in a library of its own: found, minimised, and shown by a C program that needs nothing but
# that library; the program reports 0 once the library is mended.
. tests/lib.sh
faulty=$BUILD/tests/libfaulty.so fixed=$BUILD/tests/libfixed.so db=$scratch/f.db
expect 1 "$opconform" fuzz --engine random --backend "cblas@$faulty" --cases 3000 --deadline 10s --db "$db" --quiet
[ "$(sql "$db" "SELECT count(*) FROM finding WHERE op = 'gemm' AND kind = 'DIVERGE'")" -ge 1 ] ||
    fail "the bug was not found"
[ "$(sql "$db" "SELECT count(*) FROM finding WHERE detail LIKE 'writes to an input and puts it back: a'")" -ge 1 ] ||
    fail "writes to inputs were not found: $(sql "$db" "SELECT signature FROM finding")"
[ "$(sql "$db" "SELECT count(*) FROM finding WHERE op = 'gemv'")" = 0 ] || fail "gemv has no bug"
# Builds a program as its comment says, with more words, and runs it.
runs() { # status source command program
    (cd "$scratch/r" && sh -c "$3 -Wall -Wextra -Werror") || fail "the build command of $2"
    expect "$1" "$4"
}
# The brief program and the harness of a finding are wrong with the library and right once it is mended.
shows() { # id [--harness]
    expect 0 "$opconform" reproduce "$@" --out "$scratch/r" --db "$db" --backend "cblas@$faulty"
    source=$(cat "$scratch/out") program=$scratch/r/a.out
    command=$(sed -n 's/^ \* build: *//p' "$source")
    grep -q 'the bug is gone' "$source" && program=$scratch/r/reproducer
    runs 1 "$source" "${command%% && *}" "$program"
    command=${command//libfaulty.so/libfixed.so}
    runs 0 "$source" "${command%% && *}" "$program"
    # With right results in place of the call, which takes no other library.
    expect 0 "$opconform" reproduce "$@" --right --out "$scratch/r" --db "$db" --backend "cblas@$faulty"
    command=$(sed -n 's/^ \* build: *//p' "$source")
    (cd "$scratch/r" && sh -c "${command%% && *}") || fail "the build command of $2 with right results"
    expect 0 "$program"
}
for id in $(sql "$db" "SELECT id FROM finding"); do
    shows "$id"
    shows "$id" --harness
    expect 1 "$opconform" replay "$id" --db "$db" --backend "cblas@$faulty"
    expect 0 "$opconform" replay "$id" --db "$db" --backend "cblas@$fixed"
done
# A folder that cannot be made is told before anything runs.
expect 3 "$opconform" reproduce 1 --out "$scratch/none/r" --db "$scratch/no.db"
says "$scratch/none/r: No such file or directory"
# A wrong value takes a program of one screen; a write that only read-only memory shows takes the harness, with a reason.
expect 0 "$opconform" reproduce "$(sql "$db" "SELECT id FROM finding WHERE kind = 'DIVERGE' LIMIT 1")" --out "$scratch/r" --db "$db" \
    --backend "cblas@$faulty"
[ "$(wc -l <"$(cat "$scratch/out")")" -le 25 ] || fail "a long program: $(cat "$(cat "$scratch/out")")"
expect 0 "$opconform" reproduce "$(sql "$db" "SELECT id FROM finding WHERE kind = 'CONTRACT' LIMIT 1")" --out "$scratch/r" --db "$db" \
    --backend "cblas@$faulty"
says "only read-only memory shows"
# A brief program that does not tell gives way to the harness, and where nothing was run that is said: a library that is
# wrong in the tool's process alone, and a compiler that is not there.
id=$(sql "$db" "SELECT id FROM finding WHERE kind = 'DIVERGE' LIMIT 1")
mkdir "$scratch/bin"
for name in sh timeout env; do ln -s "$(command -v $name)" "$scratch/bin/$name"; done
expect 0 env "PATH=$scratch/bin" "$opconform" reproduce "$id" --out "$scratch/r" --db "$db" --backend "cblas@$faulty"
says "cc cannot build it here"
printf '#!/bin/sh\nprintf "#!/bin/sh\\nexit 0\\n" >a.out\ncp a.out reproducer\nchmod +x a.out reproducer\n' >"$scratch/bin/cc"
chmod +x "$scratch/bin/cc"
for name in chmod cp; do ln -s "$(command -v $name)" "$scratch/bin/$name"; done
expect 0 env "PATH=$scratch/bin" "$opconform" reproduce "$id" --out "$scratch/r" --db "$db" --backend "cblas@$faulty" --json
grep -q '"does_not_tell":"it ends with 0 in place of 1 with the library"' "$scratch/out" || fail "$(cat "$scratch/out")"
# The page of a bug has its program.
id=$(sql "$db" "SELECT id FROM v_open_bug WHERE severity = 1 LIMIT 1")
expect 0 "$opconform" report --db "$db" --out "$scratch/report" --backend "cblas@$faulty"
grep -q 'return !(' "$scratch/report/bug-$id.html" || fail "no program on the page of bug $id: $(ls "$scratch/report/programs")"
expect 0 "$opconform" report --db "$db" --out "$scratch/report" --no-programs
grep -q 'return !(' "$scratch/report/bug-$id.html" && fail "a program though none was wanted"
# Two related calls that agree to the bit.
expect 0 "$opconform" reproduce "gemm/1 dtype=f64 m=2 n=2 k=3 | a=normal b=ones c=ones | exec=relation:moved" \
    --backend "cblas@$fixed" --out "$scratch/r"
source=$(cat "$scratch/out") command=$(sed -n 's/^ \* build: *//p' "$(cat "$scratch/out")")
grep -q 'second == first' "$source" || fail "no two calls: $(cat "$source")"
runs 0 "$source" "${command%% && *}" "$scratch/r/a.out"
# The second has the data in another order, and operands lie where they do in the case, which decides.
expect 0 "$opconform" reproduce "axpy/1 dtype=f64 n=3 alpha=0x1.8p+1 | x=normal y=int | exec=relation:reversed" \
    --backend openblas --out "$scratch/r"
source=$(cat "$scratch/out") command=$(sed -n 's/^ \* build: *//p' "$(cat "$scratch/out")")
grep -q 'first = y\[2\]' "$source" || fail "not the place of the element in the first call: $(cat "$source")"
grep -q 'second = y\[0\]' "$source" || fail "not the place of the element in the second call: $(cat "$source")"
runs 0 "$source" "${command%% && *}" "$scratch/r/a.out"
expect 0 "$opconform" reproduce "asum/1 dtype=f64 n=3 | x=normal:3 | exec=relation:moved" --backend openblas:core=Prescott --out "$scratch/r"
source=$(cat "$scratch/out") command=$(sed -n 's/^ \* build: *//p' "$(cat "$scratch/out")")
OPENBLAS_CORETYPE=Prescott runs 1 "$source" "${command%% && *}" "$scratch/r/a.out"
# A library that takes threads has as many as in the case, however small that is: these eigenvalues are wrong with one alone.
for threads in 1 2; do
    expect 0 "$opconform" reproduce "sygv/1 dtype=f32 itype=2 uplo=upper n=8 lwork=queried | a=sparse:fa38 b=zeros w=ones info=ones | exec=threads:$threads" \
        --backend openblas:core=Haswell --out "$scratch/r"
    grep -q " OMP_NUM_THREADS=$threads ./" "$(cat "$scratch/out")" || fail "not $threads threads: $(grep build: "$(cat "$scratch/out")")"
done
# Two calls of which bounds admit either answer: the class of both is compared.
cat >"$scratch/shrink.c" <<'END'
#include <math.h>
#include <stddef.h>
void shrink(const float *x, float *y, size_t n, float lambd)
{
    size_t lost = n > 4 ? n - n % 4 : n;
    for (size_t i = 0; i < n; i++)
        y[i] = isnan(x[i]) && i < lost ? x[i] : fabsf(x[i]) > lambd ? x[i] - copysignf(lambd, x[i]) : 0;
}
END
cc -g -shared -fPIC -o "$scratch/libshrink.so" "$scratch/shrink.c"
for right in "" --right; do
    expect 0 "$opconform" reproduce "softshrink/2 dtype=f32 shape=9 | x=normal,special:nan,place:last | exec=relation:alone" \
        --backend "kernel@$scratch/libshrink.so:softshrink=shrink(x, y, n, lambd)" $right --out "$scratch/r"
    source=$(cat "$scratch/out") command=$(sed -n 's/^ \* build: *//p' "$(cat "$scratch/out")")
    grep -q 'isnan(second)' "$source" || fail "classes of two calls are not compared: $(cat "$source")"
    runs "$([ "$right" ] && echo 0 || echo 1)" "$source" "${command%% && *}" "$scratch/r/a.out"
done
expect 0 "$opconform" fuzz --engine random --backend "cblas@$fixed" --cases 3000 --deadline 10s \
    --db "$scratch/g.db" --quiet
expect 3 "$opconform" reproduce 1 --db "$scratch/none.db"
expect 2 "$opconform" reproduce 999 --db "$db"
# A routine that is judged by its results, of which operands are overwritten: the program has what they held before, shows
# the bug with the library that has it, and none with the reference.
expect 0 "$opconform" reproduce 'getrf/1 dtype=f32 m=2 n=1 matrix=free | a=ones,special:subnormal,place:all' --backend openblas \
    --out "$scratch/r"
source=$(cat "$scratch/out")
grep -q 'float a\[2\] = {4e-45, 4e-45};' "$source" || fail "not the matrix before the call: $(cat "$source")"
grep -q 'info\[1\] = {0};' "$source" || fail "no plain integer: $(cat "$source")"
command=$(sed -n 's/^ \* build: *//p' "$source")
runs 1 "$source" "${command%% && *}" "$scratch/r/a.out"
reference=/usr/lib/$(cc -dumpmachine)/lapack
runs 0 "$source" "cc $(basename "$source") -L$reference -l:liblapack.so.3 -Wl,-rpath,$reference -lm" "$scratch/r/a.out"
# Where the library ends the process before it gives results, nothing is expected of them.
expect 0 "$opconform" reproduce 'getri/1 dtype=c64 n=14 matrix=nearly lwork=least | a=int:69ce,special:max,place:row_end ipiv=int:4ef3 | exec=guard:start' \
    --backend openblas --harness --out "$scratch/r"
grep -q '{-1, 0, 0, 0, FINITE, 0}' "$(cat "$scratch/out")" || fail "no list of expectations: $(cat "$(cat "$scratch/out")")"
# NaN that is written between elements shows as well: what a call does not read holds another number before it.
line="layer_norm/1 dtype=f32 shape=1x2x1 axis=2 epsilon=0x1.4f8b58p-17 | x=ones,special:nan scale=ones bias=ones | exec=layout:sliced"
if "$opconform" replay "$line" --backend onednn >"$scratch/out" 2>&1 || ! grep -q 'writes outside the elements: y' "$scratch/out"; then
    skip "oneDNN that writes between the elements of layer_norm"
else
    expect 0 "$opconform" reproduce "$line" --backend onednn --out "$scratch/r"
    [ ! -s "$scratch/err" ] || fail "layer_norm of oneDNN: $(cat "$scratch/err")"
fi
finish
