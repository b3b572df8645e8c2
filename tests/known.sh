# shellcheck shell=bash disable=SC2154
# Sourced behind lib.sh by tests that replay the known bugs of corpus/known.cases: $scratch/described holds a line for each case
# that shows on this kind of processor, with its backend, the case, its symptom and the instruction set of its kernels.
docs/make-findings --cases >"$scratch/described" || fail "docs/make-findings"
described_backends() {
    cut -f 1 "$scratch/described" | sort -u
}
# Those of one instruction set show by its kernels.  To be sure that a call never returns takes two minutes each: HANGS=yes tries
# those too.
show_cases_by() { # BACKEND ISA
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
# All cases show on the backend by the kernels of processors without arithmetic in f16, since newer ones have others, or by those
# of newer ones where a case names one.
show_cases() { # BACKEND
    show_cases_by "$1" DEFAULT
    show_cases_by "$1" AVX512_CORE_BF16
}
