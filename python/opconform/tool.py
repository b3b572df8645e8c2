"""The program opconform, which fuzzes, minimises and reports."""
import os
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
# In a wheel, in a clone, where make install puts it.
PLACES = ('bin/opconform', '../../build/opconform', '../../../../bin/opconform')


class Missing(RuntimeError):
    """The program is not there; the text says what to do."""


def program():
    """Its path: what the environment names in OPCONFORM, what belongs to this module, or what PATH has."""
    given = os.environ.get('OPCONFORM')
    for place in [given] if given else [os.path.normpath(os.path.join(HERE, place)) for place in PLACES]:
        if os.access(place, os.X_OK):
            return place
    found = not given and shutil.which('opconform')
    if found:
        return found
    raise Missing(f'{given or "the program opconform"} is not there: pip install . or make in a clone builds it')


def environment():
    """Files are run by this interpreter, and find this module."""
    path = [os.path.dirname(HERE), os.environ.get('PYTHONPATH')]
    return {**os.environ, 'OPCONFORM_PYTHON': sys.executable, 'PYTHONPATH': os.pathsep.join(filter(None, path))}


def command(path, options):
    return ['fuzz', '--backend', f'python@{path}', *options]


def run(path=None, *options):
    """Fuzzes the functions of a file, the calling program's own where path is None; options are those of
    `opconform fuzz`.  Returns its exit status: 0 where nothing new was found, 1 where a result is wrong."""
    path = path or os.path.abspath(sys.modules['__main__'].__file__)
    return subprocess.run([program(), *command(path, options)], env=environment(), check=False).returncode
