"""Choices made simple: fewer, then smaller ones."""

TRIES = 300


def candidates(choices):
    """Simpler ones, the most ambitious first."""
    size = len(choices)
    while size >= 1:
        for start in range(0, len(choices), size):
            yield choices[:start] + choices[start + size:]
            if any(choices[start:start + size]):
                yield choices[:start] + [0] * len(choices[start:start + size]) + choices[start + size:]
        size //= 2
    for i, number in enumerate(choices):
        for smaller in sorted({1, number // 2, number - 1}):
            if 0 < smaller < number:
                yield [*choices[:i], smaller, *choices[i + 1:]]


def key(choices):
    return len(choices), sum(map(bool, choices)), choices


def trimmed(choices):
    """Missing choices are zeros."""
    while choices and choices[-1] == 0:
        choices = choices[:-1]
    return choices


def shrink(choices, shows):
    """shows(candidate): the choices that were used where it shows the same, else None."""
    best, tries, tried = trimmed(list(choices)), 0, set()
    progress = True
    while progress and tries < TRIES:
        progress = False
        for candidate in map(trimmed, candidates(best)):
            if tuple(candidate) in tried or key(candidate) >= key(best):
                continue
            tried.add(tuple(candidate))
            tries += 1
            used = shows(candidate)
            if used is not None:
                best, progress = min(candidate, trimmed(list(used)), key=key), True
                break
            if tries >= TRIES:
                break
    return best
