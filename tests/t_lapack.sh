# Every planted fault of LAPACK's routines is found, shrunk and shown again by its minimal case; those that are right
# are left alone, and so is Reference LAPACK.
. tests/lib.sh
. tests/faults.sh
cases=${PLANTED_CASES:-1000}
planted_faults lapack >"$scratch/faults"
planted_faults linalg >>"$scratch/faults"
[ -s "$scratch/faults" ] || fail "there are no planted faults"
# One campaign for all faults of an operator, whose references are shared.
while read -r op; do
    faults=$(awk -v op="$op" '$2 == op { print $1 }' "$scratch/faults") db=$scratch/$op.db status=0
    grep -qv '^ok-' <<<"$faults" && status=1
    expect $status "$opconform" fuzz --engine random --op "$op" --backend "$(sed 's/^/planted:/' <<<"$faults" | paste -sd,)" \
        --cases "$cases" --seed 1 --db "$db" --quiet
    for fault in $faults; do
        of_fault="FROM finding WHERE backend = 'planted:$fault'"
        hits=$(sql "$db" "SELECT coalesce(sum(hits), 0) $of_fault")
        if [[ $fault = ok-* ]]; then
            check "$fault: $(sql "$db" "SELECT signature, min_line $of_fault")" [ "$hits" = 0 ]
            continue
        fi
        first="$of_fault ORDER BY kind IN ('POLICY', 'INVARIANCE'), id LIMIT 1" line=$(sql "$db" "SELECT min_line $first")
        echo "$fault: $hits hits, $line"
        [ -n "$line" ] || fail "$fault: not found, or not minimised"
        largest=$(grep -oE ' [mnk]=[0-9]+' <<<"$line" | tr -dc '0-9\n' | sort -n | tail -1)
        # In graded matrices of ones growth without exchanges shows from order 14 on; the last element of vectors of ones from 11.
        case $fault in sytrf-unpivoted) most=14 ;; stevr-vectors-tail) most=11 ;; *) most=8 ;; esac
        [ "${largest:-99}" -le "$most" ] || fail "$fault: $line"
        expect 1 "$opconform" replay "$(sql "$db" "SELECT id $first")" --db "$db"
    done
done < <(cut -d' ' -f2 "$scratch/faults" | sort -u)
# Factors and solutions of large cases are checked by sums: each fault where it is, with its element, and nothing else.
for faulty in 0 1 2 3 4 5 6; do
    "${CC:-cc}" -std=c17 -g -O3 -mavx2 -mfma -shared -fPIC -DFAULTY=$faulty -o "$scratch/large$faulty.so" tests/large_lapack.c -lm || fail "compiler"
done
every=$(printf "lapack@$scratch/large%s.so," 0 1 2 3 4 5 6)
while read -r found line; do
    expect 1 "$opconform" replay "$line" --json --deadline 30s --backend "${every%,}"
    verdicts >"$scratch/verdicts"
    for faulty in 0 1 2 3 4 5 6; do
        verdict=AGREE
        [[ $found = *$faulty* ]] && verdict=DIVERGE
        grep -qx "lapack@$scratch/large$faulty.so $verdict" "$scratch/verdicts" || fail "$faulty: $line: $(cat "$scratch/verdicts")"
    done
    [ "$(grep -c '"method":"sums within a bound"' "$scratch/out")" = 7 ] || fail "$line: $(cat "$scratch/out")"
