"""python -m opconform_worker ADAPTER MODE: serves workers on file descriptor 3."""
import sys

from . import server

sys.exit(server.main(sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else ''))
