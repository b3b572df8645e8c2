# shellcheck shell=bash disable=SC2034,SC2154
# Sourced by tests of real frameworks behind lib.sh: which ones there are, and programs run with them.
export OPCONFORM_DEPS=${OPCONFORM_DEPS:-$PWD/.deps}
present=()
for name in torch tensorflow paddle oneflow jax torch:shim tensorflow:tfe; do
    if "$opconform" replay "add/2 dtype=f32 shape=1 | a=ones" --backend "$name" >/dev/null 2>"$scratch/err"; then
        present+=("$name")
    else
        skip "$name: $(head -n 1 "$scratch/err")"
    fi
done
[ ${#present[@]} -gt 0 ] || skip_all "there is no framework"
is_present() { # NAME
    [[ " ${present[*]} " = *" $1 "* ]]
}
run_python() { # NAME PROGRAM: with the framework of that name, the last of its versions; what it prints is in $scratch/shown
    local folder python
    folder=$(printf '%s\n' "$OPCONFORM_DEPS/${1%:*}"-* | tail -n 1)
    python=$(cat "$folder/.python" 2>/dev/null || echo python3)
    (cd / && PYTHONPATH=$folder "$python" "$2" >"$scratch/shown" 2>&1)
}
