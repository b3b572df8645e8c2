# The interface of Fortran beside that of C: by letters with their lengths, by address, with complex values by both
# conventions, with integers of both widths; its faults are found, alone and against the C interface, and programs show them.
. tests/lib.sh
build() { # name, words for the compiler
    "${CC:-cc}" -std=c17 -O1 -w -shared -fPIC "${@:2}" -o "$scratch/$1.so" tests/fortran_blas.c -lm || fail "compiler: $*"
}
build value
build hidden -DHIDDEN
build wide -DINTEGER=long
build faulty -DFAULTY
build spoilt -DFAULTY -DHIDDEN -DINTEGER=long
agrees() { # line
    expect 0 "$opconform" replay "$1" --backend "$2"
    grep -q AGREE "$scratch/out" || fail "$2: $1: $(cat "$scratch/out")"
}
for library in value hidden wide; do
    for function in 0 1; do
        agrees "dotu/1 dtype=c64 n=9 incx=-2 incy=3 | x=normal:1 y=normal:2 | exec=function:$function" "cblas@$scratch/$library.so"
        agrees "iamax/1 dtype=f32 n=9 incx=2 | x=normal:1 | exec=function:$function" "cblas:fortran@$scratch/$library.so"
        agrees "gemm/1 dtype=f32 ta=c tb=t m=3 n=5 k=7 alpha=2 beta=1 | a=normal:1 b=normal:2 c=int | exec=function:$function" "cblas@$scratch/$library.so"
    done
    # The number of an illegal argument is that of the interface.
    expect 0 "$opconform" replay "gemm/1 dtype=f32 m=2 n=2 k=2 | a=ones | exec=illegal:4" --backend "cblas@$scratch/$library.so"
    expect 0 "$opconform" replay "gemm/1 dtype=f32 m=2 n=2 k=2 | a=ones | exec=illegal:3" --backend "cblas:fortran@$scratch/$library.so"
done
expect 0 "$opconform" doctor "cblas@$scratch/wide.so" "cblas:64+fortran@$scratch/wide.so"
grep -c '64-bit integers' "$scratch/out" | grep -qx 2 || fail "width: $(cat "$scratch/out")"
expect 0 "$opconform" doctor "cblas:64@$scratch/value.so"
grep -q 'absent: .*with integers of 64 bits is in it' "$scratch/out" || fail "no width: $(cat "$scratch/out")"
# Rows are what Fortran has no word for.
expect 0 "$opconform" replay "gemm/1 dtype=f32 order=row m=2 n=2 k=2 | a=ones" --backend "cblas:fortran@$scratch/value.so"
grep -q 'DECLINED.*' "$scratch/out" || fail "rows: $(cat "$scratch/out")"
# Found by default, and where the two interfaces are held against each other.
for library in faulty spoilt; do
    expect 1 "$opconform" fuzz --engine random --op gemm --dtype f32 --cases 4000 --seed 1 --db "$scratch/$library.db" --quiet \
        --backend "cblas@$scratch/$library.so"
    [ "$(sql "$scratch/$library.db" "SELECT count(*) FROM finding WHERE kind = 'DIVERGE'")" = 1 ] ||
        fail "$library: $(sql "$scratch/$library.db" "SELECT signature FROM finding")"
    line=$(sql "$scratch/$library.db" "SELECT min_line FROM finding WHERE kind = 'DIVERGE'")
    grep -q 'ta=t.*exec=function:1' <<<"$line" || fail "$library: $line"
    expect 1 "$opconform" replay "${line/function:1/relation:function}" --backend "cblas@$scratch/$library.so"
    grep -q INVARIANCE "$scratch/out" || fail "$library: $(cat "$scratch/out")"
    expect 0 "$opconform" reproduce "$(sql "$scratch/$library.db" "SELECT id FROM finding WHERE kind = 'DIVERGE'")" \
        --db "$scratch/$library.db" --out "$scratch/$library" --backend "cblas@$scratch/$library.so"
    source=$(cat "$scratch/out") command=$(sed -n 's/^ \* build: *//p' "$(cat "$scratch/out")")
    (cd "$scratch/$library" && sh -c "${command%% && *} -Wall -Wextra -Werror") || fail "the program of $library"
    grep -q 'sgemm_("' "$source" || fail "$(cat "$source")"
    expect 1 "$scratch/$library/a.out"
done
for library in value hidden wide; do
    expect 0 "$opconform" reproduce "dotu/1 dtype=c64 n=3 | x=int y=int | exec=function:1" --backend "cblas@$scratch/$library.so" \
        --out "$scratch/$library"
    command=$(sed -n 's/^ \* build: *//p' "$(cat "$scratch/out")")
    (cd "$scratch/$library" && sh -c "${command%% && *} -Wall -Wextra -Werror") || fail "the program of dotu"
    expect 0 "$scratch/$library/a.out"
done
# What a library exports and no case reaches.
expect 0 "$opconform" doctor --routines "cblas@$scratch/value.so"
grep -qx ' *cblas_sgemm_new' "$scratch/out" || fail "$(cat "$scratch/out")"
grep -q '7 routines, of which cases reach 6' "$scratch/out" || fail "$(cat "$scratch/out")"
expect 3 "$opconform" doctor --routines planted:ok-reference
finish
