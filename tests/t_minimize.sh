# Minimisation keeps the element type of a case, also where simpler types show the same.
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
finish