done <<'END'
1236 getrf/1 dtype=f64 m=700 n=650 | a=normal:1
12346 gesv/1 dtype=f64 n=650 nrhs=40 | a=normal:1 b=normal:2
4 getrs/1 dtype=f64 trans=t n=650 nrhs=400 | a=normal:1,scale:-10 b=normal:2
125 potrf/1 dtype=f64 uplo=lower n=650 | a=normal:1
1245 posv/1 dtype=f64 n=650 nrhs=40 | a=positive:1 b=positive:2
4 potrs/1 dtype=f64 n=650 nrhs=400 | a=normal:1 b=normal:2
4 trtrs/1 dtype=f64 uplo=lower trans=t diag=unit n=650 nrhs=650 | a=normal:1,scale:-10 b=normal:2
4 trtrs/1 dtype=f64 uplo=upper diag=unit n=650 nrhs=650 | a=positive:1,scale:-10 b=positive:2
124 trtri/1 dtype=f64 uplo=lower diag=unit n=650 | a=normal:1,scale:-9
124 trtri/1 dtype=f64 uplo=upper diag=unit n=650 | a=positive:1,scale:-9
124 getri/1 dtype=f64 n=650 | a=normal:1,scale:-8
124 geqrf/1 dtype=f64 m=700 n=650 | a=normal:1
END
# |re| + |im| of several candidates overflows, so that the first of them is the pivot and an element of L is above sqrt 2.
expect 0 "$opconform" replay 'getrf/1 dtype=c128 m=8 n=1 matrix=free | a=normal:1,scale:1023' --backend planted:ok-lu-wide
expect 1 "$opconform" replay 'getrf/1 dtype=c128 m=8 n=1 matrix=free | a=normal:1,scale:1023' --backend planted:lu-unpivoted
# Singular vectors of a matrix of subnormal numbers, whose products with them lose what keeps a sum exact.
for line in 'gesvd/1 dtype=c128 job=some m=1 n=23 | a=int:5,scale:-1060' 'gesvd/1 dtype=c128 job=all m=23 n=1 | a=int:5,scale:-1060'; do
    expect 0 "$opconform" replay "$line" --backend planted:ok-gesvd-turned
