"""What a worker and the process that asks it send each other."""
import pickle
import struct


def read(stream):
    head = stream.read(4)
    if len(head) < 4:
        return None
    return pickle.loads(stream.read(struct.unpack('<I', head)[0]))


def write(stream, value):
    data = pickle.dumps(value, protocol=4)
    stream.write(struct.pack('<I', len(data)) + data)
    stream.flush()


def plain(array):
    """Bytes, which every version of NumPy reads."""
    return str(array.dtype), array.shape, array.tobytes()
