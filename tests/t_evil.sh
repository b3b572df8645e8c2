# Hostile kernels: whatever one does, the event is filed on its operator and on no other, libraries beside it are tested to
# the end, nothing is left running, and the database is sound.  The head of each file in tests/evil says what must be seen:
#   Seen: OPERATOR,... KIND DETAIL     of a finding of each, whose detail begins so, - for the library; or: Seen: nothing
#   Engines: random libfuzzer          with which it is tried; random where the line is left out
#   Flaky: 1                           where no case alone shows it; any: where that is a matter of luck
#   Lost: 1                            where it writes over the counts, which the summary says
#   Unreadable: 1                      where it sends what is no finding, which is counted and is no error of ours
#   Aside: 1                           where it is set aside, which the summary says
#   Needs: WORDS                      of opconform doctor, where it is tried
# EVIL=all runs all of them, EVIL=other those that a quick run leaves out, EVIL='NAME...' some.
. tests/lib.sh
. tests/evil.sh
quick=(exit_status_0 fork_and_leave fork_and_sleep exit_by_kill load_abort load_once every_call descriptors_close
    descriptors_write kill_parent daemon_and_exit thread_crashes alarm_pending heap_after_free
    shared_fill shared_words shared_numbers thread_writes done_forged finding_forged shared_exit files_write database_remove sockets_open)
cases=400
names=()
for source in tests/evil/*.c; do
    name=$(basename "$source" .c)
    case ${EVIL:-quick} in
    all) names+=("$name") ;;
    quick) [[ " ${quick[*]} " = *" $name "* ]] && names+=("$name") ;;
    other) [[ " ${quick[*]} " = *" $name "* ]] || names+=("$name") ;;
    *) [[ " $EVIL " = *" $name "* ]] && names+=("$name") ;;
    esac
done
try() { # name, engine
    local source=tests/evil/$1.c db=$scratch/$1-$2.db what="$1, $2" status=1 seen ops op kind detail list flaky
    seen=$(told "$source" Seen)
    read -r ops kind detail <<<"$seen"
    [ "$ops" ] || fail "$source does not say what must be seen"
    [ "$ops" != nothing ] || status=0
    expect "$status" timeout -k 5 120 "$opconform" fuzz --engine "$2" --op dot,axpy,copy --dtype f32 --fix 'n=..8' \
        --backend "$good,kernel@$scratch/$1.so:$rows" --cases $cases --deadline 500ms --seed 1 --db "$db" --json
    flaky=$(told "$source" Flaky)
    [ "$flaky" != any ] || flaky="0, 1"
    list=$(told "$source" Aside)
    check "$what: set aside: $(cat "$scratch/out")" grep -q "\"set_aside\":${list:-0}," "$scratch/out"
    [ -z "$(told "$source" Unreadable)" ] ||
        check "$what: unreadable: $(cat "$scratch/out" "$scratch/err")" grep -q '"unreadable":[1-9]' "$scratch/out"
    for op in ${ops//,/ }; do
        [ "$status" = 0 ] || check "$what: not found on $op: $(findings "$db")" \
            [ "$(sql "$db" "SELECT count(*) > 0 FROM finding WHERE op = '$op' AND kind = '$kind' AND backend LIKE 'kernel@%/$1.so%'
                AND substr(detail, 1, length('$detail')) = '$detail' AND flaky IN (${flaky:-0})")" = 1 ]
    done
    # A thread that is left behind is a leak, too, of the kernel that left it.
    list="'${ops//,/\',\'}'"
    check "$what: bystanders: $(findings "$db")" \
        [ "$(sql "$db" "SELECT count(*) FROM finding WHERE op NOT IN ($list) OR (kind <> '$kind' AND detail <> 'leaks memory') OR backend NOT LIKE 'kernel@%/$1.so%'")" = 0 ]
    # The library that does no harm was given every case.
    local given
    given=$(sql "$db" "SELECT sum(executions + declined) FROM coverage WHERE backend LIKE 'kernel@%/good.so%'")
    given=$((given + $(sql "$db" "SELECT restarts FROM run")))
    if [ "$(told "$source" Lost)" ]; then
        check "$what: lost counts: $(cat "$scratch/out")" grep -q "\"end_reason\":\"budget\".*\"counts_lost\":[1-9]" "$scratch/out"
    else
        check "$what: the other library was given $given cases" [ "$given" -ge $cases ]
    fi
    expect 0 "$opconform" fsck --db "$db"
    check "$what: processes are left" [ -z "$(grep -ls "$scratch/$1.so" /proc/[0-9]*/maps)" ]
}

