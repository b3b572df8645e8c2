# What PyTorch says of a small model while the test runs becomes cases: a model exported to ONNX, a trace of the profiler, and graphs of
# FX, forward and backward; and their lines run again.
. tests/lib.sh
. tests/frameworks.sh
is_present torch || skip_all "there is no PyTorch"
cat >"$scratch/model.py" <<'PY'
import os
import sys

import torch
from torch._dynamo.backends.common import aot_autograd

os.chdir(os.path.dirname(sys.argv[0]))
net = torch.nn.Sequential(torch.nn.Conv2d(3, 8, 3, stride=2, padding=1), torch.nn.ReLU(), torch.nn.MaxPool2d(2), torch.nn.Flatten(),
                          torch.nn.Linear(32, 10), torch.nn.LayerNorm(10), torch.nn.LogSoftmax(-1))
x, wanted = torch.randn(2, 3, 8, 8), torch.tensor([1, 3])


def loss(x):
    return torch.nn.functional.nll_loss(net(x), wanted)


with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], record_shapes=True) as profile:
    loss(x).backward()
profile.export_chrome_trace('trace.json')


def keep(graph, inputs):
    with open('graphs.txt', 'a') as file:
        print(graph.print_readable(print_output=False), file=file)
    return graph.forward


torch.compile(loss, backend=aot_autograd(fw_compiler=keep))(x).backward()
torch.onnx.export(net.eval(), (x,), 'net.onnx', dynamo=True, verbose=False)
PY
run_python torch "$scratch/model.py" || fail "$(tail -n 5 "$scratch/shown")"
has() { # CASE...: each is among the cases, in part
    local case
    for case in "$@"; do grep -qF -- "$case" "$scratch/cases" || fail "no $case: $(cat "$scratch/err")"; done
}
shared=('conv2d/2 dtype=f32 batch=2 in_channels_per_group=3 out_channels_per_group=8 groups=1 input_size=8x8 kernel_size=3x3 stride=2x2 dilation=1x1 pads_begin=1x1 pads_end=1x1 bias=yes'
    'relu/1 dtype=f32 shape=2x8x4x4' 'max_pool2d/2 dtype=f32 batch=2 channels=8 input_size=4x4 kernel_size=2x2 stride=2x2'
    'linear/2 dtype=f32 batch=2 out_features=10 in_features=32 bias=yes' 'layer_norm/1 dtype=f32 shape=2x10 axis=1 epsilon=0x1.4f8b58p-17'
    'log_softmax/1 dtype=f32 shape=2x10 axis=1')
backward=('nll_loss/2 dtype=f32 batch=2 num_classes=10 weights=no reduction=mean' 'nll_loss_backward/2 dtype=f32 batch=2 num_classes=10'
    'max_pool2d_backward/2 dtype=f32 batch=2 channels=8 input_size=4x4' 'relu_backward/1 dtype=f32 shape=2x8x4x4'
    'conv2d_backward_weights/2 dtype=f32 batch=2 in_channels_per_group=3')
reads() { # FORMAT FILE
    expect 0 "$opconform" import "$1" "$scratch/$2" --out "$scratch/cases"
    has "${shared[@]}"
}
runs() { # BACKEND COUNT: which runs the cases, at least so many right
    expect 0 "$opconform" replay "$scratch/cases" --backend "planted:ok-reference,$1"
    check "$1 runs: $(tail -n 3 "$scratch/out")" [ "$(grep -c "$1 *AGREE" "$scratch/out")" -ge "$2" ]
}
reads torch trace.json
has "${backward[@]}" 'linear_backward/2 dtype=f32 batch=2 out_features=10 in_features=32'
cp "$scratch/cases" "$scratch/traced"
reads fx graphs.txt
has "${backward[@]}" 'matmul/2 dtype=f32 batch_shape=scalar broadcast_a=0 broadcast_b=0 m=10 n=32 k=2'
cat "$scratch/traced" >>"$scratch/cases"
runs torch 30
reads onnx net.onnx
[ -e "$OPCONFORM_DEPS/ort-1.31.1" ] && runs ort:1.31.1 6
finish
