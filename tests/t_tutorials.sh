# The tutorials: what they have people type prints what they say.
. tests/lib.sh
tutorial docs/own-kernel.md
tutorial docs/own-gemm.md
tutorial docs/plugin.md
tutorial docs/record.md
tutorial docs/qualify.md
# The system's Python, for which there is NumPy.
PATH=/usr/bin:$PATH tutorial docs/python.md
# A page that says something else fails.
sed 's/got 1, expected 0.5/got 0.5/' docs/own-kernel.md >"$scratch/wrong.md"
mkdir "$scratch/wrong" && ln -s "$BUILD" "$scratch/wrong/build" && cp -r examples "$scratch/wrong"
expect 1 tests/tutorial "$scratch/wrong.md" "$scratch/wrong"
grep -q 'no line "got 0.5"' "$scratch/out" || fail "a wrong page: $(cat "$scratch/out")"
finish
