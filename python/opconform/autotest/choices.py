"""The numbers that draws are made of: those that are given, and behind them random ones, or zeros, which are the simplest."""
import math

MASK = (1 << 64) - 1


def scrambled(number):
    """A mixing of 64 bits: the finaliser of SplitMix64."""
    number = (number + 0x9E3779B97F4A7C15) & MASK
    number = ((number ^ number >> 30) * 0xBF58476D1CE4E5B9) & MASK
    number = ((number ^ number >> 27) * 0x94D049BB133111EB) & MASK
    return number ^ number >> 31


class Choices:
    """used: what was taken, each below the count that was asked for: the same choices give the same draws."""

    def __init__(self, given, seed=None):
        self.given, self.seed, self.used = list(given), seed, []

    def integer(self, count):
        """0 to count - 1.  One random choice in eight is 0, since what is simple together with what is not shows most."""
        at = len(self.used)
        if at < len(self.given):
            number = self.given[at]
        elif self.seed is None:
            number = 0
        else:
            number = scrambled(self.seed * 1000003 + at)
            number = 0 if number % 8 == 0 else number >> 3
        self.used.append(number % count)
        return self.used[-1]

    def weighted(self, weights):
        """The number of a weight, in proportion.  The choice that is noted is the least that gives it."""
        steps = 1 << 10
        place, total = self.integer(steps), 0
        for number, weight in enumerate(weights):
            first, total = math.ceil(total), total + weight / sum(weights) * steps
            if place < total or number == len(weights) - 1:
                self.used[-1] = min(first, place)
                return number
