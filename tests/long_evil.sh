# Random mixtures of hostile kernels: two to four libraries of tests/evil in one campaign beside one that does no harm,
# each with an extent of its own at which it misbehaves, since one that ends the process hides what comes after it.
# Every library is found out, nothing is filed on an operator or a library that does no harm, the latter is given all cases,
# the database is sound, and nothing is left running.
# EVIL_MIXTURES is how many, EVIL_SEED the first one's number: a mixture depends on its number only.
. tests/lib.sh
. tests/evil.sh
mixtures=${EVIL_MIXTURES:-1000} first=${EVIL_SEED:-1}
cases=2000
"$opconform" doctor "$good" >"$scratch/doctor"
usable=()
for source in tests/evil/*.c; do
    needs=$(told "$source" Needs)
    if [ "$needs" ] && ! grep -qF "$needs" "$scratch/doctor"; then
        skip "$(basename "$source" .c): this system does not say '$needs'"
    else
        usable+=("$(basename "$source" .c)")
    fi
done

choose() { # number: fills the list of names
    RANDOM=$1
    names=()
    local count=$((2 + RANDOM % 3)) name
    while [ ${#names[@]} -lt $count ]; do
        name=${usable[RANDOM % ${#usable[@]}]}
        [[ " ${names[*]} " = *" $name "* ]] || names+=("$name")
    done
}

judge() { # database, what; the list of names is that of the mixture
    local name ops allowed="0" lost=
    for name in "${names[@]}"; do
        read -r ops _ <<<"$(told "tests/evil/$name.c" Seen)"
        [ ! "$(told "tests/evil/$name.c" Lost)" ] || lost=1
        [ "$ops" != nothing ] || continue
        allowed="$allowed OR (op IN ('${ops//,/\',\'}', '-') AND o.backend LIKE 'kernel@%/$name-_.so%')"
        check "$2: nothing found of $name: $(findings "$1")" \
            [ "$(sql "$1" "SELECT count(*) > 0 FROM observation WHERE backend LIKE 'kernel@%/$name-_.so%'")" = 1 ]
    done
    check "$2: bystanders: $(findings "$1")" [ "$(sql "$1" "SELECT count(*) FROM observation o JOIN finding f ON o.finding = f.id WHERE NOT ($allowed)")" = 0 ]
    local given
    given=$(sql "$1" "SELECT coalesce(sum(executions + declined), 0) FROM coverage WHERE backend LIKE 'kernel@%/good.so%'")
    given=$((given + $(sql "$1" "SELECT restarts FROM run")))
    [ "$lost" ] || check "$2: the library that does no harm was given $given cases" [ "$given" -ge $cases ]
    expect 0 "$opconform" fsck --db "$1"
}

mix() { # number
    choose "$1"
    local what="mixture $1 (${names[*]})" db=$scratch/mixture.db backends=$good status name
    rm -f "$db"* "$scratch"/marks/*
    local extent=3
    for name in "${names[@]}"; do
        [ -e "$scratch/$name-$extent.so" ] ||
            build "$name-$extent.so" "-DMARK=\"$scratch/marks/$name.mark\"" -DTRIGGER=$extent "tests/evil/$name.c"
        backends="$backends,kernel@$scratch/$name-$extent.so:$rows"
        extent=$((extent + 1))
    done
    timeout -k 60 1800 "$opconform" fuzz --engine random --op dot,axpy,copy --dtype f32 --fix 'n=..8' --backend "$backends" \
        --cases $cases --deadline 500ms --seed "$1" --db "$db" --json >"$scratch/out" 2>"$scratch/err"
    status=$?
    # A death that came once, of one of several libraries, is said and filed on none.
    if [ $status = 4 ] && grep -q '"unattributed":[1-9]' "$scratch/out"; then
        echo "$what: $(grep -o '"unattributed":[0-9]*' "$scratch/out")"
        status=1
    fi
    check "$what: status $status: $(tail -n 3 "$scratch/err")" [ $status -le 1 ]
    [ $status -gt 1 ] || judge "$db" "$what"
    check "$what: processes are left" [ -z "$(grep -ls "$scratch/.*\.so" /proc/[0-9]*/maps)" ]
}

for ((number = first; number < first + mixtures; number++)); do mix $number; done
echo "$mixtures mixtures of ${#usable[@]} kernels"
finish
