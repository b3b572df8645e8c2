# The known bugs of real frameworks show, by their cases or programs.
. tests/lib.sh
. tests/frameworks.sh
# Every bug of a framework in corpus/known.cases, and every program, shows on it by the kernels of processors without
# arithmetic in f16: newer ones have others.  To be sure that a call never returns takes two minutes each: HANGS=yes tries those too.
export ONEDNN_MAX_CPU_ISA=AVX512_CORE_BF16
docs/make-findings --cases >"$scratch/described" || fail "docs/make-findings"
for name in $(cut -f 1 "$scratch/described" | sort -u); do
    is_present "${name%%:*}" || continue
    awk -F'\t' -v name="$name" -v hangs="${HANGS:-no}" \
        '$1 == name && (hangs == "yes" || $3 != "hang") { print $2 }' "$scratch/described" >"$scratch/lines"
    [ -s "$scratch/lines" ] || continue
    # Compilers take their time; inductor has one of its own.
    [[ $name != *:inductor* ]] || command -v g++ >/dev/null || { skip "$name: g++ is not installed"; continue; }
    expect 1 "$opconform" replay "$scratch/lines" --backend "$name" --deadline "$([[ $name = *:inductor* ]] && echo 90s || echo 10s)" --json
    verdicts | paste -d ' ' - "$scratch/lines" | grep -vE '^[^ ]+ (DIVERGE|POLICY|CONTRACT|STATUS|FAULT|INVARIANCE) ' >"$scratch/hidden" &&
        fail "does not show: $(cat "$scratch/hidden")"
done
# The programs of bugs that no case expresses say what they got and end with 1, or are ended by the bug.
for program in "$PWD"/docs/findings/*.py; do
    name=$(basename "$program")
    is_present "${name%%-*}" || continue
    flag=$(sed -n 's/^# processor: //p' "$program")
    grep -qw "${flag:-flags}" /proc/cpuinfo || { echo "$program shows on processors with $flag only"; continue; }
    run_python "${name%%-*}" "$program"
    status=$?
    [ "$status" -gt 128 ] || { [ "$status" = 1 ] && grep -q '^got' "$scratch/shown"; } || fail "$program ends with $status: $(cat "$scratch/shown")"
done
finish
