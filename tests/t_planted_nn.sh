# Every planted fault of the operators of neural networks is found and shrunk, and its minimal case shows
# it again; small extents say that shapes and windows shrink as well.
. tests/lib.sh
. tests/faults.sh
cases=${PLANTED_CASES:-500} engine=${PLANTED_ENGINE:-random}
planted_faults nn >"$scratch/faults"
[ -s "$scratch/faults" ] || fail "there are no planted faults"
while read -r fault op; do
    db=$scratch/$fault.db
    which="kind != 'POLICY'" runs=$cases
    # Rare ones.
    case $fault in max-nan | var-one-pass | dropout-rate | sparse-dropped-zeros) runs=$((8 * cases)) ;; esac
    # Of one type among seventeen.
    case $fault in add-by-double | addcmul-by-float | cumsum-stopped | cast-of-signed) runs=$((16 * cases)) ;; esac
    # Faults of complex numbers, which are two types of six, and ways that are right.
    case $fault in *-by-squares | log-above-the-cut | exp-of-nan | exp-by-parts | asin-by-log | mul-imaginary | *-without-sign | eq-real-parts | ne-both-parts | *-gradient-*) runs=$((8 * cases)) ;; esac
    if [[ $fault = ok-* ]]; then
        expect 0 "$opconform" fuzz --engine "$engine" --op "$op" --backend "planted:$fault" --cases "$((2 * cases))" --seed 1 --deadline 1s \
            --db "$db" --quiet
        continue
    fi
    expect 1 "$opconform" fuzz --engine "$engine" --first --op "$op" --backend "planted:$fault" --cases "$runs" \
        --seed 1 --deadline 1s --db "$db" --quiet
    line=$(sql "$db" "SELECT min_line FROM finding WHERE $which ORDER BY id LIMIT 1")
    id=$(sql "$db" "SELECT id FROM finding WHERE $which ORDER BY id LIMIT 1")
    echo "$fault: $line"
    [ -n "$line" ] || fail "$fault: not minimised"
    size=$(sed -n 's/.* \(shape\|input_size\)=\([0-9x]*\) .*/\2/p' <<<"$line" | tr x '*')
    # Of chances much must be drawn to tell, and of truths many be counted.
    case $fault in dropout-* | sum-of-truths-*) size=1 ;; esac
    [ "$((${size:-1}))" -le 128 ] || fail "$fault: $line"
    expect 1 "$opconform" replay "$id" --db "$db" --deadline 1s
done <"$scratch/faults"
finish
