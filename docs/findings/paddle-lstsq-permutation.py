# pip install paddlepaddle==3.3.1; python paddle-lstsq-permutation.py
# The solution depends on what the memory held that gelsy reads as a permutation.

import sys

import paddle

a = paddle.to_tensor([[0.006186498794704676, -0.001820877892896533], [-4.79015834571328e-05, 29364.9140625],
                      [-0.004269761964678764, -29137.27734375]])
b = paddle.ones([3, 1])
seen = []
for i in range(200):
    other = paddle.randint(1, 9, [i % 5 + 1], dtype='int32') * paddle.ones([i % 3 + 1, 1], dtype='int32')
    del other
    solution = paddle.linalg.lstsq(a, b)[0].flatten().tolist()
    if solution not in seen:
        seen.append(solution)
if len(seen) > 1:
    print('got', *seen[:4], 'for one problem')
sys.exit(len(seen) > 1)
