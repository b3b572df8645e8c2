"""Calls that are compiled together: the functions around several calls become one, whose results are those of all.

Each round has one case of every call of a group.  What fails in a group says nothing of any of its calls: the group is
divided, down to calls that are made alone, as each case is that is asked for alone."""
import itertools
import re

from .compiled import Compiled, others_of

# Calls whose groups are known; they come in stretches, and do not come again.
KNOWN = 4096
# How a message names a function of a group, or one of the tensors that are given to it.
FUNCTION, TENSOR = re.compile(r'\bin function_(\d+)\b'), re.compile(r'\binputs_(\d+)\b')


class Job:
    """A case: the text of the function around its call, the tensors that this takes, and where a gradient is asked, dy and
    the places of the tensors that it is differentiated by.  finish makes the results of the case of those of the
    function, which has so many outputs; key tells calls apart, which share a function."""

    def __init__(self, text, tensors, dy, wanted):
        self.text, self.tensors, self.dy, self.wanted = text, tensors, dy, wanted
        self.name, self.key, self.finish, self.outputs = '', None, None, 1

    def copy(self, kept):
        return self.on(tuple(map(kept, self.tensors)), None if self.dy is None else kept(self.dy))

    def on(self, tensors, dy):
        """The call with other tensors."""
        made = Job(self.text, tensors, dy, self.wanted)
        made.name, made.key, made.outputs = self.name, self.key, self.outputs
        return made


class NotOne(Exception):
    """Other than one function was compiled for a group, or it has other outputs."""


def first_of(results):
    return results[0] if isinstance(results, (tuple, list)) else results


def by_job(results, jobs):
    """The results of each call; what is exported gives the outputs of all in a row."""
    if len(results) == len(jobs):
        return results
    if len(results) != sum(job.outputs for job in jobs):
        raise NotOne
    rest = iter(results)
    parts = [tuple(itertools.islice(rest, job.outputs)) for job in jobs]
    return [part[0] if len(part) == 1 else part for part in parts]


class Group:
    """Calls of one function, by their keys; latest: a job of each, for rounds that lack one."""

    def __init__(self, latest):
        self.latest, self.keys = latest, tuple(latest)

    def parts(self, words):
        """Two groups: that of the function that the words of an exception name last, and the others; or halves."""
        taking = [i for i, job in enumerate(self.latest.values()) for _ in job.tensors]
        named = [taking[int(number)] for number in TENSOR.findall(words) if int(number) < len(taking)]
        named += [int(number) for number in FUNCTION.findall(words)]
        at = named[-1] if named and named[-1] < len(self.keys) else None
        middle = len(self.keys) // 2
        first, second = (self.keys[:middle], self.keys[middle:]) if at is None else \
            (self.keys[at:at + 1], self.keys[:at] + self.keys[at + 1:])
        return [Group({key: self.latest[key] for key in keys}) for keys in (first, second)]

    def others(self, key):
        """The names of the other calls."""
        return ', '.join(sorted({job.name for other, job in self.latest.items() if other != key}))


def text_of(jobs):
    """One function of several; its parameters are those of all, in their order."""
    lines, calls, count = [], [], 0
    for i, job in enumerate(jobs):
        lines.append(job.text.replace('def function(', f'def function_{i}(', 1))
        names = [f'x{count + k}' for k in range(len(job.tensors))]
        calls.append(f'function_{i}({", ".join(names)}),')
        count += len(names)
    given = ', '.join(f'x{k}' for k in range(count))
    return ''.join(lines) + f'def function({given}):\n    return {" ".join(calls)}\n'


