# Every reviewed case decodes, is canonical after one round, and agrees on a correct kernel; the
# converter's two directions are inverse.
. tests/lib.sh
for file in corpus/*.cases; do
    while IFS= read -r line; do
        case $line in '' | '#'*) continue ;; esac
        hex=$("$opconform" corpus encode "$line") || fail "$file: $line"
        canonical=$("$opconform" corpus decode "$hex")
        [ "$("$opconform" corpus encode "$canonical")" = "$hex" ] || fail "not canonical: $line"
    done <"$file"
    expect 0 "$opconform" replay "$file" --backend planted:ok-reference,planted:ok-fma,planted:ok-pairwise
done
# Seeds are run first, those outside the scope are left out, and a bad one is told with its line.
db=$scratch/seeds.db
for engine in random libfuzzer; do
    for jobs in 1 2; do
        rm -f "$db"
        "$opconform" fuzz --engine $engine --op gemm,gemv --backend planted:tail-column --seeds corpus/gemm.cases --cases 1 --jobs $jobs \
            --db "$db" --quiet >"$scratch/out" 2>&1
        [ $? -le 1 ] || fail "$(cat "$scratch/out")"
        [ "$(sql "$db" "SELECT sum(executions) FROM coverage")" -ge "$(grep -c '^gemm' corpus/gemm.cases)" ] ||
            fail "$engine, $jobs jobs: $(sql "$db" "SELECT sum(executions) FROM coverage") executions"
    done
done
echo 'gemm/1 dtype=f32 m=5 n=11 k=70 | a=normal b=normal c=normal' >"$scratch/bug"
echo 'dot/1 dtype=f32 n=5 | x=normal y=normal result=ones' >>"$scratch/bug"
rm -f "$db"
expect 1 "$opconform" fuzz --engine random --op gemm --backend planted:tail-column --seeds "$scratch/bug" --cases 1 --db "$db" --quiet
echo 'nonsense/1' >>"$scratch/bug"
expect 2 "$opconform" fuzz --engine random --op gemm --backend planted:tail-column --seeds "$scratch/bug" --cases 1 --db "$db" --quiet
one_line
says "line 3"
expect 2 "$opconform" fuzz --seeds /nowhere --cases 1 --db "$db"
one_line
# The same seed makes the same cases in the same order, whatever ends a worker on the way.
for engine in random libfuzzer; do
    for run in 1 2; do
        "$opconform" fuzz --engine $engine --op 'blas/*' --backend planted:tail-column,planted:abort --cases 600 --seed 9 \
            --keep "$scratch/$engine.$run" --db "$scratch/$engine.$run.db" --quiet >/dev/null 2>&1
    done
    [ -s "$scratch/$engine.1" ] && cmp -s "$scratch/$engine.1" "$scratch/$engine.2" || fail "$engine: other cases by the same seed"
done
# Of all cases that showed something, few show the same; crashes and hangs do not end the choice.
shown() { # FILE: features that its cases and one more show, which is drawn with this seed, not made of one of the file
    rm -f "$scratch/shown.db"
    "$opconform" fuzz --engine random --op gemm --backend planted:tail-column,planted:abort --seeds "$1" --cases 1 --seed 2 --no-avoid \
        --db "$scratch/shown.db" --quiet --json 2>/dev/null | sed 's/.*"features":\([0-9]*\).*/\1/'
}
"$opconform" fuzz --engine random --op gemm --backend planted:tail-column,planted:abort --cases 400 --keep "$scratch/kept" \
    --no-avoid --db "$scratch/keep.db" --quiet >"$scratch/out" 2>&1
