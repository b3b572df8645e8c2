# Plug-ins: kernels and operators through the public header; operators of theirs are drawn, printed, minimised, stored, grouped
# and reported as ours; bounds by Wide numbers find what is wrong and leave alone what is right.
. tests/lib.sh
root=$PWD
build() { # NAME, from standard input or examples/plugin/NAME.c
    cc -std=c17 -g -O2 -Wall -Wextra -Werror "${@:3}" -shared -fPIC "-I$root/include" -o "$scratch/$1.so" -xc "${2:--}" -lm
}
for name in attention relations formulas; do
    expect 0 build $name "$root/examples/plugin/$name.c"
done
cd "$scratch" || exit 2

# An operator of a plug-in is one of the operators.
expect 0 "$opconform" list ops --plugin attention.so
grep -q '^att/attention1/1 ' out && grep -q '^    causal   row i sees the first i + 1 keys: no, yes$' out || fail "list ops: $(tail -n 5 out)"
expect 2 "$opconform" replay "attention1/1 dtype=f32"; says "--plugin for those of plug-ins"; one_line
expect 2 "$opconform" replay "attention1/1 dtype=f32 key=3" --plugin attention.so --backend plugin@attention.so; says "did you mean keys?"; one_line
line='attention1/1 dtype=f32 rows=2 keys=9 size=3 causal=yes | q=normal:1 k=int:2 v=normal:3 y=ones'
expect 0 "$opconform" corpus encode "$line" --plugin attention.so
expect 0 "$opconform" corpus decode "$(cat out)" --plugin attention.so
grep -qxF "$line" out || fail "a line that goes through its record: $(cat out)"

# Ten kernels are wrong, two are right.
small='rows=..6,size=..12'
for variant in '' :blocks; do
    expect 0 "$opconform" fuzz --engine random --backend "plugin$variant@attention.so" --fix "$small" --cases 250 --db right.db --quiet
done
[ "$(sql right.db "SELECT sum(declined), sum(executions) > 400, count(DISTINCT backend), max(worst_ratio) < 1 FROM coverage")" = $'0\t1\t2\t1' ] ||
    fail "kernels that are right: $(sql right.db "SELECT * FROM coverage")"
for variant in no-scale scale-of-keys not-shifted mask last-key narrow coarse column stale past; do
    expect 1 "$opconform" fuzz --engine random --backend "plugin:$variant@attention.so" --fix "$small" --cases 250 --db $variant.db --quiet
done
[ "$(sql mask.db "SELECT signature, min_line FROM finding")" = $'attention1 f32 plugin:mask DIVERGE whole | keys>1 causal=yes values\tattention1/1 dtype=f32 rows=1 keys=2 size=1 causal=yes | q=ones k=ones v=int y=ones' ] ||
    fail "minimal: $(sql mask.db "SELECT signature, min_line FROM finding")"

# What shows it without the tool, and what the tool says with and without the plug-in.
expect 0 "$opconform" reproduce 1 --db mask.db --backend plugin:mask@attention.so --out r
sh -c "cd r && $(sed -n 's/^ \* build: *//p' r/finding-1.c | sed 's/ && .*//')" || fail "the program does not build"
expect 1 r/a.out
expect 1 "$opconform" replay 1 --db mask.db --backend plugin:mask@attention.so
expect 0 "$opconform" replay 1 --db mask.db --backend plugin@attention.so
expect 3 "$opconform" replay 1 --db mask.db --plugin attention.so; says "only a database names it"; one_line
expect 0 "$opconform" bugs --db mask.db
grep -q 'attention1: wrong value for causal = yes' out || fail "bugs: $(cat out)"
expect 0 "$opconform" report --db mask.db --out html --plugin attention.so
grep -q attention1 html/finding-1.html || fail "the report"
expect 0 "$opconform" verify --db mask.db --backend plugin:mask@attention.so
grep -q '1 findings show' out || fail "verify: $(cat out)"
expect 0 "$opconform" fsck --db mask.db --plugin attention.so
expect 1 "$opconform" nightly --out night --backend plugin:mask@attention.so --cases 100 --fix "$small" --engine random --quiet
# A row for the same operator, of another library.
expect 0 "$opconform" replay "$line" --plugin attention.so \
    --backend "kernel@./attention.so:attention1=attention_blocks(q, k, v, y, rows, keys, size, causal)"

