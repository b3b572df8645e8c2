# kill -9 at any moment: no finding that was printed is lost, and the database stays sound.
. tests/lib.sh
backends=planted:drop-last-k,planted:beta-twice,planted:nan-dropped,planted:flush,planted:segfault
any=
for round in $(seq "${KILL_ROUNDS:-12}"); do
    db=$scratch/k$round.db
    "$opconform" fuzz --backend $backends --engine random --verbose --op gemm --time 30s --seed "$round" --jobs 2 --db "$db" \
        >/dev/null 2>"$scratch/err" &
    tool=$!
    sleep "0.$((37 * round % 100))"
    [ $((round % 3)) = 0 ] && sleep 1.5
    kill -9 "$tool"
    wait "$tool" 2>/dev/null
    [ -s "$db" ] || continue
    check "round $round: damaged" [ "$(sqlite3 "$db" "PRAGMA integrity_check")" = ok ]
    printed=$(grep -oE '^#[0-9]+' "$scratch/err" | tr -d '#')
    for id in $printed; do
        check "round $round: finding $id was printed and lost" \
            [ "$(sqlite3 "$db" "SELECT count(*) FROM finding WHERE id = $id AND min_line IS NOT NULL")" = 1 ]
    done
    any=$any$printed
    echo "round $round: $(wc -w <<<"$printed") printed"
done
check "nothing was printed" [ -n "$any" ]
sleep 1
# No worker outlives its supervisor.
[ -z "$(ps -eo args | grep "[o]pconform fuzz --backend $backends")" ] || fail "workers were left behind"
finish
