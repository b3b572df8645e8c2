# pip install paddlepaddle==3.3.1; python paddle-saved-sum.py
# A saved program of x + 1 gives x.

import sys
import tempfile

import paddle


class Sum(paddle.nn.Layer):
    def forward(self, x):
        return x + 1.0


x = paddle.to_tensor([0.25, 3.0])
with tempfile.TemporaryDirectory() as folder:
    paddle.jit.save(Sum(), folder + '/sum', input_spec=[paddle.static.InputSpec([2], 'float32')])
    y = paddle.jit.load(folder + '/sum')(x)
if y.tolist() != Sum()(x).tolist():
    print('got', y.tolist(), 'in place of', Sum()(x).tolist())
    sys.exit(1)
