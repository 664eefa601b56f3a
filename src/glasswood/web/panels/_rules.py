"""Rules panel: a short list of rules as cards, with the target inside and outside of each."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood._derived import derived
from glasswood.ensemble import LinkKind
from glasswood.errors import OptionError
from glasswood.explain.rules import PickedRule, RuleSet, find_rules, least_rows, pick_rules
from glasswood.results import Rule
from glasswood.tables import read_vector, read_weight
from glasswood.web.page._text import number, percent, rounded, rows_of, signed
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._rule_words import condition_words, rule_words
from glasswood.web.panels._sample import few_rows, few_values, thin_rows
from glasswood.web.panels._subject import Subject
from glasswood.writers import rule_python

_MAX_RULE_ROWS = 200_000
_CLOSE, _ROUGH = 0.8, 0.5  # share of the variance of the model's predictions
_UNKNOWN = np.zeros(0)


@dataclass(frozen=True, slots=True, eq=False)
class FoundRules:
    """The rules of a subject, those that are shown, and how much of the model all of them reproduce."""

    rules: RuleSet
    picked: list[PickedRule]
    reproduced: float | None
    least: int  # smallest number of rows inside and outside of a shown rule


def build_rules(subject: Subject) -> dict[str, Any]:
    """Build the rules, which need a target."""
    found = rules_of(subject)
    return rules_data(found.rules, found.picked, found.reproduced, found.least, subject.dates())


def rules_of(subject: Subject) -> FoundRules:
    """Rules of a subject, computed once for all panels that show them."""
    if subject.y is None:
        raise OptionError("rules say what the target is inside and outside of them: pass y to see them")
    return derived(subject._known, "rules", lambda: _find(subject))


def _find(subject: Subject) -> FoundRules:
    n_rows = subject.rows().n_rows
    y = read_vector(subject.y, n_rows)
    some = thin_rows(n_rows, _MAX_RULE_ROWS)
    X, known, weight = (
        few_rows(subject.rows(), some),
        few_values(y, some),
        few_values(read_weight(subject.sample_weight, n_rows), some),
    )
    # without warnings: the page itself says if the list is empty
    found = find_rules(
        subject.ensemble(), X, known, sample_weight=weight, n_jobs=subject.n_jobs, progress=subject.progress
    )
    held = found.explain(X, n_jobs=subject.n_jobs)
    numbers = None if found.task == "classification" else np.asarray(known, dtype=np.float64)
    picked = pick_rules(found, held.fired, numbers, weight)
    reproduced = _reproduced(subject, some, held.prediction)
    return FoundRules(found, list(picked), reproduced, least_rows(len(held.fired)))


def _reproduced(subject: Subject, some: NDArray[np.int64] | None, prediction: NDArray[np.float64]) -> float | None:
    """Share of the variance of the model's predictions that the rules reproduce; None if they cannot be compared."""
    if subject.ensemble().link.kind == LinkKind.NONE:
        return None
    said = subject.predictions() if some is None else subject.predictions()[some]
    mine = prediction.reshape(len(said), -1)
    if said.shape != mine.shape:
        return None
    variance = float(((said - said.mean(axis=0)) ** 2).sum())
    return 1.0 - float(((said - mine) ** 2).sum()) / variance if variance > 0 else None


def rules_data(
    found: RuleSet,
    picked: Sequence[PickedRule] | None = None,
    reproduced: float | None = None,
    least: int = 20,
    dates: Collection[str] = (),
) -> dict[str, Any]:
    """Lay out a rule set for the page: a card per rule, and the steps of the p0 slider.

    `picked` are the shown rules, all by default; `reproduced` is the share of the variance of the model's predictions
    that the whole list reproduces; `least` is the smallest number of rows inside and outside of a shown rule; `dates`
    names the features that are dates.
    """
    chosen = [PickedRule(k, _UNKNOWN, _UNKNOWN) for k in range(len(found))] if picked is None else list(picked)
    shown = [found[one.index] for one in chosen]
    classes = found.task == "classification"
    measure = "AUC" if classes else "R²"
    scores = [f"{measure} {number(found.score, 3)} on these rows"]
    if found.fidelity is not None and np.isfinite(found.fidelity):
        scores.append(f"{measure} {number(found.fidelity, 3)} against the model's own answers")
    scores.append(f"stability {percent(found.stability)}")
    if found.snapped_share is not None:
        scores.append(f"moving thresholds to quantiles sends {percent(found.snapped_share)} of the rows elsewhere")
    return {
        "lead": f"{_lead(found.n_trees)}, and the target of the rows "
        f"inside and outside of them. The list predicts {'the mean' if classes else 'a weighted sum'} of its rules.",
        "task": found.task,
        "measured": "share of the class" if classes else "mean of the target",
        "outputs": list(found.outputs),
        "mean": [{"value": rounded(x), "text": _value(x, classes)} for x in found.mean],
        "scale": [_scale(found, o) for o in range(len(found.outputs))],
        "rules": [_card(rule, found, k, chosen[k], dates) for k, rule in enumerate(shown)],
        "steps": _steps(shown),
        "verdict": _verdict(reproduced),
        "all": len(found),
        "scores": scores,
        "sql": found.to_sql(),
        "python": found.to_python(),
        "note": _note(found, len(shown), least),
        "code_note": _code_note(shown, dates),
    }


