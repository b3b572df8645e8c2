"""Whether frameworks agree, and in what they do not.

What is right is the body in binary64.  How far a framework's result may be from that is estimated: the body runs again in
binary64 with every tensor changed by a rounding to binary32, up or down, four times; an element may be off by SPREAD times the
most that it changed, or that the elements of its tensor change on average, and by RELATIVE roundings of its own.  What cancels
inside of one function does not show so: an element may be off by PEER times as much as the whole tensor of another framework is
anywhere, as long as that is within SCALE roundings of the largest number of the run; and a gradient by FLOOR of these."""
import numpy as np

ROUNDINGS, SPREAD, RELATIVE, PEER, SCALE, FLOOR, UNIT = 4, 48, 24, 16, 64, 4, 2.0 ** -24
UNITS = {'float16': 2.0 ** -11, 'bfloat16': 2.0 ** -8}
GREATEST = float(np.finfo(np.float32).max)
KINDS = ('intermediate', 'output', 'gradient', 'parameter', 'buffer')


class Difference:
    """backend: that differs.  kind: intermediate, output, gradient, parameter, buffer or error; aspect: value, dtype, shape,
    missing; of an error raises, raises nothing, crash."""

    def __init__(self, backend, kind, name, aspect, words):
        self.backend, self.kind, self.name, self.aspect, self.words = backend, kind, name, aspect, words

    @property
    def signature(self):
        return self.backend, self.kind, self.aspect

    def title(self):
        named = f' {self.name}' if self.name and self.name != self.kind else ''
        return f'{self.kind}{named}: {self.words}'


class Right:
    """What is right, with tolerances, by the place of an item among those of its run."""

    def __init__(self, answers, settings, roundings=ROUNDINGS):
        """answers: of the body in binary64, and those with roundings, fewer where one of them fails.  roundings: how many were
        asked for.  With fewer than ROUNDINGS no tolerance is wider, so that what they find no fault with none does."""
        self.items, *self.rounded = [each.items for each in answers] or [[]]
        self.settings, self.known = settings, {}
        self.usable = bool(answers) and len(self.rounded) == roundings and all(len(each) == len(self.items) for each in self.rounded)
        self.scale = max([1.0, *(largest(each.array) for each in self.items if each.array.dtype.kind == 'f')])
        self.errors = {}

    def note_errors(self, backend, answer):
        """How far the result of a framework is off, by items."""
        named = {(each.kind, each.name): each for each in self.items}
        same = [(mine, named[mine.kind, mine.name]) for mine in answer.items if (mine.kind, mine.name) in named]
        same = [(mine, exact) for mine, exact in same
                if mine.array.shape == exact.array.shape and exact.array.dtype.kind == 'f']
        with np.errstate(invalid='ignore', over='ignore'):
            self.errors[backend] = {(mine.kind, mine.name): largest(mine.array.astype(np.float64) - exact.array)
                                    for mine, exact in same}

    def error_of_peer(self, backend, item, unit):
        others = [errors[item.kind, item.name] for other, errors in self.errors.items()
                  if other != backend and (item.kind, item.name) in errors]
        return min(PEER * min(others, default=0.0), SCALE * unit * self.scale)

    def changes(self, at):
        """By how much the elements of an item change, and which may be anything."""
        if at not in self.known:
            self.known[at] = self.changes_of(at)
        return self.known[at]

    def changes_of(self, at):
        right = self.items[at].array
        if not self.rounded:
            return np.zeros(right.shape), np.zeros(right.shape, bool)
        if right.dtype.kind != 'f':
            return np.zeros(right.shape), np.any([each[at].array.shape != right.shape or each[at].array != right
                                                  for each in self.rounded], axis=0)
        same = [each[at].array for each in self.rounded if each[at].array.shape == right.shape]
        if len(same) < len(self.rounded):
            return np.full(right.shape, np.inf), np.ones(right.shape, bool)
        with np.errstate(invalid='ignore', over='ignore'):
            each_change = np.abs(np.stack(same) - right)
        # Finite ones alone, so that a further rounding never makes a change smaller, nor the mean of a tensor.
        change = np.max(np.where(np.isfinite(each_change), each_change, 0), axis=0)
        unsure = np.any([np.isfinite(each) != np.isfinite(right) for each in same], axis=0)
        return change, unsure

    def tolerance(self, at, backend, item):
        right = np.nan_to_num(np.abs(self.items[at].array), posinf=0)
        if self.settings.rtol is not None or self.settings.atol is not None:
            return (self.settings.atol or 0) + (self.settings.rtol or 0) * right
        unit = UNITS.get(item.dtype, UNIT)
        change, _ = self.changes(at)
        spread = np.maximum(change, change.mean() if change.size else 0) * (unit / UNIT)
        own = SPREAD * spread + RELATIVE * unit * right + 2.0 ** -126
        floor = FLOOR * unit * self.scale if item.kind == 'gradient' else 0
        return np.maximum(own, max(self.error_of_peer(backend, item, unit), floor))


