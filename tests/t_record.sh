# What applications call is recorded: all functions, threads, children and their ends, with what is no case.
. tests/lib.sh
app=$BUILD/tests/recorded_app
record() { # word of the application
    expect 0 "$opconform" record --out "$scratch/$1.cases" -- "$app" "$1"
    expect 0 "$opconform" replay "$scratch/$1.cases" --backend planted:ok-reference
}
told() { # TEXT: record says it, replay took its place
    expect 0 "$opconform" record --out "$scratch/told.cases" -- "$app" "$1"
    says "$2"
}
has() { # FILE LINE...: the line, in part, behind its comment
    check "$1: no $2, $3" grep -qF -- "$3" <(grep -A1 -xF -- "$2" "$scratch/$1.cases")
}
# The library's results stand, in C and in Fortran.
expect 0 "$app"
record all
has all '# 1 of cblas_ddot' 'dot/1 dtype=f64 n=2 incx=2 incy=2'
has all '# 1 of cdotu_' 'dotu/1 dtype=c64 n=2'
has all '# 1 of dtrsv_' 'trsv/1 dtype=f64 order=col uplo=upper ta=n diag=stored n=2 lda=0 incx=1'
has all '# 1 of cblas_zscal' 'scal/1 dtype=c128 n=0 alpha=(0x0p+0,0x1p+0)'
check "cases of all functions" [ "$(grep -c '^[a-z]' "$scratch/all.cases")" = 7 ]
for word in threads children; do
    record $word
    calls=4000
    [ $word = children ] && calls=7000
    has $word "# $calls of cblas_dgemm" 'gemm/1 dtype=f64 order=row ta=n tb=t m=3 n=5 k=7 lda=+1 ldb=+2 ldc=0'
    check "$word: one case" [ "$(grep -c '^[a-z]' "$scratch/$word.cases")" = 1 ]
done
told illegal '2 calls skipped'
says 'skipped 1: cblas_dgemm: lda=6 is not legal'
says 'skipped 1: cblas_dgemm: ta=17 is not legal'
told many ': there were more different calls than the recording has room for'
says '90000 calls, '
# A fault that only shapes like the application's show: the generator alone does not find it in as many cases.
record far
expect 0 "$opconform" fuzz --engine random --op gemm --backend planted:rare-round-leading --cases 300 --seed 1 --db "$scratch/drawn.db" --quiet
expect 1 "$opconform" fuzz --engine random --op gemm --backend planted:rare-round-leading --cases 300 --seed 1 --seeds "$scratch/far.cases" \
    --db "$scratch/seeded.db" --quiet
# How an application ends does not matter, and is told; one that cannot be recorded is an error.
expect 0 "$opconform" record -- sh -c 'exit 3'
says 'status 3'
expect 0 "$opconform" record -- sh -c 'kill -9 $$'
says 'SIGKILL'
# What is told to end ends its application, and writes what that had called.
expect 0 "$opconform" record --out "$scratch/ended.cases" -- sh -c "$app far; kill -TERM \$PPID; exec sleep 60"
says 'SIGTERM'
check "what was called before the end" cmp <(grep -v '^#' "$scratch/ended.cases") <(grep -v '^#' "$scratch/far.cases")
expect 3 "$opconform" record -- /nowhere/app
one_line
expect 2 "$opconform" record
one_line
expect 2 "$opconform" record --nonsense -- "$app"
one_line
expect 3 "$opconform" record --out /nowhere/cases -- "$app"
printf 'int main(void)\n{\n    return 0;\n}\n' >"$scratch/static.c"
if clang -static -o "$scratch/static" "$scratch/static.c" 2>"$scratch/err"; then
    expect 3 "$opconform" record -- "$scratch/static"
    says 'did not load the recorder'
else
    skip "no static C library"
fi
# NumPy, whose BLAS is the system's here.
expect 0 "$opconform" record --out "$scratch/numpy.cases" -- /usr/bin/python3 -c '
import numpy
a = numpy.ones((12, 34))
assert (a @ a.T == 34).all()'
check "a product of NumPy" grep -q '^\(gemm\|syrk\)/1 dtype=f64 .* k=34 ' "$scratch/numpy.cases"
finish
