"""The memory that both sides map; ops/backend/process/process.c has the same layout, and its numbers."""
import struct

DONE, DECLINED, RAISED, DIFFERENT = range(4)
# Done in one function with other calls, which the message names.
TOGETHER = 6
INPUT, OUTPUT, IGNORED = range(3)

_HEAD = struct.Struct('<QII')
_NUMBER = struct.Struct('<Q')
_STATUS = struct.Struct('<II')
BELL = struct.Struct('<HH')


class Declined(Exception):
    """The library does not offer this case; the text says why."""


class Lacking(Declined):
    """What the installed version of the library has not; the text goes on behind its name and version."""


class Different(Exception):
    """A result has another type or other extents than the operator has."""


class Types(dict):
    """A library's element types by their names; a case with others is declined."""

    def __missing__(self, name):
        raise Lacking(f'has no elements of {name}')


class Operand:
    """Element type by name, role, place of the first element, extents, and strides in bytes."""
    __slots__ = ('dtype', 'role', 'offset', 'shape', 'strides', 'name')

    def __init__(self, dtype, role, offset, shape, strides):
        self.dtype, self.role, self.offset = dtype, role, offset
        self.shape, self.strides = shape, strides


class Layout:
    """Numbers that the other side gives: bytes of a slot and of the reply that it begins with, axes
    and operands at most, and the names of the element types in their order."""

    def __init__(self, text):
        words = text.split()
        self.slot, self.reply, self.rank_max, self.tensors_max = (int(word) for word in words[:4])
        self.dtypes = words[4:]
        self._tensor = struct.Struct(f'<BBB5xQ{self.rank_max}q{self.rank_max}q')

    def _operand(self, memory, at):
        fields = self._tensor.unpack_from(memory, at)
        rank, extents, strides = fields[2], fields[4:4 + self.rank_max], fields[4 + self.rank_max:]
        return Operand(self.dtypes[fields[0]], fields[1], fields[3], extents[:rank], strides[:rank])

    def read_request(self, memory, slot):
        """The number, the text of the case as bytes, and its operands."""
        start = slot * self.slot + self.reply
        number, count, length = _HEAD.unpack_from(memory, start)
        first, size = start + _HEAD.size, self._tensor.size
        operands = [self._operand(memory, first + i * size) for i in range(count)]
        text = first + self.tensors_max * size
        return number, bytes(memory[text:text + length]), operands

    def write_reply(self, memory, slot, number, status, message=''):
        """The number comes last: with it the reply is there."""
        start = slot * self.slot
        data = message.encode('utf-8', 'replace')[:self.reply - _HEAD.size]
        memory[start + _HEAD.size:start + _HEAD.size + len(data)] = data
        _STATUS.pack_into(memory, start + _NUMBER.size, status, len(data))
        _NUMBER.pack_into(memory, start, number)

    def mask(self, dtypes):
        return sum(1 << self.dtypes.index(dtype) for dtype in dtypes)
