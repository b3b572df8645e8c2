# Brief programs in Python: known bugs of frameworks show by themselves, and what is right ends with 0.
. tests/lib.sh
export OPCONFORM_DEPS=${OPCONFORM_DEPS:-$PWD/.deps}
docs/make-findings --cases >"$scratch/described" 2>/dev/null || fail "docs/make-findings"
ran() { # NAME PROGRAM: its status, by the Python of the framework
    local folder python
    folder=${1%%:*}
    folder=$(echo "$OPCONFORM_DEPS/${folder/#ort/onnxruntime}"-* | cut -d' ' -f1)
    python=$(cat "$folder/.python" 2>/dev/null || echo python3)
    (cd / && PYTHONPATH=$folder "$python" "$2" >"$scratch/shown" 2>&1)
    echo $?
}
is_there() { # NAME
    "$opconform" replay "add/2 dtype=f32 shape=1 | a=ones" --backend "$1" >/dev/null 2>&1 || { skip "$1" && false; }
}
brief() { # NAME START [SED]: the known case whose line begins so ends with 1, and with 0 where what it gives is expected
    local line lines
    line=$(awk -F'\t' -v name="$1" -v start="$2" '$1 == name && index($2, start) == 1 { print $2; exit }' "$scratch/described")
    [ -n "$line" ] || { fail "there is no case of $2 on $1"; return; }
    is_there "${1%:script}" || return
    expect 0 "$opconform" reproduce "$line" --backend "$1" --out "$scratch"
    ! grep -q "the harness" "$scratch/err" || fail "$1 $2: $(cat "$scratch/err")"
    program=$(tail -n 1 "$scratch/out")
    lines=$(wc -l <"$program")
    [ "$lines" -le 60 ] || fail "$1 $2: $lines lines"
    check "$1 $2 does not show: $(tail -n 3 "$scratch/shown" 2>/dev/null)" [ "$(ran "$1" "$program")" = 1 ]
    sed -i "${3:-s/^expected = .*/expected = got/; s/^converted = .*/converted = program/}" "$program"
    check "$1 $2 is not right: $(tail -n 3 "$scratch/shown")" [ "$(ran "$1" "$program")" = 0 ]
    [ ! -x "${RUFF:-}" ] || "$RUFF" check --quiet --config ruff.toml "$program" >"$scratch/shown" || fail "$1 $2: $(head -n 3 "$scratch/shown")"
}
# Two calls that must give the same answer: a zero whose sign depends on the place.
related() { # NAME START
    brief "$1" "$2" 's/^got, expected = .*/got = expected = second() * first()/'
    check "no two calls: $(cat "$program")" grep -q '^got, expected = second(), first()\|^got = expected' "$program"
}
RUFF=$(command -v ruff || ls "$OPCONFORM_DEPS"/ruff-*/bin/ruff 2>/dev/null | head -n 1)
brief torch celu_backward
brief torch bce_with_logits
related torch "softshrink/2 dtype=f32 shape=32 lambd=0x1p+0 | x=list,values:-0x1p-1 y=ones | exec=relation:alone"
# The sign of a zero.
brief torch "remainder/2 dtype=f32 shape=1 "
brief paddle eq
brief oneflow add
brief jax div
brief tensorflow gelu
brief torch:script program
# Complex numbers whose parts have no literal, or one that loses a sign.
if is_there torch; then
    expect 0 "$opconform" reproduce "neg/1 dtype=c64 shape=2 | x=list,values:nan;-inf;-0x0p+0;1" --backend torch --harness --out "$scratch"
    check "parts: $(cat "$scratch/shown")" [ "$(ran torch "$(tail -n 1 "$scratch/out")")" = 0 ]
fi
[ -d "$OPCONFORM_DEPS/onnxruntime-1.31.1" ] || skip "Python's onnxruntime"
# Formats that NumPy lacks are converted by the model.
for start in gelu_tanh "cast/1 dtype=e4m3" "cast/1 dtype=f64 shape=scalar to=bf16"; do
    [ ! -d "$OPCONFORM_DEPS/onnxruntime-1.31.1" ] || brief ort:1.31.1 "$start"
done
# Draws that are random: a statistic of them tells; --right has draws of ours in place of the library's.
draws() { # NAME LINE
    is_there "$1" || return
    for right in "" --right; do
        expect 0 "$opconform" reproduce "$2" --backend "$1" $right --out "$scratch"
        check "$1 $2 $right: $(cat "$scratch/err")" [ "$(wc -l <"$scratch/err")" = 0 ]
        program=$(tail -n 1 "$scratch/out")
        [ "$right" ] || [ "$(wc -l <"$program")" -le 25 ] || fail "$1 $2: $(wc -l <"$program") lines"
        check "$1 $2 $right: $(cat "$scratch/shown" 2>/dev/null)" [ "$(ran "$1" "$program")" = "$([ "$right" ] && echo 0 || echo 1)" ]
    done
}
if [ -d "$OPCONFORM_DEPS/onnxruntime-1.31.1" ]; then
    draws ort:1.31.1 "rand/1 dtype=f32 rows=8 columns=8 seed=0"
    draws ort:1.31.1 "bernoulli_each/1 dtype=f32 rows=1 columns=1 seed=0 | x=ones"
fi
if /usr/bin/python3 -c 'import numpy' 2>/dev/null; then
    /usr/bin/python3 tests/random_statistics.py >"$scratch/shown" || fail "$(cat "$scratch/shown")"
else
    skip "NumPy"
fi
finish
