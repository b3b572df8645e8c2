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
finish