[ $? = 1 ] || fail "$(cat "$scratch/out")"
expect 0 "$opconform" corpus distil "$scratch/kept" corpus/gemm.cases --backend planted:tail-column,planted:abort --out "$scratch/small"
all=$(grep -c '^gemm' "$scratch/kept") few=$(grep -c '^gemm' "$scratch/small")
[ "$few" -gt 0 ] && [ "$few" -lt "$all" ] || fail "$few of $all cases"
grep -q '^# .*raw' "$scratch/small" || fail "no case is kept for what it found"
cat "$scratch/kept" corpus/gemm.cases >"$scratch/all"
[ "$(shown "$scratch/small")" = "$(shown "$scratch/all")" ] || fail "$(shown "$scratch/small") of $(shown "$scratch/all") features"
expect 0 "$opconform" corpus distil "$scratch/small" --backend planted:tail-column,planted:abort
cmp -s <(grep '^gemm' "$scratch/out" | sort) <(grep '^gemm' "$scratch/small" | sort) || fail "chosen cases are not chosen again"
# What was measured before is not measured again: not where the file is damaged, nor for other libraries.
distil() { # OUT FILE...
    expect 0 "$opconform" corpus distil "${@:2}" --backend planted:tail-column,planted:abort --out "$scratch/$1"
}
distil once "$scratch/small"
distil kept1 "$scratch/kept" corpus/gemm.cases --measures "$scratch/measures"
cmp -s "$scratch/kept1" "$scratch/small" || fail "measures change what is kept"
for bytes in whole half; do
    distil again "$scratch/small" --measures "$scratch/measures"
    cmp -s "$scratch/again" "$scratch/once" || fail "$bytes measures: other cases, or other reasons"
    head -c 3000 "$scratch/measures" >"$scratch/half"
    mv "$scratch/half" "$scratch/measures"
done
distil again "$scratch/small" --measures "$scratch/measures"
cp "$scratch/measures" "$scratch/theirs"
expect 0 "$opconform" corpus distil "$scratch/small" --backend planted:tail-column --out "$scratch/others" --measures "$scratch/theirs"
expect 0 "$opconform" corpus distil "$scratch/small" --backend planted:tail-column --out "$scratch/other"
cmp -s "$scratch/others" "$scratch/other" || fail "measures of other libraries are taken"
# Where time ends nothing is lost, and what was measured needs none.
distil late "$scratch/kept" corpus/gemm.cases --time 1ms
[ "$(grep -c '^gemm' "$scratch/late")" -gt "$few" ] && grep -q "not measured yet" "$scratch/out" || fail "$(cat "$scratch/out")"
distil later "$scratch/late"
cmp -s "$scratch/later" "$scratch/small" || fail "what was left to later shows something else"
distil soon "$scratch/small" --measures "$scratch/measures" --time 1ms
cmp -s "$scratch/soon" "$scratch/once" || fail "measured cases are left"
expect 0 "$opconform" corpus stats "$scratch/small"
grep -q "^$few cases" "$scratch/out" || fail "$(cat "$scratch/out")"
mkdir "$scratch/folder"
"$opconform" fuzz --op gemm --backend planted:ok-reference --cases 300 --corpus "$scratch/folder" --db "$scratch/folder.db" --quiet >/dev/null 2>&1
expect 0 "$opconform" corpus stats "$scratch/folder" --op gemm
[ "$(tail -n 1 "$scratch/out")" = "$(find "$scratch/folder" -type f | wc -l) cases" ] || fail "$(cat "$scratch/out")"
# The bytes of cases in files, which an engine's folder is too, and the values in them.
expect 0 "$opconform" corpus unpack corpus/gemm.cases --out "$scratch/unpacked"
grep -qx "$(find "$scratch/unpacked" -type f | wc -l) cases" "$scratch/out" || fail "$(cat "$scratch/out")"
"$opconform" corpus stats corpus/gemm.cases >"$scratch/lines"
expect 0 "$opconform" corpus stats "$scratch/unpacked" --op gemm
cmp -s "$scratch/out" "$scratch/lines" || fail "unpacked are $(cat "$scratch/out")"
expect 0 "$opconform" corpus dictionary corpus/gemm.cases --out "$scratch/words"
[ "$(grep -cvxE '"(\\x[0-9a-f]{2}){4,64}"' "$scratch/words")" = 0 ] || fail "$(head -n 2 "$scratch/words")"
[ -z "$(sort "$scratch/words" | uniq -d)" ] || fail "a word stands twice"
expect 2 "$opconform" corpus unpack corpus/gemm.cases; says "name a folder by --out"
expect 2 "$opconform" corpus distil "$scratch/bug" --backend planted:ok-reference
one_line
says "line 3"
finish
