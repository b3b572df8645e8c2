# The supervisor of a long campaign with findings of all kinds holds no more memory at its end than soon
# after its beginning, and the database does not grow with the hits.
. tests/lib.sh
cases=${SUPERVISOR_CASES:-400000}
db=$scratch/s.db
"$opconform" fuzz --op 'blas/*' --backend planted:half-sum,planted:norm-overflow,planted:storm,planted:coarse-packed \
    --engine random --cases "$cases" --jobs 2 --deadline 60ms --stats "$scratch/stats" --db "$db" --quiet >"$scratch/out" 2>&1 &
supervisor=$!
resident() { sed -n 's/^VmRSS:[^0-9]*\([0-9]*\) kB/\1/p' "/proc/$supervisor/status" 2>/dev/null; }
done_cases() { sed -n 's/^cases=//p' "$scratch/stats" 2>/dev/null; }
early=0 late=0 early_size=0
while kill -0 $supervisor 2>/dev/null; do
    count=$(done_cases) now=$(resident)
    if [ "${count:-0}" -gt $((cases / 10)) ] && [ -n "$now" ]; then
        [ $early = 0 ] && early=$now && early_size=$(stat -c %s "$db")
        late=$now
    fi
    sleep 0.5
done
wait $supervisor
late_size=$(stat -c %s "$db")
echo "supervisor: $early kB after a tenth, $late kB at the end; database: $early_size and $late_size bytes"
check "nothing was measured" [ $early -gt 0 ]
check "memory grows" [ $late -le $((early + early / 10)) ]
check "the database grows" [ "$late_size" -le $((2 * early_size + 1048576)) ]
finish
