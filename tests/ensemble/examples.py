"""Small ensembles whose every number can be checked by hand."""

import numpy as np

from glasswood.ensemble import Ensemble, FeatureSchema, Provenance, build_ensemble

SOURCE = Provenance(library="hand", version="1", model="example", objective="none", weight_kind="rows")
NAN = np.nan


def stump() -> Ensemble:
    """x0 <= 1.5 → 10 (30 rows), else 20 (10 rows); baseline 100."""
    return build_ensemble(
        tree_start=[0, 3],
        feature=[0, -1, -1],
        threshold=[1.5, NAN, NAN],
        left=[1, -1, -1],
        right=[2, -1, -1],
        missing_left=[True, False, False],
        value=[0.0, 10.0, 20.0],
        weight=[40.0, 30.0, 10.0],
        baseline=[100.0],
        features=FeatureSchema.numeric(["a"]),
        source=SOURCE,
    )


def two_trees() -> Ensemble:
    """The published worked example of interval effects: mean prediction 1.794."""
    return build_ensemble(
        tree_start=[0, 5, 10],
        feature=[1, -1, 0, -1, -1, 1, 0, -1, -1, -1],
        threshold=[1.5, NAN, 2.5, NAN, NAN, 3.0, 1.0, NAN, NAN, NAN],
        left=[1, -1, 3, -1, -1, 6, 7, -1, -1, -1],
        right=[2, -1, 4, -1, -1, 9, 8, -1, -1, -1],
        value=[0, 1.25, 0, 1.57, 2.10, 0, 0, 0.12, 0.30, 0.50],
        weight=[100, 50, 50, 30, 20, 100, 75, 40, 35, 25],
        baseline=[0.0],
        features=FeatureSchema.numeric(["f1", "f2"]),
        source=SOURCE,
    )


def category_tree() -> Ensemble:
    """colour in {blue, red} → (colour in {red} → 1, else 2), else 3; missing goes left then right, unseen right."""
    return build_ensemble(
        tree_start=[0, 5],
        feature=[0, 0, -1, -1, -1],
        threshold=[NAN] * 5,
        left=[1, 2, -1, -1, -1],
        right=[4, 3, -1, -1, -1],
        missing_left=[True, False, False, False, False],
        category_set=[0, 1, -1, -1, -1],
        value=[0, 0, 1.0, 2.0, 3.0],
        weight=[10, 6, 3, 3, 4],
        set_start=[0, 1, 2],
        set_bits=[0b101, 0b100],
        baseline=[0.0],
        features=FeatureSchema(
            names=("colour",),
            named=True,
            categories=(("blue", "green", "red"),),
            coded=np.array([False]),
            missing_routed=np.array([True]),
            zero_is_missing=np.array([False]),
        ),
        source=SOURCE,
    )
