"""The types that parameters take, by their annotations: what generators without a type are drawn as."""
import functools
import inspect
import typing


def kind_of(annotation):
    """int, float, bool, (int, 2) for a number or one for each of two axes; None where nothing follows."""
    if annotation in (int, float, bool):
        return annotation
    members = [each for each in typing.get_args(annotation) if each is not type(None)]
    if typing.get_origin(annotation) is tuple:
        return kind_of(members[0]) if members else None
    counts = [len(typing.get_args(each)) for each in members if typing.get_origin(each) is tuple]
    plain = [each for each in members if each in (int, float, bool)]
    if counts and plain and ... not in members and plain[0] is int:
        return int, max(counts)
    return plain[0] if plain else None


@functools.lru_cache(maxsize=1024)
def kinds_of(function):
    """By the names of parameters, and in their order."""
    called = function.__init__ if inspect.isclass(function) else function
    try:
        names = list(inspect.signature(function).parameters)
        hints = typing.get_type_hints(called)
    except (TypeError, ValueError, NameError, AttributeError):
        return {}, []
    return {name: kind_of(hints[name]) for name in names if name in hints}, names
