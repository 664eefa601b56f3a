"""Every error is a GlasswoodError and the built-in a user would catch."""

import subprocess
import sys

import pytest

from glasswood import errors


@pytest.mark.parametrize(
    ("error", "built_in"),
    [
        (errors.TableError, ValueError),
        (errors.KeyNotFoundError, KeyError),
        (errors.InvalidEnsembleError, ValueError),
        (errors.UnsupportedModelError, TypeError),
        (errors.ParityError, AssertionError),
        (errors.ModelFileError, ValueError),
        (errors.MissingDependencyError, ImportError),
    ],
)
def test_errors_have_two_parents(error: type[Exception], built_in: type[Exception]) -> None:
    assert issubclass(error, errors.GlasswoodError)
    assert issubclass(error, built_in)


def test_warnings_can_be_filtered() -> None:
    assert issubclass(errors.ParityWarning, errors.GlasswoodWarning)
    assert issubclass(errors.GlasswoodWarning, UserWarning)


def test_an_estimator_without_scikit_learn_says_what_to_install() -> None:
    code = "import sys; sys.modules['sklearn'] = None; import glasswood as gw; gw.BoostingRegressor"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert "gw.BoostingRegressor needs scikit-learn: pip install 'glasswood[sklearn]'" in done.stderr
