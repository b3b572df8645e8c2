# kill -9 at any moment of every command that writes: what was there and what was printed is not lost, the database stays sound,
# files are whole or not there, and the same command goes on.  KILL_ROUNDS is how often fuzz is ended, KILL_EACH how often each
# other command is, and KILL_CHAIN how often in a row it is in what it left; KILL_SEED chooses the moments.
. tests/lib.sh
backends=planted:drop-last-k,planted:beta-twice,planted:nan-dropped,planted:flush,planted:segfault
any=
for round in $(seq "${KILL_ROUNDS:-12}"); do
    db=$scratch/k$round.db
    "$opconform" fuzz --backend $backends --engine random --verbose --op gemm --time 30s --seed "$round" --jobs 2 --db "$db" \
        >/dev/null 2>"$scratch/err" &
    tool=$!
    sleep "0.$((37 * round % 100))"
    # In each third round something was printed, however slow the machine is.
    for _ in $(seq $((round % 3 == 0 ? 100 : 0))); do
        grep -qE '^#[0-9]+' "$scratch/err" && break
        sleep 0.2
    done
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

# The other commands, on a copy of a database each time.
tests=$PWD/tests
cd "$scratch" || exit 2
few="--engine random --dtype f32 --quiet"
"$opconform" fuzz --backend planted:drop-last-k,planted:flush $few --op gemm --cases 120 --seed 99 --db base.db >out 2>err
"$opconform" fuzz --backend planted:nan-dropped $few --op gemv --cases 120 --seed 98 --db other.db >out 2>err
for seed in 1 2 3 4 5 6 7 8; do echo "gemm/1 m=$seed n=3 k=17 | a=normal b=normal"; done >lines.cases
echo 'onednn_verbose,v1,primitive,exec,cpu,matmul,brg,undef,src:f32::blocked:ab::f0 wei:f32::blocked:ab::f0 dst:f32::blocked:ab::f0,,,4x8:8x7,0.1' >words.log
checks=$((checks + 1))
python3 "$tests/kill_commands.py" "$opconform" --rounds "${KILL_EACH:-1}" --seed "${KILL_SEED:-1}" --chain "${KILL_CHAIN:-1}" ||
    fail "a kill lost something"
sleep 1
# No worker outlives its supervisor.
[ -z "$(ps -eo args | grep "[o]pconform fuzz --backend $backends")" ] || fail "workers were left behind"
finish
