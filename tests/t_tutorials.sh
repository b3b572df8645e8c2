# The tutorials: what they have people type prints what they say.
. tests/lib.sh
runs() { # page
    local folder
    folder=$scratch/$(basename "$1" .md)
    mkdir -p "$folder"
    ln -s "$BUILD" "$folder/build"
    cp -r examples include python "$folder"
    check "$1" tests/tutorial "$1" "$folder"
}
runs docs/own-kernel.md
runs docs/own-gemm.md
runs docs/plugin.md
runs docs/record.md
runs docs/qualify.md
# The system's Python, for which there is NumPy.
PATH=/usr/bin:$PATH runs docs/python.md
# A page that says something else fails.
sed 's/got 1, expected 0.5/got 0.5/' docs/own-kernel.md >"$scratch/wrong.md"
mkdir "$scratch/wrong" && ln -s "$BUILD" "$scratch/wrong/build" && cp -r examples "$scratch/wrong"
expect 1 tests/tutorial "$scratch/wrong.md" "$scratch/wrong"
grep -q 'no line "got 0.5"' "$scratch/out" || fail "a wrong page: $(cat "$scratch/out")"
finish
