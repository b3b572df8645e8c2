"""Cases in blocks, so that no process waits for another one: while some frameworks run a block the first one is at the next.

What a block does not show as plain agreement or difference, since a process ended or a framework lacks something, is run again case
by case."""
import itertools
import time

LARGEST, SECONDS = 32, 1


class Leading:
    """What the leader was asked ahead."""

    def __init__(self, campaign):
        self.campaign, self.seeds, self.answer, self.roundings = campaign, [], None, []

    def ask(self, seeds):
        self.seeds, self.answer, self.roundings = seeds, None, self.campaign.roundings()
        if seeds:
            self.campaign.leader.send(test=self.campaign.test.name, cases=[{'choices': [], 'seed': each} for each in seeds],
                                      right=self.roundings)

    def idle(self):
        """Waits until it has answered."""
        if self.seeds and self.answer is None:
            self.answer = self.campaign.leader.answer()


def follow(campaign, led):
    """What the others were asked."""
    following = campaign.following(None)
    for worker in following.values():
        worker.send(test=campaign.test.name, cases=[{'draws': each.draws, 'static': False} for each in led])
    return following


def is_plain(answer):
    return not (answer.error or answer.end or answer.missing)


def may_be_in_blocks(campaign):
    """Whether each framework has a process of its own and one mode."""
    workers = list(campaign.workers.values())
    return len(set(map(id, workers))) == len(workers) and not any(':' in backend for backend in campaign.workers)


def results(campaign, seeds):
    """Of each seed, in their order, what campaign.case says."""
    if not may_be_in_blocks(campaign):
        yield from (campaign.case([], seed=each) for each in seeds)
        return
    leading, size = Leading(campaign), 1
    leading.ask(list(itertools.islice(seeds, size)))
    while leading.seeds:
        begin = time.monotonic()
        leading.idle()
        block, led, roundings = leading.seeds, leading.answer.cases, leading.roundings
        plain = [i for i, each in enumerate(led) if is_plain(each)]
        following = follow(campaign, [led[i] for i in plain])
        leading.ask(list(itertools.islice(seeds, size)))
        followed = {backend: worker.answer().cases for backend, worker in following.items()}
        if any(len(each) < len(plain) for each in followed.values()):
            plain = []
        for i, seed in enumerate(block):
            answers = {backend: each[plain.index(i)] for backend, each in followed.items()} if i in plain else {}
            if i in plain and not any(each.missing for each in answers.values()):
                yield led[i], judged(campaign, leading, led[i], answers, roundings)
            else:
                leading.idle()
                yield campaign.case([], seed=seed)
        size = min(2 * size, LARGEST) if time.monotonic() - begin < SECONDS else size


def judged(campaign, leading, leader, answers, roundings):
    """The differences of a case of a block; where there are some, nothing that was asked ahead is left in a pipe."""
    found = campaign.settled({campaign.leader.backend: leader, **answers}, leader, leader.runs, roundings, leading.idle)
    if found:
        leading.idle()
    return found
