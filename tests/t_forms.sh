# Forms of calls (exec.form): a fault that shows in one form only is found by the usual drawing and named by its form, right
# libraries are left alone, forms that a call has not are declined, and a brief program is written in the form.
. tests/lib.sh
if ! /usr/bin/python3 -c "import numpy" 2>"$scratch/err"; then
    skip_all "the system's Python has no NumPy: $(tail -n 1 "$scratch/err")"
fi
mkdir -p "$scratch/venv/bin" "$scratch/wrong"
cp tests/faulty_forms.py "$scratch/wrong/sitecustomize.py"
printf '#!/bin/sh\nPYTHONPATH=%s:$PYTHONPATH exec /usr/bin/python3 "$@"\n' "$scratch/wrong" >"$scratch/venv/bin/python3"
chmod +x "$scratch/venv/bin/python3"
export PYTHONPATH=ops/backend/framework/python
campaign() { # fault, operators
    FAULT=$1 "$opconform" fuzz --engine random --op "$2" --backend "numpy@$scratch/venv" --fix dtype=f32 \
        --cases 1600 --seed 3 --db "$scratch/$1.db" --quiet
}
for row in number:mul zero_dim:sub named:mean omitted:amax given:sum negative:flip out:log1p view:neg i8:mul u16:sub; do
    fault=${row%:*}
    FAULT=$fault expect 1 campaign "$fault" "${row#*:}"
    lines=$(sql "$scratch/$fault.db" "SELECT group_concat(min_line, '; ') FROM finding WHERE min_line NOT NULL")
    # An operand without axes is drawn without the form, too.
    [ "$fault" = zero_dim ] || check "$fault is shown by $lines" test -z "$(tr ';' '\n' <<<"$lines" | grep -v "form:$fault\|illegal:")"
    id=$(sql "$scratch/$fault.db" "SELECT id FROM finding ORDER BY min_line LIKE '%exec=form:$fault' DESC LIMIT 1")
    FAULT=$fault expect 0 "$opconform" reproduce "$id" --backend "numpy@$scratch/venv" --db "$scratch/$fault.db" --out "$scratch"
    program=$(cat "$scratch/out")
    FAULT=$fault PYTHONPATH=$scratch/wrong expect 1 /usr/bin/python3 "$program"
    PYTHONPATH='' expect 0 /usr/bin/python3 "$program"
done
# What every library must refuse.
for row in first_axis:flip:2 inferred:reshape:1 steps:linspace:1 order:transpose:1 rank:matmul:2 repeats:tile:1 pads_begin:pad:1 \
    index:take:1 negative_index:take:2; do
    IFS=: read -r fault op number <<<"$row"
    for planted in '' "$fault"; do
        FAULT=$planted expect "$((${#planted} > 0))" "$opconform" fuzz --engine random --op "$op" \
            --backend "numpy@$scratch/venv" --fix dtype=f32,exec.illegal=$number --cases 800 --seed 3 --db "$scratch/$fault.db" --quiet
    done
    lines=$(sql "$scratch/$fault.db" "SELECT group_concat(signature, '; ') FROM finding")
    check "$fault is shown by $lines" test -n "$lines" -a -z "$(tr ';' '\n' <<<"$lines" | grep -v "\(accepts\|SIGABRT on\) an illegal $fault")"
    id=$(sql "$scratch/$fault.db" "SELECT min(id) FROM finding")
    FAULT=$fault expect 0 "$opconform" reproduce "$id" --backend "numpy@$scratch/venv" --db "$scratch/$fault.db" --out "$scratch"
    program=$(cat "$scratch/out")
    FAULT=$fault PYTHONPATH=$scratch/wrong expect "$([ "$fault" = steps ] && echo 134 || echo 1)" /usr/bin/python3 "$program"
    PYTHONPATH='' expect 0 /usr/bin/python3 "$program"
