# Databases whose file goes away or has no room, that several processes create, or that are newer; output and input that
# cannot be written or read whole: nothing is lost without a word and a status.
. tests/lib.sh
cd "$scratch" || exit 2
# What was found, and how often: findings that turn out to be one are joined, their hits stay.
findings() { # database
    sql "$1" "SELECT sum(hits) FROM finding"
}
campaign() { # database, words...
    "$opconform" fuzz --engine random --op gemm --backend planted:drop-last-k,planted:nan-dropped,planted:flush --db "$@"
}
# What the last process in the background has written and how it ended.
ended() { # status, what
    checks=$((checks + 1))
    wait "$!"
    local got=$?
    [ "$got" = "$1" ] || fail "$2: status $got instead of $1: $(head -n 3 err)"
}

# Processes that create one database.
for round in 1 2 3; do
    pids=()
    for i in 1 2 3 4; do
        "$opconform" fuzz --engine random --op gemm --backend planted:one-ulp --cases 30 --seed "$i" --db "one-$round.db" --quiet >"out.$i" 2>"err.$i" &
        pids+=($!)
    done
    for i in 1 2 3 4; do
        checks=$((checks + 1))
        wait "${pids[i - 1]}" || [ $? = 1 ] || fail "round $round: $(cat "err.$i")"
    done
    [ "$(sql "one-$round.db" "SELECT count(*) FROM run WHERE end_reason = 'budget'")" = 4 ] || fail "runs are missing"
    expect 0 "$opconform" fsck --db "one-$round.db"
done

# A file that is removed, with and without its log, moved away, or replaced while a campaign writes.
lose() { # name, status, database that has all, words on standard error, command that takes the file away
    campaign "$1.db" --time 6s --quiet >out 2>err &
    for _ in $(seq 30); do
        sleep 0.1
        [ "$(sqlite3 -readonly "$1.db" "SELECT count(*) FROM finding" 2>/dev/null || echo 0)" -ge 1 ] && break
    done
    before=$(findings "$1.db")
    eval "$5"
    ended "$2" "$1"
    grep -qF "$4" err || fail "$1: not a word of '$4': $(cat err)"
    [ "$(findings "$3")" -ge "$before" ] || fail "$1: findings are lost: $before, $(findings "$3")"
    [ "$(sql "$3" "SELECT count(*) FROM run WHERE end_reason = 'budget'")" = 1 ] || fail "$1: the end of the run is lost"
    [ "$(sql "$3" "SELECT sum(executions) > 0 FROM coverage")" = 1 ] || fail "$1: coverage is lost"
    expect 0 "$opconform" fsck --db "$3"
}
exchange() { # one name, another
    python3 -c 'import ctypes, os, sys
here, exchange = -100, 2
libc = ctypes.CDLL(None, use_errno=True)
if libc.renameat2(here, os.fsencode(sys.argv[1]), here, os.fsencode(sys.argv[2]), exchange):
    sys.exit(os.strerror(ctypes.get_errno()))' "$@"
}
lose removed 1 removed.db "removed.db was removed while it was written: all of it is in removed.db now" "rm removed.db"
lose all 1 all.db "all.db was removed" "rm all.db*"
lose moved 1 moved.db "moved.db was removed" "mv moved.db elsewhere.db"
lose replaced 4 replaced.db.kept "replaced.db was replaced while it was written: all of it is in replaced.db.kept now" \
    "cp one-1.db other.db && mv other.db replaced.db"
lose text 4 text.db.kept "text.db was replaced" "echo a note >note && mv note text.db"
lose folder 4 folder.db.kept "folder.db was replaced" "mkdir folder && exchange folder folder.db"
expect 0 "$opconform" merge replaced.db replaced.db.kept

