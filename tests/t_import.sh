# Logs of libraries become cases: real ones, written here by the libraries, every form of a line, and what is no line.
. tests/lib.sh
import() { # status, format, lines...
    local wanted=$1
    printf '%s\n' "${@:3}" >"$scratch/log"
    expect "$wanted" "$opconform" import "$2" "$scratch/log"
}
gives() { # CASE: among the cases, in part
    check "no case $1: $(cat "$scratch/out" "$scratch/err")" grep -qF -- "$1" "$scratch/out"
}
is_bad() { # FORMAT REASON LINE: one of two lines is skipped, with its number and the reason
    import 0 "$1" "${good[$1]}" "$3"
    says "$scratch/log, line 2: $2"
    says '1 calls skipped'
}
declare -A good=(
    [mkl]='MKL_VERBOSE SGEMM(T,N,10,2,128,0x7ffc1,0x55de1,128,0x55de2,130,0x7ffc2,0x55de3,12) 21.59ms CNR:OFF Dyn:1 FastMM:1'
    [rocblas]='./rocblas-bench -f gemm -r f32_r --transposeA N --transposeB T -m 3 -n 5 -k 7 --alpha 1 --lda 3 --ldb 5 --beta 0.5 --ldc 4'
    [onednn]='onednn_verbose,v1,primitive,exec,cpu,matmul,brg,undef,src:f32::blocked:ab::f0 wei:f32::blocked:ab::f0 dst:f32::blocked:ab::f0,,,4x8:8x7,0.1'
    [benchdnn]='0:PASSED (0.05 ms) __REPRO: --matmul --dt=f32:f32:f32 --stag=ba 4x8:8x7'
)
import 0 mkl "${good[mkl]}" 'MKL_VERBOSE oneMKL 2026 Update 2' 'words of others' 'MKL_VERBOSE CDOTU(0x1,5,0x2,1,0x3,-2) 1us' \
    'MKL_VERBOSE DTRSV(u,n,U,4,0x1,4,0x2,1) 1us'
gives 'gemm/1 dtype=f32 order=col ta=t tb=n m=10 n=2 k=128 lda=0 ldb=+2 ldc=+2 alpha=0x1p+0 beta=0x0p+0'
gives 'dotu/1 dtype=c64 n=5 incx=1 incy=-2'
gives 'trsv/1 dtype=f64 order=col uplo=upper ta=n diag=unit n=4 lda=0 incx=1'
is_bad mkl 'no operator has the function dgetri' 'MKL_VERBOSE DGETRI(3,0x1,3,0x2,0x3,3,0) 1us'
is_bad mkl 'expected 13 arguments, not 2' 'MKL_VERBOSE SGEMM(T,N) 1us'
is_bad mkl "m: expected a whole number, not 'x'" 'MKL_VERBOSE SGEMM(T,N,x,2,128,0x1,0x1,128,0x1,130,0x1,0x1,12) 1us'
is_bad mkl 'sgemm_: lda=1 is not legal' 'MKL_VERBOSE SGEMM(N,N,3,3,3,0x1,0x1,1,0x1,3,0x1,0x1,3) 1us'
is_bad mkl 'cgemm_batch: shapes of groups' 'MKL_VERBOSE CGEMM_BATCH({C},{C},{1},{26},{2},0x7,0x8,{4},0x9,{26},0x1,0x2,{2},1,{6}) 1us'
is_bad mkl 'sgemm: the list of arguments does not end' 'MKL_VERBOSE SGEMM(T,N,3'
import 0 rocblas "${good[rocblas]}" 'rocblas-bench -f gemm_strided_batched -r d -m 2 -n=3 -k 4 --batch_count 5' \
    '- { rocblas_function: "rocblas_dgemv", transA: "C", M: 3, N: 2, lda: 5, incx: -1, incy: 2, call_count: 4 }' \
    'hipblas-bench -f gemm_ex -m 2 -n 3 -k 4 --a_type f32_r --b_type f32_r --compute_type f32_r --alpha 2'
