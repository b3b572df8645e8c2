# Sourced by whole-tool tests: a scratch folder, the tool, and what they expect of it.
set -u
: "${BUILD:=$PWD/build}"
opconform=$BUILD/opconform
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect STATUS COMMAND...: output goes to $scratch/out and $scratch/err.
expect() {
    local wanted=$1 got
    shift
    "$@" >"$scratch/out" 2>"$scratch/err"
    got=$?
    if [ "$got" != "$wanted" ]; then
        fail "status $got instead of $wanted: $*"
        head -n 5 "$scratch/err"
    fi
}

# says TEXT: the last command's words hold it, in one line.
says() {
    grep -qF -- "$1" "$scratch/err" || fail "no word of '$1': $(head -n 3 "$scratch/err")"
}

one_line() {
    [ "$(wc -l <"$scratch/err")" = 1 ] || fail "not one line: $(cat "$scratch/err")"
}

sql() { # database, text
    "$opconform" query --sql "$2" --plain --db "$1"
}

finish() {
    [ "$failures" = 0 ] || exit 1
}
