"""Answers what ops/backend/python/reference.c asks: an operator with its parameters as a line, and its operands in binary64."""
import os
import socket
import struct

import numpy as np

from . import own_file
from .server import CONTROL, die_with_parent

AXES = 5
HEAD = struct.Struct(f'<{2 + AXES}q')
SIZE = struct.Struct('<q')


def receive(stream, size):
    data = bytearray()
    while len(data) < size:
        part = stream.recv(size - len(data))
        if not part:
            return None
        data += part
    return bytes(data)


def operands_of(data):
    """Arrays in their order."""
    at = 0
    while at < len(data):
        rank, count, *extents = HEAD.unpack_from(data, at)
        at += HEAD.size
        yield np.frombuffer(data, np.float64, count, at).reshape(extents[:rank])
        at += 8 * count


def arguments_of(operator, values, arrays):
    """By the names of the reference's parameters."""
    from opconform import operators
    for name, array in zip(operator.operands, arrays):
        index = isinstance(operator.operands[name], operators.Index)
        values[name] = array.astype(np.int64) if index else array
    return {name: values[name] for name in operator.parameters}


def answer(operators, convert, request):
    """Values and bounds of the outputs, as bytes."""
    from opconform import rounding
    line, _, data = request.partition(b'\n')
    name, _, rest = line.decode().partition(' ')
    operator = operators[name]
    values = eval(f'dict({rest.replace(" ", ", ").replace("dtype=", "dtype=dtype_")})', {'dict': dict, 'inf': np.inf, 'nan': np.nan,
                  **{f'dtype_{each}': each for each in rounding.UNITS}})
    arguments = arguments_of(operator, values, list(operands_of(data)))
    found = rounding.bounded(operator.function, arguments, values['dtype'], convert(operator.arrays), operator.ulps)
    parts = [np.ascontiguousarray(part, np.float64).tobytes() for value, bound in found for part in (value, bound)]
    return SIZE.pack(len(found)) + b''.join(parts)


def main():
    from .adapter_python import converter
    die_with_parent()
    stream = socket.socket(fileno=CONTROL)
    os.dup2(2, 1)
    file = own_file.load(os.environ['OPCONFORM_FILE'])
    operators = {operator.name: operator for operator in file.operators()}

    def convert(arrays):
        return None if arrays == 'numpy' else converter(own_file.ARRAYS[arrays])

    while True:
        head = receive(stream, SIZE.size)
        if head is None:
            return 0
        stream.sendall(answer(operators, convert, receive(stream, SIZE.unpack(head)[0])))
