"""Errors and warnings: one root class, each also the built-in a user would catch."""

import sys
import warnings


class GlasswoodError(Exception):
    """Root of every error glasswood raises on purpose."""


class TableError(GlasswoodError, ValueError):
    """The given table does not fit the model or the call: wrong shape, names, dtypes or values."""


class OptionError(GlasswoodError, ValueError):
    """A parameter has a value that is not allowed; the message names the parameter and what is allowed."""


class KeyNotFoundError(GlasswoodError, KeyError):
    """A result was asked for a feature, output or table it does not have; the message says what it has."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # KeyError would show the message in quotes


class InvalidEnsembleError(GlasswoodError, ValueError):
    """The arrays of an ensemble break an invariant; the message names the first one."""


class UnsupportedModelError(GlasswoodError, TypeError):
    """The model cannot be read exactly, or cannot be used in this way; the message says why and what to do."""


class ParityError(GlasswoodError, AssertionError):
    """The ensemble that was read predicts something else than the library; the message names the worst row."""


class AdditivityError(GlasswoodError, ArithmeticError):
    """Attributions do not add up to raw; the message names the worst row."""


class ModelFileError(GlasswoodError, ValueError):
    """A model file is truncated, garbled or of a newer format."""


class MissingDependencyError(GlasswoodError, ImportError):
    """An optional library is needed for this call; the message names the extra that installs it."""


class TeamLostError(GlasswoodError, ConnectionError):
    """A member of a team left, or cannot be reached; the message names it."""

    def __init__(self, message: str, *, rank: int | None = None) -> None:
        super().__init__(message)
        self.rank = rank  # of the member that was lost, if it is known


class DeviceError(GlasswoodError, RuntimeError):
    """A GPU is not there, is too old or has too little memory; the message says what was needed."""


class GlasswoodWarning(UserWarning):
    """Root of every warning glasswood gives."""


class ParityWarning(GlasswoodWarning):
    """A model could not be checked against its library."""


class PrecisionWarning(GlasswoodWarning):
    """The given numbers differ so much in size that the smallest are lost in sums with the largest."""


class DivergenceWarning(GlasswoodWarning):
    """Boosting stopped because its training loss rose without end, or a row's prediction would be infinite."""


class NoNeighbourWarning(GlasswoodWarning):
    """A query shares no leaf with any training row, so there is nothing to show for it."""


def warn(message: str, category: type[GlasswoodWarning] = GlasswoodWarning) -> None:
    """Warn at the line that called glasswood, however deep inside the package the reason was found."""
    frame = sys._getframe(1)
    while frame.f_back is not None and _is_inside(frame.f_globals.get("__name__", "")):
        frame = frame.f_back
    where = frame.f_globals
    warnings.warn_explicit(
        message,
        category,
        filename=frame.f_code.co_filename,
        lineno=frame.f_lineno,
        module=where.get("__name__", "<unknown>"),
        registry=where.setdefault("__warningregistry__", {}),
    )


def _is_inside(module: str) -> bool:
    """Whether a module belongs to this package; console scripts and the caller's own files do not."""
    return module == "glasswood" or module.startswith("glasswood.")
