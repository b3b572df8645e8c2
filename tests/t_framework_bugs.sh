# The known bugs of real frameworks show, by their cases or programs.
. tests/lib.sh
. tests/frameworks.sh
# Every bug of a framework in corpus/known.cases, and every program, shows on it by the kernels of processors without
# arithmetic in f16, since newer ones have others, or by those of newer ones where a case names one; those of older versions
# on these, where make versions has fetched them.  To be sure that a call never returns
# takes two minutes each: HANGS=yes tries those too.
docs/make-findings --cases >"$scratch/described" || fail "docs/make-findings"
show_cases() { # NAME ISA: the cases that show by the kernels of that instruction set
    export ONEDNN_MAX_CPU_ISA=$2
    awk -F'\t' -v name="$1" -v isa="$2" -v hangs="${HANGS:-no}" \
        '$1 == name && (isa == "DEFAULT") == ($4 ~ /^amx|fp16/) && (hangs == "yes" || $3 != "hang") { print $2 }' \
        "$scratch/described" >"$scratch/lines"
    [ -s "$scratch/lines" ] || return
    # Compilers take their time; inductor has one of its own.
    [[ $1 != *:inductor* ]] || command -v g++ >/dev/null || { skip "$1: g++ is not installed"; return; }
    expect 1 "$opconform" replay "$scratch/lines" --backend "$1" --deadline "$([[ $1 = *:inductor* ]] && echo 90s || echo 10s)" --json
    verdicts | paste -d ' ' - "$scratch/lines" | grep -vE '^[^ ]+ (DIVERGE|POLICY|CONTRACT|STATUS|FAULT|INVARIANCE) ' >"$scratch/hidden" &&
        fail "does not show: $(cat "$scratch/hidden")"
}
for name in $(cut -f 1 "$scratch/described" | sort -u); do
    if [[ $name = *@* ]]; then
        [ -e "${name#*@}" ] || { skip "$name: make versions fetches it"; continue; }
    else
        is_present "${name%%:*}" || continue
    fi
    show_cases "$name" DEFAULT
    show_cases "$name" AVX512_CORE_BF16
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
