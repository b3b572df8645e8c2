"""cosh on torch

cosh/1 dtype=bf16 shape=64 | x=list,values:0x1.64p+6 y=ones

PyTorch, eager 2.15.0+cu132.  Needs that and NumPy; status 1 while the bug is there, 0 when it is gone,
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
    'x': np.array([17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074, 17074], np.uint16).reshape((64,)),
}
EXPECTED = {
    'y': ('bf16', 'uint16', (64,), [
        (0, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (1, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (2, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (3, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (4, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (5, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (6, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (7, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (8, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (9, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (10, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (11, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (12, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (13, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (14, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (15, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (16, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (17, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (18, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (19, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (20, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (21, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (22, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (23, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (24, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (25, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (26, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (27, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (28, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (29, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (30, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (31, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (32, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (33, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (34, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (35, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (36, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (37, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (38, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (39, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (40, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (41, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (42, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (43, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (44, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (45, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (46, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (47, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (48, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (49, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (50, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (51, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (52, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (53, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (54, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (55, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (56, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (57, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (58, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (59, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (60, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (61, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (62, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
        (63, 2.2448064095871728e+38, -1.5163223628589251e+22, 8.769589502968521e+35, 1),
    ]),
}
GIVEN = {}


def run(x):
    import numpy as np
    import torch
    t1 = torch.set_num_threads(1)
    t2 = torch.set_flush_denormal(False)
    t3 = torch.from_numpy(x.view(np.int16))
    t4 = t3.view(torch.bfloat16)
    t5 = torch.cosh(t4)
    t6 = t5.detach()
    t7 = t6.resolve_conj()
    t8 = t7.contiguous()
    t9 = t8.view(torch.int16)
    t10 = t9.numpy()
    return {'y': t10}


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
