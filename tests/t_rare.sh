# Faults that few cases meet are found: extents beyond 700, much work, far and round leading dimensions, equal pointers
# and increments, and a twentieth of the bound on one element.
. tests/lib.sh
. tests/faults.sh
while read -r fault op cases; do
    expect 1 "$opconform" fuzz --engine random --op "$op" --backend "planted:$fault" --cases "$cases" --seed 1 --first \
        --deadline 20s --db "$scratch/$fault.db" --quiet
    echo "$fault: $(sql "$scratch/$fault.db" "SELECT cases FROM run") cases, $(sql "$scratch/$fault.db" "SELECT signature $leading")"
done <<'FAULTS'
rare-extent gemm 3000
rare-leading gemm 3000
rare-pointer gemm 3000
rare-share gemm 5000
rare-increments dot 10000
rare-repeated asum 10000
rare-round-leading gemm 40000
rare-work gemm 40000
FAULTS
finish
