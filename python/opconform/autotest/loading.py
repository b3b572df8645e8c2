"""The bodies of a file."""
import importlib.util
import os
import sys

registered = []


def load(path):
    """Runs the file; its bodies by their names."""
    registered.clear()
    full = os.path.abspath(path)
    folder, name = os.path.dirname(full), os.path.splitext(os.path.basename(full))[0]
    if folder not in sys.path:
        sys.path.insert(0, folder)
    spec = importlib.util.spec_from_file_location(name, full)
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return {test.name: test for test in registered}
