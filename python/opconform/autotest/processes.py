"""Workers: a framework in a process of its own, which may have another interpreter."""
import atexit
import copy
import glob
import importlib.util
import os
import select
import shutil
import signal
import subprocess
import sys

import numpy as np

from .. import tool
from . import messages

# Seconds that a body may take, and a framework to be imported.
PATIENCE, START = 60, 180
QUIET = {'OMP_NUM_THREADS': '1', 'OPENBLAS_NUM_THREADS': '1', 'MKL_NUM_THREADS': '1', 'GLOG_minloglevel': '3'}


class Absent(Exception):
    """The framework is not there; the text says why."""


def fetched(name):
    """The folder that make frameworks filled, or None."""
    given = os.environ.get('OPCONFORM_DEPS')
    try:
        places = [given] if given else [os.path.join(os.path.dirname(tool.program()), '../.deps')]
    except tool.Missing:
        places = []
    folders = [folder for place in places for folder in sorted(glob.glob(os.path.join(place, f'{name}-[0-9]*')))]
    return folders[-1] if folders else None


def place_of(backend):
    """The interpreter, and the folder that it needs besides, or None."""
    name, _, place = backend.partition('@')
    name = name.split(':')[0]
    if place:
        return os.path.join(place, 'bin/python3'), None
    if importlib.util.find_spec(name):
        return sys.executable, None
    folder = fetched(name)
    if not folder:
        raise Absent(f'{name} is not installed: make frameworks FRAMEWORKS={name} in a clone fetches it')
    note = os.path.join(folder, '.python')
    python = open(note).read().strip() if os.path.exists(note) else 'python3'
    return shutil.which(python) or python, os.path.abspath(folder)


class Item:
    def __init__(self, kind, name, dtype, plain):
        self.kind, self.name, self.dtype = kind, name, dtype
        self.array = np.frombuffer(plain[2], plain[0]).reshape(plain[1])


class Answer:
    """What came of a run; end: how the process died in it, or ''."""

    def __init__(self, reply, end=''):
        self.end = end
        self.error, self.own, self.beyond = reply.get('error'), reply.get('own', False), reply.get('beyond', False)
        self.missing = reply.get('missing')
        self.draws, self.choices, self.lines = reply.get('draws', []), reply.get('choices', []), reply.get('lines', [])
        self.failure, self.notes = reply.get('failure'), reply.get('notes', [])
        self.items = [Item(*each) for each in reply.get('items', [])]
        self.runs = [Answer(each) for each in reply.get('runs', [])]
        self.cases = [Answer(each) for each in reply.get('cases', [])]

    def without(self, names):
        """Without buffers of these names; the others keep their places."""
        other = copy.copy(self)
        other.items = [None if each.kind == 'buffer' and each.name.split(' ')[0] in names else each for each in self.items]
        return other

    @property
    def failed(self):
        return bool(self.error or self.end)


def text_of_end(status):
    """status: as subprocess has it."""
    return signal.Signals(-status).name if status < 0 else f'ends with status {status}'


class Worker:
    """serial: the number of the last request; a reply has that of its request, one without is of a process that ended."""

    def __init__(self, backend, file):
        self.backend, self.file, self.process, self.greeted, self.serial = backend, file, None, False, 0
        self.launch()

    def launch(self):
        python, folder = place_of(self.backend)
        module = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
        path = os.pathsep.join(filter(None, [module, folder, os.environ.get('PYTHONPATH')]))
        self.process = subprocess.Popen([python, '-m', 'opconform.autotest.worker', self.backend.split(':')[0].split('@')[0],
                                         self.file], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                                        env={**os.environ, **QUIET, 'PYTHONPATH': path})
        self.greeted = False

    def greet(self):
        """Waits until the framework is imported."""
        if self.greeted:
            return
        greeting = self.receive(START)
        if not greeting or 'ready' not in greeting:
            raise Absent(f'{self.backend}: {greeting["absent"] if greeting else "its interpreter ended"}')
        self.version, self.static, self.lacks = greeting['ready'], greeting['static'], greeting['lacks']
        self.greeted = True

    def receive(self, seconds):
        if not select.select([self.process.stdout], [], [], seconds)[0]:
            return None
        return messages.read(self.process.stdout)

    def send(self, **request):
        self.greet()
        self.serial += 1
        try:
            messages.write(self.process.stdin, {'serial': self.serial, **request})
        except BrokenPipeError:  # it ended: the answer says so
            pass

    def answer(self):
        """Of the last request.  Where the process did not survive it, another one is started."""
        try:
            reply = self.receive(PATIENCE)
            while reply is not None and reply.get('serial', self.serial) != self.serial:
                reply = self.receive(PATIENCE)
        except EOFError:
            reply = None
        if reply is None:
            end = self.end()
            self.launch()
            return Answer({}, end)
        return Answer(reply, text_of_end(reply['status']) if 'status' in reply else '')

    def ask(self, **request):
        self.send(**request)
        return self.answer()

    def end(self):
        """How it ended; one that does not answer is ended."""
        try:
            return text_of_end(self.process.wait(timeout=1))
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return 'hangs'

    def close(self):
        self.process.kill()
        self.process.wait()


_workers = {}


def launched(backend, file):
    key = backend.split(':')[0], file
    if key not in _workers:
        _workers[key] = Worker(*key)
    return _workers[key]


def start_all(backends, file):
    """Frameworks are imported side by side."""
    for backend in backends:
        try:
            launched(backend, file)
        except Absent:  # worker_for says so
            pass


def worker_for(backend, file):
    """The one that the process has for a framework and a file."""
    found = launched(backend, file)
    try:
        found.greet()
    except Absent:
        del _workers[backend.split(':')[0], file]
        raise
    return found


@atexit.register
def close_all():
    while _workers:
        _workers.popitem()[1].close()