done
# What every bound admits, and what only the same call in another form or layout shows.
for row in zero-out:clamp:form=out:plain zero-strided:clamp:layout=strided:dense bits-given:sum:form=given:plain; do
    IFS=: read -r fault op drive relation <<<"$row"
    FAULT=$fault expect 1 "$opconform" fuzz --engine random --op "$op" --backend "numpy@$scratch/venv" \
        --fix "dtype=f64,exec.$drive,exec.relation=$relation" --cases 600 --seed 3 --db "$scratch/$fault.db" --quiet
    lines=$(sql "$scratch/$fault.db" "SELECT group_concat(kind || ' ' || min_line, '; ') FROM finding WHERE min_line NOT NULL AND kind <> 'POLICY'")
    check "$fault is shown by $lines" test -n "$lines" -a -z "$(tr ';' '\n' <<<"$lines" | grep -v "INVARIANCE .*relation:$relation")"
    FAULT='' expect 0 "$opconform" replay "${lines##*INVARIANCE }" --backend "numpy@$scratch/venv"
done
# Stray calls: the end of the process is a fault, any answer is right.
for row in stray-number:roll stray-rank:flip; do
    fault=${row%:*}
    FAULT=$fault expect 1 campaign "$fault" "${row#*:}"
    line=$(sql "$scratch/$fault.db" "SELECT min_line FROM finding WHERE min_line GLOB '*illegal:[1-9][0-9]' LIMIT 1")
    check "$fault is shown by a stray call" test -n "$line"
    FAULT=$fault expect 0 "$opconform" reproduce "$line" --backend "numpy@$scratch/venv" --out "$scratch"
    program=$(cat "$scratch/out")
    FAULT=$fault PYTHONPATH=$scratch/wrong expect 134 /usr/bin/python3 "$program"
    PYTHONPATH='' expect 0 /usr/bin/python3 "$program"
done
FAULT=right-stray expect 0 campaign right-stray roll
for fault in right-wide right-copies right-integers; do
    expect 0 campaign "$fault" mul,sub,add,sum,mean,amax,flip,log1p,sort,concat
done
# A form that a call has not is declined; campaigns ask first, and draw again.
none=$("$opconform" replay "sort/2 dtype=f64 shape=2 axis=0 descending=yes | x=ones values=ones places=ones | exec=relation:plain,form:out" \
    --backend "numpy@$scratch/venv" 2>&1)
check "a form that a call has not: $none" test -z "${none##*DECLINED: its call has no form out*}"
unasked=$(sql "$scratch/right-wide.db" "SELECT group_concat(reason, '; ') FROM v_decline WHERE reason LIKE '%no form%'")
check "forms that were not asked for: $unasked" test -z "$unasked"
# Forms that PyTorch alone has.
framework=$(compgen -G "${OPCONFORM_DEPS:-$PWD/.deps}/torch-*" | tail -n 1)
if [ -z "$framework" ]; then
    skip "PyTorch is not there: make frameworks FRAMEWORKS=torch"
