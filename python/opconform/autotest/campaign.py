"""Cases of a body: drawn, run in all frameworks, compared, and made simple where frameworks differ."""
import itertools
import os
import time
import zlib

from . import blocks, judging, processes, shrinking


class BodyError(Exception):
    """The body itself is wrong, not a framework."""


class Failure:
    """A difference with the choices that show it."""

    def __init__(self, test, difference, choices, lines, versions):
        self.test, self.difference, self.choices, self.lines = test, difference, choices, lines
        self.versions = versions

    def replay(self):
        return f'python -m opconform {os.path.relpath(self.test.file)} --replay {self.test.name}:{".".join(map(str, self.choices)) or "-"}'

    def text(self):
        return '\n'.join([f'{self.test.name}: {self.difference.backend} {self.versions[self.difference.backend]}: '
                          f'{self.difference.title()}', *(f'    {line}' for line in self.lines), f'  {self.replay()}'])


class Result:
    """notes: what a user should know: frameworks that are absent, cases that were left out."""

    def __init__(self):
        self.cases, self.refused, self.failures, self.notes = 0, 0, [], []


class Campaign:
    def __init__(self, test):
        self.test, self.workers, self.result = test, {}, Result()
        # Roundings that are tried before all of them are.
        self.few = 0
        processes.start_all(test.backends, test.file)
        for backend in test.backends:
            try:
                self.add(backend, processes.worker_for(backend, test.file))
            except processes.Absent as why:
                self.result.notes.append(f'{backend} is left out: {why}')
        if test.backends[0] not in self.workers:
            raise processes.Absent(self.result.notes[0])
        self.leader = self.workers[test.backends[0]]
        if len(self.workers) == 1:
            self.result.notes.append('one framework is left: its results are compared with binary64 alone')
        self.missing = {}

    def add(self, backend, worker):
        """A framework, with its static mode where the body asks for that."""
        name, _, mode = backend.partition(':')
        if mode not in ('', worker.static):
            raise processes.Absent(f'there is no mode {mode}: known is {worker.static}')
        self.workers[backend] = worker
        if self.test.check_graph and not mode and worker.static:
            self.workers[f'{name}:{worker.static}'] = worker

    def versions(self):
        return {backend: worker.version for backend, worker in self.workers.items()}

    def roundings(self):
        """Those with which binary64 runs at first."""
        return [None, *range(1, 1 + self.few)]

    def runs(self, draws, roundings):
        return self.leader.ask(test=self.test.name, draws=draws, roundings=roundings).runs

    def lead(self, choices, seed):
        answer = self.leader.ask(test=self.test.name, choices=choices, seed=seed)
        if answer.missing:
            raise BodyError(answer.missing)
        if answer.own:
            raise BodyError(': '.join(answer.error))
        return answer

    def case(self, choices, seed=None, wanted=None):
        """The leader's answer, and the differences; wanted: those of this signature alone are asked for."""
        answer = self.lead(choices, seed)
        if answer.end:
            return answer, [judging.Difference(self.leader.backend, 'error', '', 'crash', answer.end)]
        if wanted and not judging.can_show(wanted, answer):
            return answer, []
        following = self.following(wanted)
        ahead = self.ask_ahead(following, answer)
        valued, asked = not answer.failed and (wanted is None or wanted[1] != 'error'), self.roundings()
        runs = self.runs(answer.draws, asked) if valued else []
        answers = {self.leader.backend: answer}
        for backend, worker in following.items():
            answers[backend] = self.follow(backend, worker, answer, ahead.get(worker) == backend)
        answers = {backend: each for backend, each in answers.items() if not each.missing}
        return answer, self.settled(answers, answer, runs, asked)

    def settled(self, answers, leader, runs, asked, idle=lambda: None):
        """The differences by as few roundings as were asked for, or by all of them where these find some: more do not refuse what
        few admit.  idle is called before the leader is asked."""
        if len(runs) < len(asked):
            return self.differences(answers, leader, runs, judging.ROUNDINGS)
        found = self.differences(answers, leader, runs, len(asked) - 1)
        if not found:
            return found
        self.few = 1
        idle()
        more = self.runs(leader.draws, list(range(len(asked), 1 + judging.ROUNDINGS)))
        return self.differences(answers, leader, runs + more, judging.ROUNDINGS)

    def differences(self, answers, leader, runs, roundings):
        """runs: of the body in binary64, with as many roundings."""
        right = judging.Right(runs, self.test, roundings)
        for backend, each in answers.items():
            right.note_errors(backend, each)
        found = [judging.compare(backend, each, self.shared(backend, leader), right, self.kinds(backend))
                 for backend, each in answers.items()]
        return [each for each in found if each]

    def following(self, wanted):
        """The frameworks behind the first, by name: of a difference of theirs that one alone, of the first all, since how far
        they are off is its tolerance."""
        return {backend: worker for backend, worker in self.workers.items()
                if backend != self.leader.backend and backend not in self.missing
                and (wanted is None or wanted[0] in (backend, self.leader.backend))}

    def request(self, backend, leader):
        return {'test': self.test.name, 'draws': leader.draws, 'static': ':' in backend}

    def ask_ahead(self, following, leader):
        """Other processes compute while the first finds what is right: what each of them was asked."""
        ahead = {}
        for backend, worker in following.items():
            if worker is not self.leader and worker not in ahead:
                worker.send(**self.request(backend, leader))
                ahead[worker] = backend
        return ahead

    def follow(self, backend, worker, leader, asked):
        """The same draws in another framework, or in a static mode."""
        answer = worker.answer() if asked else worker.ask(**self.request(backend, leader))
        if answer.missing:
            self.missing[backend] = answer.missing
            self.result.notes.append(f'{backend} is left out: {answer.missing}')
        return answer

    def shared(self, backend, answer):
        """The leader's answer without what the framework is known not to have."""
        lacks = self.workers[backend].lacks
        return answer.without(lacks) if lacks else answer

    def kinds(self, backend):
        """What is compared: of a static mode outputs, and gradients where it gives them."""
        if ':' not in backend:
            return judging.KINDS
        return ('output', 'gradient') if self.workers[backend].static == 'trace' and self.test.auto_backward else ('output',)

    def minimised(self, choices, difference):
        """The choices made simple, under the same signature."""
        def shows(candidate):
            answer, found = self.case(candidate, wanted=difference.signature)
            return answer.choices if any(each.signature == difference.signature for each in found) else None

        choices = shrinking.shrink(choices, shows)
        answer, found = self.case(choices, wanted=difference.signature)
        found = [each for each in found if each.signature == difference.signature]
        return Failure(self.test, found[0] if found else difference, answer.choices or choices, answer.lines, self.versions())

    def results(self, seeds):
        """Of the cases of seeds, what case says of each."""
        return blocks.results(self, seeds)

    def run(self, n, seed, seconds):
        """n cases, or as many as there is time for."""
        for answer, found in self.results(seeds_of(n, seed, seconds)):
            self.result.cases += 1
            self.result.refused += bool(answer.error)
            if found:
                self.result.failures.append(self.minimised(answer.choices, found[0]))
                break
        if self.result.refused * 2 > self.result.cases:
            self.result.notes.append(f'{self.result.refused} of {self.result.cases} cases raise in every framework')
        return self.result


