"""Imports a library once and forks a worker for each set of ends that it is sent."""
import array
import contextlib
import ctypes
import functools
import gc
import importlib
import mmap
import os
import re
import select
import signal
import socket
import struct
import warnings

from . import forms, own_file, parameters, protocol
from .ours import unknown_call
from .protocol import Declined, Different, Lacking

CONTROL = 3
PR_SET_PDEATHSIG = 1
# Characters of a refusal that are told; its rest quotes the code of the compiler.
SHORT = 92
COLOURS = re.compile('\x1b\\[[0-9;]*m')


def die_with_parent():
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def keep_signals():
    """From here on signals of this process reach nobody who was there before, such as the server; where Linux has
    Landlock's scopes (6.12).  Rules that do not speak of moves between folders would forbid them."""
    create_ruleset, add_rule, restrict_self = 444, 445, 446
    refer, sockets_and_signals, below_path = 1 << 13, 3, 1
    system = ctypes.CDLL(None)
    rules = struct.pack('<QQQ', refer, 0, sockets_and_signals)
    ruleset = system.syscall(create_ruleset, rules, len(rules), 0)
    if ruleset >= 0:
        root = os.open('/', os.O_PATH)
        system.syscall(add_rule, ruleset, below_path, struct.pack('<Qi', refer, root), 0)
        os.close(root)
        system.syscall(restrict_self, ruleset, 0)
        os.close(ruleset)


def words_of(why):
    """The message of an exception in one line: its last line where a compiler quotes the code first."""
    lines = [line.strip() for line in COLOURS.sub('', str(why)).splitlines() if line.strip()]
    said = lines[-1] if lines and lines[0].startswith('In transformed code') else ' '.join(lines)
    name = type(why).__name__
    return said if said.startswith(name) else f'{name}: {said}'


def in_short(why):
    """The words of a refusal in one line, which does not end in the middle of what a colon announces."""
    text = ' '.join(str(why).split())
    return text if len(text) <= SHORT else text[:SHORT].rstrip(': ')


def attempt(adapter, work, *arguments):
    """Calls the library; its result, and the status and words of the answer."""
    try:
        return work(*arguments), protocol.DONE, ''
    except Lacking as why:
        return None, protocol.DECLINED, f'{adapter.edition} {why}'
    except Declined as why:
        return None, protocol.DECLINED, in_short(why)
    except Different as why:
        return None, protocol.DIFFERENT, str(why)
    except MemoryError as why:
        if not any(getattr(argument, 'stray', False) for argument in arguments):
            os.abort()
        return None, protocol.RAISED, words_of(why)
    except Exception as why:  # whatever the library raises is its answer
        if unknown_call(why):
            return None, protocol.DECLINED, f'{adapter.edition} has no such call: {words_of(why)}'
        return None, protocol.RAISED, words_of(why)


def serve_each(adapter, layout, memory, slots):
    for slot in slots:
        number, text, operands = layout.read_request(memory, slot)
        answer = attempt(adapter, adapter.run, memory, parameters.parse(text), operands)
        layout.write_reply(memory, slot, number, *answer[1:])


def serve_together(adapter, layout, memory, slots):
    """All are started before the first result is asked for."""
    calls = []
    for slot in slots:
        number, text, operands = layout.read_request(memory, slot)
        calls.append((number, *attempt(adapter, adapter.start, memory, parameters.parse(text), operands)))
    for slot, (number, results, status, why) in zip(slots, calls):
        if status == protocol.DONE:
            _, status, why = attempt(adapter, adapter.finish, memory, results)
        layout.write_reply(memory, slot, number, status, why)


def job_of(adapter, memory, text, operands):
    """The case as a part of several; None where it is to be asked alone, which tells why."""
    try:
        return adapter.job_of(memory, parameters.parse(text), operands)
    except Exception:
        return None


def answer_joined(adapter, memory, found):
    """Of results that were made with others; None where there are none, or other ones than the operator has: the call is
    made alone then."""
    if found is None:
        return None
    finish, results, others = found
    made, status, _ = attempt(adapter, finish, results)
    if status == protocol.DONE:
        _, status, _ = attempt(adapter, adapter.finish, memory, made)
    return (None, protocol.TOGETHER, others) if status == protocol.DONE else None


def serve_joined(adapter, layout, memory, slots):
    """Calls that are compiled are made together where several are asked for."""
    requests = {slot: layout.read_request(memory, slot) for slot in slots}
    found = {}
    if len(requests) > 1:
        jobs = {slot: job_of(adapter, memory, *request[1:]) for slot, request in requests.items()}
        found = adapter.together.serve({slot: job for slot, job in jobs.items() if job})
    for slot, (number, text, operands) in requests.items():
        answer = answer_joined(adapter, memory, found.get(slot))
        if answer is None:
            answer = attempt(adapter, adapter.run, memory, parameters.parse(text), operands)
        layout.write_reply(memory, slot, number, *answer[1:])


def serve(make, layout, memory_file, requests, replies):
    memory = memoryview(mmap.mmap(memory_file, 0))
    adapter = make()
    adapter.warm_up()
    # Whoever asks for the end of all processes of a terminal or of a job means those that ask, not the library.
    for each in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(each, signal.SIG_IGN)
    serve_slots = serve_together if adapter.asynchronous else serve_joined if adapter.together else serve_each
    while True:
        bell = os.read(requests, protocol.BELL.size)
        if len(bell) < protocol.BELL.size:
            return
        first, count = protocol.BELL.unpack(bell)
        serve_slots(adapter, layout, memory, range(first, first + count))
        os.write(replies, bell)


