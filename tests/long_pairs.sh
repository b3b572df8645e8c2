# Findings of one fault by two seeds shrink to the same case in nine of ten pairs, in 300 executions (median).
. tests/lib.sh
. tests/faults.sh
pairs=0 same=0
for fault in $faults; do
    [ "$fault" = hang ] && continue # each takes a deadline
    for seed in 1 2; do
        "$opconform" fuzz --engine random --op "$(op_of "$fault")" --backend "planted:$fault" --cases 7000 --seed "$seed" \
            --deadline 10s --db "$scratch/$fault.$seed" --quiet >/dev/null 2>&1
        sql "$scratch/$fault.$seed" "SELECT min_line $leading" >"$scratch/minimal.$seed"
        "$opconform" minimize "$(sql "$scratch/$fault.$seed" "SELECT line $leading")" --backend "planted:$fault" \
            --deadline 10s 2>&1 | sed -n 's/^\([0-9]*\) executions.*/\1/p' >>"$scratch/executions"
    done
    pairs=$((pairs + 1))
    if cmp -s "$scratch/minimal.1" "$scratch/minimal.2"; then
        same=$((same + 1))
    else
        cat "$scratch/minimal.1" "$scratch/minimal.2"
    fi
done
median=$(sort -n "$scratch/executions" | sed -n "$(($(wc -l <"$scratch/executions") / 2 + 1))p")
echo "$same of $pairs pairs are the same; $median executions (median)"
check "$same of $pairs" [ $((10 * same)) -ge $((9 * pairs)) ]
check "$median executions" [ "$median" -le 300 ]
finish
