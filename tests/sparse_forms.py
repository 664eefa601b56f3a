"""One table in every sparse form, beside its dense form."""

import numpy as np
import pandas as pd
import scipy.sparse as sp

FORMS = {
    "csr_matrix": sp.csr_matrix,
    "csc_matrix": sp.csc_matrix,
    "coo_matrix": sp.coo_matrix,
    "csr_array": sp.csr_array,
    "csc_array": sp.csc_array,
    "coo_array": sp.coo_array,
    "lil_matrix": sp.lil_matrix,
    "dok_array": sp.dok_array,
    "bsr_array": sp.bsr_array,
    "pandas": lambda X: pd.DataFrame.sparse.from_spmatrix(sp.csr_matrix(X)),
}
FEW = {name: FORMS[name] for name in ("csr_matrix", "csc_array", "coo_array", "pandas")}


def dense_table(n_rows=200, n_columns=12, *, filled=0.15, missing=True, seed=0, dtype=np.float64):
    """Small whole numbers, most of them 0, some missing."""
    random = np.random.default_rng(seed)
    X = random.integers(-2, 6, (n_rows, n_columns)).astype(dtype)
    X[random.random(X.shape) >= filled] = 0.0
    if missing:
        X[random.random(X.shape) < 0.01] = np.nan
    return X


def target_of(X, seed=0):
    """Numbers that depend on the first columns."""
    random = np.random.default_rng(seed)
    return np.nan_to_num(X[:, 0]) + 2.0 * (np.nan_to_num(X[:, 1]) > 0) + random.normal(size=len(X))


def same_bits(found, wanted):
    """Whether two arrays have the same bits, NaN included."""
    found, wanted = np.asarray(found), np.asarray(wanted)
    return found.dtype == wanted.dtype and found.shape == wanted.shape and found.tobytes() == wanted.tobytes()
