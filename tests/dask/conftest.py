"""Every test of a fit on a cluster has a deadline: a wait that never ends is what these tests are about."""

from collections.abc import Iterator

import pytest

from tests.deadlines import deadline


@pytest.fixture(autouse=True)
def ends() -> Iterator[None]:
    with deadline():
        yield
