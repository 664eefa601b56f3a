"""Every error is a GlasswoodError and the built-in a user would catch."""

import pytest

from glasswood import errors


@pytest.mark.parametrize(
    ("error", "built_in"),
    [
        (errors.TableError, ValueError),
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
