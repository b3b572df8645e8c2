# The whole adapter of cuBLASLt against a simulator in host memory (tests/fakecuda).
. tests/lib.sh
. tests/fakecuda.sh
lt() { # mode: the backend on the simulator
    echo "cublaslt$1@$fake"
}

# Correct products in every order, with batches, biases and relu, by each algorithm and mode.
products='gemm*,linear*,*_linear_backward'
for mode in "" :device+stream+1 :pedantic :half+1 :tf32 :bf16 :bf16x9 :fixed :scales; do
    admits none "$(lt "$mode")" "$products"
done
admits unit "$(lt "")" 'gemm_half,gemm_wide,gemm_narrow,linear*,*_linear_backward'
admits slices "$(lt "")" gemm_half,linear
# Sums of matrices, and copies, by way of tiles as well.
for mode in "" :tiled :tiled+device+stream; do admits none "$(lt "$mode")" geam,omatcopy,gemm_wide; done
finds sum-transposed DIVERGE "tb=t m>1 n>1 beta=1 values" "$(lt :tiled)" geam f32
# Memory shared with many workers leaves enough to the libraries in this process.
admits none "$(lt "")","$(lt :0)","$(lt :1)","$(lt :stream)","$(lt :device)" linear_gelu
# Two algorithms are what the heuristics return: a third is declined.
expect 0 "$opconform" fuzz --engine random --op gemm --backend "$(lt :2)" --cases 100 --quiet --db "$scratch/third.db"
[ "$(sql "$scratch/third.db" "SELECT sum(executions) FROM coverage")" = 0 ] || fail "an algorithm that is none ran"

# Faults: in one algorithm only, in the epilogue, beside the result, in a unit that keeps too few bits.
admits second-algorithm "$(lt :0)" gemm,linear
finds second-algorithm DIVERGE "whole | k>4" "$(lt :1)" gemm
finds no-bias DIVERGE "bias=yes" "$(lt :device)" linear
finds last-sum CONTRACT "linear_backward" "$(lt :stream)" linear_backward f32
finds wrong-mask DIVERGE "one element | in_features>1 values" "$(lt :1)" relu_linear_backward f32
finds tanh-slope DIVERGE "whole" "$(lt :device)" gelu_linear_backward f32
finds last-row CONTRACT "one element | in_features>1" "$(lt "")" gelu_linear_backward f32
finds no-scale DIVERGE "gemm_wide e4m3" "$(lt :scales)" gemm_wide e4m3
rejects no-result-scale "$(lt :scales+1)" gemm_narrow
rejects three-products "$(lt :bf16x9)" linear
rejects no-gelu "$(lt "")" linear_gelu
finds past-end CONTRACT "writes outside the elements: c" "$(lt :stream)" gemm_wide f16
rm -rf "$scratch"/past-end-gemm_wide*
finds past-end CONTRACT "writes outside the elements: scratch memory" "$(lt "")" gemm_wide i8
rejects coarse-unit "$(lt "")" gemm_wide
rejects slices "$(lt :pedantic)" gemm_half
FAKECUDA=sticky expect 1 "$opconform" fuzz --engine random --op gemm --backend "$(lt "")" --cases 100 --quiet --db "$scratch/sticky.db"
[ "$(sql "$scratch/sticky.db" "SELECT count(*) > 0 AND count(*) = count(DISTINCT dtype) FROM finding WHERE signature LIKE '%cudaErrorIllegalAddress%'")" = 1 ] ||
    fail "sticky: $(sql "$scratch/sticky.db" "SELECT signature FROM finding")"

# fuzz says in one line why a library is absent.
FAKECUDA=no-device expect 3 "$opconform" fuzz --backend "$(lt "")" --cases 1; says "no device: cudaErrorNoDevice"; one_line
FAKECUDA=create expect 3 "$opconform" fuzz --backend "$(lt "")" --cases 1; says "CUBLAS_STATUS_NOT_INITIALIZED"; one_line
expect 3 "$opconform" fuzz --backend "$(lt :32)" --cases 1; says "no mode '32': expected 0 to 31"; one_line
expect 3 "$opconform" fuzz --backend "$(lt :fast)" --cases 1; says "no mode 'fast'"; one_line
finish
