# pip install tensorflow-cpu==2.21.0; python tensorflow-negative-zero.py
# A constant of -0.0 is 0.0 where there was one of 0.0 before.

import sys

import tensorflow as tf

tf.constant(0.0)
got = float(1 / tf.constant(-0.0))
if got != float('-inf'):
    print('got', got, 'expected -inf')
sys.exit(got != float('-inf'))
