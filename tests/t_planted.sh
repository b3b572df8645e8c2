# Every planted fault is found, shrunk, filed under one signature for each element type, and replays; from an empty
# corpus with a fixed seed.  The random engine makes the same cases everywhere; tests/run-long repeats
# it with libFuzzer.  PLANTED=quick or other has a part of the faults only.
. tests/lib.sh
. tests/faults.sh
case ${PLANTED:-} in quick) faults=$quick_faults ;; other) faults=$other_faults ;; esac
cases=${PLANTED_CASES:-7000} engine=${PLANTED_ENGINE:-random}

# The largest extent that a minimal case may have, for faults that need more than 4.
largest_extent() {
    case $1 in
    tail-column) echo 65 ;;
    half-sum) echo 129 ;;
    segfault | coarse-unknown | coarse-packed) echo 5 ;;
    alpha-bits) echo 16 ;;
    *) echo 4 ;;
    esac
}

for fault in $faults; do
    # A deadline that no call takes on a busy machine, but where each takes it.
    db=$scratch/$fault.db number=$cases deadline=10s
    [ "$fault" = hang ] && number=$((cases / 40)) deadline=300ms
    expect 1 "$opconform" fuzz --engine "$engine" --op "$(op_of "$fault")" --backend "planted:$fault" \
        --cases "$number" --seed 1 \
        --deadline $deadline --db "$db" --quiet
    # A fault may also be filed as a broken relation or as a policy.
    # Each element type has its own.
    count=$(sql "$db" "SELECT signature FROM finding WHERE kind != 'POLICY' AND (kind != 'INVARIANCE'
        OR NOT EXISTS (SELECT 1 FROM finding WHERE kind NOT IN ('POLICY', 'INVARIANCE')))" | cut -d ' ' -f 1,3- | sort -u | wc -l)
    hits=$(sql "$db" "SELECT sum(hits) FROM finding")
    line=$(sql "$db" "SELECT min_line $leading")
    id=$(sql "$db" "SELECT id $leading")
    echo "$fault: $hits hits, $line"
    case $fault in
    norm-overflow | alpha-bits | illegal-accepted | flush) [ "$count" -ge 1 ] ;; # one signature per facet
    # A subnormal number becomes 0, and NaN with an infinity, which is another symptom.  NaN that alpha = inf makes are
    # dropped too, as they are under a reading, which a shrunk case keeps.
    # One value with a full significand counts as a value, several as rounding.
    bf16-inputs | tf32-inputs) [ "$count" -ge 1 ] && [ "$count" -le 3 ] ;;
    # The same of NaN beside zeros alone, which a product that is skipped loses too.
    nan-dropped) [ "$count" -ge 1 ] && [ "$count" -le 4 ] ;;
    # Either extent may be 0, and beta too; which of these are filed beside each other depends on the time.
    empty-scaled) ! sql "$db" "SELECT signature FROM finding" | grep -vqE '\| ((beta=(0|other)|n=0|ta=[tc]|m=0)( |$))+$' ;;
    *) [ "$count" = 1 ] ;;
    esac || fail "$fault: $count findings: $(sql "$db" "SELECT signature FROM finding")"
    [ "${hits:-0}" -gt 1 ] || fail "$fault: only $hits hits"
    for extent in m n k; do
        value=$(sed -n "s/.* $extent=\([0-9]*\) .*/\1/p" <<<"$line")
        [ "${value:-0}" -le "$(largest_extent "$fault")" ] || fail "$fault: $extent=$value"
    done
    expect 1 "$opconform" replay "$id" --db "$db" --deadline $deadline
done
expect 1 "$opconform" fuzz --engine "$engine" --op gemm --backend planted:half-sum --cases 1000000 --seed 1 --first \
    --db "$scratch/first.db" --quiet
[ "$(sql "$scratch/first.db" "SELECT end_reason FROM run WHERE cases < 100000")" = "first finding" ] || fail "--first goes on"
# A fault that depends on the calls before shows in no case alone: a wrong value that is seen once does not count and is said
# not to, and --first goes on until it is seen again.
expect 0 "$opconform" fuzz --engine random --op gemm --backend planted:gemm-every-hundredth --cases 100 --seed 2 --first --db "$scratch/once.db" --quiet \
    --fix m=4,n=4,k=4,alpha=1,beta=0,exec.relation=none
grep -q '^1 of the findings did not show again' "$scratch/out" || fail "seen once: $(cat "$scratch/out")"
expect 1 "$opconform" fuzz --engine "$engine" --op gemm --backend planted:gemm-every-hundredth --cases 1000000 --seed 1 --first --db "$scratch/twice.db" --quiet
[ "$(sql "$scratch/twice.db" "SELECT end_reason FROM run WHERE cases < 10000")" = "first finding" ] || fail "seen twice: --first goes on"
finish
