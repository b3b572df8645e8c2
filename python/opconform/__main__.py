"""python -m opconform FILE.py [OPTIONS], or any other command of opconform."""
import os
import sys

from . import tool


def bodies_of(path):
    """The bodies that the file decorates with autotest, by their names."""
    with open(path, encoding='utf-8') as file:
        if 'autotest' not in file.read():
            return {}
    from .autotest import loading
    return loading.load(path)


def main():
    arguments = sys.argv[1:]
    if arguments and arguments[0].endswith('.py'):
        path, options = arguments[0], arguments[1:]
        if not os.path.exists(path):
            print(f'opconform: {path}: No such file', file=sys.stderr)
            return 3
        try:
            tests = bodies_of(path)
        except ModuleNotFoundError as why:
            print(f'opconform: {path}: {why}: python3 -m pip install {why.name}', file=sys.stderr)
            return 3
        if tests:
            from .autotest import command
            return command.main(path, tests, options)
        arguments = tool.command(path, options)
    try:
        program = tool.program()
    except tool.Missing as why:
        print(f'opconform: {why}', file=sys.stderr)
        return 3
    os.execve(program, [program, *arguments], tool.environment())


if __name__ == '__main__':
    sys.exit(main())
