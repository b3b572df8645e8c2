"""record.py ADAPTER MODE: a program that shows what is wrong, from a description on the standard input."""
import sys

from opconform_worker.brief import main

sys.exit(main(*sys.argv[1:]))
