"""Rule: conditions on features, with one output inside and one outside, as text and in SQL."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Label, rough_number, shown_number
from glasswood.writers import condition_sql, rule_sql


@dataclass(frozen=True, slots=True, kw_only=True)
class Condition:
    """Condition on one feature: a number in (lower, upper], one of some levels, or missing.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(100.0)[:, None]
    >>> rule = gw.SirusClassifier(100, max_rules=1, random_state=0).fit(X, X[:, 0] > 39).rules_[0]
    >>> one = rule.conditions[0]
    >>> one.feature, one.lower, one.upper
    ('x0', -inf, 39.0)
    """

    feature: str
    lower: float = -math.inf  # exclusive
    upper: float = math.inf  # inclusive
    levels: tuple[Label, ...] | None = None  # of a category; a level that is not listed is outside
    missing: bool = False  # a missing value is inside
    present: bool = True  # a value that is not missing can be inside; False: the condition is "is missing"
    zero_is_missing: bool = False  # the model treats 0 as missing (LightGBM's zero_as_missing)

    @property
    def n_conditions(self) -> int:
        """Number of comparisons: two for an interval with both ends."""
        return 2 if self.levels is None and self.lower > -math.inf and self.upper < math.inf else 1

    def to_text(self, *, exact: bool = False) -> str:
        """The condition as text: numbers with six digits or, if `exact`, with all digits that the comparison uses."""
        low, high = (
            shown_number(end) if exact else rough_number(end, self.upper - self.lower)
            for end in (self.lower, self.upper)
        )
        return self.worded(low, high)

    def worded(self, low: str, high: str) -> str:
        """The condition as text, with its ends in words of the caller."""
        if not self.present:
            return f"{self.feature} is missing" + (" or 0" if self.zero_is_missing else "")
        suffix = " or missing" if self.missing else ""
        if self.zero_is_missing:
            suffix = " or missing or 0" if self.missing else " but not 0"
        if self.levels is not None:
            return f"{self.feature} in {{{', '.join(map(str, self.levels))}}}" + suffix
        if self.lower == -math.inf and self.upper == math.inf:
            return f"{self.feature} is not missing" + (" and not 0" if self.zero_is_missing else "")
        if self.lower == -math.inf:
            return f"{self.feature} <= {high}" + suffix
        return (f"{self.feature} > {low}" if self.upper == math.inf else f"{low} < {self.feature} <= {high}") + suffix

    def to_sql(self) -> str:
        """The condition in SQL; NULL is a missing value."""
        return condition_sql(self)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; an open end is None."""
        return {
            "feature": self.feature,
            "lower": None if self.lower == -math.inf else self.lower,
            "upper": None if self.upper == math.inf else self.upper,
            "levels": None if self.levels is None else list(self.levels),
            "missing": self.missing,
            "present": self.present,
            "zero_is_missing": self.zero_is_missing,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Condition":
        """Inverse of `to_dict`."""
        return cls(
            feature=data["feature"],
            lower=-math.inf if data["lower"] is None else float(data["lower"]),
            upper=math.inf if data["upper"] is None else float(data["upper"]),
            levels=None if data["levels"] is None else tuple(data["levels"]),
            missing=bool(data["missing"]),
            present=bool(data["present"]),
            zero_is_missing=bool(data["zero_is_missing"]),
        )


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Rule:
    """If all conditions hold, the output is `inside`, otherwise `outside`.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(100.0)[:, None]
    >>> rule = gw.SirusClassifier(100, max_rules=1, random_state=0).fit(X, X[:, 0] > 39).rules_[0]
    >>> rule.to_text(), rule.inside, rule.outside, rule.support
    ('x0 <= 39', array([0.]), array([1.]), 40.0)
    """

    conditions: tuple[Condition, ...]
    support: float  # weight of the training rows inside
    inside: NDArray[np.float64]  # (n_outputs,) weighted mean of the target, or class shares, of the rows inside
    outside: NDArray[np.float64]  # (n_outputs,) of the rows outside
    frequency: float  # share of the trees that have the path
    frequency_se: float  # its standard error
    coefficient: float  # factor of the output in the prediction

    @property
    def n_conditions(self) -> int:
        """Number of comparisons."""
        return sum(condition.n_conditions for condition in self.conditions)

    def to_text(self, *, exact: bool = False) -> str:
        """The conditions, joined by `and`: numbers with six digits or, if `exact`, with all digits.

        Examples
        --------
        >>> import numpy as np
        >>> from glasswood.results import Condition, Rule
        >>> rule = Rule(
        ...     conditions=(Condition(feature="age", upper=0.1 + 0.2),),
        ...     support=3.0, inside=np.ones(1), outside=np.zeros(1), frequency=0.5, frequency_se=0.1, coefficient=1.0,
        ... )
        >>> rule.to_text(), rule.to_text(exact=True)
        ('age <= 0.3', 'age <= 0.30000000000000004')
        """
        return self.joined([condition.to_text(exact=exact) for condition in self.conditions])

    def joined(self, texts: Sequence[str]) -> str:
        """Texts of the conditions, joined by `and`; one that contains `or` is put in brackets."""
        if len(texts) == 1:
            return texts[0]
        loose = [(c.missing and c.present) or c.zero_is_missing for c in self.conditions]
        return " and ".join(f"({text})" if bracket else text for text, bracket in zip(texts, loose, strict=True))

    def to_sql(self) -> str:
        """The conditions in SQL."""
        return rule_sql(self)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready."""
        return {
            "rule": self.to_text(exact=True),
            "conditions": [condition.to_dict() for condition in self.conditions],
            "support": self.support,
            "inside": self.inside.tolist(),
            "outside": self.outside.tolist(),
            "frequency": self.frequency,
            "frequency_se": self.frequency_se,
            "coefficient": self.coefficient,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "Rule":
        """Inverse of `to_dict`."""
        return cls(
            conditions=tuple(map(Condition.from_dict, data["conditions"])),
            inside=np.array(data["inside"], dtype=np.float64),
            outside=np.array(data["outside"], dtype=np.float64),
            **{name: float(data[name]) for name in ("support", "frequency", "frequency_se", "coefficient")},
        )
