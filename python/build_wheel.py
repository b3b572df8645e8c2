"""Builds the wheel of the module opconform, with the program in it (PEP 517); make does the work, and nothing is downloaded."""
import base64
import hashlib
import os
import re
import subprocess
import sys
import sysconfig
import tempfile
import zipfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The day that zip files begin with: the same sources give the same bytes.
FIRST_DAY = (1980, 1, 1, 0, 0, 0)


def version():
    with open(os.path.join(ROOT, 'reports/store/version.h'), encoding='utf-8') as file:
        return re.search(r'OPCONFORM_VERSION "(.*)"', file.read())[1]


def tag():
    return 'py3-none-' + re.sub('[-.]', '_', sysconfig.get_platform())


def metadata():
    return ('Metadata-Version: 2.1\nName: opconform\n'
            f'Version: {version()}\nSummary: Finds numerical operators that compute wrong results\n'
            'License: MIT\nRequires-Python: >=3.8\nRequires-Dist: numpy\n')


def make(*words):
    # An inner make is told nothing of the one that may have started this.
    environment = {name: value for name, value in os.environ.items() if name not in ('MAKEFLAGS', 'MFLAGS', 'MAKELEVEL')}
    run = subprocess.run(['make', '-C', ROOT, *words], env=environment, stdout=sys.stderr, check=False)
    if run.returncode != 0:
        raise SystemExit(f'make {" ".join(words)} ended with {run.returncode}: `make packages` installs what it needs')


class Wheel:
    """Files with their hashes."""

    def __init__(self, path):
        self.file, self.rows = zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED), []
        self.info = f'opconform-{version()}.dist-info'

    def add(self, name, data, executable=False):
        entry = zipfile.ZipInfo(name, FIRST_DAY)
        entry.compress_type = zipfile.ZIP_DEFLATED
        entry.external_attr = (0o100755 if executable else 0o100644) << 16
        self.file.writestr(entry, data)
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
        self.rows.append(f'{name},sha256={digest},{len(data)}')

    def add_tree(self, folder, under):
        for path, folders, names in os.walk(folder):
            folders[:] = sorted(set(folders) - {'__pycache__'})
            for name in sorted(names):
                full = os.path.join(path, name)
                with open(full, 'rb') as file:
                    self.add(os.path.join(under, os.path.relpath(full, folder)), file.read(), os.access(full, os.X_OK))

    def finish(self):
        self.add(f'{self.info}/METADATA', metadata().encode())
        self.add(f'{self.info}/WHEEL', f'Wheel-Version: 1.0\nGenerator: opconform\nRoot-Is-Purelib: false\nTag: {tag()}\n'.encode())
        self.add(f'{self.info}/entry_points.txt', b'[console_scripts]\nopconform = opconform.__main__:main\n\n'
                 b'[pytest11]\nopconform = opconform.pytest_plugin\n')
        self.rows.append(f'{self.info}/RECORD,,')
        self.file.writestr(zipfile.ZipInfo(f'{self.info}/RECORD', FIRST_DAY), '\n'.join(self.rows) + '\n')
        self.file.close()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    """The module, and what make install installs in it."""
    name = f'opconform-{version()}-{tag()}.whl'
    with tempfile.TemporaryDirectory() as folder:
        make('install', f'DESTDIR={folder}', 'PREFIX=/opconform')
        wheel = Wheel(os.path.join(wheel_directory, name))
        wheel.add_tree(os.path.join(ROOT, 'python/opconform'), 'opconform')
        for part in ('bin', 'lib/opconform', 'share/opconform', 'include'):
            wheel.add_tree(os.path.join(folder, 'opconform', part), f'opconform/{part}')
        wheel.finish()
    return name


def build_sdist(sdist_directory, config_settings=None):
    """What git has of this folder."""
    name = f'opconform-{version()}'
    path = os.path.join(sdist_directory, f'{name}.tar.gz')
    subprocess.run(['git', '-C', ROOT, 'archive', f'--prefix={name}/', '-o', os.path.abspath(path), 'HEAD'], check=True)
    return f'{name}.tar.gz'
