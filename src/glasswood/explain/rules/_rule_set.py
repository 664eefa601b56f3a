"""RuleSet: a short list of rules that predicts, and explains what each rule adds."""

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from glasswood._derived import derived
from glasswood._jobs import resolve_n_jobs
from glasswood._version import __version__
from glasswood.ensemble import Ensemble, FeatureSchema, Provenance, align
from glasswood.errors import InvalidEnsembleError, OptionError
from glasswood.explain.rules._as_trees import rule_trees
from glasswood.plots import draw_rules
from glasswood.results import Rule, RuleExplanation, html_table, output_index, with_output
from glasswood.tables import FrameKind, Table, make_frame
from glasswood.writers import quoted, rules_python, rules_sql

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_FORMAT = 2  # of to_dict
_SIDES = ("inside", "outside")
_OPTIONAL = ("stability", "score", "l2", "fidelity", "snapped_share")  # None or NaN if unknown


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class RuleSet:
    """Rules, most frequent first. The prediction is the intercept plus Σ coefficient · (inside or outside).

    For classes, the prediction is the mean of the rules: every coefficient is 1 / n and the intercept 0. Two classes
    have one output, the share of the second.

    Examples
    --------
    >>> import numpy as np
    >>> import glasswood as gw
    >>> X = np.arange(100.0)[:, None]
    >>> sirus = gw.SirusClassifier(100, max_rules=2, random_state=0).fit(X, X[:, 0] > 39)
    >>> found = sirus.rules_
    >>> len(found), found.predict([[10.0], [90.0]])
    (1, array([0., 1.]))
    """

    rules: tuple[Rule, ...]
    intercept: NDArray[np.float64]  # (n_outputs,)
    mean: NDArray[np.float64]  # (n_outputs,) weighted mean of the target over the training rows
    features: FeatureSchema
    outputs: tuple[str, ...]
    task: Literal["classification", "regression"]
    n_trees: int
    weight: float  # of all training rows
    stability: float  # expected share of paths that two forests with this number of trees have in common
    score: float  # on the training rows: R², or AUC (for several classes, the mean of one against the rest)
    l2: float | None = None  # penalty of the regression weights
    fidelity: float | None = None  # `score` against the prediction of the model instead of y; None without a model
    snapped_share: float | None = None  # mean share of the rows that change side when thresholds move to quantiles
    kind: FrameKind | None = None
    _derived: dict[str, Any] = field(default_factory=dict, init=False, repr=False)  # the rules as trees, computed once

    def __post_init__(self) -> None:
        # arrays are read-only, because the trees are made from them only once
        for array in (self.intercept, *(side for rule in self.rules for side in (rule.inside, rule.outside))):
            array.flags.writeable = False

    def __len__(self) -> int:
        return len(self.rules)

    def __getitem__(self, k: int) -> Rule:
        return self.rules[k]

    def ensemble(self) -> Ensemble:
        """The rules as trees, one tree per rule, for `effects` and all other functions."""
        return self._trees()[0]

    def measured(self, *, fidelity: float, snapped_share: float) -> "RuleSet":
        """The same rules with measured values; trees already made from them are kept."""
        other = replace(self, fidelity=fidelity, snapped_share=snapped_share)
        other._derived.update(self._derived)
        return other

    def _trees(self) -> tuple[Ensemble, NDArray[np.int32]]:
        return derived(self._derived, "trees", self._make_trees)

    def _make_trees(self) -> tuple[Ensemble, NDArray[np.int32]]:
        coefficient, inside, outside = self._arrays()
        source = Provenance(
            library="glasswood",
            version=__version__,
            model="RuleSet",
            objective="gini" if self.task == "classification" else "squared_error",
            weight_kind="weights",
        )
        return rule_trees(
            [rule.conditions for rule in self.rules],
            self.features,
            coefficient[:, None] * inside,
            coefficient[:, None] * outside,
            baseline=self.intercept,
            outputs=self.outputs,
            source=source,
        )

    def _arrays(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        shape = (len(self.rules), len(self.outputs))
        coefficient = np.array([rule.coefficient for rule in self.rules])
        inside = np.array([rule.inside for rule in self.rules]).reshape(shape)
        return coefficient, inside, np.array([rule.outside for rule in self.rules]).reshape(shape)

    def predict(self, X: Table, *, n_jobs: int | None = None) -> NDArray[np.float64]:
        """Prediction of each row, (n_rows,) or (n_rows, n_outputs); for two classes, the share of the second."""
        return self.ensemble().predict(X, n_jobs=n_jobs)

    def combine(self, fired: NDArray[np.bool_]) -> NDArray[np.float64]:
        """Prediction, (n_rows, n_outputs), for rows for which it is known which rules hold."""
        coefficient, inside, outside = self._arrays()
        base = self.intercept + np.sum(coefficient[:, None] * outside, axis=0)
        prediction = np.tile(base, (len(fired), 1))
        for mask, change in zip(fired.T, coefficient[:, None] * (inside - outside), strict=True):
            prediction += mask[:, None] * change
        return prediction

    def explain(self, X: Table, *, n_jobs: int | None = None) -> RuleExplanation:
        """Which rules hold for each row, and what each adds to the mean of the training rows.

        Examples
        --------
        >>> import glasswood as gw
        >>> import numpy as np
        >>> X, y = np.arange(20.0)[:, None], np.arange(20) >= 10
        >>> rules = gw.SirusClassifier(50, random_state=0).fit(X, y).rules_
        >>> bool(np.allclose(rules.explain(X).prediction, rules.predict(X)))
        True
        """
        trees, leaf = self._trees()
        rows = align(X, self.features)
        if len(self.rules):
            fired = np.asarray(trees._plan().apply(rows.data, resolve_n_jobs(n_jobs)) == leaf)
        else:
            fired = np.zeros((rows.n_rows, 0), bool)
        coefficient, inside, outside = self._arrays()
        output = np.where(fired[:, :, None], inside, outside)
        # every rule's output has the mean of the target, so these parts have mean zero and sum to the rest
        return RuleExplanation(
            rules=self.rules,
            fired=fired,
            added=coefficient[:, None] * (output - self.mean),
            baseline=self.intercept + coefficient.sum() * self.mean,
            outputs=self.outputs,
            kind=self.kind,
        )

    def to_frame(self, backend: str | None = None) -> Any:
        """One row per rule and output, output by output; `rule` has exact numbers, while `to_text` rounds them."""
        n = len(self.outputs)
        columns: dict[str, Any] = {
            "rule": [rule.to_text(exact=True) for rule in self.rules] * n,
            "conditions": np.array([rule.n_conditions for rule in self.rules] * n, dtype=np.int64),
            "support": np.array([rule.support for rule in self.rules] * n, dtype=np.float64),
            "inside": np.array([rule.inside[o] for o in range(n) for rule in self.rules], dtype=np.float64),
            "outside": np.array([rule.outside[o] for o in range(n) for rule in self.rules], dtype=np.float64),
            "frequency": np.array([rule.frequency for rule in self.rules] * n, dtype=np.float64),
            "frequency_se": np.array([rule.frequency_se for rule in self.rules] * n, dtype=np.float64),
            "coefficient": np.array([rule.coefficient for rule in self.rules] * n, dtype=np.float64),
        }
        return make_frame(with_output(columns, self.outputs, len(self.rules)), backend or self.kind)

    def to_text(self) -> str:
        """The rules as a table with the formula of the prediction; numbers are rounded, unlike in the frame."""
        lines = [self._header()]
        for rule in self.rules:
            numbers = [*(f"{v:.4g}" for v in (*rule.inside, *rule.outside)), f"{rule.support:g}"]
            numbers += [f"{rule.frequency:.1%}", *([f"{rule.coefficient:.4g}"] if self.task == "regression" else [])]
            lines.append([rule.to_text(), *numbers])
        width = [max(len(line[c]) for line in lines) for c in range(len(lines[0]))]
        table = [
            "  ".join(
                cell.ljust(w) if c == 0 else cell.rjust(w) for c, (cell, w) in enumerate(zip(line, width, strict=True))
            )
            for line in lines
        ]
        return "\n".join([*table, self._footer()])

    def _header(self) -> list[str]:
        sides = [f"{side} {output}" for side in ("then", "else") for output in self.outputs]
        return ["if", *sides, "support", "trees", *(["coefficient"] if self.task == "regression" else [])]

    def _footer(self) -> str:
        name = "AUC" if self.task == "classification" else "R²"
        how = "mean of the rules" if self.task == "classification" else "intercept + Σ coefficient · output"
        if not self.rules:
            how = "the mean of the target; no rule"
        start = f", intercept {self.intercept[0]:.4g}" if self.task == "regression" else ""
        model = "" if self.fidelity is None else f", {name} {self.fidelity:.3f} against the model"
        score = f"{name} {self.score:.3f} on the training rows{model}"
        return f"prediction: {how}{start}; {score}; stability {self.stability:.1%}"

    def to_sql(self, output: str | int | None = None) -> str:
        """SQL expression of the prediction over columns named like the features; NULL counts as missing, NaN does not.

        Several outputs are named expressions separated by commas, unless one output is chosen.
        """
        shown = output_index(output, self.outputs)
        terms = [rules_sql(self, o) for o in shown]
        if len(self.outputs) == 1 or output is not None:
            return terms[0]
        return ",\n".join(f"{term} AS {quoted(self.outputs[o])}" for o, term in zip(shown, terms, strict=True))

    def to_python(self) -> str:
        """Text of a Python function ``predict(row)`` that needs no package; None and NaN count as missing.

        It takes a mapping from feature to value and returns one number per output.
        """
        return rules_python(self)

    def to_dict(self) -> dict[str, Any]:
        """JSON-ready; `RuleSet.from_dict` reads it back."""
        return {
            "format": _FORMAT,
            "task": self.task,
            "rules": [rule.to_dict() for rule in self.rules],
            "intercept": self.intercept.tolist(),
            "mean": self.mean.tolist(),
            "outputs": list(self.outputs),
            "features": self.features.to_dict(),
            "n_trees": self.n_trees,
            "weight": self.weight,
            **{name: _none_if_nan(getattr(self, name)) for name in _OPTIONAL},
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> "RuleSet":
        """Inverse of `to_dict`; OptionError if the document does not describe rules."""
        if not isinstance(data, Mapping):
            raise OptionError(f"a rule set is read from a mapping that to_dict made, got {type(data).__name__}")
        if data.get("format") != _FORMAT:
            raise OptionError(f"cannot read rule set format {data.get('format')!r}; expected format {_FORMAT}")
        try:
            found = cls._from_document(data)
            found._check()
        except KeyError as error:
            raise OptionError(f"the document does not describe rules: it lacks {error}") from error
        except (TypeError, ValueError, AttributeError, ArithmeticError, InvalidEnsembleError) as error:
            raise OptionError(f"the document does not describe rules: {error}") from error
        return found

    @classmethod
    def _from_document(cls, data: Mapping[str, Any]) -> "RuleSet":
        numbers = {name: None if data[name] is None else float(data[name]) for name in _OPTIONAL}
        for name in ("stability", "score"):
            numbers[name] = float("nan") if numbers[name] is None else numbers[name]
        return cls(
            rules=tuple(map(Rule.from_dict, data["rules"])),
            intercept=np.array(data["intercept"], dtype=np.float64),
            mean=np.array(data["mean"], dtype=np.float64),
            features=FeatureSchema.from_dict(data["features"]),
            outputs=tuple(data["outputs"]),
            task=data["task"],
            n_trees=int(data["n_trees"]),
            weight=float(data["weight"]),
            **numbers,  # type: ignore[arg-type]
        )

    def _check(self) -> None:
        """Raise ValueError unless the parts fit together."""
        self.features.validate()
        if self.task not in ("classification", "regression"):
            raise ValueError(f"task is {self.task!r}")
        if not self.outputs or not all(isinstance(output, str) for output in self.outputs):
            raise ValueError(f"outputs are {self.outputs!r}")
        sides = [(f"{side} of rule {k}", getattr(r, side)) for k, r in enumerate(self.rules) for side in _SIDES]
        for name, array in (("intercept", self.intercept), ("mean", self.mean), *sides):
            if array.shape != (len(self.outputs),):
                raise ValueError(f"{name} has the shape {array.shape} for {len(self.outputs)} outputs")
        for condition in (condition for rule in self.rules for condition in rule.conditions):
            if condition.feature not in self.features.names:
                raise ValueError(f"a condition is on {condition.feature!r}, which is no feature")

    def __getstate__(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self) if f.init}

    def __setstate__(self, state: dict[str, Any] | list[Any]) -> None:
        names = [f.name for f in fields(self) if f.init]
        # 0.1 stored only the values, in the order of the fields
        for name, part in (state if isinstance(state, dict) else dict(zip(names, state, strict=True))).items():
            object.__setattr__(self, name, part)
        object.__setattr__(self, "_derived", {})
        self.__post_init__()

    def plot(self, ax: "Axes | None" = None, *, output: str | int | None = None) -> "Axes":
        """Draw what each rule predicts inside and outside, around the mean of the target."""
        o = output_index(0 if output is None else output, self.outputs)[0]
        label = f"share of {self.outputs[o]!r}" if self.task == "classification" else "mean of the target"
        return draw_rules(
            [rule.to_text() for rule in self.rules],
            np.array([rule.inside[o] for rule in self.rules]),
            np.array([rule.outside[o] for rule in self.rules]),
            np.array([rule.support for rule in self.rules]) / self.weight,
            mean=float(self.mean[o]),
            xlabel=label,
            ax=ax,
        )

    def _repr_html_(self) -> str:
        rows = [
            [rule.to_text(), *rule.inside, *rule.outside, rule.support, f"{rule.frequency:.1%}"]
            + ([rule.coefficient] if self.task == "regression" else [])
            for rule in self.rules
        ]
        return html_table(f"{len(self.rules)} rules; {self._footer()}", self._header(), rows, most=len(rows))

    def __repr__(self) -> str:
        return self.to_text()


def _none_if_nan(value: float | None) -> float | None:
    return None if value is None or np.isnan(value) else value