class OperatorCampaign(Campaign):
    """Of calls of an operator that is registered with PyTorch (operator_checks.py), which is compared with nothing but itself."""

    def __init__(self, test):
        super().__init__(test)
        self.result.notes.clear()

    def results(self, seeds):
        return (self.case([], seed=each) for each in seeds)

    def case(self, choices, seed=None, wanted=None):
        answer = self.lead(choices, seed)
        if answer.end:
            return answer, [judging.Difference(self.leader.backend, 'call', '', 'crash', answer.end)]
        self.result.notes += [each for each in answer.notes if each not in self.result.notes]
        if answer.failure is None:
            return answer, []
        check, where, words = answer.failure
        return answer, [judging.Difference(self.leader.backend, check, where, check, words)]


def seeds_of(n, first, seconds):
    """n of them, or as many as there is time for."""
    if seconds is None:
        return iter(range(first, first + n))
    end = time.monotonic() + seconds
    return itertools.takewhile(lambda _: time.monotonic() < end, itertools.count(first))


def seed_of(test):
    """Of a test's own, the same each time."""
    return zlib.crc32(test.name.encode()) * 1000


def run(test, n=None, seed=None, seconds=None):
    return test.campaign().run(test.n if n is None else n, seed_of(test) if seed is None else seed, seconds)


def replay(test, choices):
    """The failure that choices show, or None."""
    campaign = test.campaign()
    answer, found = campaign.case(choices)
    return Failure(test, found[0], answer.choices, answer.lines, campaign.versions()) if found else None
