# Signals from outside to the processes of a campaign: workers, processes that serve frameworks and compiled kernels, and their
# workers.  Those by which people and batch systems end a job end the campaign and are no finding of a library, also where they
# reach all processes of the job; processes that are stopped do not hang; a server that is killed is started again.
. tests/lib.sh
: "${CC:=cc}"
"$CC" -std=gnu17 -g -O1 -w -shared -fPIC -DGOOD -x c tests/evil/evil.h -o "$scratch/good.so" -lm || fail "compiler"
backends="kernel@$scratch/good.so:dot = result = evil_dot(n, x, y);axpy = evil_axpy(n, alpha, x, y),cublas@$BUILD/tests/fakecuda"
servers=1
if /usr/bin/python3 -c 'import numpy' 2>"$scratch/err"; then
    backends=$backends,numpy servers=2
else
    skip "frameworks: the system's Python has no NumPy"
fi
below() { # process: all that come from it, the youngest first
    local child
    # shellcheck disable=SC2013 # they are words of one line
    for child in $(cat /proc/"$1"/task/*/children 2>/dev/null); do below "$child" && echo "$child"; done
    true
}
serving() { # process: those below it that serve libraries, and their workers
    local process
    for process in $(below "$1"); do
        tr '\0' ' ' 2>/dev/null <"/proc/$process/cmdline" | grep -qE "opconform-cublas|start\.py" && echo "$process"
    done
}
cases_of() {
    sqlite3 -readonly "$scratch/$1.db" "SELECT coalesce(sum(cases), 0) FROM run" 2>/dev/null || echo 0
}
begin() { # name, time
    name=$1
    "$opconform" fuzz --engine random --op dot,axpy,exp,add --dtype f32 --fix 'n=..8' --backend "$backends" --seed 1 --time "$2" \
        --deadline 300ms --db "$scratch/$1.db" --json >"$scratch/out" 2>"$scratch/err" &
    tool=$!
    local look
    for look in $(seq 200); do
        [ "$(cases_of "$1")" -gt 0 ] && break
        sleep 0.1
    done
    [ "$look" -lt 200 ] || fail "$1: no case in 20 s: $(cat "$scratch/err")"
    check "$1: not all libraries have processes of their own" [ "$(serving $tool | wc -l)" -ge $((2 * servers)) ]
}
send() { # signal, processes...
    kill -s "$@" 2>/dev/null
    checks=$((checks + 1))
}
over() { # how it must have ended
    wait $tool
    local status=$?
    cp "$scratch/out" "$scratch/said"
    check "$name: status $status: $(findings "$scratch/$name.db")" [ $status = 0 ]
    check "$name: ended by $(sql "$scratch/$name.db" "SELECT end_reason FROM run")" [ "$(sql "$scratch/$name.db" "SELECT end_reason FROM run")" = "$1" ]
    [ "$(sql "$scratch/$name.db" "SELECT count(*) FROM finding")" = 0 ] || fail "$name: $(findings "$scratch/$name.db")"
    [ "$(sql "$scratch/$name.db" "SELECT min(given) > 0 FROM (SELECT sum(executions) given FROM coverage GROUP BY backend)")" = 1 ] ||
        fail "$name: a library was given no case"
    expect 0 "$opconform" fsck --db "$scratch/$name.db"
    check "$name: processes are left" [ -z "$(grep -ls "$scratch/good.so" /proc/[0-9]*/maps)" ]
}
findings() {
    sql "$1" "SELECT signature, hits FROM finding"
}
for signal in TERM INT HUP; do
    begin all-$signal 60s
    # shellcheck disable=SC2046
    send $signal $(below $tool) $tool
    over interrupted
done
# What does not reach the campaign itself changes nothing, and it is not the end of a server.
begin below 5s
for signal in TERM INT HUP TERM; do
    # shellcheck disable=SC2046
    send $signal $(below $tool)
    sleep 0.3
done
over budget
grep -q '"restarts":0,.*"revived":0' "$scratch/said" || fail "a worker or a server was ended: $(cat "$scratch/said")"
begin stopped 8s
for _ in $(seq 20); do
    processes=$(below $tool)
    send STOP $processes
    sleep 0.1
    send CONT $processes
    sleep 0.05
done
over budget
grep -q '"unconfirmed_hangs":0' "$scratch/said" || fail "a stopped process was taken for one that hangs: $(cat "$scratch/said")"
# The system kills a server when memory ends: its library is tested to the end, and no call of it is blamed.
begin killed 60s
before=$(serving $tool)
send KILL $before
for _ in $(seq 400); do
    [ "$(serving $tool | grep -cvxF "$before")" -ge $((2 * servers)) ] && break
    sleep 0.1
done
check "servers and their workers were not started again" [ "$(serving $tool | grep -cvxF "$before")" -ge $((2 * servers)) ]
send TERM $tool
over interrupted
grep -q "\"revived\":$servers," "$scratch/said" || fail "it is not said how many: $(cat "$scratch/said")"
finish
