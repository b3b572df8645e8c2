# pip install onnx onnxruntime==1.31.1; python onnxruntime-matmul-of-nothing.py
# The product of matrices without columns is what was in memory before, and Relu takes it for numbers: the memory of the
# product is that of `before`, which nothing reads any more.

import sys

import numpy as np
import onnx
import onnxruntime as ort

model = onnx.parser.parse_model("""<ir_version: 8, opset_import: ["" : 21]>
case (double[2,2,8,5] x, double[8,0] a, double[2,2,0,5] b) => (double[2,2,8,5] y) {
    before = Relu (x)
    sum = ReduceSum <keepdims = 0> (before)
    factor = Add (a, sum)
    product = MatMul (factor, b)
    y = Relu (product)
}""")
session = ort.InferenceSession(model.SerializeToString())
y, = session.run(None, {'x': np.full((2, 2, 8, 5), 7.0), 'a': np.zeros((8, 0)), 'b': np.zeros((2, 2, 0, 5))})
wrong = int((y != 0).sum())
if wrong:
    print('got', float(y[y != 0][0]), 'in', wrong, 'of', y.size, 'elements, expected 0.0')
sys.exit(wrong != 0)
