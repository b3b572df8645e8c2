"""The memory that both sides map; ops/backend/worker.c has the same layout."""
import struct

HEADER = 8192
HEAP = 65536
RANK_MAX = 5
TENSORS_MAX = 14

DONE, DECLINED, RAISED, DIFFERENT = range(4)
INPUT, OUTPUT, IGNORED = range(3)

# As reference/dtype.h numbers them: name, and size of an element.
DTYPES = ('f32', 'f64', 'c64', 'c128', 'f16', 'bf16', 'i8', 'u8', 'i32', 'i64', 'bool', 'e4m3', 'e5m2')

_REPLY = struct.Struct('<QII')
_REQUEST = struct.Struct('<QII')
_TENSOR = struct.Struct(f'<BBB5xQ{RANK_MAX}q{RANK_MAX}q')
_TEXT_AT = HEADER + _REQUEST.size + TENSORS_MAX * _TENSOR.size
_MESSAGE_MAX = HEADER - _REPLY.size


class Operand:
    """Element type by name, role, place of the first element, extents, and strides in bytes."""
    __slots__ = ('dtype', 'role', 'offset', 'shape', 'strides')

    def __init__(self, memory, at):
        fields = _TENSOR.unpack_from(memory, at)
        rank = fields[2]
        self.dtype, self.role, self.offset = DTYPES[fields[0]], fields[1], fields[3]
        self.shape = fields[4:4 + rank]
        self.strides = fields[4 + RANK_MAX:4 + RANK_MAX + rank]


def read_request(memory):
    """The number, the text of the case as bytes, and its operands."""
    number, count, length = _REQUEST.unpack_from(memory, HEADER)
    operands = [Operand(memory, HEADER + _REQUEST.size + i * _TENSOR.size) for i in range(count)]
    return number, bytes(memory[_TEXT_AT:_TEXT_AT + length]), operands


def write_reply(memory, number, status, message=''):
    data = message.encode('utf-8', 'replace')[:_MESSAGE_MAX]
    _REPLY.pack_into(memory, 0, number, status, len(data))
    memory[_REPLY.size:_REPLY.size + len(data)] = data