else
    mkdir -p "$scratch/torch/bin"
    printf '#!/bin/sh\nPYTHONPATH=%s:%s:$PYTHONPATH exec %s "$@"\n' "$scratch/wrong" "$(realpath "$framework")" \
        "$(cat "$framework/.python")" >"$scratch/torch/bin/python3"
    chmod +x "$scratch/torch/bin/python3"
    FAULT=text expect 1 "$opconform" fuzz --engine random --op neg --backend "torch@$scratch/torch" --fix dtype=f32,exec.illegal=1 \
        --cases 200 --seed 3 --db "$scratch/text.db" --quiet
    lines=$(sql "$scratch/text.db" "SELECT group_concat(signature, '; ') FROM finding")
    check "text is shown by $lines" test -n "$lines" -a -z "$(tr ';' '\n' <<<"$lines" | grep -v "accepts an illegal text")"
    # Each kind of illegal argument that images, laws and quantised numbers have.
    for row in wide_padding:max_pool2d:f64 negative_padding:conv2d:f64 output_padding:conv_transpose2d:f64 zero_point:quantize:f32 \
        high:randint:i64 rtol:isclose:f64 groups:group_norm:f64; do
        IFS=: read -r fault op type <<<"$row"
        numbers=1..16
        [ "$fault" != groups ] || numbers=4
        FAULT=$fault expect 1 "$opconform" fuzz --engine random --op "$op" --backend "torch@$scratch/torch" \
            --fix "dtype=$type,exec.illegal=$numbers" --cases 600 --seed 3 --db "$scratch/$fault.db" --quiet
        lines=$(sql "$scratch/$fault.db" "SELECT group_concat(signature, '; ') FROM finding")
        check "$fault is shown by $lines" test -n "$lines" -a -z "$(tr ';' '\n' <<<"$lines" | grep -v "accepts an illegal $fault")"
        FAULT='' expect 0 "$opconform" replay "$(sql "$scratch/$fault.db" "SELECT min(min_line) FROM finding")" --backend "torch@$scratch/torch"
    done
    FAULT=stray-real expect 1 "$opconform" fuzz --engine random --op layer_norm --backend "torch@$scratch/torch" \
        --fix dtype=f64,exec.illegal=81..120 --cases 600 --seed 3 --db "$scratch/real.db" --quiet
    lines=$(sql "$scratch/real.db" "SELECT group_concat(signature, '; ') FROM finding")
    check "stray-real is shown by $lines" test -n "$lines" -a -z "$(tr ';' '\n' <<<"$lines" | grep -v "SIGABRT on a stray number")"
    # The least case of a fault of all integers has one of the types.
    for row in lazy:mul:f32:lazy recorded:mul:f32:recorded batched:mul:f32:batched i32:sin:f32,exec.form=i32:i \
        i16:mul:f64,exec.form=i16,a=int,b=normal:i16; do
        IFS=: read -r fault op drive form <<<"$row"
        FAULT=$fault expect 1 "$opconform" fuzz --engine random --op "$op" --backend "torch@$scratch/torch" --fix "dtype=$drive" \
            --cases 300 --seed 3 --db "$scratch/$fault.db" --quiet
        lines=$(sql "$scratch/$fault.db" "SELECT group_concat(min_line, '; ') FROM finding WHERE min_line NOT NULL")
        check "$fault is shown by $lines" test -n "$lines" -a -z "$(tr ';' '\n' <<<"$lines" | grep -v "form:$form")"
    done
    # A loss of several steps makes numbers of binary32 of an operand of integers, by default; and what has no elements may have
    # any strides.
    FAULT='' expect 0 "$opconform" fuzz --engine random --op poisson_nll_loss --backend "torch@$scratch/torch" \
        --fix dtype=f64,exec.form=i64 --cases 300 --seed 3 --db "$scratch/default.db" --quiet
    FAULT='' expect 0 "$opconform" replay "fft/1 dtype=f32 shape=1x0 axis=0 length=1 norm=backward | x=ones y=ones | exec=layout:strided" \
        --backend "torch@$scratch/torch"
fi
# What takes a number in no way is declined, by its operator either; an operator that fails in another way is an answer.
expect 0 /usr/bin/python3 - <<'END'
from opconform_worker import forms, protocol


class Tensor:
    shape, dtype, refused = (1,), 'i32', TypeError('unsupported operand')

    def item(self):
        return 1

    def __or__(self, other):
        raise self.refused


def bitwise_or(a, b):
    if not isinstance(b, Tensor):
        raise ValueError('y must be a tensor')


def answer(refused):
    Tensor.refused = refused
    try:
        forms.Writing('number', {'__name__': 'adapter'}).call(0, bitwise_or, [Tensor(), Tensor()], {})
    except Exception as why:
        return type(why)


assert answer(TypeError('unsupported operand')) is protocol.Declined
assert answer(RuntimeError('out of memory')) is RuntimeError
END
finish
