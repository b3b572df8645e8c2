# pip install paddlepaddle==3.3.1; python paddle-lstsq-permutation.py
# The solution depends on what the memory held that gelsy reads as a permutation.

import sys

import paddle

n = 60
a = paddle.eye(n) * paddle.arange(1.0, n + 1) + 0.25
b = paddle.ones([n, 1])
seen = []
for i in range(100):
    freed = [paddle.full([n], i % 2, dtype='int32') for _ in range(50)]
    del freed
    solution = paddle.linalg.lstsq(a, b)[0].flatten().tolist()
    if solution not in seen:
        seen.append(solution)
if len(seen) > 1:
    print('got', *(s[:3] for s in seen[:3]), 'for one problem')
sys.exit(len(seen) > 1)
