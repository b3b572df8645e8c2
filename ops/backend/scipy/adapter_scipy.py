"""SciPy: what scipy.bindings asks for, in one thread."""
import numpy as np
import scipy
from scipy import sparse
from scipy.sparse.linalg import spsolve_triangular

from .adapter import Library, settings_of


def places(mask, width):
    return tuple(each.astype(width) for each in np.nonzero(mask))


def stored(values, mask, layout, width=np.int32):
    """The elements of a matrix at which a mask is set, whose places are numbers of a width."""
    matrix = sparse.coo_array((values[mask], places(mask, width)), shape=mask.shape)
    return matrix if layout == 'coo' else matrix.asformat(layout)


def by_rows(values, mask, width=np.int32, backwards=False):
    """The same by rows as three arrays, the elements of each row from the first to the last or the other way round."""
    if backwards:
        values, mask = values[:, ::-1], mask[:, ::-1]
    rows, columns = places(mask, width)
    begins = np.searchsorted(rows, np.arange(mask.shape[0] + 1)).astype(width)
    if backwards:
        columns = mask.shape[1] - 1 - columns
    return sparse.csr_array((values[mask], columns, begins), shape=mask.shape)


def by_rows_before(values, mask):
    """As the class before arrays, of which a product of matrices is written *."""
    return sparse.csr_matrix(by_rows(values, mask))


def blocks(values, mask, rows, columns):
    """Blocks of rows and columns, in which what is not stored is 0."""
    return stored(values, mask, 'csr').tobsr((rows, columns))


def listed(rows, columns, values, shape, layout, width=np.int32):
    """A list of entries; by rows or by columns they stay as they are, in their order."""
    rows, columns = rows.astype(width), columns.astype(width)
    if layout == 'coo':
        return sparse.coo_array((values, (rows, columns)), shape=shape)
    lines, others = (rows, columns) if layout == 'csr' else (columns, rows)
    order = np.argsort(lines, kind='stable')
    count = shape[0] if layout == 'csr' else shape[1]
    begins = np.searchsorted(lines[order], np.arange(count + 1)).astype(width)
    kind = sparse.csr_array if layout == 'csr' else sparse.csc_array
    return kind((values[order], others[order], begins), shape=shape)


def operated(matrix, operation):
    return matrix if operation == 'n' else matrix.T if operation == 't' else matrix.conj().T


def without_duplicates(matrix):
    matrix.sum_duplicates()
    return matrix


def in_order(matrix):
    matrix.sort_indices()
    return matrix


def triangle(values, mask, uplo, diag, layout):
    """The triangle that is read, with its diagonal or without."""
    kept = np.tril(mask, -1) if uplo == 'lower' else np.triu(mask, 1)
    return stored(values, kept | np.eye(len(mask), dtype=bool) if diag == 'stored' else kept, layout)


def solved(matrix, b, uplo, operation, diag):
    """A diagonal that is not stored has to be there all the same, whatever it is."""
    if diag == 'unit':
        matrix = (matrix + sparse.eye_array(*matrix.shape, dtype=matrix.dtype)).asformat(matrix.format)
    return spsolve_triangular(operated(matrix, operation), b, lower=(uplo == 'lower') == (operation == 'n'),
                              unit_diagonal=diag == 'unit')


class Adapter(Library):
    rows = 'scipy'

    def __init__(self, mode):
        settings_of(mode, ())
        np.seterr(all='ignore')

    @staticmethod
    def facts():
        return {'version': scipy.__version__, 'build': f'SciPy, NumPy {np.__version__}', 'core': 'x86-64',
                'path': scipy.__file__}