def start_worker(make, layout, ends):
    """Forks a worker; its number and later its exit status go to the last of the ends."""
    child = os.fork()
    if child:
        for end in ends[:3]:
            os.close(end)
        os.write(ends[3], struct.pack('<i', child))
        return child, ends[3]
    die_with_parent()
    keep_signals()
    os.close(CONTROL)
    os.close(ends[3])
    try:
        serve(make, layout, *ends[:3])
    finally:
        os._exit(0)


def reap(ended):
    while ended:
        try:
            child, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return
        if child == 0:
            return
        end = ended.pop(child, None)
        if end is not None:
            try:
                os.write(end, struct.pack('<i', status))
            except BrokenPipeError:
                pass
            os.close(end)


def await_events(control, wake, ended):
    """Which of the two are ready.  A worker whose end nobody reads has lost whoever asked, and may never come back
    from its call: it is ended."""
    waiting = select.poll()
    for each in (control, wake):
        waiting.register(each, select.POLLIN)
    for end in ended.values():
        waiting.register(end, 0)
    ready = {descriptor for descriptor, _ in waiting.poll()}
    for child, end in ended.items():
        if end in ready:
            os.kill(child, signal.SIGKILL)
    return control.fileno() in ready, wake in ready


def loop(make, layout, control):
    """Until the other side is gone."""
    wake, woken = os.pipe()
    os.set_blocking(woken, False)
    signal.set_wakeup_fd(woken)
    signal.signal(signal.SIGCHLD, lambda *_: None)
    ended = {}
    while True:
        asked, woke = await_events(control, wake, ended)
        if woke:
            os.read(wake, 512)
            reap(ended)
        if not asked:
            continue
        room = socket.CMSG_SPACE(4 * array.array('i').itemsize)
        data, ancillary, _, _ = control.recvmsg(1, room)
        if not data:
            return
        ends = array.array('i')
        for _, _, received in ancillary:
            ends.frombytes(received)
        if len(ends) == 4:
            child, end = start_worker(make, layout, list(ends))
            ended[child] = end


@contextlib.contextmanager
def quiet():
    """Libraries talk while they load; what they say later, when they die, is worth keeping."""
    kept = os.dup(2)
    with open(os.devnull, 'wb') as nothing:
        os.dup2(nothing.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(kept, 2)
        os.close(kept)


def hello(adapter, layout):
    lines = [f'{name}: {value}' for name, value in adapter.facts().items()]
    if adapter.asynchronous or adapter.together:
        lines.append('asynchronous')
    if adapter.bindings():
        lines.append(f'rows {adapter.bindings()}')
    lines.append(f'sample {adapter.sample()}')
    if adapter.draws():
        draws, alike, patience = adapter.draws()
        many = adapter.compiler.together if adapter.together else 1
        lines += [f'draws {draws} {alike} {many}', f'patience {patience}', *(f'form {form}' for form in forms.SPELLED)]
        if adapter.compiler and adapter.compiler.forward:
            lines.append('forward')
    lines += [f'refuses {line}' for line in adapter.program_refusals()]
    lines += adapter.rows_of_file()
    for name, dtypes in sorted(adapter.offers().items()):
        lines.append(f'op {name} {layout.mask(dtypes):x}')
    return '\n'.join(lines)


def load(name, mode):
    """Some settings are read while a library is imported: its adapter finds the mode in OPCONFORM_MODE."""
    os.environ['OPCONFORM_MODE'] = mode
    with quiet():
        return importlib.import_module(f'opconform_worker.adapter_{name}').Adapter(mode)


def introduce(make, layout):
    """The greeting of the server, and whether the library could be imported."""
    try:
        return hello(make(), layout).encode(), True
    except own_file.Mistake as why:
        return f'error: {why}'.encode(), False
    except (ImportError, OSError, ValueError, AttributeError) as why:
        first = str(why).splitlines()[0] if str(why) else ''
        return f'error: {type(why).__name__}: {first}'.encode(), False


def introduce_apart(make, layout):
    """The same in a process that ends, so that this one has no threads of the library."""
    from_child, to_parent = os.pipe()
    if os.fork() == 0:
        text, known = introduce(make, layout)
        os.write(to_parent, bytes([known]) + text)
        os._exit(0)
    os.close(to_parent)
    with open(from_child, 'rb') as reader:
        answer_of_child = reader.read()
    os.wait()
    return answer_of_child[1:], answer_of_child[:1] == b'\1'


def main(name, mode, imports, layout):
    """imports: 'once', here, or 'each', in every worker, of libraries that do not survive a fork."""
    die_with_parent()
    warnings.simplefilter('ignore')
    control = socket.socket(fileno=CONTROL)
    layout = protocol.Layout(layout)
    once = imports == 'once'
    make = functools.lru_cache(functools.partial(load, name, mode))
    text, known = (introduce if once else introduce_apart)(make, layout)
    if once:
        gc.collect()
        gc.freeze()
    control.send(text)
    if not known:
        return 3
    loop(make, layout, control)
    return 0
