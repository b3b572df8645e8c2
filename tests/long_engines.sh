# The fuzz targets under other engines, and as a service builds and checks them.  A rare planted fault is the feature: each engine
# must keep an input that shows it, though none of its seeds does.
. tests/lib.sh
fault=${ENGINE_FAULT:-planted:drop-last-k}
seconds=${ENGINE_TIME:-30}
export OPCONFORM_CONTINUE=1 OPCONFORM_BACKEND=$fault

shows() { # TARGET FILE: whether the case of the file shows the fault
    "$1" "$2" 2>&1 | grep -q "^Assertion failure: gemm "
}

plain_seed() { # TARGET: a seed that is no record, and does not show the fault
    local number
    checks=$((checks + 1))
    for number in {1..200}; do
        printf 'seed %d' "$number" >"$scratch/seed"
        shows "$1" "$scratch/seed" || return 0
    done
    fail "each seed shows $fault"
}

keeps() { # ENGINE TARGET FOLDER
    local file
    checks=$((checks + 1))
    for file in "$3"/*; do
        [ -f "$file" ] && shows "$2" "$file" && return
    done
    fail "$1 keeps no input of $(find "$3" -type f | wc -l) that shows $fault"
}

made() { # FOLDER FILE OPTION...: builds the file of a folder, which make names from here
    expect 0 make BUILD="${1#"$PWD/"}" "${@:3}" "${1#"$PWD/"}/$2"
}

clang19() {
    command -v clang-19 >/dev/null || { skip "no clang-19: make packages-engines"; return; }
    local build=$BUILD/clang19
    made "$build" fuzz-gemm CC=clang-19 REFERENCE_CC=clang-19
    plain_seed "$build/fuzz-gemm"
    mkdir -p "$scratch/kept"
    cp "$scratch/seed" "$scratch/kept/seed"
    expect 0 "$build/fuzz-gemm" -max_total_time="$seconds" -seed=1 "$scratch/kept"
    keeps "libFuzzer of clang 19" "$build/fuzz-gemm" "$scratch/kept"
}

afl() {
    command -v afl-fuzz >/dev/null || { skip "no afl-fuzz: make packages-engines"; return; }
    local build=$BUILD/afl
    made "$build" fuzz-gemm HARDENING=-fPIC FUZZING_ENGINE=afl
    made "$build" afl-mutator-gemm.so HARDENING=-fPIC FUZZING_ENGINE=afl
    plain_seed "$build/fuzz-gemm"
    mkdir -p "$scratch/in"
    cp "$scratch/seed" "$scratch/in/seed"
    # Its settings of the machine are left as they are.
    expect 0 env AFL_SKIP_CPUFREQ=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1 AFL_CUSTOM_MUTATOR_ONLY=1 \
        AFL_CUSTOM_MUTATOR_LIBRARY="$build/afl-mutator-gemm.so" \
        afl-fuzz -V "$seconds" -t 5000 -i "$scratch/in" -o "$scratch/afl" -- "$build/fuzz-gemm"
    keeps "AFL++" "$build/fuzz-gemm" "$scratch/afl/default/queue"
}

# What OSS-Fuzz's check of a build asks (infra/base-images/base-runner/bad_build_check), as its runner has it: no library but those
# of $OUT and of the C library, no variable, another folder.
service() { # SANITIZER FLAGS CALLS
    local out=$scratch/out-$1 target own
    checks=$((checks + 1))
    env -u OPCONFORM_BACKEND -u OPCONFORM_CONTINUE CC=clang CXX=clang++ CFLAGS="-O1 -g -fno-omit-frame-pointer $2 -fsanitize=fuzzer-no-link" \
        CXXFLAGS="-O1 -g $2" LIB_FUZZING_ENGINE=-fsanitize=fuzzer FUZZING_ENGINE=libfuzzer SANITIZER="$1" OUT="$out" \
        OPCONFORM="$opconform" FAMILIES="blas lapack" PARSERS=line packaging/oss-fuzz/build.sh >"$scratch/build" 2>&1 ||
        { fail "build.sh: $(tail -n 3 "$scratch/build")"; return; }
    for target in "$out"/fuzz-*[a-z]; do
        [[ $target == *.* ]] && continue
        own=$(basename "$target")
        checks=$((checks + 1))
        (cd / && env -i PATH=/usr/bin:/bin "$target" -seed=1337 -runs=4) >"$scratch/run" 2>&1 || fail "$own does not start: $(tail -n 3 "$scratch/run")"
        grep -q '^Done 4 runs' "$scratch/run" || fail "$own: $(tail -n 3 "$scratch/run")"
        edges=$(sed -n 's/^INFO: Loaded .*counters): \([0-9]*\).*/\1/p' "$scratch/run")
        check "$own has ${edges:-no} edges" [ "${edges:-0}" -ge 100 ]
        check "$own is not built with $1" [ "$(objdump -d "$target" | grep -Ec "call.*<__$3")" -ge 1000 ]
        check "$own has no options" [ -s "$target.options" ]
        strangers=$(env -i ldd "$target" | awk '$2 == "=>" {print $3}' | grep -v -E "^$out/|/(libc|libm|libz|liblzma|libbz2)\.so" || true)
        [ -z "$strangers" ] || fail "$own needs $strangers"
    done
    for own in fuzz-blas fuzz-lapack; do
        rm -rf "$scratch/seeds"
        mkdir "$scratch/seeds"
        python3 -m zipfile -e "$out/${own}_seed_corpus.zip" "$scratch/seeds"
        check "$own has no seeds" [ -n "$(ls -A "$scratch/seeds")" ]
        checks=$((checks + 1))
        env -i PATH=/usr/bin:/bin "$out/$own" -runs=0 -dict="$out/$own.dict" "$scratch/seeds" >"$scratch/run" 2>&1 || fail "$own crashes on its seeds: $(tail -n 3 "$scratch/run")"
    done
}

# The state of a crash is the signature that the database files the finding under.
state() {
    made "$BUILD" fuzz-gemm
    checks=$((checks + 1))
    env -u OPCONFORM_CONTINUE "$BUILD/fuzz-gemm" -runs=5000 -seed=1 -artifact_prefix="$scratch/" >"$scratch/run" 2>&1 && fail "no crash"
    "$opconform" fuzz --op gemm --backend "$fault" --cases 2000 --db "$scratch/state.db" --quiet >/dev/null 2>&1
    signature=$(sed -n 's/^Assertion failure: //p' "$scratch/run")
    check "no finding is filed under '$signature'" [ "$(sql "$scratch/state.db" "SELECT count(*) FROM finding WHERE signature = '$signature'")" = 1 ]
}

state
clang19
afl
service address -fsanitize=address asan_
service undefined "-fsanitize=undefined -fno-sanitize-recover=undefined" ubsan_
finish
