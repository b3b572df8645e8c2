"""Random numbers of a seed, of the same seed again, and of the next one: what the outputs of random operators are."""


def with_seeds(start, copy=lambda draws: draws):
    """The function drawn(seed, function, ...).  start(seed) makes it hold, and gives the positional arguments that come
    first and the named ones that tell it, and is kept as drawn.start; copy keeps draws that the next call might overwrite."""
    def drawn(seed, function, *given, **named):
        results = []
        for each in (seed, seed, seed + 1):
            first, told = start(each)
            results.append(copy(function(*first, *given, **told, **named)))
        return tuple(results)
    drawn.start = start
    return drawn


def by_global_seed(set_seed):
    """start of libraries that have one generator for all."""
    def start(seed):
        set_seed(seed)
        return (), {}
    return start


def dropping(set_seed, ones_like):
    """The function dropped(seed, function, x, ...): a function on x and, with the same seed, on ones, which tell what it
    drops."""
    def dropped(seed, function, x, *given, **named):
        results = []
        for each in (x, ones_like(x)):
            set_seed(seed)
            results.append(function(each, *given, **named))
        return results[0], results[1] != 0
    return dropped


def stacked(stack, function, rows):
    """A function that calls another one so many times, and stacks what comes."""
    return lambda *given, **named: stack([function(*given, **named) for _ in range(rows)])
