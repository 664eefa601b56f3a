"""Files the tests of commands share."""

import pytest

from tests.cli.example import titanic_files


@pytest.fixture(scope="session")
def titanic(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Paths of a model and of its table."""
    return titanic_files(tmp_path_factory.mktemp("titanic"))
