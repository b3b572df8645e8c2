"""Choices made simple: fewer, then smaller ones."""

TRIES = 300


def key(choices):
    return len(choices), sum(map(bool, choices)), choices


def trimmed(choices):
    """Missing choices are zeros."""
    while choices and choices[-1] == 0:
        choices = choices[:-1]
    return choices


class Shrinking:
    """shows(candidate): the choices that were used where it shows the same, else None."""

    def __init__(self, choices, shows):
        self.best, self.shows, self.tried = trimmed(list(choices)), shows, set()

    def done(self):
        return len(self.tried) >= TRIES

    def takes(self, candidate):
        """Whether the candidate is simpler and shows the same; it is the best one then."""
        candidate = trimmed(candidate)
        if self.done() or tuple(candidate) in self.tried or key(candidate) >= key(self.best):
            return False
        self.tried.add(tuple(candidate))
        used = self.shows(candidate)
        if used is not None:
            self.best = min(candidate, trimmed(list(used)), key=key)
        return used is not None

    def leave_out(self):
        """Blocks of choices, from all of them to single ones: without them, or with zeros in their place."""
        size = len(self.best)
        while size >= 1:
            start = 0
            while start < len(self.best):
                before, block, behind = self.best[:start], self.best[start:start + size], self.best[start + size:]
                if self.takes(before + behind):
                    continue
                if any(block):
                    self.takes(before + [0] * len(block) + behind)
                start += size
            size //= 2

    def lower(self, i):
        """A number that cannot be 0: 1, or the least that halving finds."""
        def takes(number):
            return i < len(self.best) and self.takes([*self.best[:i], number, *self.best[i + 1:]])

        if i >= len(self.best) or self.best[i] < 2 or takes(1):
            return
        low = 1
        while i < len(self.best) and self.best[i] - low > 1 and not self.done():
            middle = (low + self.best[i]) // 2
            if not takes(middle):
                low = middle


def shrink(choices, shows):
    shrinking, before = Shrinking(choices, shows), None
    while before != shrinking.best and not shrinking.done():
        before = shrinking.best
        shrinking.leave_out()
        for i in range(len(shrinking.best)):
            shrinking.lower(i)
    return shrinking.best
