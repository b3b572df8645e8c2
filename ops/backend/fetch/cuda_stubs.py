"""Makes small libraries in place of the CUDA ones that a wheel's objects name but no CPU path calls.

cuda_stubs.py FOLDER[:FOLDER...]: for every needed CUDA library that none of the folders has, the last
folder gets one of that name with every symbol that the objects want of it.  Devices are counted as
none, texts of errors are texts, registrations succeed, everything else reports an error."""
import pathlib
import re
import subprocess
import sys
import tempfile

LIBRARY = re.compile(r'^lib(cu[a-z]|nv|nccl|npp)')
SYMBOL = re.compile(r'^(cu[A-Z]|cu[a-z]+[A-Z]|__cuda|nv[a-z]+|p?nccl|npp)')


def output(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout


def body(name):
    if re.match('__cuda(Register|Unregister|Init)', name):
        return f'void *{name}(void) {{ static void *handle[64]; return handle; }}'
    if re.search('(Error|Status)(String|Name)$', name):
        return f'const char *{name}(void) {{ return "no CUDA here"; }}'
    if name == 'cudaGetDeviceCount':
        return f'int {name}(int *count) {{ if (count) *count = 0; return 100; }}'
    if name in ('cudaGetLastError', 'cudaPeekAtLastError'):
        return f'int {name}(void) {{ return 0; }}'
    return f'int {name}(void) {{ return {35 if name.startswith("cuda") else 1}; }}'


class Wanted:
    """The libraries and symbols that a set of shared objects needs and does not define."""

    def __init__(self, objects):
        present = {path.name for path in objects}
        self.libraries, self.versions, self.undefined, self.defined = set(), {}, {}, set()
        for path in objects:
            for name in re.findall(r'NEEDED.*\[([^\]]+)\]', output('readelf', '-dW', path)):
                if name not in present and LIBRARY.match(name):
                    self.libraries.add(name)
            self.read_versions(path)
            self.read_symbols(path)

    def read_versions(self, path):
        library = None
        for line in output('readelf', '-VW', path).splitlines():
            match = re.search(r' File: (\S+)', line)
            library = match.group(1) if match else library
            match = re.search(r'  Name: (\S+)  Flags', line)
            if match and library:
                self.versions.setdefault(library, set()).add(match.group(1))

    def read_symbols(self, path):
        for line in output('nm', '-D', path).splitlines():
            fields = line.split()
            if len(fields) == 3:
                self.defined.add(fields[2].split('@')[0])
            elif fields[0] == 'U':
                name, _, version = fields[1].partition('@')
                self.undefined[name] = version.strip('@') or self.undefined.get(name, '')

    def by_library(self):
        """Symbols without a version may come from any of them."""
        owner = {version: library for library, versions in self.versions.items()
                 for version in versions}
        names = {library: [] for library in self.libraries}
        first = min(self.libraries, default=None)
        for name, version in sorted(self.undefined.items()):
            library = owner.get(version) if version else first
            if name not in self.defined and SYMBOL.match(name) and library in names:
                names[library].append(name)
        return names


def main(folders):
    folders = [pathlib.Path(folder) for folder in folders.split(':')]
    objects = [path for folder in folders for path in sorted(folder.iterdir())
               if '.so' in path.name and path.is_file()]
    wanted = Wanted(objects)
    with tempfile.TemporaryDirectory() as scratch:
        source, script = pathlib.Path(scratch, 'stub.c'), pathlib.Path(scratch, 'stub.map')
        for library, names in sorted(wanted.by_library().items()):
            versions = sorted(wanted.versions.get(library, ()))
            source.write_text('\n'.join(map(body, names)) + '\n')
            script.write_text('\n'.join(version + ' { global: *; };' for version in versions))
            versioned = [f'-Wl,--version-script={script}'] if versions else []
            subprocess.run(['cc', '-w', '-fno-builtin', '-shared', '-fPIC', f'-Wl,-soname,{library}',
                            *versioned, '-o', folders[-1] / library, source], check=True)
            print(f'stub: {library}, {len(names)} symbols')


if __name__ == '__main__':
    main(sys.argv[1])