gives 'gemm/1 dtype=f32 order=col ta=n tb=t m=3 n=5 k=7 lda=0 ldb=0 ldc=+1 alpha=0x1p+0 beta=0x1p-1'
gives 'gemm_batch/1 dtype=f64 order=col ta=n tb=n m=2 n=3 k=4 lda=0 ldb=0 ldc=0 alpha=0x1p+0 beta=0x0p+0 batch=5'
gives 'gemv/1 dtype=f64 order=col ta=c m=3 n=2 lda=+2 incx=-1 incy=2'
gives 'gemm/1 dtype=f32 order=col ta=n tb=n m=2 n=3 k=4 lda=0 ldb=0 ldc=0 alpha=0x1p+1'
gives '# 4 of dgemv_'
is_bad rocblas 'no m is given' 'rocblas-bench -f gemm -r f32_r -n 3 -k 3'
is_bad rocblas 'no type f8' 'rocblas-bench -f gemm -r f8 -m 3 -n 3 -k 3'
is_bad rocblas 'gemm_ex: products of mixed types' 'rocblas-bench -f gemm_ex -m 2 -n 3 -k 4 --a_type f32_r --b_type f16_r'
is_bad rocblas "alpha: expected a number, not 'one'" 'rocblas-bench -f gemm -m 2 -n 3 -k 4 --alpha one'
is_bad rocblas 'call_count: expected' '{ rocblas_function: "rocblas_dgemv", M: 3, N: 2, call_count: -4 }'
is_bad rocblas 'no function is given' 'rocblas-bench -m 3'
conv='src_f32::blocked:abcd:f0 wei_f32::blocked:abcd:f0 bia_undef::undef::f0 dst_f32::blocked:abcd:f0'
import 0 onednn "${good[onednn]}" \
    "dnnl_verbose,exec,cpu,convolution,jit,forward_training,$conv,,alg:convolution_direct,mb2_ic3oc8_ih16oh8kh3sh2dh0ph1_iw16ow8kw3sw2dw0pw1,8" \
    'onednn_verbose,1700.25,exec,cpu,eltwise,jit,forward_inference,data_bf16::blocked:ab:f0 diff_undef::undef::f0,,alg:eltwise_relu alpha:0.25 beta:0,4x38,0.01' \
    'onednn_verbose,v1,primitive,exec,cpu,eltwise,jit,backward_data,data_f32::blocked:a:f0 diff_f32::blocked:a:f0,,alg:eltwise_relu alpha:0 beta:0,9,0.01' \
    'onednn_verbose,exec,cpu,binary,jit,undef,src_f32::blocked:ab:f0 src_f32::blocked:ab:f0 dst_f32::blocked:ab:f0,,alg:binary_sub,3x4:1x4,0.004' \
    'onednn_verbose,exec,cpu,softmax_v2,jit,forward_inference,src_f32::blocked:ab:f0 dst_f32::blocked:ab:f0,,alg:softmax_accurate axis:1,6x9,0.004' \
    'onednn_verbose,exec,cpu,pooling_v2,ref,forward_inference,src_f32::blocked:abc:f0 dst_f32::blocked:abc:f0,,alg:pooling_avg_include_padding,mb2ic30_iw9ow3kw3sw3dw0pw0,0.09' \
    'onednn_verbose,exec,cpu,pooling_v2,ref,forward_inference,src_f32::blocked:abc:f0 dst_f32::blocked:abc:f0,,alg:pooling_max,mb2ic30_iw9ow3kw2sw3dw0pw0,0.09' \
    'onednn_verbose,exec,cpu,reduction,ref,undef,src_f32::blocked:abc:f0 dst_f32::blocked:abc:f0,,alg:reduction_sum p:0 eps:0,2x3x4:2x1x4,0.09'
