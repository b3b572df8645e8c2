# Functions of a user's own: rows on the command line and in files, types from debug information and from rows, what is drawn,
# programs that call them, and one line for each mistake.
. tests/lib.sh
build() { # library, words for the compiler
    cc -O2 -shared -fPIC -o "$scratch/$1" tests/own_kernels.c "${@:2}" -lm
}
build libtyped.so -g
build libplain.so
cd "$scratch" || exit 2

cat >typed.kernels <<'ROWS'
libtyped.so
# Types by debug information.
softmax = my_softmax(x, y, outer, axis_extent, inner)
gemm = status = my_dgemm(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)
  requires order=row
dot = result = my_?dot(n, x, y)
relu exp = my_{op}(x, y, n)
leaky_relu = my_leaky_relu(x, y, shape, rank, negative_slope)
layer_norm = my_plain_norm(x, y, rows, cols) requires elements, scale=ones, bias=zeros, epsilon=1e-5, cols=..4096
layer_norm = my_layer_norm(x, scale, bias, y, rows, cols, epsilon) requires elements
batch_norm = my_batch_norm(x, scale, bias, mean, variance, y, batch, channels, area, epsilon)
sum = my_sum(x, y, rows, cols)
linear = my_linear(x, w, bias?, y, batch, in_features, out_features)
add = my_add(a, b, y, shape[0], shape[1], a.stride[0], a.stride[1], b.stride[0], b.stride[1], y.stride[0], y.stride[1])
mse_loss = y = my_loss(x, target, n, reduction) requires elements
square = my_square(x, y, rows, cols) requires aligned, cols%8=0
abs | bf16 | my_bfloat(x, y, n)
ROWS
expect 0 "$opconform" fuzz --engine random --backend kernel@typed.kernels --cases 2500 --db t.db --quiet
[ "$(sql t.db "SELECT count(DISTINCT op), sum(declined) * 20 <= sum(executions) FROM coverage")" = $'14\t1' ] ||
    fail "what is drawn is declined: $(sql t.db "SELECT op, dtype, sum(executions), sum(declined) FROM coverage GROUP BY op, dtype")"
[ "$(sql t.db "SELECT count(*) FROM (SELECT 1 FROM coverage WHERE fill <> 'none' GROUP BY op, dtype HAVING sum(declined) * 20 > sum(executions))")" = 0 ] ||
    fail "an operator that is declined"
[ "$(sql t.db "SELECT group_concat(DISTINCT dtype) FROM coverage WHERE op = 'dot'")" = f32,f64 ] || fail "types of dot"
expect 0 "$opconform" doctor kernel@typed.kernels
grep -q "gemm f64 where order=row,ta=n,tb=n," out || fail "what gemm is told: $(cat out)"
grep -q "add f64 where rank=2,broadcast_a=0,broadcast_b=0,exec.illegal=0,exec.threads=1$" out || fail "strides are told: $(cat out)"
# Which function takes a case.
expect 0 "$opconform" replay --backend kernel@typed.kernels "layer_norm/1 dtype=f32 shape=2x3 axis=1 | scale=ones bias=zeros" \
    "layer_norm/1 dtype=f32 shape=2x3 axis=1 epsilon=0x1p-4 | scale=int bias=normal:1"
grep -c AGREE out | grep -qx 2 || fail "$(cat out)"
# The quotient overflows before it is multiplied by 0.
expect 0 "$opconform" replay --backend kernel@typed.kernels \
    "batch_norm/2 dtype=f32 batch=1 channels=1 input_size=1 epsilon=0x1p-1 | x=ones scale=zeros bias=ones mean=ones,special:max variance=zeros"
expect 0 "$opconform" replay --backend kernel@typed.kernels "gemm/1 dtype=f64 order=col m=2 n=2 k=2"
grep -q "DECLINED: needs order=row" out || fail "$(cat out)"

# Types by the row, several rows on the command line, beside a library.
rows='softmax = my_softmax(const float *x, y, int outer, int axis_extent, int inner);gemm = status = my_sgemm_(const char *ta, const int *m, const int *n, const int *k, const float *alpha, const float *a, const int *lda, const float *b, const int *ldb, const float *beta, float *c, const int *ldc) requires order=col, ta=n|t'
expect 1 "$opconform" fuzz --engine random --backend "kernel@./libplain.so:$rows,openblas" --cases 800 --db p.db --quiet --fix 'k=..64'
[ "$(sql p.db "SELECT op, backend LIKE 'kernel%', sum(declined) FROM coverage WHERE op = 'gemm' GROUP BY 1, 2")" = $'gemm\t0\t0\ngemm\t1\t0' ] ||
    fail "two backends: $(sql p.db "SELECT op, backend, sum(executions), sum(declined) FROM coverage GROUP BY 1, 2")"
[ "$(sql p.db "SELECT signature, detail FROM finding WHERE backend LIKE 'kernel%'")" = \
    $'gemm f32 kernel STATUS (refuses legal arguments: my_sgemm_ returned #) | n>16\trefuses legal arguments: my_sgemm_ returned 3' ] ||
    fail "a status: $(sql p.db "SELECT signature, detail FROM finding")"
# The program that shows it ends with 2 while the call is refused.
id=$(sql p.db "SELECT id FROM finding WHERE backend LIKE 'kernel%'")
expect 3 "$opconform" reproduce "$id" --db p.db --out r; says "only a database names it"; one_line
expect 0 "$opconform" reproduce "$id" --db p.db --out r --backend "kernel@./libplain.so:$rows"
sh -c "cd r && $(sed -n 's/^ \* build: *//p' "r/finding-$id.c" | sed 's/ &&.*//') -Wall -Wextra -Werror" || fail "the program does not build"
expect 2 r/a.out
for command in "replay $id" "minimize $id" "issue $id --force"; do
    expect 3 "$opconform" $command --db p.db
    says "only a database names it"