"$opconform" doctor "$good" >"$scratch/doctor"
for name in "${names[@]}"; do
    needs=$(told "tests/evil/$name.c" Needs)
    if [ "$needs" ] && ! grep -qF "$needs" "$scratch/doctor"; then
        skip "$name: this system does not say '$needs'"
        continue
    fi
    build "$name.so" "-DMARK=\"$scratch/marks/$name.mark\"" "tests/evil/$name.c"
    engines=$(told "tests/evil/$name.c" Engines)
    for engine in ${engines:-random}; do rm -f "$scratch/marks/$name.mark"; try "$name" "$engine"; done
done
# A death in a later call than the guilty one, which another library may be at, is not taken for a known fault of another
# library, whose calls that show it were left out in that process.
extent=3 backends=$good
for name in heap_free_twice thread_crashes fork_and_leave every_third_call; do
    build "$name-$extent.so" -DTRIGGER=$extent "tests/evil/$name.c"
    backends="$backends,kernel@$scratch/$name-$extent.so:$rows"
    extent=$((extent + 1))
done
expect 1 timeout -k 5 120 "$opconform" fuzz --engine random --op dot,axpy,copy --dtype f32 --fix 'n=..8' --backend "$backends" \
    --cases 2000 --deadline 500ms --seed 256 --db "$scratch/beside.db" --quiet
[ "$(sql "$scratch/beside.db" "SELECT count(DISTINCT backend) FROM finding WHERE op = 'dot' AND kind = 'FAULT'")" = 4 ] ||
    fail "a fault is taken for one of another library: $(findings "$scratch/beside.db")"
[ "$(sql "$scratch/beside.db" "SELECT count(*) FROM finding WHERE op <> 'dot' OR backend LIKE 'kernel@%/good.so%'")" = 0 ] ||
    fail "bystanders beside several: $(findings "$scratch/beside.db")"
# A death that does not come again, of one of two libraries, is said and filed on neither; of one library it is filed there.
cat >"$scratch/once.c" <<'END'
#include <fcntl.h>
#include <unistd.h>
#include "evil.h"
static void misbehave(void)
{
    if (open(MARK, O_CREAT | O_EXCL | O_WRONLY, 0600) >= 0)
        _exit(0);
}
END
build once.so "-DMARK=\"$scratch/marks/once.mark\"" -I tests/evil "$scratch/once.c"
once() { # status, database, libraries
    rm -f "$scratch/marks/once.mark"
    expect "$1" timeout -k 5 120 "$opconform" fuzz --engine random --op dot,axpy --dtype f32 --fix 'n=..8' --backend "$3" --cases 300 \
        --seed 1 --db "$2" --json
}
once 4 "$scratch/both.db" "$good,kernel@$scratch/once.so:$rows"
check "a death of nobody's is not counted: $(cat "$scratch/out")" grep -q '"unattributed":1,' "$scratch/out"
check "a death of nobody's is filed: $(findings "$scratch/both.db")" [ -z "$(findings "$scratch/both.db")" ]
once 1 "$scratch/one.db" "kernel@$scratch/once.so:$rows"
check "the death of the only library is not filed: $(findings "$scratch/one.db")" [ "$(findings "$scratch/one.db" | wc -l)" = 1 ]
# What is kept from kernels is kept from them by that, and where they may write they can.
if [[ " ${names[*]} " = *" files_write "* ]] && grep -qF "can write no files" "$scratch/doctor"; then
    export OPCONFORM_WRITABLE=$scratch/marks:/
    expect 1 "$opconform" fuzz --engine random --op dot --dtype f32 --fix 'n=..8' --backend "kernel@$scratch/files_write.so:$rows" \
        --cases $cases --seed 1 --db "$scratch/allowed.db" --quiet
fi
finish