gives 'matmul/2 dtype=f32 batch_shape=scalar broadcast_a=0 broadcast_b=0 m=4 n=7 k=8'
gives 'conv2d/2 dtype=f32 batch=2 in_channels_per_group=3 out_channels_per_group=8 groups=1 input_size=16x16 kernel_size=3x3 stride=2x2 dilation=1x1 pads_begin=1x1 pads_end=0x0 bias=no'
gives 'leaky_relu/2 dtype=bf16 shape=4x38 negative_slope=0x1p-2'
gives 'max_pool1d/2 dtype=f32 batch=2 channels=30 input_size=9 kernel_size=2 stride=3 dilation=1 pads_begin=0 pads_end=0'
gives 'relu_backward/1 dtype=f32 shape=9'
gives 'sub/2 dtype=f32 shape=3x4 broadcast_a=0 broadcast_b=2'
gives 'softmax/1 dtype=f32 shape=6x9 axis=1'
gives 'avg_pool1d/'
gives 'sum/1 dtype=f32 shape=2x3x4 axes=2 keepdims=yes'
is_bad onednn 'primitives rnn are not read' 'onednn_verbose,exec,cpu,rnn,ref,forward_inference,src_f32::blocked:abc:f0,,alg:x,l1,0.09'
is_bad onednn 'operands of several element types' 'onednn_verbose,exec,cpu,matmul,ref,undef,src_u8::blocked:ab:f0 dst_f32::blocked:ab:f0,,,4x8:8x7,0.09'
is_bad onednn 'the shapes do not go together' 'onednn_verbose,exec,cpu,matmul,ref,undef,src_f32::blocked:ab:f0,,,4x8:9x7:4x7,0.09'
is_bad onednn 'no operator is eltwise_forward eltwise_new' 'onednn_verbose,exec,cpu,eltwise,ref,forward,src_f32::blocked:ab:f0,,alg:eltwise_new,4x8,0.09'
is_bad onednn 'the line has too few fields' 'onednn_verbose,exec,cpu,eltwise'
import 0 benchdnn "${good[benchdnn]}" \
    './benchdnn --conv -v1 --mb=4 --dir=FWD_B --dt=f32 --stag=axb ic3ih16oc8oh8kh3sh2_n"alexnet:conv1"' \
    '12:FAILED (errors:7 total:96) __REPRO: --deconv --dir=FWD_D --dt=f32 mb2_ic16ih4_oc8oh9kh3sh2' \
    '--eltwise --dir=BWD_D --alg=RELU --alpha=0 9x4' \
    '--binary --alg=SUB 8x7x6:1x7' \
    '0:PASSED __REPRO: --softmax --alg=LOGSOFTMAX --axis=2 2x19x16' \
    '--pool --alg=avg_np --dir=FWD_I mb1ic3_iw9ow3kw3sw3' \
    '--reduction --alg=mean 2x3x4:2x1x4' 'tests:9 passed:8 skipped:0'
