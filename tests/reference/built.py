"""Random ensembles as `Ensemble` objects, with rows that probe them."""

from typing import Any

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, FeatureSchema, Provenance, build_ensemble
from tests.reference.ensembles import Arrays, ensembles_with_columns

SOURCE = Provenance(library="random", version="0", model="random", objective="none", weight_kind="weights")


def built(arrays: Arrays) -> Ensemble:
    """The arrays of a random ensemble as an Ensemble; categories are labelled by their code."""
    n_levels = arrays["n_levels"]
    schema = FeatureSchema(
        names=FeatureSchema.positions(len(n_levels)),
        named=False,
        categories=tuple(tuple(range(n)) if n else None for n in n_levels.tolist()),
        coded=np.zeros(len(n_levels), dtype=bool),
        missing_routed=np.ones(len(n_levels), dtype=bool),
        zero_is_missing=arrays["zero_is_missing"],
    )
    parts = {name: array for name, array in arrays.items() if name not in ("n_levels", "zero_is_missing")}
    return build_ensemble(**parts, features=schema, source=SOURCE)


@st.composite
def built_with_columns(draw: st.DrawFn, n_rows: int = 40, **fixed: Any) -> tuple[Ensemble, list[NDArray[Any]]]:
    """A random Ensemble and rows that probe it, as columns its kernels take; keyword arguments fix the recipe."""
    arrays, columns = draw(ensembles_with_columns(n_rows=n_rows, **fixed))
    return built(arrays), columns
