"""Protocols of conditions and rules: what an object must offer to be exported."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label


class AnyCondition(Protocol):
    """Condition on one feature; see `glasswood.results.Condition`."""

    @property
    def feature(self) -> str: ...
    @property
    def lower(self) -> float: ...
    @property
    def upper(self) -> float: ...
    @property
    def levels(self) -> tuple[Label, ...] | None: ...
    @property
    def missing(self) -> bool: ...
    @property
    def present(self) -> bool: ...
    @property
    def zero_is_missing(self) -> bool: ...


class AnyRule(Protocol):
    """Conditions, and the values added inside and outside; see `glasswood.results.Rule`."""

    @property
    def conditions(self) -> Sequence[AnyCondition]: ...
    @property
    def coefficient(self) -> float: ...
    @property
    def inside(self) -> NDArray[np.float64]: ...
    @property
    def outside(self) -> NDArray[np.float64]: ...


class RuleList(Protocol):
    """Rules whose values add up to a prediction; see `glasswood.explain.rules.RuleSet`."""

    @property
    def rules(self) -> Sequence[AnyRule]: ...
    @property
    def intercept(self) -> NDArray[np.float64]: ...
