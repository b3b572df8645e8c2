# Crashes and hangs by the hundred in one run: each is counted, none ends the run.
. tests/lib.sh
cases=${STORM_CASES:-400}
expect 1 "$opconform" fuzz --engine random --backend planted:storm --op gemm --cases "$cases" --no-avoid \
    --deadline 60ms --db "$scratch/s.db" --quiet --json
sql "$scratch/s.db" "SELECT hits, signature FROM finding"
declined=$(sql "$scratch/s.db" "SELECT sum(declined) FROM coverage")
# An illegal argument that is refused as it should be is no fault.
refused=$(sql "$scratch/s.db" "SELECT coalesce(sum(executions), 0) FROM policy_count WHERE policy = 'illegal-argument'")
cases=$((cases - declined - refused))
[ "$(sql "$scratch/s.db" "SELECT sum(hits) FROM finding WHERE kind = 'FAULT'")" = "$cases" ] ||
    fail "$(sql "$scratch/s.db" "SELECT sum(hits) FROM finding") of $cases faults were filed"
hangs=$(sql "$scratch/s.db" "SELECT sum(hits) FROM finding WHERE detail = 'hang'")
[ "${hangs:-0}" -ge $((cases / 200)) ] || fail "only $hangs hangs"
[ "$(sql "$scratch/s.db" "SELECT restarts FROM run")" = "$cases" ] || fail "restarts"
# Candidates of a minimisation that never return are given up, and the others are tried.
expect 1 "$opconform" fuzz --engine random --backend planted:trap --op gemm --cases 60 --seed 3 --deadline 200ms \
    --db "$scratch/t.db" --quiet
[ "$(sql "$scratch/t.db" "SELECT count(*) FROM finding WHERE kind = 'DIVERGE' AND min_line LIKE '% k=9 %'")" -ge 1 ] ||
    fail "a minimisation was not finished: $(sql "$scratch/t.db" "SELECT signature, min_line FROM finding")"
finish
