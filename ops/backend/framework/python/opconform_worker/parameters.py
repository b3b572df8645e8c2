"""Parses a request: the line of a case, NAME/VERSION field=value ... | OPERAND ..., or the calls of bindings."""
import functools

from . import calls


class Parameters:
    """Every field is text."""

    def __init__(self, name, fields, operands):
        self.name = name
        self.operands = operands
        self._fields = fields

    def has(self, field):
        return field in self._fields

    def word(self, field):
        return self._fields[field]


@functools.lru_cache(maxsize=4096)
def parse(line):
    """A line, or the calls of bindings."""
    if line.startswith(b'rows '):
        return calls.parse(line)
    front, operands = line.decode().split('|')
    words = front.split()
    fields = dict(word.split('=', 1) for word in words[1:])
    return Parameters(words[0].split('/')[0], fields, operands.split())