class Together:
    """The groups of an adapter whose mode compiles calls."""

    def __init__(self, adapter):
        self.adapter, self.functions, self.compiler = adapter, adapter.functions, adapter.compiler
        self.groups, self.alone = {}, set()

    def plain_of(self, job):
        scope = dict(self.functions.namespace)
        exec(job.text, scope)
        return scope['function']

    def is_taken(self, job):
        """Whether the library takes the call without its compiler: what it refuses says nothing of a group."""
        try:
            with self.adapter.forward_only():
                self.plain_of(job)(*job.tensors)
        except Exception:
            return False
        return True

    def gather(self, jobs):
        """Makes groups of calls that are new: of results, and of gradients."""
        new = {True: {}, False: {}}
        for job in jobs:
            if job.key not in self.groups and job.key not in self.alone and job.key not in new[job.dy is None]:
                if self.is_taken(job):
                    new[job.dy is None][job.key] = job
                else:
                    self.alone.add(job.key)
        for found in map(list, map(dict.values, new.values())):
            for first in range(0, len(found), self.compiler.together):
                members = found[first:first + self.compiler.together]
                group = Group({job.key: job.copy(self.adapter.kept) for job in members})
                self.groups.update(dict.fromkeys(group.keys, group))

    def function_of(self, group, jobs):
        functions = self.functions
        if group.keys in functions.kept:
            functions.kept.move_to_end(group.keys)
            return functions.kept[group.keys].function
        functions.make_room()
        tensors = tuple(tensor for job in jobs for tensor in job.tensors)
        compiled = Compiled(self.compiler, text_of(jobs), functions.namespace, tensors, self.compiler.whole)
        functions.kept[group.keys] = compiled
        if self.compiler.primed:
            self.prime(compiled.function, jobs)
        return compiled.function

    def other(self, job):
        """The call with other tensors where it takes such.  A gradient then has its own result upstream, whose extents fit."""
        with self.adapter.forward_only():
            found = others_of(self.compiler, self.plain_of(job), job.tensors)
        return job.on(tuple(found[0]), None if job.dy is None else first_of(found[1])) if found else job

    def prime(self, function, jobs):
        """Calls it with other tensors first, of each call that takes such."""
        count = self.compiler.count
        before = count() if count else 0
        self.results_of(function, [self.other(job) for job in jobs])
        if count and count() != before + 1:
            raise NotOne

    def results_of(self, function, jobs):
        if jobs[0].dy is None:
            with self.adapter.forward_only():
                return by_job(function(*(tensor for job in jobs for tensor in job.tensors)), jobs)

        def forward(*chosen):
            chosen, inputs = iter(chosen), []
            for job in jobs:
                inputs += [next(chosen) if i in job.wanted else each for i, each in enumerate(job.tensors)]
            return tuple(map(first_of, function(*inputs)))
        leaves = [each for job in jobs for i, each in enumerate(job.tensors) if i in job.wanted]
        gradients = iter(self.adapter.differentiate(forward, leaves, tuple(job.dy for job in jobs)))
        return [[next(gradients) for _ in job.wanted] for job in jobs]

    def run(self, group, given):
        """The results of a round, by their keys, with the group; none of a call that is to be made alone."""
        jobs = [given.get(key, group.latest[key]) for key in group.keys]
        if len(jobs) == 1:
            self.alone.add(group.keys[0])
            self.groups.pop(group.keys[0])
            return {}
        try:
            results = self.results_of(self.function_of(group, jobs), jobs)
        except Exception as why:
            return self.divide(group, given, why)
        return {key: (result, group) for key, result in zip(group.keys, results)}

    def divide(self, group, given, why):
        compiled = self.functions.kept.pop(group.keys, None)
        if compiled:
            compiled.close()
        found = {}
        for part in group.parts(self.compiler.blamed(why)):
            self.groups.update(dict.fromkeys(part.keys, part))
            found.update(self.run(part, given))
        return found

    def serve(self, jobs):
        """Of jobs by slots, those that were computed with others: results by operand, and the names of the others."""
        if len(self.groups) + len(self.alone) > KNOWN:
            self.groups.clear()
            self.alone.clear()
        self.gather(jobs.values())
        rounds, found = [], {}
        for slot, job in jobs.items():
            at = next((each for each in rounds if job.key not in each), None)
            if at is None:
                rounds.append(at := {})
            at[job.key] = slot
        for slots in rounds:
            given = {key: jobs[slot] for key, slot in slots.items()}
            for group in {id(group): group for group in map(self.groups.get, given) if group}.values():
                for key, (result, member) in self.run(group, given).items():
                    if key in slots:
                        found[slots[key]] = given[key].finish, result, member.others(key)
        return found
