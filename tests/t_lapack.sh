# Every planted fault of LAPACK's routines is found, shrunk and shown again by its minimal case; those that are right
# are left alone, and so is Reference LAPACK.
. tests/lib.sh
. tests/faults.sh
cases=${PLANTED_CASES:-1000}
planted_faults lapack >"$scratch/faults"
planted_faults linalg >>"$scratch/faults"
[ -s "$scratch/faults" ] || fail "there are no planted faults"
# One campaign for all faults of an operator, whose references are shared.
while read -r op; do
    faults=$(awk -v op="$op" '$2 == op { print $1 }' "$scratch/faults") db=$scratch/$op.db status=0
    grep -qv '^ok-' <<<"$faults" && status=1
    expect $status "$opconform" fuzz --engine random --op "$op" --backend "$(sed 's/^/planted:/' <<<"$faults" | paste -sd,)" \
        --cases "$cases" --seed 1 --db "$db" --quiet
    for fault in $faults; do
        of_fault="FROM finding WHERE backend = 'planted:$fault'"
        hits=$(sql "$db" "SELECT coalesce(sum(hits), 0) $of_fault")
        if [[ $fault = ok-* ]]; then
            check "$fault: $(sql "$db" "SELECT signature, min_line $of_fault")" [ "$hits" = 0 ]
            continue
        fi
        first="$of_fault ORDER BY kind IN ('POLICY', 'INVARIANCE'), id LIMIT 1" line=$(sql "$db" "SELECT min_line $first")
        echo "$fault: $hits hits, $line"
        [ -n "$line" ] || fail "$fault: not found, or not minimised"
        largest=$(grep -oE ' [mnk]=[0-9]+' <<<"$line" | tr -dc '0-9\n' | sort -n | tail -1)
        [ "${largest:-99}" -le 8 ] || fail "$fault: $line"
        expect 1 "$opconform" replay "$(sql "$db" "SELECT id $first")" --db "$db"
    done
done < <(cut -d' ' -f2 "$scratch/faults" | sort -u)
if [ -e /usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3 ]; then
    # Until 3.12 scaled Frobenius norms are wrong, eigenvalues without vectors may be, and a query for an empty matrix gives a
    # workspace that is refused; gtsv writes where there is no right side, and sytrf divides by subnormal pivots otherwise.
    left_alone() { # OPERATORS CASES [OPTION...]
        expect 0 "$opconform" fuzz --engine random --op "$1" --backend lapack --cases "$2" --seed 2 \
            --db "$scratch/reference.db" --quiet "${@:3}"
    }
    left_alone gesv,getrf,getrs,potrf,potri,potrs,trtri,trtrs "$((4 * cases))"
    left_alone getri "$cases" --fix n=1..64
    left_alone gels,gecon,gttrf,gttrs,hetrs,pocon,ptsv,pttrf,pttrs,sytrs,trcon "$((2 * cases))"
    left_alone gtsv "$cases" --fix nrhs=1..64
    left_alone gelqf,geqlf,geqrf,gerqf "$cases" --fix m=1..64,n=1..64
    left_alone syev,syevd "$cases" --fix job=vectors
    left_alone lange,lansy,lantr "$cases" --fix 'norm=largest|one|infinity'
    [ "$(sql "$scratch/reference.db" "SELECT count(*) FROM finding")" = 0 ] ||
        fail "$(sql "$scratch/reference.db" "SELECT signature, min_line FROM finding")"
else
    skip "Reference LAPACK is not installed"
fi
finish