# Files that may not grow: what was there stays, and the new cases are said.
campaign full.db --cases 300 --quiet >out 2>err
before=$(findings full.db)
size=$(($(stat -c %s full.db) / 1024))
for room in 0 4096; do
    cp full.db limited.db
    (
        ulimit -f $((size + room))
        campaign limited.db --seed 77 --cases 300 --quiet
    ) >full.out 2>err
    [ $? = 4 ] || fail "$room KiB: a full disk must end in status 4: $(cat err)"
    checks=$((checks + 1))
    says "may not write so large a file"
    cp err said
    [ "$(findings limited.db)" = "$before" ] || fail "$room KiB: findings of before are lost"
    expect 0 "$opconform" fsck --db limited.db
    spool=$(ls limited.db.spool-* 2>/dev/null)
    if [ -n "$spool" ]; then
        expect 0 "$opconform" merge limited.db "$spool"
        [ "$(sql limited.db "SELECT count(*) FROM run WHERE end_reason = 'budget'")" = 2 ] || fail "$room KiB: the run is lost"
    else
        grep -q "there is room nowhere" said || fail "$room KiB: not a word about the cases: $(cat said)"
        grep '^[a-z0-9_]*/[0-9]* ' full.out >full.cases
        expect 1 "$opconform" replay full.cases --backend planted:drop-last-k,planted:nan-dropped,planted:flush
    fi
    rm -f limited.db*
done
# A disk that is full, where one can be had.
mkdir disk
if mount -t tmpfs -o size=1m tmpfs disk 2>/dev/null; then
    cp full.db disk/full.db
    TMPDIR=$PWD campaign disk/full.db --seed 77 --cases 300 --quiet >out 2>err
    [ $? = 4 ] || fail "a full disk must end in status 4: $(cat err)"
    says "its disk is full"
    spool=$(ls disk/full.db.spool-* full.db.spool-* 2>/dev/null)
    expect 0 "$opconform" merge all-of-it.db disk/full.db "$spool"
    [ "$(sql all-of-it.db "SELECT count(*) FROM run WHERE end_reason = 'budget'")" = 2 ] || fail "the run is lost"
    umount disk
else
    skip "a disk that is full: nothing can be mounted here"
fi

# Output to a full device.
if [ -w /dev/full ]; then
    for words in "query open --db full.db" "query matrix --json --db full.db" "query signatures --csv --db full.db" "bugs --db full.db" \
        "bugs show 1 --db full.db" "findings list --db full.db" "list ops" "list policies" "doctor planted:one-ulp" --help "fuzz --help" \
        "replay gemm/1 --backend planted:ok-reference" "corpus encode gemm/1"; do
        checks=$((checks + 1))
        "$opconform" $words >/dev/full 2>err
        got=$?
        [ "$got" = 4 ] || fail "$words to a full device: status $got"
        says "standard output: No space left on device"; one_line
    done
    for form in junit sarif markdown; do
        expect 3 "$opconform" report --db full.db --no-programs --out html --$form /dev/full; says "No space left"; one_line
    done
fi

# Files of lines that are none.
mkdir lines.cases
printf 'gemm/1\n\0gemm/1 m=2\n' >nul.cases
expect 2 "$opconform" replay lines.cases/. --backend planted:ok-reference; says "Is a directory"; one_line
expect 2 "$opconform" replay ./lines.cases --backend planted:ok-reference; says "Is a directory"; one_line
expect 2 "$opconform" replay nul.cases --backend planted:ok-reference; says "nul.cases: byte 8 is a NUL"; one_line
expect 2 "$opconform" replay - --backend planted:ok-reference <nul.cases; says "standard input: byte 8 is a NUL"; one_line
expect 2 "$opconform" fuzz --seeds nul.cases --backend planted:ok-reference --cases 1 --db x.db; says "byte 8 is a NUL"; one_line
expect 2 "$opconform" corpus distil nul.cases --out d.cases; says "byte 8 is a NUL"; one_line
head -c 4096 /dev/zero >zeros.cases
expect 2 "$opconform" replay zeros.cases --backend planted:ok-reference; says "byte 1 is a NUL"; one_line
[ "$(id -u)" = 0 ] || { : >secret.cases; chmod 0 secret.cases; expect 2 "$opconform" replay ./secret.cases; says "Permission denied"; one_line; }

# Signals that end a campaign: what it has is in the database.
for signal in HUP INT TERM; do
    "$opconform" fuzz --engine random --op gemm --backend planted:drop-last-k --db $signal.db --time 60s --quiet >out 2>err &
    sleep 2
    kill -$signal $!
    ended 1 "$signal"
    [ "$(sql $signal.db "SELECT end_reason FROM run")" = interrupted ] || fail "$signal: $(sql $signal.db "SELECT end_reason FROM run")"
    [ "$(sql $signal.db "SELECT sum(executions) > 0 FROM coverage")" = 1 ] || fail "$signal: coverage is lost"
