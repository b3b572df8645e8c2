"""The parameters of a case from its line: NAME/VERSION field=value ... | OPERAND ..."""
import functools


class Parameters:
    """Values by the kinds of the operator tables; every field is text until it is asked for."""

    def __init__(self, name, fields, operands):
        self.name = name
        self.operands = operands
        self._fields = fields

    def has(self, field):
        return field in self._fields

    def word(self, field, default=None):
        return default if default is not None and field not in self._fields else self._fields[field]

    def flag(self, field):
        return self._fields[field] == 'yes'

    def integer(self, field, default=None):
        """A gradient may lack a parameter of its operator."""
        return default if default is not None and field not in self._fields else \
            int(self._fields[field])

    def real(self, field):
        return float.fromhex(self._fields[field])

    def shape(self, field):
        value = self._fields[field]
        return () if value == 'scalar' else tuple(int(part) for part in value.split('x'))


@functools.lru_cache(maxsize=4096)
def parse(line):
    front, operands = line.decode().split('|')
    words = front.split()
    fields = dict(word.split('=', 1) for word in words[1:])
    return Parameters(words[0].split('/')[0], fields, operands.split())
