# Sourced by whole-tool tests: a scratch folder, the tool, and what they expect of it.
set -u
: "${BUILD:=$PWD/build}"
opconform=$BUILD/opconform
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0 checks=0

fail() {
    echo "FAILED: $*"
    failures=$((failures + 1))
}

# expect STATUS COMMAND...: output goes to $scratch/out and $scratch/err.
expect() {
    local wanted=$1 got
    checks=$((checks + 1))
    shift
    "$@" >"$scratch/out" 2>"$scratch/err"
    got=$?
    if [ "$got" != "$wanted" ]; then
        fail "status $got instead of $wanted: $*"
        head -n 5 "$scratch/err"
    fi
}

# check TEXT CONDITION...: what is wrong where the condition, a command, does not hold.
check() {
    checks=$((checks + 1))
    "${@:2}" || fail "$1"
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

# The library of a finding, for --backend: what a database alone names is not opened.
backend_of() { # database, id
    sql "$1" "SELECT backend FROM finding WHERE id = $2"
}

# The verdicts of the last command, a replay --json: a line "BACKEND VERDICT" for each case and backend.
verdicts() {
    python3 -c 'import json, sys
for line in sys.stdin:
    row = json.loads(line)
    print(row["backend"], row["verdict"])' <"$scratch/out"
}

# skip REASON: counts a check that cannot run here.  skip_all REASON: ends a test of which nothing can run here.
skip() {
    echo "skipped: $*"
}
skip_all() {
    skip "$@"
    exit 77
}

# What a page has people type prints what it says.
tutorial() { # page
    local folder
    folder=$scratch/$(basename "$1" .md)
    mkdir -p "$folder"
    ln -s "$BUILD" "$folder/build"
    cp -r examples include python "$folder"
    check "$1" tests/tutorial "$1" "$folder"
}

# The end of every test: what failed, or expected nothing of the tool, is a failure.
finish() {
    [ "$checks" -gt 0 ] || fail "nothing was expected"
    [ "$failures" = 0 ] || exit 1
}