done
if [ -e /usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3 ]; then
    # Until 3.12 scaled Frobenius norms are wrong, eigenvalues without vectors may be, and a query for an empty matrix gives a
    # workspace that is refused; gtsv writes where there is no right side, and sytrf divides by subnormal pivots otherwise.
    left_alone() { # OPERATORS CASES [OPTION...]
        expect 0 "$opconform" fuzz --engine random --op "$1" --backend lapack --cases "$2" --seed 2 \
            --db "$scratch/reference.db" --quiet "${@:3}"
    }
    left_alone gebak,ggbak,ggbal,gesv,getrf,getrs,hetri,potrf,potri,potrs,sytri,trsyl,trtri,trtrs "$((4 * cases))"
    left_alone getri "$cases" --fix n=1..64
    left_alone gbcon,gels,gecon,gerfs,gesvx,gttrf,gttrs,hecon,hetrs,pbrfs,pocon,porfs,ppcon,pprfs,ptsv,pttrf,pttrs,sycon,sytrs,tbrfs,tpcon,tprfs,trcon,trevc,trrfs "$((2 * cases))"
    left_alone gtsv "$cases" --fix nrhs=1..64
    left_alone gebrd,gelqf,geqlf,geqp3,geqrf,gerqf "$cases" --fix m=1..64,n=1..64
    left_alone spev,stev,syev,syevd "$cases" --fix job=vectors
    left_alone lange,lansy,lantr "$cases" --fix 'norm=largest|one|infinity'
    [ "$(sql "$scratch/reference.db" "SELECT count(*) FROM finding")" = 0 ] ||
        fail "$(sql "$scratch/reference.db" "SELECT signature, min_line FROM finding")"
    # LAPACKE, by columns and by rows, over it.
    wrap() { # name, words for the compiler
        "${CC:-cc}" -std=c17 -O1 -shared -fPIC "${@:2}" -o "$scratch/$1.so" tests/lapacke.c -Wl,-rpath,/usr/lib/x86_64-linux-gnu/blas \
            /usr/lib/x86_64-linux-gnu/lapack/liblapack.so.3 /usr/lib/x86_64-linux-gnu/blas/libblas.so.3 || fail "compiler: $*"
    }
    # A fault is found; its program shows it with the library, and ends with 0 with right results.
    finds() { # name, words for the compiler, words of the line
        wrap "$1" "$2"
        expect 1 "$opconform" fuzz --engine random --op gesv,getrf --fix nrhs=1..64 --dtype f64 --backend "lapack@$scratch/$1.so" \
            --cases 1000 --seed 3 --db "$scratch/$1.db" --quiet
        line=$(sql "$scratch/$1.db" "SELECT min_line FROM finding ORDER BY id LIMIT 1")
        grep -qE "$3" <<<"$line" || fail "$1: $line"
        shows "$1" "$line"
    }
    shows() { # name, line
        for right in "" --right; do
            expect 0 "$opconform" reproduce "$2" $right --backend "lapack@$scratch/$1.so" --out "$scratch/r"
            source=$(cat "$scratch/out") program=$scratch/r/a.out
            grep -q 'the bug is gone' "$source" && program=$scratch/r/reproducer
            command=$(sed -n 's/^ \* build: *//p' "$source")
            (cd "$scratch/r" && sh -c "${command%% && *} ${right:+-w} -Wall -Werror") || fail "$1: the build command $command"
            expect "$([ -z "$right" ] && echo 1 || echo 0)" "$program"
        done
    }
    wrap right -Wall
    expect 0 "$opconform" fuzz --engine random --op gesv,getrf,lange --fix nrhs=1..64 --dtype f64 --backend "lapack@$scratch/right.so" --cases 2000 \
        --seed 2 --db "$scratch/right.db" --quiet
    finds leading -DFAULTY_LEADING '^gesv.*order=row.*ldb=\+'
    finds info -DFAULTY_INFO '^getrf'
    wrap number -DFAULTY_NUMBER
    for line in 'gesv/1 dtype=f64 order=row n=2 nrhs=3 ldb=2 | a=ones | exec=illegal:8' \
        'getrf/1 dtype=f64 order=row m=3 n=0 | a=ones | exec=illegal:5,function:1'; do
        expect 0 "$opconform" replay "$line" --backend "lapack@$scratch/right.so"
        expect 1 "$opconform" replay "$line" --backend "lapack@$scratch/number.so"
        shows number "$line"
    done
    # A NaN where LAPACKE looks for them is an illegal argument.
    wrap unseen -DFAULTY_NAN
    for line in 'gesv/1 dtype=f64 order=row n=2 nrhs=3 ldb=2 | a=ones | exec=illegal:7' \
        'gesv/1 dtype=f64 n=2 nrhs=1 | a=normal:1 | exec=illegal:7,function:1'; do
        expect 0 "$opconform" replay "$line" --backend "lapack@$scratch/right.so"
        check "a NaN is refused: $(cat "$scratch/out")" grep -q AGREE "$scratch/out"
        expect 1 "$opconform" replay "$line" --backend "lapack@$scratch/unseen.so"
        shows unseen "$line"
    done
    expect 0 "$opconform" replay 'gesv/1 dtype=f64 order=row n=2 nrhs=3 | a=normal:1,special:nan | exec=illegal:7' --backend "lapack@$scratch/right.so"
    check "two NaN: $(cat "$scratch/out")" grep -q 'cannot be given this illegal argument' "$scratch/out"
    by_rows='gesv/1 dtype=f64 order=row n=2 nrhs=1 | a=normal:1,special:nan b=normal:2'
    expect 0 "$opconform" replay "$by_rows" --backend "lapack@$scratch/right.so,lapack"
    check "by rows: $(cat "$scratch/out")" grep -q 'lapack  *DECLINED: LAPACKE alone takes matrices by rows' "$scratch/out"
    expect 0 "$opconform" reproduce "$by_rows" --backend "lapack@$scratch/right.so" --out "$scratch/r"
    check "the program of NaN" grep -q 'LAPACKE_set_nancheck(0);' "$(cat "$scratch/out")"
    wrap checks -DCHECKS_NAN
    expect 0 "$opconform" replay "$by_rows" --backend "lapack@$scratch/checks.so"
    check "NaN: $(cat "$scratch/out")" grep -q 'DECLINED: LAPACKE refuses NaN' "$scratch/out"
else
    skip "Reference LAPACK is not installed"
fi
finish
