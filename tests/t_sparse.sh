# Matrices that store some elements: MKL's routines and SciPy's arrays compute reviewed cases in each of their functions,
# and programs in C and in Python end as the tool judges: right calls with 0, and a call that is refused or wrong not.
. tests/lib.sh
export OPCONFORM_DEPS=${OPCONFORM_DEPS:-$PWD/.deps}
grep -hE '^(sparse_(matmul|product|add|mul|gemm|solve)|entries_)' corpus/nn.cases | grep -v 'mask=sparse' >"$scratch/reviewed"
check "reviewed cases" [ "$(wc -l <"$scratch/reviewed")" -gt 15 ]
present=()
for backend in mkl_sparse:2026.2 scipy; do
    "$opconform" replay "sparse_matmul/1 dtype=f64 m=1 n=1 k=1 | mask=ones a=ones b=ones" --backend "$backend" >/dev/null 2>"$scratch/err" &&
        present+=("$backend") || skip "$backend: $(head -n 1 "$scratch/err")"
done
[ ${#present[@]} -gt 0 ] || skip_all "there is neither MKL nor SciPy"
# Several functions of a library in each case.
for function in 0 1 3 5 8 10; do
    sed "s/\$/ | exec=function:$function/" "$scratch/reviewed"
done >"$scratch/all"
for backend in "${present[@]}"; do
    "$opconform" replay "$scratch/all" --backend "$backend" --json >"$scratch/out" 2>"$scratch/err"
    check "$backend: $(verdicts | sort | uniq -c)" [ "$(verdicts | grep -vcE ' (AGREE|DECLINED|POLICY)$')" = 0 ]
    check "$backend: few agree" [ "$(verdicts | grep -c ' AGREE$')" -gt 50 ]
done
# Programs: of the status, a backend and a line.
program() {
    local build
    [[ " ${present[*]} " = *" $2 "* ]] || return
    expect 0 "$opconform" reproduce "$3" --backend "$2" --out "$scratch" "${@:4}"
    case $2 in
    scipy) expect "$1" env PYTHONPATH="$(printf '%s\n' "$OPCONFORM_DEPS"/scipy-* | tail -n 1)" python3 "$scratch/reproducer.py" ;;
    *) build=$(sed -n 's/.*build: *//; s/ && .*//; t print; d; :print p' "$scratch/reproducer.c" | head -n 1)
        (cd "$scratch" && eval "$build -Wall -o program") >"$scratch/err" 2>&1 || fail "$build: $(head -n 3 "$scratch/err")"
        MKL_THREADING_LAYER=SEQUENTIAL expect "$1" "$scratch/program" ;;
    esac
}
line="mask_a=int:3 a=normal:5 mask_b=int:4 b=normal:2"
for function in 0 2 3 5 8; do
    program 0 mkl_sparse:2026.2 "sparse_product/1 dtype=c128 m=2 n=2 k=3 ta=n tb=n | $line | exec=function:$function"
done
program 0 mkl_sparse:2026.2 "sparse_product/1 dtype=f32 m=2 n=2 k=3 ta=t tb=c | $line" --harness
program 0 mkl_sparse:2026.2 "sparse_gemm/1 dtype=c64 order=col m=3 n=2 k=3 ta=c kind=hermitian uplo=upper diag=unit ldb=1 ldc=2 beta=1 | mask=int:3 a=normal:5 b=normal:2 c=normal:3"
program 0 mkl_sparse:2026.2 "sparse_add/1 dtype=f64 m=2 n=2 ta=t alpha=1.5 | $line | exec=function:2"
program 0 mkl_sparse:2026.2 "entries_matmul/1 dtype=f64 m=2 k=2 n=1 num_entries=3 | rows=int:3 columns=int:4 values=int:5 b=int:3"
program 2 mkl_sparse:2026.2 "entries_to_dense/1 dtype=f64 m=1 k=1 num_entries=0 | rows=ones columns=ones values=ones"
program 0 scipy "sparse_product/1 dtype=f32 m=2 n=2 k=3 ta=n tb=t | $line"
program 0 scipy "entries_matmul/1 dtype=f64 m=2 k=2 n=1 num_entries=3 | rows=int:3 columns=int:4 values=int:5 b=int:3 | exec=function:3"
program 1 scipy "entries_matmul/1 dtype=f32 m=1 k=1 num_entries=1 n=2 | rows=ones columns=ones values=zeros b=list,values:nan"
finish
