"""not_fitted: the error about a model that was not fitted, the same for every library."""

from typing import Any

from glasswood.errors import UnsupportedModelError


def not_fitted(model: Any) -> UnsupportedModelError:
    """The error to raise."""
    return UnsupportedModelError(f"this {type(model).__name__} is not fitted; call fit first")
