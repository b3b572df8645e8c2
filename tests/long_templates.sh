# The templates of docs/fleet do what a worker promises under doubles of their schedulers, and GNU parallel itself: all shards are published
# and merged to the same contents, though each is stopped once while it works.
. tests/lib.sh
root=$PWD
cd "$scratch" || exit 1
mkdir bin
ln -s "$opconform" bin/opconform
PATH=$scratch/bin:$PATH
budget=(--cases 400 --backend "planted:drop-last-k,planted:nan-dropped" --op "gemm,gemv,dot,axpy,scal")
contents() { # DATABASE
    sql "$1" "SELECT uuid, seed, cases, executions, end_reason FROM run ORDER BY 1"
    sql "$1" "SELECT signature, min_line, needed, hits FROM finding ORDER BY 1"
}
# The words of a template's command, with a folder and a budget of this test in the place of its own.
plan() { # TEMPLATE SHARD FOLDER: into $words
    local given word
    mapfile -d '' -t given < <(/usr/bin/python3 "$root/tests/fleet_double.py" "$root/docs/fleet/$1" "$2")
    [ "$(basename "${given[0]:-none}") ${given[1]:-}" = "opconform worker" ] || fail "$1: ${given[*]}"
    words=(opconform)
    for word in "${given[@]:1}"; do
        case $word in
        --time | --backend | --out) skip=yes ;;
        *) [ "${skip:-}" = yes ] && skip=no || words+=("$word") ;;
        esac
    done
    words+=(--out "$3" --quiet "${budget[@]}")
}
# As a machine that is taken away, once; then until it is published, as often as a template allows.
do_shard() {
    local try
    timeout -s TERM 1.5 "${words[@]}" 2>>errors
    for try in 1 2 3; do "${words[@]}" 2>>errors && return; done
    fail "${words[*]}: not published after $try tries: $(tail -3 errors)"
}
for shard in 0 1 2 3 4 5 6 7; do expect 0 opconform worker --shard $shard/8 --out alone --quiet "${budget[@]}"; done
expect 0 opconform fleet merge --out alone
contents alone/findings.db >alone.txt
[ "$(grep -c . alone.txt)" -gt 10 ] || fail "nothing to compare"

for shard in 0 1 2 3 4 5 6 7; do plan github-actions.yml $shard actions && do_shard; done
expect 0 opconform fleet merge --out actions
contents actions/findings.db | cmp -s - alone.txt || fail "GitHub Actions: other contents"
# Of a hundred shards the first, the last and one between.
for template in kubernetes.yaml htcondor.submit; do
    for shard in 0 57 99; do plan $template $shard "$template.d" && do_shard; done
    expect 75 opconform fleet merge --out "$template.d"
    grep -q "3 of 100 shards are in" "$scratch/out" || fail "$template: $(cat "$scratch/out")"
done
check "the two have other contents" cmp -s <(contents kubernetes.yaml.d/findings.db) <(contents htcondor.submit.d/findings.db)

if command -v parallel >/dev/null; then
    sed "s/--time 1h/${budget[*]:0:2}/; s/--backend openblas,blis/${budget[*]:2}/" "$root/docs/fleet/parallel.sh" >parallel.sh
    expect 0 env SHARDS=8 FLEET="$scratch/parallel" bash parallel.sh
    contents parallel/findings.db | cmp -s - alone.txt || fail "GNU parallel: other contents"
else
    skip "GNU parallel is not installed"
fi
# The recipe of the container names packages that there are, and installs what the program needs.
for package in $(sed -n '/^FROM debian:12$/,$p' "$root/docs/fleet/Containerfile" | grep -oE '\blib[a-z0-9+-]+'); do
    apt-cache show "$package" >/dev/null 2>&1 || [ "$package" = lib ] || fail "no package $package"
done
finish