done

# Few descriptors.
for allowed in 4 8 16 32; do
    (
        ulimit -n $allowed
        campaign few.db --cases 10 --quiet
    ) >out 2>err
    got=$?
    checks=$((checks + 1))
    case $got in
    3 | 127) ;;
    *) fail "$allowed descriptors: status $got: $(cat err)" ;;
    esac
    [ -s err ] || fail "$allowed descriptors: not a word"
done
(
    ulimit -n 64
    campaign some.db --cases 10 --quiet
) >out 2>err
[ $? -le 1 ] || fail "64 descriptors are enough: $(cat err)"

# Known issues with a mistake are refused before the night begins.
mistake() { # what the file has, words
    printf '%s' "$1" >known.json
    expect 2 "$opconform" nightly --out night --backend planted:one-ulp --op gemm --cases 10 --engine random --quiet --known known.json
    says "$2"; one_line
    check "the night began" [ ! -e night ]
}
entry='"reason": "r", "owner": "o", "expires": "2027-01-31"'
mistake '' "expected known issues as a JSON array"
mistake '{}' "expected known issues as a JSON array"
mistake '[1]' "entry 1 is no object"
mistake "[{$entry}]" "entry 1 has no match"
mistake "[{\"match\": {}, $entry}]" "entry 1 matches everything"
mistake "[{\"match\": {\"opp\": \"x\"}, $entry}]" "matches by something that is no column"
mistake '[{"match": {"op": "x"}, "owner": "o", "expires": "2027-01-31"}]' "has no reason"
mistake '[{"match": {"op": "x"}, "reason": "r", "expires": "2027-01-31"}]' "has no owner"
mistake '[{"match": {"op": "x"}, "reason": "r", "owner": "o", "expires": "2027-02-31"}]' "entry 1: expires: '2027-02-31' is no day"
mistake '[{"match": {"op": "x"}, "reason": "r", "owner": "o"}]' "has no expires"
mistake "[{\"match\": {\"op\": \"x\"}, $entry}, {\"match\": {\"op\": \"x\"}, $entry]" "expected known issues as a JSON array"
mistake "[{\"match\": {\"op\": \"x\"}, \"link\": 3, $entry}]" "has a link that is no text"
mistake "[{\"match\": {\"op\": \"x\"}, \"expirse\": \"2027-01-31\", $entry}]" "has something beside match, reason, owner, link and expires"
mistake "[{\"match\": {\"op\": \"gem*\"}, $entry}, {\"match\": {\"op\": \"gmem\"}, $entry}]" "entry 2: no op is 'gmem'; did you mean gemm?"
mistake "[{\"match\": {\"op\": \"gemm\", \"dtype\": \"f23\"}, $entry}]" "entry 1: no dtype is 'f23'"
mistake "[{\"match\": {\"kind\": \"DIVERG\"}, $entry}]" "no kind is 'DIVERG'; did you mean DIVERGE?"
expect 2 "$opconform" nightly --out night --known missing.json --backend planted:one-ulp; says "No such file"; one_line
expect 2 "$opconform" nightly --out night --known lines.cases --backend planted:one-ulp; says "Is a directory"; one_line

# A database that a newer program wrote.
cp full.db newer.db
sqlite3 newer.db "PRAGMA user_version = 999"
sum=$(cksum <newer.db)
for words in "query open" "query --sql SELECT(1)" "report --out html" bugs "bugs show 1" "findings list" "replay 1" "minimize 1" "reproduce 1" \
    "verify" "issue 1" "fsck" "bisect 1 --over planted:one-ulp,planted:ok-reference" "fuzz --backend planted:one-ulp --cases 1" "bugs group"; do
    expect 3 "$opconform" $words --db newer.db; says "newer.db: written by a newer opconform (schema 999"; one_line
done
expect 3 "$opconform" merge sum.db full.db newer.db; says "newer"; one_line
check "a merge that fails leaves a file" [ ! -e sum.db ]
expect 3 "$opconform" merge newer.db full.db; says "newer"; one_line
mkdir -p late && cp newer.db late/findings.db
expect 3 "$opconform" nightly --out late --backend planted:one-ulp --op gemm --cases 10 --engine random --quiet; says "newer"
[ "$(cksum <newer.db)" = "$sum" ] || fail "the newer database was changed"
finish
