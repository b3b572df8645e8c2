"""worker.py FRAMEWORK FILE: runs the bodies of a file in one framework, as its standard input asks."""
import ctypes
import importlib
import os
import signal
import sys
import traceback
import warnings

from opconform.autotest.messages import plain, read, write

PR_SET_PDEATHSIG = 1


def described(why):
    text = ' '.join(str(why).split())
    return type(why).__name__, text[:300]


def text_of(value):
    return f'tensor{list(value.shape)}' if hasattr(value, 'shape') else repr(value)


def is_own(test, why):
    """Whether the body raised it, and not what it calls."""
    return why is not None and any(frame.filename == test.file for frame in traceback.extract_tb(why.__traceback__)[-1:])


class Bodies:
    """Those of a file, by name, and the framework in both precisions."""

    def __init__(self, framework, path):
        from opconform.autotest import frameworks, loading
        self.bodies = loading.load(path)
        kind = frameworks.framework(framework)
        self.static, self.narrow, self.wide = kind.static, kind(), kind(wide=True)

    def check(self, test, request):
        """A call of an operator (operator_checks.py), with the arguments that the body draws."""
        from opconform.autotest import choices, operator_checks, run, running
        done = run.Run(self.narrow, choices.Choices(request['choices'], request.get('seed')))
        reply = {'failure': None, 'notes': [], 'own': False, 'error': None}
        try:
            with running.entered(done):
                values = test.body()
                values = list(values) if isinstance(values, tuple) else [values]
                named = values.pop() if values and isinstance(values[-1], dict) else {}
                values = [done.real(each) for each in values]
                named = {name: done.real(each) for name, each in named.items()}
                texts = [text_of(each) for each in values] + [f'{name}={text_of(each)}' for name, each in named.items()]
                done.lines.append(f'{test.name}({", ".join(texts)})')
        except Exception as why:
            reply.update(error=described(why), own=True)
        else:
            try:
                reply['failure'], reply['notes'] = operator_checks.check(test.operator, [*values, named])
            except Exception as why:  # the operator refuses these arguments
                reply['error'] = described(why)
        return {'choices': done.choices.used, 'lines': done.lines, **reply}

    def runs_with_roundings(self, request):
        """A run for each of the roundings that are asked for, None for one without, until one fails."""
        runs = []
        for rounded in request['roundings']:
            reply = self.run({'test': request['test'], 'wide': True, 'draws': request['draws'], 'rounded': rounded})
            if reply.get('error') or reply.get('missing'):
                break
            runs.append(reply)
        return {'runs': runs}

    def cases(self, request):
        """Many at once; right: the roundings with which those that raise nothing run again."""
        replies = []
        for each in request['cases']:
            replies.append(self.run({'test': request['test'], **each}))
            reply = replies[-1]
            if request.get('right') and not (reply.get('error') or reply.get('missing')):
                reply.update(self.runs_with_roundings({'test': request['test'], 'draws': reply['draws'], 'roundings': request['right']}))
        return {'cases': replies}

    def run(self, request):
        from opconform.autotest import body, choices, run, torch_names
        test = self.bodies[request['test']]
        if isinstance(test, body.OperatorCheck):
            return self.check(test, request)
        if 'cases' in request:
            return self.cases(request)
        if 'roundings' in request:
            return self.runs_with_roundings(request)
        how = {'rounded': request.get('rounded'), 'draws': request.get('draws')}
        if how['draws'] is None:
            how['choices'] = choices.Choices(request['choices'], request.get('seed'))
        framework = self.wide if request.get('wide') else self.narrow
        try:
            if request.get('static'):
                done, why = run.execute_static(test.body, framework, test.auto_backward, how['draws'])
            else:
                done, why = run.execute(test.body, framework, test.auto_backward, **how)
        except run.Beyond:
            return {'beyond': True, 'error': None, 'lines': [], 'items': []}
        if isinstance(why, torch_names.Missing):
            return {'missing': str(why)}
        return {'draws': done.draws, 'choices': done.choices.used if done.choices else [], 'lines': done.lines,
                'error': described(why) if why else None, 'own': is_own(test, why), 'beyond': False,
                'items': [(each.kind, each.name, each.dtype, plain(each.array)) for each in done.items]}


def serve(bodies, requests, replies):
    while True:
        request = read(requests)
        if request is None:
            return
        write(replies, {'serial': request['serial'], **bodies.run(request)})


def is_single():
    """Whether the process has no other thread, which a child would lack."""
    return len(os.listdir('/proc/self/task')) == 1


def die_with_parent(parent):
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def serve_in_children(bodies, requests, replies):
    """A child answers until it dies of a request; the next one has the framework imported already."""
    while True:
        parent, child = os.getpid(), os.fork()
        if child == 0:
            die_with_parent(parent)
            try:
                serve(bodies, requests, replies)
            except BaseException:
                os._exit(1)
            os._exit(0)
        _, status = os.waitpid(child, 0)
        if status == 0:
            return
        write(replies, {'status': -os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)})


def main(framework, path):
    die_with_parent(os.getppid())
    requests, replies = os.fdopen(os.dup(0), 'rb'), os.fdopen(os.dup(1), 'wb')
    os.dup2(2, 1)  # what bodies and frameworks print is no reply
    warnings.simplefilter('ignore')
    try:
        bodies = Bodies(framework, path)
        version = str(importlib.import_module(framework).__version__)
        write(replies, {'ready': version, 'static': bodies.static, 'lacks': bodies.narrow.lacks})
    except Exception as why:
        write(replies, {'absent': ': '.join(described(why))})
        return
    serve_in_children(bodies, requests, replies) if is_single() else serve(bodies, requests, replies)


if __name__ == '__main__':
    main(*sys.argv[1:])
