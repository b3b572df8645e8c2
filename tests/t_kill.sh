# kill -9 at any moment of every command that writes: what was there and what was printed is not lost, the database stays sound,
# files are whole or not there, and the same command goes on.  KILL_ROUNDS is how often fuzz is ended, KILL_EACH how often each
# other command is; KILL_SEED chooses the moments.
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
RANDOM=${KILL_SEED:-1}
cd "$scratch" || exit 2
"$opconform" fuzz --backend $backends --engine random --op gemm --cases 1500 --seed 99 --db base.db --quiet >out 2>err
"$opconform" fuzz --backend $backends --engine random --op gemv --cases 800 --seed 98 --db other.db --quiet >out 2>err
bug=$(sql base.db "SELECT min(id) FROM bug") number=$(sql base.db "SELECT min(id) FROM finding")
next=$(sql base.db "SELECT min(id) FROM bug WHERE id > $bug")
for seed in 1 2 3 4 5 6 7 8; do echo "gemm/1 m=$seed n=3 k=17 | a=normal b=normal"; done >lines.cases
echo 'onednn_verbose,v1,primitive,exec,cpu,matmul,brg,undef,src:f32::blocked:ab::f0 wei:f32::blocked:ab::f0 dst:f32::blocked:ab::f0,,,4x8:8x7,0.1' >words.log
has() { # database: what may not become less
    sqlite3 "$1" "SELECT sum(hits) FROM finding" 2>/dev/null || echo 0
}
# The statuses that end it well (2: the bugs are one already), and its words; w.db is the copy, and out.d the folder of what it makes.
commands=(
    "01 fuzz --engine random --op gemm --backend planted:drop-last-k,planted:flush --cases 60 --seed 5 --keep kept.cases --db w.db --quiet"
    "0 merge w.db other.db"
    "0 merge out.d/new.db base.db other.db"
    "0 bugs group --db w.db"
    "0 bugs suppress $bug --reason text --owner name --expires 2999-01-31 --db w.db"
    "0 findings set $number open --db w.db"
    "01 verify --db w.db"
    "0 report --no-programs --out out.d --db w.db --junit out.d/j.xml --sarif out.d/s.json"
    "0 corpus distil lines.cases --out out.d/distilled.cases --backend planted:ok-reference"
    "01 exhaust sqrt --dtype f16 --backend planted:one-ulp --db w.db --quiet"
    "01 qualify planted:ok-reference planted:drop-last-k --op gemm --engine random --cases 60 --seed 6 --db w.db --quiet"
    "01 bisect $number --over planted:ok-reference,planted:drop-last-k,planted:flush --db w.db"
    "0 bugs probe --time 1s --db w.db"
    "02 bugs join $bug $next --reason text --db w.db"
    "0 findings resign --db w.db"
    "0 import onednn words.log --out out.d/model.cases"
    "01 nightly --out out.d/night --op gemm --backend planted:drop-last-k --engine random --cases 40 --time 20s --quiet"
)
# A program needs a library to be linked with.
if "$opconform" doctor netlib >out 2>err; then
    commands+=("01 reproduce $number --backend netlib --out out.d/program --db w.db")
fi
run() { # words
    "$opconform" "$@" >out 2>err
}
checked() { # round, words
    local what="$1: ${*:2}" path
    for path in w.db out.d/new.db out.d/night/findings.db; do
        [ -s $path ] || continue
        check "$what: $path is damaged" [ "$(sqlite3 $path "PRAGMA integrity_check")" = ok ]
        [ "$(sqlite3 $path "SELECT count(*) FROM sqlite_master")" = 0 ] || expect 0 "$opconform" fsck --db $path
    done
    check "$what: hits are lost" [ "$(has w.db)" -ge "$before" ]
    # A line of a file that is added to may be cut, but only the last one, whose end is missing.
    [ ! -s kept.cases ] || check "$what: lines of --keep" [ -z "$(head -n -1 kept.cases | grep -v '^gemm/1 ')" ]
    [ ! -s out.d/model.cases ] || check "$what: lines of import" [ "$(grep -c '^matmul/2 ' out.d/model.cases)" = 1 ]
    [ ! -e out.d/distilled.cases ] || check "$what: lines of distil" [ "$(grep -c '^gemm/1 ' out.d/distilled.cases)" -ge 1 ]
}
kills=0 ended=0
before=$(has base.db)
kill_one() { # round, index of the command
    local good words pause
    read -r good words <<<"${commands[$2]}"
    rm -rf w.db* out.d kept.cases
    cp base.db w.db
    mkdir out.d
    # Somewhere in what it takes, which is learnt once.
    if [ -z "${takes[$2]:-}" ]; then
        local start=${EPOCHREALTIME/[.,]/}
        run $words
        takes[$2]=$((${EPOCHREALTIME/[.,]/} - start))
        rm -rf w.db* out.d kept.cases
        cp base.db w.db
        mkdir out.d
    fi
    pause=$((takes[$2] * (RANDOM % 1000) / 1000))
    "$opconform" $words >out 2>err &
    local tool=$!
    sleep "$((pause / 1000000)).$(printf %06d $((pause % 1000000)))"
    kill -9 $tool 2>/dev/null && kills=$((kills + 1))
    wait $tool 2>/dev/null || ended=$((ended + 1))
    checked "$1" $words
    run $words
    local status=$?
    [[ $good = *$status* ]] || fail "round $1: $words: status $status once more: $(head -n 2 err)"
    checked "$1, once more" $words
}
takes=()
for round in $(seq "${KILL_EACH:-1}"); do
    for index in "${!commands[@]}"; do kill_one "$round" "$index"; done
done
echo "$kills of $((${KILL_EACH:-1} * ${#commands[@]})) commands were ended"
check "nothing was ended" [ "$ended" -gt 0 ]
sleep 1
# No worker outlives its supervisor.
[ -z "$(ps -eo args | grep "[o]pconform fuzz --backend $backends")" ] || fail "workers were left behind"
finish
