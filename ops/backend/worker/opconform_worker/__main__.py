"""python -m opconform_worker ADAPTER MODE LAYOUT: serves workers on file descriptor 3."""
import sys

from . import server

sys.exit(server.main(*sys.argv[1:]))