# Relations, results in double, and kernels for operators of ours.
expect 0 "$opconform" fuzz --engine random --backend plugin@relations.so --cases 300 --db relations.db --quiet
[ "$(sql relations.db "SELECT group_concat(op), min(vacuous * 10 < executions) FROM (SELECT op, sum(executions) AS executions, sum(vacuous) AS vacuous FROM coverage GROUP BY op)")" = $'rank,smooth,softmax\t1' ] ||
    fail "relations: $(sql relations.db "SELECT op, executions, vacuous FROM coverage")"
expect 1 "$opconform" fuzz --engine random --backend plugin:stable@relations.so --cases 200 --db stable.db --quiet
[ "$(sql stable.db "SELECT signature, min_line FROM finding")" = $'rank f32 plugin:stable INVARIANCE (does not satisfy the relation reversed) | cols>1\trank/1 dtype=f32 rows=1 cols=2 | x=ones y=ones' ] ||
    fail "a relation: $(sql stable.db "SELECT signature, min_line FROM finding")"
expect 3 "$opconform" reproduce 1 --db stable.db --backend plugin:stable@relations.so; says "use replay"; one_line
expect 1 "$opconform" fuzz --engine random --backend plugin:blocks@relations.so --op smooth --cases 200 --db blocks.db --quiet
[ "$(sql blocks.db "SELECT min_line FROM finding LIMIT 1")" = 'smooth/1 dtype=f32 rows=1 cols=17 | x=int y=ones' ] || fail "smooth: $(sql blocks.db "SELECT min_line FROM finding")"
expect 3 "$opconform" fuzz --backend plugin:bloks@relations.so --cases 1; says "or a variant of the plug-in: blocks stable; did you mean blocks?"; one_line

# Formulas of known operators.
expect 0 "$opconform" fuzz --engine random --backend plugin@formulas.so,plugin:lanes@formulas.so --cases 600 --db formulas.db --quiet

# Plug-ins that are none, or wrong.
refuse() { # words, code of a plug-in
    build bad - -Wno-unused -Wno-array-bounds -Wno-override-init <<<"#include \"opconform.h\"
#include <stdlib.h>
$2"
    expect 3 "$opconform" list ops --plugin bad.so
    says "$1"
    one_line
}
head='static const opconform_param params[] = {{"n", OPCONFORM_EXTENT, 1, 9, 0, 0, 0}, {0}};
static const opconform_operand_row operands[] = {{.name = "x", .shape = "n"}, {.name = "y", .shape = "n", .role = OPCONFORM_OUT}, {0}};
static void copy(Call *c) { for (int i = 0; i < call_integer(c, "n"); i++) wide_put(call_operand(c, "y"), i, wide_at(call_operand(c, "x"), i)); }
#define OP .name = "own", .dtypes = OPCONFORM_REALS, .params = params, .operands = operands
'
tail='static const opconform_operator operators[] = {{OPERATOR}, {0}};
OPCONFORM_PLUGIN = {OPCONFORM_HEAD, .name = "bad", .operators = operators};'
build good <<<"#include \"opconform.h\"
$head
#define OPERATOR OP, .reference = copy
$tail"
expect 0 "$opconform" list ops --plugin good.so
refuse "is no plug-in: it does not define OPCONFORM_PLUGIN" "int x;"
refuse "was built with another opconform.h (ABI 7, this program has 1): compile it again" \
    "OPCONFORM_PLUGIN = {7, sizeof(opconform_plugin), 0, 0, 0, 0, 0, \"bad\", 0, 0, 0};"
refuse "crashes while it is loaded and checked (signal 6" \
    "__attribute__((constructor)) static void f(void) { abort(); } OPCONFORM_PLUGIN = {OPCONFORM_HEAD, .name = \"bad\"};"