gives 'conv2d/2 dtype=f32 batch=4 in_channels_per_group=3 out_channels_per_group=8 groups=1 input_size=16x16 kernel_size=3x3 stride=2x2 dilation=1x1 pads_begin=0x0 pads_end=1x1 bias=yes'
gives 'conv_transpose2d/2 dtype=f32 batch=2 in_channels_per_group=16 out_channels_per_group=8 groups=1 input_size=4x4 kernel_size=3x3 stride=2x2'
gives 'relu_backward/1 dtype=f32 shape=9x4'
gives 'sub/2 dtype=f32 shape=8x7x6 broadcast_a=0 broadcast_b=5'
gives 'log_softmax/1 dtype=f32 shape=2x19x16 axis=2'
gives 'avg_pool1d/'
gives 'mean/1 dtype=f32 shape=2x3x4 axes=2 keepdims=yes'
is_bad benchdnn 'no driver that is read' './benchdnn --rnn l1'
is_bad benchdnn '--dt=f32,bf16: lists of values are not read' '--matmul --dt=f32,bf16 4x8:8x7'
is_bad benchdnn '--encoding=csr is not read' '--matmul --encoding=csr 4x8:8x7'
is_bad benchdnn 'operands of several element types are not read' '--conv --dt=u8:s8:f32 mb1ic3ih9oc4kh3'
is_bad benchdnn 'the window is not read' '--conv mb1ic3ih9oc4'
is_bad benchdnn 'no problem is given' '--matmul --dt=f32'
# A model of ONNX: tests/import/net.onnx, whose convolution, products and the like have no shapes of their own.
net=tests/import/net.onnx
expect 0 "$opconform" import onnx "$net" --out "$scratch/net.cases"
cp "$scratch/net.cases" "$scratch/out"
says "$net, node 5: Flatten: no row has it"
says "$net, node 18: NonZero: no row has it"
says '19 calls, 17 different cases; 2 calls skipped'
says '2 extents have no number, and are 1'
gives 'conv2d/2 dtype=f32 batch=2 in_channels_per_group=3 out_channels_per_group=8 groups=1 input_size=9x9 kernel_size=3x3 stride=2x2 dilation=1x1 pads_begin=1x1 pads_end=1x1 bias=yes'
gives 'linear/2 dtype=f32 batch=2 out_features=10 in_features=128 bias=yes'
gives 'matmul/2 dtype=f32 batch_shape=2 broadcast_a=0 broadcast_b=0 m=4 n=4 k=6'
gives 'silu/1 dtype=f32 shape=1x7'
gives 'batch_norm/2 dtype=f32 batch=2 channels=8 input_size=5x5'
gives 'clamp/2 dtype=f32 shape=1x7 min=-0x1p+0 max=0x1.4p+1'
gives 'softmax/1 dtype=f32 shape=2x4x4 axis=2'
gives 'leaky_relu/2 dtype=f32 shape=2x4x6 negative_slope=0x1.47ae14p-7'
gives 'mean/1 dtype=f32 shape=2x4x6 axes=1 keepdims=yes'
gives 'transpose/2 dtype=f32 shape=2x4x6 rotate=2 reverse=yes'
expect 0 "$opconform" replay "$scratch/net.cases" --backend planted:ok-reference
head -c 500 "$net" >"$scratch/cut.onnx"
expect 2 "$opconform" import onnx "$scratch/cut.onnx"
one_line
says 'the model ends within a field, or is none'
expect 2 "$opconform" import onnx "$scratch/log"
one_line
# A trace of PyTorch's profiler, forward and backward: tests/import/trace.json, of version 2.15 with less of what is not read.
trace=tests/import/trace.json
expect 0 "$opconform" import torch "$trace" --out "$scratch/trace.cases"
cp "$scratch/trace.cases" "$scratch/out"
says "$trace, event 20: aten::gelu: whether it is none is not known"
says '38 calls, 23 different cases; 14 calls skipped'
says 'skipped 1: aten::convolution_backward: no row has it'
gives 'conv2d/2 dtype=f32 batch=2 in_channels_per_group=3 out_channels_per_group=8 groups=1 input_size=16x16 kernel_size=3x3 stride=2x2 dilation=1x1 pads_begin=1x1 pads_end=1x1 bias=no'
gives '# 1 of gradient of aten::conv2d'
gives 'conv2d_backward_weights/2 dtype=f32 batch=2'
gives 'batch_norm/2 dtype=f32 batch=2 channels=8 input_size=8x8'
gives '# 1 of aten::relu_'
gives 'linear_backward/2 dtype=f32 batch=2 out_features=10 in_features=128'
gives 'cross_entropy/2 dtype=f32 batch=2 num_classes=10 weights=no reduction=mean'
gives 'sum/1 dtype=f32 shape=2x10 axes=3 keepdims=no'
expect 0 "$opconform" replay "$scratch/trace.cases" --backend planted:ok-reference
# A gradient is one where autograd ran it.
sed '/Backward/d' "$trace" >"$scratch/forward.json"
expect 0 "$opconform" import torch "$scratch/forward.json"
check "no gradients without backward" [ "$(grep -c gradient "$scratch/out")" = 0 ]
# Of a list that has no room nothing is known: it is not read as a shorter one.
sed 's/"\[2, 2\]"/"[2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2]"/' "$trace" >"$scratch/long.json"
expect 0 "$opconform" import torch "$scratch/long.json"
says 'event 2: aten::conv2d: an attribute is not known: stride'
head -c 4000 "$trace" >"$scratch/cut.json"
expect 2 "$opconform" import torch "$scratch/cut.json"
one_line
says 'its JSON ends within a value, or is none'
expect 2 "$opconform" import torch "$scratch/log"
one_line
# Graphs of FX, forward and backward: tests/import/graphs.txt, of version 2.15, as print_readable and TORCH_LOGS=aot_graphs write them.
graphs=tests/import/graphs.txt
expect 0 "$opconform" import fx "$graphs" --out "$scratch/graphs.cases"
cp "$scratch/graphs.cases" "$scratch/out"
says "$graphs, line 13: aten::view: no reshape is like it"
says '42 calls, 29 different cases; 10 calls skipped'
says 'line 67: aten::native_layer_norm_backward: no operator is the gradient of layer_norm'
says 'skipped 4: aten::detach: no row has it'
gives '# 1 of aten::convolution'
gives 'conv2d/2 dtype=f32 batch=2 in_channels_per_group=3 out_channels_per_group=8 groups=1 input_size=8x8 kernel_size=3x3 stride=2x2 dilation=1x1 pads_begin=1x1 pads_end=1x1 bias=yes'
gives '# 1 of gradient of aten::conv2d'
gives 'conv2d_backward_weights/2 dtype=f32 batch=2'
gives 'batch_norm/2 dtype=f32 batch=2 channels=8 input_size=4x4 epsilon=0x1.4f8b58p-17'
gives 'relu_backward/1 dtype=f32 shape=2x8x4x4'
gives 'linear/2 dtype=f32 batch=2 out_features=10 in_features=32 bias=yes'
gives 'max_pool2d_backward/2 dtype=f32 batch=2 channels=8 input_size=4x4 kernel_size=2x2 stride=2x2'
gives 'gelu_tanh_backward/1 dtype=f32 shape=2x3'
gives 'layer_norm/1 dtype=f32 shape=2x3 axis=1'
expect 0 "$opconform" replay "$scratch/graphs.cases" --backend planted:ok-reference
graph() { # STATUS LINE...: of a graph with this line and what stands in front of it
    printf '%s\n' 'def forward(self, x: "f32[2, 3]", w: "f32[s0, 3]"):' '  y: "f32[2, 3]" = torch.ops.aten.relu.default(x)' "${@:2}" >"$scratch/log"
    expect "$1" "$opconform" import fx "$scratch/log"
}
graph 0 '  z: "f32[2, 3]" = torch.ops.aten.threshold_backward.default(y, x, 0.5)'
says 'skipped 1: aten::threshold_backward: no row has it'
graph 0 '  z = torch.ops.aten.tanh.default(w)'
says 'line 3: aten::tanh: the shape of an operand is not known'
graph 0 '  z: "f32[2, 3]" = torch.nn.functional.relu(y, inplace = False)'
says 'it is no call of torch.ops.aten'
graph 0 '  z: "f32[2, 3]" = torch.ops.aten.tanh.default(' '  u = torch.ops.aten.tanh.default(y, memory_format = torch.preserve_format)'
says 'line 4: aten::tanh: aten::tanh has memory_format=...'
expect 2 "$opconform" import fx "$trace"
says 'it has no graph'
# What is no file, no format, or has no case.
expect 2 "$opconform" import onednn "$scratch/nowhere"; one_line
expect 2 "$opconform" import onedn "$scratch/log"; one_line; says "did you mean"
expect 2 "$opconform" import mkl "$scratch/log"; says 'no line of mkl gives a case'
expect 2 "$opconform" import mkl; one_line
# What the libraries themselves write.
real() { # FORMAT, BACKEND, OPS, ENVIRONMENT: of what a campaign has them say most gives cases, which all run
    env "$4" "$opconform" fuzz --engine random --op "$3" --backend "$2" --cases 300 --seed 1 --verbose --db "$scratch/real.db" \
        >"$scratch/verbose" 2>&1
    expect 0 "$opconform" import "$1" "$scratch/verbose" --out "$scratch/real.cases"
    check "$2: $(tail -n 4 "$scratch/err")" [ "$(grep -c '^[a-z]' "$scratch/real.cases")" -ge "$5" ]
    expect 0 "$opconform" replay "$scratch/real.cases" --backend planted:ok-reference
}
real onednn onednn 'matmul,conv2d,relu,add,softmax,sum,max_pool2d,conv_transpose2d' ONEDNN_VERBOSE=1 60
if [ -e "$BUILD/../.deps/ort-1.31.1" ]; then
    # Its batch_norm is known to fold the mean.
    grep -v '^batch_norm' "$scratch/net.cases" >"$scratch/right.cases"
    expect 0 "$opconform" replay "$scratch/right.cases" --backend ort:1.31.1
    check "ONNX Runtime runs each" [ "$(grep -c 'ort:1.31.1 *AGREE' "$scratch/out")" = 16 ]
else
    skip "make backends fetches ONNX Runtime"
fi
if [ -e "$BUILD/../.deps/onednn-3.2.0" ]; then
    real onednn onednn:3.2.0 'matmul,conv2d,relu,add,softmax,sum,max_pool2d,conv_transpose2d' ONEDNN_VERBOSE=1 60
    real mkl mkl:2026.2 'gemm,gemv,trsm,axpy,dotu,hemm,getrf,gesv' MKL_VERBOSE=1 100
else
    skip "make backends fetches oneDNN 3.2 and MKL"
fi
finish
