"""start.py ADAPTER MODE once|each LAYOUT: the server of one library, over the socket that it inherits."""
import sys

from opconform_worker.server import main

sys.exit(main(*sys.argv[1:]))
