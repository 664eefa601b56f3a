"""The bundled table is the well-known one, without the columns that reveal the target."""

import numpy as np
import pytest

from glasswood.data import load_titanic


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_every_kind_of_frame_is_available(kind) -> None:
    frame = load_titanic(kind)
    assert type(frame).__module__.startswith(kind)
    assert frame.shape == (1309, 12)


def test_missing_values_are_missing_and_the_target_is_not_revealed() -> None:
    frame = load_titanic("pandas")
    assert frame["age"].isna().sum() == 263
    assert frame["cabin"].isna().sum() == 1014
    assert np.isclose(frame["survived"].mean(), 500 / 1309)
    assert not {"boat", "body"} & set(frame.columns)
