"""conv_transpose2d_backward_data on tensorflow

conv_transpose2d_backward_data/1 dtype=f32 batch=2 channels=1 outputs=1 groups=1 size=2x1 kernel=1x3 stride=1x2 dilation=1x1 before=0x0 after=0x0 extra=0x0 | dy=ones w=ones dx=ones

TensorFlow, eager, TF_ENABLE_ONEDNN_OPTS=1 2.21.0.  Needs that and NumPy; status 1 while the bug is there, 0 when it is gone."""
import os
import signal
import sys

import numpy as np

FINITE, PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER = 1, 2, 4, 8
inf, nan = float('inf'), float('nan')

INPUTS = {
    'dy': np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], np.float32).reshape((2, 1, 2, 3)),
    'w': np.array([1.0, 1.0, 1.0], np.float32).reshape((1, 1, 1, 3)),
}
EXPECTED = {
    'dx': ('f32', 'float32', (2, 1, 2, 1), [
        (0, 3.0, 0.0, 0.0, 1),
        (1, 3.0, 0.0, 0.0, 1),
        (2, 3.0, 0.0, 0.0, 1),
        (3, 3.0, 0.0, 0.0, 1),
    ]),
}


def run(dy, w):
    os.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'
    os.environ['CUDA_VISIBLE_DEVICES'] = '-1'
    os.environ['ENABLE_RUNTIME_UPTIME_TELEMETRY'] = '1'
    os.environ['TF2_BEHAVIOR'] = '1'
    os.environ['TPU_ML_PLATFORM'] = 'Tensorflow'
    os.environ['TPU_ML_PLATFORM_VERSION'] = '2.21.0'
    os.environ['HDF5_PLUGIN_PATH'] = 'disable'
    import numpy as np
    import ml_dtypes
    import tensorflow as tf
    t1 = tf.config.threading.set_intra_op_parallelism_threads(1)
    t2 = tf.config.threading.set_inter_op_parallelism_threads(1)
    t3 = tf.as_dtype(np.float32)
    t4 = tf.zeros((2, 1, 2, 1), tf.float32)
    t5 = tf.constant(w)
    t6 = tf.constant(dy)
    t7 = tf.GradientTape()
    t8 = t7.__enter__()
    t9 = t8.watch(t4)
    t10 = tf.transpose(t4, (0, 2, 3, 1))
    t11 = tf.transpose(t5, (2, 3, 1, 0))
    t12 = tf.nn.conv2d_transpose(t10, t11, [2, 2, 3, 1], [1, 2], 'VALID')
    t13 = t12.__getitem__((slice(None, None, None), slice(0, 2, None), slice(0, 3, None)))
    t14 = tf.transpose(t13, (0, 3, 1, 2))
    t15 = t7.__exit__(None, None, None)
    t16 = t8.gradient(t14, [t4], t6)
    t17 = tf.convert_to_tensor(t16[0])
    t18 = t17.numpy()
    return {'dx': t18}


def number(value, dtype):
    """Formats that NumPy lacks are kept as their bits."""
    if dtype == 'bf16':
        return float(np.array(int(value) << 16, np.uint32).view(np.float32))
    if dtype == 'e5m2':
        return float(np.array(int(value) << 8, np.uint16).view(np.float16))
    if dtype == 'e4m3':
        exponent, fraction = int(value) >> 3 & 15, int(value) & 7
        size = fraction / 512 if exponent == 0 else (8 + fraction) * 2.0 ** (exponent - 10)
        size = nan if int(value) & 127 == 127 else size
        return -size if int(value) & 128 else size
    return float(value)


def admitted(got, high, low, bound, classes):
    if np.isnan(got):
        return classes & NOT_A_NUMBER
    if np.isinf(got):
        return classes & (PLUS_INFINITY if got > 0 else MINUS_INFINITY)
    return classes & FINITE and abs((got - high) - low) <= bound


def check():
    """The number of things that are wrong."""
    bad, before = 0, {name: value.copy() for name, value in INPUTS.items()}
    results = [run(**INPUTS) for _ in range(1)]
    for name, (dtype, storage, shape, rows) in EXPECTED.items():
        got = np.asarray(results[0][name])
        if got.itemsize == np.dtype(storage).itemsize:
            got = np.ascontiguousarray(got).view(storage).reshape(got.shape)
        if got.dtype != storage or got.shape != shape:
            print(f'{name}: got {got.dtype}{list(got.shape)}, expected {dtype}{list(shape)}')
            bad += 1
            continue
        for index, high, low, bound, classes in rows:
            value = number(got.reshape(-1)[index], dtype)
            if not admitted(value, high, low, bound, classes):
                bad += 1
                if bad <= 8:
                    print(f'{name}[{index}]: got {value.hex()} ({value}), expected {high}, '
                          f'bound {bound}, classes {classes}')
        for again in results[1:]:
            if np.asarray(again[name]).tobytes() != np.asarray(results[0][name]).tobytes():
                print(f'{name}: a repeated call gives other bits')
                bad += 1
    for name, value in INPUTS.items():
        if value.tobytes() != before[name].tobytes():
            print(f'{name} was modified')
            bad += 1
    return bad


def child():
    signal.alarm(120)
    try:
        bad = check()
    except Exception as why:
        print(f'{type(why).__name__}: {why}')
        bad = 1
    sys.stdout.flush()
    os._exit(1 if bad else 0)


def main():
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        child()
    status = os.waitpid(process, 0)[1]
    if os.WIFSIGNALED(status):
        end = os.WTERMSIG(status)
        print('the call hangs' if end == signal.SIGALRM else signal.Signals(end).name)
    print('the bug is there' if status else 'the bug is gone')
    return 1 if status else 0


sys.exit(main())
