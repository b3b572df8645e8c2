# The known bugs of real frameworks show, by their cases or programs.
. tests/lib.sh
. tests/frameworks.sh
. tests/known.sh
# Every bug of a framework in corpus/known.cases, and every program, shows on it.  Older versions are tried by
# long_versions.
for name in $(described_backends); do
    [[ $name != *@* ]] || continue
    is_present "${name%%:*}" || continue
    show_cases "$name"
done
# The programs of bugs that no case expresses say what they got and end with 1, or are ended by the bug.
[ ! -d "$OPCONFORM_DEPS/onnxruntime-1.31.1" ] || present+=(onnxruntime)
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
