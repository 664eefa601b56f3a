"""Errors and warnings: one root class, each also the built-in a user would catch."""


class GlasswoodError(Exception):
    """Root of every error glasswood raises on purpose."""


class TableError(GlasswoodError, ValueError):
    """The given table does not fit: wrong shape, names, dtypes or values."""


class OptionError(GlasswoodError, ValueError):
    """A parameter has a value it cannot take; the message names it and says which it can."""


class KeyNotFoundError(GlasswoodError, KeyError):
    """A result was asked for a feature, output or table it does not have; the message says what it has."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""  # KeyError would show the message in quotes


class InvalidEnsembleError(GlasswoodError, ValueError):
    """The arrays of an ensemble break an invariant; the message names the first one."""


class UnsupportedModelError(GlasswoodError, TypeError):
    """The model cannot be read, or not be used like this, exactly; the message says why and what to do."""


class ParityError(GlasswoodError, AssertionError):
    """What was read does not predict what the library predicts; the message names the worst row."""


class AdditivityError(GlasswoodError, ArithmeticError):
    """Attributions do not add up to raw; the message names the worst row."""


class ModelFileError(GlasswoodError, ValueError):
    """A model file is truncated, garbled or of a newer format."""


class MissingDependencyError(GlasswoodError, ImportError):
    """An optional library is needed for this call; the message names the extra that installs it."""


class GlasswoodWarning(UserWarning):
    """Root of every warning glasswood gives."""


class ParityWarning(GlasswoodWarning):
    """A model could not be checked against its library."""


class PrecisionWarning(GlasswoodWarning):
    """Numbers of very different size were given together: the smallest are lost beside the largest."""


class DivergenceWarning(GlasswoodWarning):
    """Boosting stopped because its training loss rose without end, or a row's prediction would be infinite."""


class NoNeighbourWarning(GlasswoodWarning):
    """A query shares no leaf with any training row, so there is nothing to show for it."""