def _lead(n_trees: int) -> str:
    return (
        "Conditions of the model's one tree"
        if n_trees == 1
        else f"Conditions that many of the model's {n_trees:,} trees share"
    )


def _code_note(shown: Sequence[Rule], dates: Collection[str]) -> str:
    """What SQL and Python compare a date with; empty if no rule has one."""
    used = {condition.feature for rule in shown for condition in rule.conditions} & set(dates)
    return "A date is compared as microseconds since 1970-01-01." if used else ""


def _note(found: RuleSet, n_shown: int, least: int) -> str:
    if not found.rules:
        return "No path is shared by trees and splits the rows: the list is empty."
    if not n_shown:
        return (
            f"None of the {len(found)} rules holds for enough rows ({least} inside, {least} outside) with a clear "
            "difference between inside and outside."
        )
    if n_shown == len(found):
        return ""
    return (
        f"{n_shown} of {len(found)} rules are shown: those that hold for at least {least} rows and for {least} not, "
        "whose difference is clear (95 % interval), and that differ from one another."
    )


def _verdict(reproduced: float | None) -> str:
    """A sentence about how well the rules represent the model."""
    if reproduced is None or not np.isfinite(reproduced):
        return ""
    much = percent(max(reproduced, 0.0), 0)
    if reproduced >= _CLOSE:
        return f"All rules together are close to the model: they reproduce {much} of the variance of its answers."
    return (
        f"All rules together are {'a rough sketch' if reproduced >= _ROUGH else 'a poor picture'} of the model: they "
        f"reproduce {much} of the variance of its answers. Read each rule by itself; do not predict with the list."
    )


def _card(rule: Rule, found: RuleSet, k: int, picked: PickedRule, dates: Collection[str]) -> dict[str, Any]:
    classes = found.task == "classification"
    return {
        "number": k + 1,
        "sentence": "If " + rule_words(rule, dates),
        "conditions": [condition_words(condition, dates) for condition in rule.conditions],
        "inside": [{"value": rounded(x), "text": _value(x, classes)} for x in rule.inside],
        "outside": [{"value": rounded(x), "text": _value(x, classes)} for x in rule.outside],
        "difference": [_difference(rule, picked, o, classes) for o in range(len(found.outputs))],
        "support": f"{rows_of(rule.support)}, {percent(rule.support / found.weight)}",
        "frequency": f"{percent(rule.frequency)} of the trees"
        + (f" ± {percent(rule.frequency_se)}" if rule.frequency_se > 0 else ""),
        "frequency_share": rounded(rule.frequency),
        "coefficient": None if classes else number(rule.coefficient),
        "sql": rule.to_sql(),
        "python": rule_python(rule),
    }


def _value(value: float, classes: bool) -> str:
    return percent(value) if classes else number(value)


def _difference(rule: Rule, picked: PickedRule, o: int, classes: bool) -> str:
    """Inside − outside, with its confidence interval."""
    if not len(picked.low):
        return ""
    times, unit = (100.0, " points") if classes else (1.0, "")
    middle, low, high = (times * float(x[o]) for x in (rule.inside - rule.outside, picked.low, picked.high))
    return f"difference {signed(middle)}{unit} (95 %: {number(low, 3)} to {number(high, 3)})"


def _scale(found: RuleSet, o: int) -> dict[str, float | None]:
    """Ends of the bars: 0 to 1 for shares; for numbers a range with all values, the mean, and zero if it is near."""
    if found.task == "classification":
        return {"low": 0.0, "high": 1.0}
    values = [float(x[o]) for rule in found.rules for x in (rule.inside, rule.outside)] + [float(found.mean[o])]
    low, high = min(values), max(values)
    if low >= 0 and low < 0.6 * high:
        low = 0.0
    if high == low:
        low, high = low - 0.5, high + 0.5
    return {"low": rounded(low), "high": rounded(high)}


def _steps(rules: Sequence[Rule]) -> list[dict[str, Any]]:
    """Values of p0 at which the list gets shorter; a rule stays while more than p0 of the trees contain it.

    Rules are sorted by frequency, so the remaining rules are always the beginning of the list.
    """
    frequency = np.array([rule.frequency for rule in rules])
    edges = np.concatenate([[0.0], np.unique(frequency)])
    return [
        {"p0": rounded(p0), "text": percent(p0), "count": int(np.count_nonzero(frequency > p0))}
        for p0 in edges.tolist()
    ]


RULES = Panel("rules", "Rules", build_rules, "panels/rules.js")
