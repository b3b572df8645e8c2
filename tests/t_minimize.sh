# Minimisation keeps the symptom of a case and its element type, also where a simpler type shows the same.
. tests/lib.sh
keeps() { # FAULT SIGNATURE LINE
    local got
    got=$("$opconform" minimize "$3" --backend "planted:$1" 2>&1 >/dev/null | head -n 1)
    check "$1: '$got' instead of '$2'" [ "$got" = "$2" ]
}
for dtype in f32 f64 c64 c128; do
    keeps segfault "gemm $dtype planted:segfault FAULT (SIGSEGV) | m>4" \
        "gemm/1 dtype=$dtype m=5 n=6 k=7 | a=normal b=normal c=normal"
    keeps nan-dropped "gemm $dtype planted:nan-dropped DIVERGE whole | a has nan" \
        "gemm/1 dtype=$dtype m=5 n=6 k=7 | a=normal,special:nan b=normal c=normal"
    keeps drop-last-k "gemm $dtype planted:drop-last-k DIVERGE whole" \
        "gemm/1 dtype=$dtype m=5 n=6 k=7 | a=normal b=normal c=normal"
done
# A NaN that is lost is how a missing term shows where there is one.
keeps drop-last-k "gemm f32 planted:drop-last-k DIVERGE whole" \
    "gemm/1 dtype=f32 m=2 n=2 k=1 | a=normal,special:nan b=normal c=normal"
# Errors of rounding are no part of a lost infinity, and a wrong finite value gets no special data.
keeps half-sum "gemm f64 planted:half-sum DIVERGE whole | k>64 rounding" \
    "gemm/1 dtype=f64 m=2 n=2 k=130 | a=normal b=normal c=normal"
# An overflow or underflow that is handled wrongly is shown with data that every element type has.
for dtype in f32 f64 c128; do
    keeps flush "gemm $dtype planted:flush DIVERGE whole | beta=0 a is tiny" \
        "gemm/1 dtype=$dtype m=2 n=2 k=2 alpha=2 | a=int,scale:$([ "$dtype" = f32 ] && echo -130 || echo -1030) b=normal c=normal"
done
# A library that stays wrong after the call that it is wrong in: what is filed shows it by itself.
"${CC:-cc}" -std=c17 -O2 -shared -fPIC -DFAULTY=16 -DVERSION='"1.0"' -o "$scratch/lib.so" tests/faulty_blas.c -lm || fail "compiler"
db=$scratch/stays.db
"$opconform" fuzz --engine random --op gemm --dtype f64 --backend "cblas@$scratch/lib.so" --cases 400 --seed 2 --db "$db" --quiet >/dev/null 2>&1
sql "$db" "SELECT id FROM finding WHERE NOT flaky AND NOT unfinished AND kind = 'DIVERGE'" >"$scratch/ids"
[ -s "$scratch/ids" ] || fail "nothing found in a library that stays wrong"
while read -r id; do
    expect 1 "$opconform" replay "$id" --db "$db" --backend "cblas@$scratch/lib.so"
done <"$scratch/ids"
finish
