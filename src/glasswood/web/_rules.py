"""Rules section: a short list of rules as cards, with what holds inside and outside each of them."""

from typing import Any

import numpy as np

from glasswood.explain import RuleSet
from glasswood.results import Rule
from glasswood.web._rule_code import rule_python, rules_python
from glasswood.web._section import Section
from glasswood.web._text import many, number, percent, rounded, rows_of


def rules_section(found: RuleSet) -> Section:
    """Lay out a rule set for the page: a card per rule, and the steps of the p0 slider."""
    classes = found.task == "classification"
    measure = "AUC" if classes else "R²"
    scores = [f"{measure} {number(found.score, 3)} on these rows"]
    if found.fidelity is not None and np.isfinite(found.fidelity):
        scores.append(f"{measure} {number(found.fidelity, 3)} against the model's own answers")
    scores.append(f"stability {percent(found.stability)}")
    if found.moved is not None:
        scores.append(f"moving thresholds to quantiles sends {percent(found.moved)} of the rows elsewhere")
    return Section(
        "rules",
        "Rules",
        {
            "lead": f"Conditions that many of the model's {many(found.n_trees, 'tree')} share, with what holds for the "
            f"rows inside and outside; the list predicts {'the mean' if classes else 'a weighted sum'} of its rules.",
            "task": found.task,
            "measured": "share of the class" if classes else "mean of the target",
            "outputs": list(found.outputs),
            "mean": [{"value": rounded(x), "text": _value(x, classes)} for x in found.mean],
            "scale": [_scale(found, o) for o in range(len(found.outputs))],
            "rules": [_card(rule, found, k) for k, rule in enumerate(found.rules)],
            "steps": _steps(found),
            "scores": scores,
            "sql": found.to_sql(),
            "python": rules_python(found),
            "note": "" if found.rules else "No path is shared by trees and splits the rows: the list is empty.",
        },
    )


def _card(rule: Rule, found: RuleSet, k: int) -> dict[str, Any]:
    classes = found.task == "classification"
    return {
        "number": k + 1,
        "sentence": "If " + rule.to_text(),
        "conditions": [condition.to_text() for condition in rule.conditions],
        "inside": [{"value": rounded(x), "text": _value(x, classes)} for x in rule.inside],
        "outside": [{"value": rounded(x), "text": _value(x, classes)} for x in rule.outside],
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


def _scale(found: RuleSet, o: int) -> dict[str, float | None]:
    """Ends of the bars: 0 to 1 for shares, all values and the mean for numbers, and zero where it is near."""
    if found.task == "classification":
        return {"low": 0.0, "high": 1.0}
    values = [float(x[o]) for rule in found.rules for x in (rule.inside, rule.outside)] + [float(found.mean[o])]
    low, high = min(values), max(values)
    if low >= 0 and low < 0.6 * high:
        low = 0.0
    if high == low:
        low, high = low - 0.5, high + 0.5
    return {"low": rounded(low), "high": rounded(high)}


def _steps(found: RuleSet) -> list[dict[str, Any]]:
    """Values of p0 at which the list gets shorter; a rule stays while more than p0 of the trees have it.

    Rules come most frequent first, so what stays is always the beginning of the list.
    """
    frequency = np.array([rule.frequency for rule in found.rules])
    edges = np.concatenate([[0.0], np.unique(frequency)])
    return [
        {"p0": rounded(p0), "text": percent(p0), "count": int(np.count_nonzero(frequency > p0))}
        for p0 in edges.tolist()
    ]