refuse "the name of a plug-in is letters" "OPCONFORM_PLUGIN = {OPCONFORM_HEAD, .name = \"my plug-in\"};"
wrong() { # words, members of the operator, other code
    refuse "$1" "$head
${3:-}
#define OPERATOR $2
$tail"
}
wrong "operator own: nothing says what is right" "OP"
wrong "operator own: it computes, and does not say how far kernels may be off" "OP, .compute = copy"
wrong "there is an operator softmax already" 'OP, .reference = copy, .name = "softmax"'
wrong "operator own: it exists in no element type" '.name = "own", .params = params, .operands = operands, .reference = copy'
wrong "operator own, operand y: 'm' is no formula of the parameters: at \"m\"" '.name = "own", .dtypes = OPCONFORM_REALS, .params = params, .operands = bad, .reference = copy' \
    'static const opconform_operand_row bad[] = {{.name = "x", .shape = "n"}, {.name = "y", .shape = "m", .role = OPCONFORM_OUT}, {0}};'
wrong "operator own: x is no name of an operand, or comes twice" '.name = "own", .dtypes = OPCONFORM_REALS, .params = params, .operands = bad, .reference = copy' \
    'static const opconform_operand_row bad[] = {{.name = "x", .shape = "n"}, {.name = "x", .shape = "n", .role = OPCONFORM_OUT}, {0}};'
wrong "operator own: 'n=>2' is no condition" 'OP, .reference = copy, .legal = "n=>2"'
wrong "its conditions (legal) undo each other" 'OP, .reference = copy, .legal = "n>=m+1 m>=n+1", .params = two' \
    'static const opconform_param two[] = {{"n", OPCONFORM_EXTENT, 1, 9, 0, 0, 0}, {"m", OPCONFORM_EXTENT, 1, 900, 0, 0, 0}, {0}};'
wrong "operator own: the reference leaves out" "OP, .reference = half" 'static void half(Call *c) { wide_put(call_operand(c, "y"), 0, wide_of(1)); }'
wrong "own asks for m, which is no whole number of it, as in own/1 dtype=" "OP, .reference = asks" 'static void asks(Call *c) { (void)call_integer(c, "m"); }'
wrong "own reads element 99 of an operand that has" "OP, .reference = far" 'static void far(Call *c) { (void)wide_at(call_operand(c, "x"), 99); }'
wrong "there is no function sinus of Wide numbers" "OP, .reference = sinus" 'static void sinus(Call *c) { (void)c; (void)wide_apply("sinus", wide_of(1)); }'
wrong "crashes while it is loaded and checked (signal 11" "OP, .reference = crash" 'static void crash(Call *c) { (void)c; *(volatile int *)8 = 1; }'
build bad <<<"#include \"opconform.h\"
static void f(void) {}
static const opconform_kernel kernels[] = {{\"\", \"softmax = f(const float *x, y, rows, cols)\", f}, {0}};
OPCONFORM_PLUGIN = {OPCONFORM_HEAD, .name = \"bad\", .kernels = kernels};"
expect 3 "$opconform" fuzz --backend plugin@bad.so --cases 1; says "the library has no function f"; one_line
expect 3 "$opconform" list ops --plugin none.so; says "none.so: No such file"; one_line

# The header where it is installed, in C and in C++.
(cd "$root" && make -s --no-print-directory BUILD="$(realpath --relative-to=. "$BUILD")" install DESTDIR="$scratch/root" PREFIX=/usr) >out 2>&1 || fail "install: $(tail -n 3 out)"
flags=$(PKG_CONFIG_PATH=$scratch/root/usr/share/pkgconfig sed -n 's/^Cflags: //p' "$scratch/root/usr/share/pkgconfig/opconform.pc")
[ "$flags" = "-I\${includedir}" ] && grep -qx 'prefix=/usr' root/usr/share/pkgconfig/opconform.pc && grep -qE '^Version: [0-9.]+$' root/usr/share/pkgconfig/opconform.pc ||
    fail "the file of pkg-config: $(cat root/usr/share/pkgconfig/opconform.pc)"
echo '#include <opconform.h>
OPCONFORM_PLUGIN = {OPCONFORM_HEAD, "cxx", "1", nullptr, nullptr};' >cxx.cc
if command -v c++ >/dev/null; then
    expect 0 c++ -std=c++17 -Wall -Wextra -Werror -shared -fPIC -Iroot/usr/include -o cxx.so cxx.cc
    expect 0 root/usr/bin/opconform list ops --plugin cxx.so
else
    skip "there is no C++ compiler"
fi
finish
