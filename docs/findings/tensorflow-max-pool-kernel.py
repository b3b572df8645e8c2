"""TensorFlow: max_pool with a kernel one larger than the image divides by zero (oneDNN on) where avg_pool gives
nothing.  Needs TensorFlow only; status 1 while the bug is there."""
import os
import signal
import sys

os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
import tensorflow as tf

x = tf.ones((1, 4, 4, 2))
print(tf.__version__, 'avg_pool2d:', tf.nn.avg_pool2d(x, 5, 1, 'VALID').shape, flush=True)
child = os.fork()
if child == 0:
    tf.nn.max_pool2d(x, 5, 1, 'VALID')
    os._exit(0)
status = os.waitpid(child, 0)[1]
if os.WIFSIGNALED(status):
    print('max_pool2d:', signal.Signals(os.WTERMSIG(status)).name)
sys.exit(1 if status else 0)
