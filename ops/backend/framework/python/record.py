"""record.py ADAPTER MODE: a script that shows what is wrong, from a description on the standard input."""
import sys

from opconform_worker.script import main

sys.exit(main(*sys.argv[1:]))
