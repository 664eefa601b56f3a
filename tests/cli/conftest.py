"""Files the tests of commands share."""

from pathlib import Path

import pandas as pd
import pytest

import glasswood as gw
from tests.cli.example import FEATURES, titanic_files


@pytest.fixture(scope="session")
def lightgbm_titanic(tmp_path_factory: pytest.TempPathFactory) -> tuple[str, str]:
    """Paths of a file of LightGBM and of its table; every command that reads both starts a process with LightGBM."""
    return titanic_files(tmp_path_factory.mktemp("titanic"))


@pytest.fixture(scope="session")
def titanic(lightgbm_titanic: tuple[str, str]) -> tuple[str, str]:
    """Paths of the same model, checked and saved by glasswood, and of the table."""
    model, rows = lightgbm_titanic
    saved = Path(model).with_suffix(".gw")
    gw.read(model, pd.read_csv(rows)[FEATURES]).save(saved)
    return str(saved), rows
