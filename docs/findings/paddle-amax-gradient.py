"""amax_backward on paddle

amax_backward/1 dtype=f32 shape=1x1x2x2x2 axes=3 keepdims=no | dy=normal x=normal dx=ones

PaddlePaddle, eager 3.3.1.  Needs that and NumPy; status 1 while the bug is there, 0 when it is gone,
2 where this cannot tell."""
import os
import signal
import sys

import numpy as np

FINITE, PLUS_INFINITY, MINUS_INFINITY, NOT_A_NUMBER = 1, 2, 4, 8
UNKNOWN = 2
# The argument that must be refused, if any, and by which exceptions.
ILLEGAL = ''
DOCUMENTED = ('ValueError', 'TypeError', 'IndexError', 'RuntimeError', 'NotImplementedError',
              'InvalidArgumentError')
inf, nan = float('inf'), float('nan')

INPUTS = {
    'dy': np.array([0.752403736114502, -0.7833131551742554], np.float32).reshape((1, 1, 2)),
    'x': np.array([0.752403736114502, -0.7833131551742554, 1.9161930084228516, -0.8331121802330017, 2.397122621536255, -1.2471368312835693, 0.383209228515625, 0.16992159187793732], np.float32).reshape((1, 1, 2, 2, 2)),
}
EXPECTED = {
    'dx': ('f32', 'float32', (1, 1, 2, 2, 2), [
        (0, 0.0, 0.0, 0.0, 1),
        (1, 0.0, 0.0, 0.0, 1),
        (2, 0.752403736114502, 0.0, 0.0, 1),
        (3, 0.0, 0.0, 0.0, 1),
        (4, -0.7833131551742554, 0.0, 0.0, 1),
        (5, 0.0, 0.0, 0.0, 1),
        (6, 0.0, 0.0, 0.0, 1),
        (7, 0.0, 0.0, 0.0, 1),
    ]),
}
GIVEN = {}


def run(dy, x):
    import numpy as np
    import paddle
    t1 = paddle.disable_signal_handler()
    t2 = paddle.set_device('cpu')
    t3 = np.ascontiguousarray(x)
    t4 = t3.reshape((1, 1, 2, 2, 2))
    t5 = paddle.to_tensor(t4)
    t6 = np.ascontiguousarray(dy)
    t7 = t6.reshape((1, 1, 2))
    t8 = paddle.to_tensor(t7)
    t9 = t5.detach()
    t9.stop_gradient = False
    t10 = paddle.amax(t9, [3, 4], keepdim=False)
    t11 = paddle.grad(t10, [t9], t8, allow_unused=True)
    t12 = t11[0].detach()
    t13 = t12.numpy()
    return {'dx': t13}


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
    """The number of things that are wrong, None where nothing is known."""
    if ILLEGAL:
        print('accepted, although an argument is illegal:', ILLEGAL, run(**INPUTS))
        return 1
    bad, before = 0, {name: value.copy() for name, value in INPUTS.items()}
    results = [run(**INPUTS) for _ in range(1)]
    if results[0] is None:
        print('the call did not return when this was written; here it does')
        return None
    for name, (dtype, storage, shape, rows) in EXPECTED.items():
        if name not in results[0] and 0 in shape:
            continue
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
        if got.tobytes().hex() != GIVEN.get(name, got.tobytes().hex()) and not bad:
            print(f'{name} is another one than when this was written; what it leads to is not known')
            return None
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
        bad = not (ILLEGAL and type(why).__name__ in DOCUMENTED)
    sys.stdout.flush()
    os._exit(UNKNOWN if bad is None else 1 if bad else 0)


def main():
    sys.stdout.flush()
    process = os.fork()
    if process == 0:
        child()
    status = os.waitpid(process, 0)[1]
    if os.WIFSIGNALED(status):
        end = os.WTERMSIG(status)
        print('the call hangs' if end == signal.SIGALRM else signal.Signals(end).name)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == UNKNOWN:
        return UNKNOWN
    print('the bug is there' if status else 'the bug is gone')
    return 1 if status else 0


sys.exit(main())
