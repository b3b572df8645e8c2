# What must hold of operators that are registered with PyTorch: right ones are left alone, and each fault is found by its check
# and named, under pytest, with a body made simple and a line that runs it again.
. tests/lib.sh
root=$PWD
framework=$(compgen -G "${OPCONFORM_DEPS:-$root/.deps}/torch-*" | tail -n 1)
[ -n "$framework" ] || skip_all "PyTorch is not there: make frameworks FRAMEWORKS=torch"
framework=$(realpath "$framework")
/usr/bin/python3 -m pytest --version >/dev/null 2>&1 || skip_all "pytest is not installed"
export PYTHONPATH=$root/python:$framework OPCONFORM=$opconform PYTHONDONTWRITEBYTECODE=1
cp tests/opcheck/test_operators.py "$scratch"
cd "$scratch" || exit 2
expect 1 /usr/bin/python3 -m pytest -q -rA -p opconform.pytest_plugin -p no:cacheprovider test_operators.py
grep -q '^10 failed, 5 passed' out || fail "$(tail -n 20 out)"
for name in right right_sum right_complex right_written refuses; do
    grep -q "^PASSED test_operators.py::test_$name" out || fail "$name: $(grep -A 5 "_ test_$name _" out)"
done
while IFS='|' read -r name words; do
    grep -q "^test_$name: torch [^ ]*: $words" out || fail "$name is not said to be '$words': $(grep -A 5 "_ test_$name _" out)"
done <<'LIST'
changes_an_operand|schema x: is changed, and its schema does not say that it is written
shares_memory|schema result: shares the memory of x
shares_memory_at_times|schema result: shares the memory of an operand
fake_shape|fake result: is float32\[2, 1\] by the kernel for shapes, and float32\[1, 2\]
fake_type|fake result: is int64\[\] by the kernel for shapes, and int32\[\]
layout|layout result: has other elements of operands with other strides
state|repeat result: has other elements in a second call
gradient|gradient operator: differs from differences
gradient_below|autograd result: requires a gradient, and no kernel is registered
no_kernel_for_shapes|fake operator: has no kernel for shapes
LIST
grep -q 'gradients are not compared' out || fail "what is not checked is not said: $(tail -n 40 out)"
replay=$(sed -n 's/^  python -m opconform \(test_operators.py --replay test_changes_an_operand:.*\)/\1/p' out)
expect 1 /usr/bin/python3 -m opconform $replay
grep -q 'x1 = torch.ones(4)' out || fail "the body is not simple: $(cat out)"
cd "$root" || exit 2
PATH=/usr/bin:$PATH tutorial docs/torch-operator.md
finish
