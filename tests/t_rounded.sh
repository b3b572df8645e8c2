# The rounded reference passes everywhere, and no operator is always declined in a type: each has about eight cases.
. tests/lib.sh
expect 0 "$opconform" fuzz --engine random --backend planted:ok-reference \
    --cases "${ROUNDED_CASES:-60000}" --seed 7 --jobs 2 --db "$scratch/all.db" --quiet --deadline 20s
[ "$(sql "$scratch/all.db" "SELECT count(*) FROM finding")" = 0 ] ||
    fail "$(sql "$scratch/all.db" "SELECT signature, min_line FROM finding")"
idle=$(sql "$scratch/all.db" "SELECT op, dtype FROM coverage GROUP BY op, dtype HAVING sum(executions) = 0 AND sum(declined) > 3")
[ -z "$idle" ] || fail "always declined: $idle"
finish
