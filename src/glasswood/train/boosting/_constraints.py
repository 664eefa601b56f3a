"""Constraints: monotonic and interaction constraints, in the form the grower needs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._checks import feature_position
from glasswood.ensemble import FeatureSchema
from glasswood.errors import OptionError


@dataclass(frozen=True, slots=True, eq=False)
class Constraints:
    """Constraints that every tree of an ensemble satisfies."""

    features: FeatureSchema
    monotone: NDArray[np.int32]  # +1, −1 or 0 per feature
    groups: list[list[int]]  # for each feature the groups it belongs to; empty without constraints

    def check_kept_by(self, before: "Constraints") -> None:
        """Raise `OptionError` if trees grown with other constraints may violate these."""
        broken = np.flatnonzero((self.monotone != 0) & (self.monotone != before.monotone))
        if len(broken):
            name = self.features.names[broken[0]]
            raise OptionError(f"warm_start cannot continue: earlier trees had no such monotonic_cst of {name!r}")
        if self.groups and self.groups != before.groups:
            raise OptionError("warm_start cannot continue: earlier trees had no such interaction_cst")


def make_constraints(monotonic_cst: Any, interaction_cst: Any, features: FeatureSchema) -> Constraints:
    """Read both kinds of constraints."""
    return Constraints(features, monotone_signs(monotonic_cst, features), interaction_groups(interaction_cst, features))


def monotone_signs(given: Any, features: FeatureSchema) -> NDArray[np.int32]:
    """+1, −1 or 0 per feature, from a list or a mapping of names."""
    signs = np.zeros(len(features), dtype=np.int32)
    if given is None:
        return signs
    if isinstance(given, Mapping):
        for name, sign in given.items():
            signs[feature_position(name, features.names, "monotonic_cst", of="the table")] = _sign(sign)
    else:
        if not _is_list(given):
            raise OptionError(f"monotonic_cst must be a list or a mapping of names; got {given!r}")
        if len(given) != len(features):
            raise OptionError(f"monotonic_cst has {len(given)} entries for {len(features)} features")
        signs[:] = [_sign(sign) for sign in given]
    wrong = np.flatnonzero((signs != 0) & features.is_category)
    if len(wrong):
        raise OptionError(f"monotonic_cst: feature {features.names[wrong[0]]!r} is a category and has no order")
    return signs


def interaction_groups(given: Sequence[Sequence[int | str]] | None, features: FeatureSchema) -> list[list[int]]:
    """The groups each feature belongs to; empty without constraints. Features in no group form one more group."""
    if given is None:
        return []
    if not _is_list(given) or not all(_is_list(group) or isinstance(group, set | frozenset) for group in given):
        raise OptionError(f"interaction_cst must be a list of lists of features; got {given!r}")
    groups = [
        {feature_position(f, features.names, "interaction_cst", of="the table") for f in group} for group in given
    ]
    rest = set(range(len(features))).difference(*groups)
    if rest:
        groups.append(rest)
    return [[g for g, group in enumerate(groups) if f in group] for f in range(len(features))]


def _is_list(given: Any) -> bool:
    return isinstance(given, Sequence | np.ndarray) and not isinstance(given, str | bytes)


def _sign(sign: Any) -> int:
    for known in (-1, 0, 1):
        if np.ndim(sign) == 0 and sign == known:
            return known
    raise OptionError(f"monotonic_cst must be −1, 0 or 1; got {sign!r}")
