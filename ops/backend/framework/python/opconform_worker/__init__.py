"""Libraries of Python behind the protocol of ops/backend/process/process.h.  In the sources an adapter may also stand in the
folder of its library, ops/backend/NAME/adapter_NAME.py."""
import glob
import os

_BACKENDS = os.path.join(os.path.dirname(os.path.abspath(__file__)), '..', '..', '..')
__path__ += sorted({os.path.dirname(file) for file in glob.glob(os.path.join(_BACKENDS, '*', 'adapter_*.py'))})