def largest(array):
    """The greatest finite magnitude."""
    finite = np.abs(array[np.isfinite(array)])
    return float(finite.max()) if finite.size else 0.0


def wrong_elements(array, right, tolerance, unsure):
    """Where a result is wrong."""
    if right.dtype.kind != 'f':
        return (array != right) & ~unsure
    with np.errstate(invalid='ignore', over='ignore'):
        array = array.astype(np.float64)
        near = np.abs(array - right) <= tolerance
    infinite = np.isinf(array) & ((array == right) | (np.abs(right) > GREATEST * 0.999) & (np.sign(array) == np.sign(right)))
    return ~(near | infinite | np.isnan(array) & np.isnan(right) | unsure)


def value_difference(backend, item, right, at):
    exact = right.items[at].array
    if exact.shape != item.array.shape:
        return None
    tolerance, (_, unsure) = right.tolerance(at, backend, item), right.changes(at)
    wrong = wrong_elements(item.array, exact, tolerance, unsure)
    if not wrong.any():
        return None
    place = tuple(int(i) for i in np.argwhere(wrong)[0])
    where = f'element {place if len(place) != 1 else place[0]}' if place else 'the value'
    words = f'{where} is {item.array[place]!s}, expected {exact[place]!s}'
    if exact.dtype.kind == 'f':
        given = right.settings.rtol is not None or right.settings.atol is not None
        words += f', may be off by {float(tolerance[place]):.3g} ({"given" if given else "calibrated"})'
    return Difference(backend, item.kind, item.name, 'value', words)


def by_kind(items):
    found = {kind: [] for kind in KINDS}
    for at, each in enumerate(items):
        if each is None:
            continue
        found[each.kind].append((at, each))
    return found


def pairs(kind, mine, first):
    """Intermediates by their order, all else by its name."""
    if kind == 'intermediate':
        return [(item, other) for (_, item), other in zip(mine, first)]
    named = {item.name: item for _, item in mine}
    return [(named[other.name], (at, other)) for at, other in first]


def compare_items(backend, answer, leader, right, kinds):
    """The first difference, in the order in which causes come before effects."""
    mine, first = by_kind(answer.items), by_kind(leader.items)
    for kind in kinds:
        names, wanted = [each.name for _, each in mine[kind]], [each.name for _, each in first[kind]]
        for name in wanted:
            if kind != 'intermediate' and name not in names:
                return Difference(backend, kind, name, 'missing', 'is not there')
        for name in names:
            if kind != 'intermediate' and name not in wanted:
                return Difference(backend, kind, name, 'missing', 'is there, and not in the first framework')
        for item, (at, other) in pairs(kind, mine[kind], first[kind]):
            if item.dtype != other.dtype:
                return Difference(backend, kind, item.name, 'dtype', f'is {item.dtype}, expected {other.dtype}')
            if item.array.shape != other.array.shape:
                return Difference(backend, kind, item.name, 'shape',
                                  f'has the shape {list(item.array.shape)}, expected {list(other.array.shape)}')
            found = value_difference(backend, item, right, at) if right.usable else None
            if found:
                return found
    return None


def compare_errors(backend, answer, leader):
    if answer.end:
        return Difference(backend, 'error', '', 'crash', answer.end)
    if leader.error and (answer.beyond or not answer.error):
        return Difference(backend, 'error', '', 'raises nothing', f'raises nothing; the first framework {": ".join(leader.error)}')
    if answer.error and not leader.error:
        return Difference(backend, 'error', '', 'raises', f'raises {": ".join(answer.error)}')
    return None


def can_show(signature, leader):
    """Whether a case with this answer of the first framework can show a difference of this signature."""
    _, kind, aspect = signature
    if aspect == 'crash':
        return True
    return bool(leader.error) == (kind == 'error' and aspect == 'raises nothing')


def compare(backend, answer, leader, right, kinds):
    found = compare_errors(backend, answer, leader)
    return found or (None if answer.error else compare_items(backend, answer, leader, right, kinds))
