"""python -m opconform FILE.py [OPTIONS OF opconform fuzz], or any other command of opconform."""
import os
import sys

from . import tool


def main():
    arguments = sys.argv[1:]
    if arguments and arguments[0].endswith('.py'):
        arguments = tool.command(arguments[0], arguments[1:])
    try:
        path = tool.program()
    except tool.Missing as why:
        print(f'opconform: {why}', file=sys.stderr)
        return 3
    os.execve(path, [path, *arguments], tool.environment())


if __name__ == '__main__':
    sys.exit(main())
