"""The run that the body is in."""


class Outside(RuntimeError):
    """What belongs in a body is used elsewhere."""


_runs = []


def current():
    if not _runs:
        raise Outside('torch and generators have values only in the body of a function that @autotest decorates')
    return _runs[-1]


class entered:
    def __init__(self, run):
        self.run = run

    def __enter__(self):
        _runs.append(self.run)
        return self.run

    def __exit__(self, *_):
        _runs.pop()