done
expect 0 "$opconform" verify --db p.db
grep -q "1 cannot be run here" out || fail "verify opens what only the database names: $(cat out)"
expect 0 "$opconform" verify --db p.db --backend "kernel@./libplain.so:$rows"
grep -q "1 findings show" out || fail "verify: $(cat out)"

# Mistakes.
wrong() { # words, rows
    expect 3 "$opconform" fuzz --cases 1 --db w.db --backend "kernel@./libtyped.so:$2"
    says "$1"
    one_line
}
wrong "there is no operator softmx; did you mean softmax?" "softmx=my_softmax(x, y, rows, cols)"
wrong "the library has no function my_sofmax; did you mean my_softmax?" "softmax=my_sofmax(x, y, outer, axis_extent, inner)"
wrong "colls is no operand and no attribute of softmax; did you mean cols?" "softmax=my_softmax(x, y, rows, colls, inner)"
wrong "the row has 4 arguments, the function 5: void my_softmax(const float *x, float *y, int outer, int extent, int inner)" \
    "softmax=my_softmax(x, y, rows, cols)"
wrong "argument 1 of my_softmax is const float *, the row says double *" "softmax=my_softmax(double *x, y, outer, axis_extent, inner)"
wrong "argument 3 of my_softmax is int, which y cannot be passed as" "softmax=my_softmax(x, x, y, axis_extent, inner)"
wrong "x is const float * in my_exp, which is not f64 of exp" "exp | f64 | my_exp(x, y, n)"
wrong "my_exp is not told y" "exp=my_exp(x, x, n)"
wrong "my_dgemm is not told order: pass it, or require order=col or order=row" "gemm=my_dgemm(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)"
wrong "my_exp is not told the extents" "exp=my_exp(x, y, 4)"
wrong "my_plain_norm is not told scale: pass its address, or require scale=ones" "layer_norm=my_plain_norm(x, y, rows, cols)"
wrong "shape is several numbers" "exp=my_exp(x, y, shape)"
wrong "my_sum returns void, which is no element" "sum=y = my_sum(x, x, rows, cols)"
wrong "there is no condition luck" "exp=my_exp(x, y, n) requires luck"
wrong "mode of pad is never modest" "pad=my_exp(x, y, n) requires mode=modest"
wrong "there is no element type f31" "exp | f31 | my_exp(x, y, n)"
wrong "name its element types" "abs=my_bfloat(void *x, y, n)"
wrong "expected FUNCTION(ARGUMENTS), got my_exp" "exp=my_exp"
wrong "expected OPERATOR=FUNCTION(ARGUMENTS)" "exp"
expect 3 "$opconform" fuzz --cases 1 --backend "kernel:fast@./libtyped.so:exp=my_exp(x, y, n)"; says "no mode 'fast': expected flush"; one_line
expect 3 "$opconform" fuzz --cases 1 --backend "kernel@./libplain.so:exp=my_exp(x, y, n)"; says "the element type of x is not known"; one_line
expect 3 "$opconform" fuzz --cases 1 --backend kernel; says "name a library and its functions"; one_line
expect 3 "$opconform" fuzz --cases 1 --backend kernel@./libtyped.so; says "name its functions"; one_line
expect 3 "$opconform" fuzz --cases 1 --backend "kernel@./none.so:exp=my_exp(x, y, n)"; says "none.so: No such file"; one_line
expect 3 "$opconform" fuzz --cases 1 --backend "kernel@./typed.kernels:exp=my_exp(x, y, n)"; says "is no shared library"; one_line
printf 'libtyped.so\nexp = my_exp(x, y, n)\nexp = my_exq(x, y, n)\n' >bad.kernels
expect 3 "$opconform" fuzz --cases 1 --backend kernel@bad.kernels; says "bad.kernels, line 3: the library has no function my_exq; did you mean my_exp?"; one_line
printf 'exp = my_exp(x, y, n)\n' >bad.kernels
expect 3 "$opconform" fuzz --cases 1 --backend kernel@bad.kernels; says "the first line names the library"; one_line
# A departure by overlap alone is that; one that is there without overlap as well is a wrong value.
cat >overlap.c <<'SOURCE'
#include <math.h>
#include <string.h>
void clears(const float *x, float *y, int n) { memset(y, 0, sizeof *y * n); for (int i = 0; i < n; i++) y[i] = expf(x[i]); }
void clears_and_errs(const float *x, float *y, int n) { clears(x, y, n); y[n - 1] *= 1.5f; }
SOURCE
cc -O2 -g -shared -fPIC -o liboverlap.so overlap.c -lm
in_place='exp/1 dtype=f32 shape=4 | x=normal:1 | exec=overlap:output'
expect 1 "$opconform" replay --backend 'kernel@liboverlap.so:exp = clears(x, y, n)' "$in_place"
grep -q 'POLICY' out && grep -q 'demanded (in-place)' out || fail "$(cat out)"
expect 1 "$opconform" replay --backend 'kernel@liboverlap.so:exp = clears_and_errs(x, y, n)' "$in_place"
grep -q 'DIVERGE' out && grep -q 'worst element 3' out && ! grep -q 'in-place' out || fail "$(cat out)"
finish
