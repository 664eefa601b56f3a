"""FeatureSchema: what the model expects of each input column."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._derivation import Derivation
from glasswood.errors import InvalidEnsembleError, TableError
from glasswood.tables import Label

ZERO = float(np.float32(1e-35))  # LightGBM treats numbers up to this size as 0
_FLAGS = ("coded", "missing_routed", "zero_is_missing")


@dataclass(frozen=True, slots=True, eq=False)
class FeatureSchema:
    """Names, kinds and category labels of the features, in the model's order.

    The code of a category is the position of its label in `categories`; −1 is missing; every code at or above the
    number of labels is a category the model has never seen.
    """

    names: tuple[str, ...]
    named: bool  # the names were given by the user; if False, they are positions, and columns are matched by position
    categories: tuple[tuple[Label, ...] | None, ...]  # labels of a category feature, None for a numeric one
    coded: NDArray[
        np.bool_
    ]  # (n_features,) the source kept no labels, so the codes of the caller's category dtype are used
    missing_routed: NDArray[np.bool_]  # (n_features,) the model has learnt where missing values go
    zero_is_missing: NDArray[np.bool_]  # (n_features,) |x| <= float32(1e-35) is missing (LightGBM's zero_as_missing)
    # hashes by which the levels of each feature are matched, in the order of `categories` (CatBoost); empty: no hashes
    hashes: tuple[tuple[int, ...] | None, ...] = ()
    underscored: bool = False  # the source writes spaces in names as underscores (LightGBM)
    # computes features that the caller's table does not have as columns; it is neither compared nor saved
    derivation: Derivation | None = None

    @classmethod
    def numeric(
        cls, names: Sequence[str], *, named: bool = True, missing_routed: bool | NDArray[np.bool_] = True
    ) -> "FeatureSchema":
        """Schema of a model whose features are all numbers."""
        n = len(names)
        return cls(
            names=tuple(names),
            named=named,
            categories=(None,) * n,
            coded=np.zeros(n, dtype=bool),
            missing_routed=np.broadcast_to(np.asarray(missing_routed, dtype=bool), (n,)).copy(),
            zero_is_missing=np.zeros(n, dtype=bool),
        )

    @staticmethod
    def positions(n_features: int) -> tuple[str, ...]:
        """Names for features that have none: x0, x1, …"""
        return tuple(f"x{j}" for j in range(n_features))

    def __post_init__(self) -> None:
        self.freeze()

    def freeze(self) -> None:
        """Make the arrays read-only, because pickle and copy return writable ones."""
        for flag in _FLAGS:
            getattr(self, flag).flags.writeable = False

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, FeatureSchema):
            return NotImplemented
        mine = (self.names, self.named, self.categories, self.hashes, self.underscored)
        theirs = (other.names, other.named, other.categories, other.hashes, other.underscored)
        return mine == theirs and all(np.array_equal(getattr(self, name), getattr(other, name)) for name in _FLAGS)

    __hash__ = None  # type: ignore[assignment]

    def __len__(self) -> int:
        return len(self.names)

    @property
    def n_levels(self) -> NDArray[np.int32]:
        """Number of known categories per feature, 0 for a numeric one."""
        return np.array([0 if labels is None else len(labels) for labels in self.categories], dtype=np.int32)

    @property
    def is_category(self) -> NDArray[np.bool_]:
        """Which features are categories."""
        return np.array([labels is not None for labels in self.categories], dtype=bool)

    def same_to_kernels(self, other: "FeatureSchema") -> bool:
        """Whether the two differ at most in names and labels, which kernels do not use."""
        return (
            len(self) == len(other)
            and self.hashes == other.hashes
            and all(np.array_equal(getattr(self, flag), getattr(other, flag)) for flag in _FLAGS)
            and np.array_equal(self.n_levels, other.n_levels)
            and np.array_equal(self.is_category, other.is_category)
        )

    def find(self, names: Sequence[str]) -> dict[str, int]:
        """Position among `names` of every feature that is found, by its name or as the source writes it."""
        own = {name: j for j, name in enumerate(names)}
        written: dict[str, int] = {}
        for j, name in enumerate(names) if self.underscored else ():
            text = name.replace(" ", "_")
            if text in own or text not in self.names:
                continue
            if text in written:
                raise TableError(f"the columns {names[written[text]]!r} and {name!r} both mean {text!r}; drop one")
            written[text] = j
        found = {**written, **own}
        return {name: found[name] for name in self.names if name in found}

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; `from_dict` reads it back."""
        return {
            "names": list(self.names),
            "named": self.named,
            "categories": [None if labels is None else list(labels) for labels in self.categories],
            "hashes": [None if known is None else list(known) for known in self.hashes],
            "underscored": self.underscored,
            **{flag: getattr(self, flag).tolist() for flag in _FLAGS},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "FeatureSchema":
        """Inverse of `to_dict`; ValueError if a value does not have the type that `to_dict` writes."""
        underscored = data.get("underscored", True)  # files of 0.1 do not say, and both spellings were matched
        for key, flag in (("named", data["named"]), ("underscored", underscored)):
            if type(flag) is not bool:
                raise ValueError(f"features.{key} is {flag!r}")
        return cls(
            names=tuple(_listed(data, "names", str)),
            named=data["named"],
            categories=_tuples(data, "categories", str, int, float, bool),
            hashes=_tuples(data, "hashes", int),
            underscored=underscored,
            coded=_flags(data, "coded"),
            missing_routed=_flags(data, "missing_routed"),
            zero_is_missing=_flags(data, "zero_is_missing"),
        )

    def validate(self) -> None:
        """Raise `InvalidEnsembleError` that names the first thing that does not fit."""
        n = len(self.names)
        for name in ("categories", "coded", "missing_routed", "zero_is_missing"):
            if len(getattr(self, name)) != n:
                raise InvalidEnsembleError(f"features.{name} has {len(getattr(self, name))} entries for {n} features")
        seen: set[str] = set()
        for name in self.names:
            if not isinstance(name, str):
                raise InvalidEnsembleError(f"feature name {name!r} is not text")
            if name in seen:
                raise InvalidEnsembleError(f"feature name {name!r} occurs twice")
            seen.add(name)
        check_texts("feature name", self.names)
        for name, labels in zip(self.names, self.categories, strict=True):
            if labels is not None and len(set(labels)) != len(labels):
                raise InvalidEnsembleError(f"feature {name!r} has a category label twice")
            check_texts(f"a category of feature {name!r}:", labels or ())
        if self.hashes:
            self._validate_hashes()

    def _validate_hashes(self) -> None:
        if len(self.hashes) != len(self.names):
            raise InvalidEnsembleError(f"features.hashes has {len(self.hashes)} entries for {len(self.names)} features")
        for name, labels, hashes in zip(self.names, self.categories, self.hashes, strict=True):
            if hashes is not None and (labels is None or not len(set(hashes)) == len(hashes) == len(labels)):
                raise InvalidEnsembleError(f"feature {name!r} does not have one distinct hash per category label")


def check_texts(what: str, labels: Iterable[Label]) -> None:
    """Refuse texts that cannot be written to a file because they hold a lone surrogate, left by a wrong decoding."""
    for label in labels:
        if isinstance(label, str) and not label.isascii():
            try:
                label.encode()
            except UnicodeEncodeError:
                raise InvalidEnsembleError(
                    f"{what} {label!r} holds half a character, which no file can hold; decode the names of the table "
                    "with their own encoding, or rename them"
                ) from None


def _listed(data: Mapping[str, Any], key: str, *types: type) -> list[Any]:
    found = data[key]
    if not isinstance(found, list) or not all(type(item) in types for item in found):
        raise ValueError(f"features.{key} is not a list of {' or '.join(kind.__name__ for kind in types)}")
    return found


def _flags(data: Mapping[str, Any], key: str) -> NDArray[np.bool_]:
    return np.array(_listed(data, key, bool), dtype=bool)


def _tuples(data: Mapping[str, Any], key: str, *types: type) -> tuple[tuple[Any, ...] | None, ...]:
    lists = _listed(data, key, list, type(None))
    return tuple(None if items is None else tuple(_listed({key: items}, key, *types)) for items in lists)
