"""reference.py ADAPTER MODE '' '': the references of a user's file, over the socket that it inherits."""
import sys

from opconform_worker.references import main

sys.exit(main())
