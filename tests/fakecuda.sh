# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by tests of CUDA libraries on the simulator (tests/fakecuda): where it lies, and what its faults must come to.
fake=$BUILD/tests/fakecuda
headers='' libraries=''
for folder in "${CUDA_HOME:-/usr/local/cuda}" "${OPCONFORM_DEPS:-.deps}"/cuda-*; do
    [ -f "$folder/include/cublas_v2.h" ] && headers=$folder/include libraries=$folder/lib64
done

[ -n "$headers" ] || skip "there are no headers of CUDA (make cuda): no program is compiled, no declaration held against them"

# A program that needs CUDA alone shows the fault; compiled where there are headers, on the simulator.
reproduces() { # fault database folder
    expect 0 "$opconform" reproduce 1 --out "$3" --db "$2" --backend "$(backend_of "$2" 1)"
    [ -n "$headers" ] || return
    "${CC:-cc}" -std=c17 -w -O1 -I"$headers" -o "$3/reproducer" "$3"/*.c "$fake/libcublas.so.12" \
        -Wl,-rpath,"$fake" -lm 2>"$scratch/err" || fail "$1: $(head -n 5 "$scratch/err")"
    FAKECUDA=$1 expect 1 "$3/reproducer"
    grep -q "the bug is there" "$scratch/out" || fail "$1: no verdict"
    expect 0 "$3/reproducer"
}

# A fault is found, minimised, filed once under its name (in $scratch/FAULT-OPERATOR.db), and gone without it.
finds() { # fault kind text backend operator [type]
    local db=$scratch/$1-$5.db
    FAKECUDA=$1 expect 1 "$opconform" fuzz --engine random --op "$5" ${6:+--dtype "$6"} --backend "$4" --cases "${cases:-400}" --deadline 2s --quiet --db "$db"
    # One for each element type, but for what fits a documented reading, and what inputs in one memory hide in part.
    [ "$(sql "$db" "SELECT count(*) - count(DISTINCT dtype) FROM finding WHERE kind <> 'POLICY' AND signature NOT LIKE '%overlap=%'")" = 0 ] || fail "$1: $(sql "$db" "SELECT signature FROM finding")"
    [ "$(sql "$db" "SELECT max(hits) > 1 AND min(kind = '$2' AND signature LIKE '%$3%') FROM finding WHERE kind <> 'POLICY' AND signature NOT LIKE '%overlap=%'")" = 1 ] ||
        fail "$1: $(sql "$db" "SELECT kind, hits, signature FROM finding")"
    FAKECUDA=$1 expect 1 "$opconform" replay 1 --db "$db" --backend "$4"
    expect 0 "$opconform" replay 1 --db "$db" --backend "$4"
    reproduces "$1" "$db" "$scratch/$1-$5"
}

# admits: a correct variant gives no finding.  rejects: a fault gives one, under whatever signature.
admits() { # fault backend operators
    FAKECUDA=$1 expect 0 "$opconform" fuzz --engine random --op "$3" --backend "$2" --cases 500 --quiet --db "$scratch/admits.db"
    rm -f "$scratch"/admits.db*
}
rejects() { # fault backend operators
    FAKECUDA=$1 "$opconform" fuzz --engine random --op "$3" --backend "$2" --cases 800 --first --quiet --db "$scratch/rejects.db" \
        >"$scratch/out" 2>&1
    [ "$(sql "$scratch/rejects.db" "SELECT count(*) FROM finding WHERE kind IN ('DIVERGE', 'POLICY')")" -ge 1 ] ||
        fail "$1 in $2 was not found"
    rm -f "$scratch"/rejects.db*
}
