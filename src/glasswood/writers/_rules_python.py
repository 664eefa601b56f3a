"""Rules as Python expressions that run without this package."""

import math

from glasswood.ensemble import ZERO
from glasswood.writers._rule_list import AnyCondition, AnyRule, RuleList


def rule_python(rule: AnyRule) -> str:
    """Expression over ``row``, a mapping from feature to value; None and NaN count as missing.

    Examples
    --------
    >>> from glasswood.results import Condition
    >>> from glasswood.writers import condition_python
    >>> condition_python(Condition(feature="age", upper=9.5))
    "(row['age'] is not None and row['age'] <= 9.5)"
    """
    return " and ".join(map(condition_python, rule.conditions)) or "True"


def rules_python(found: RuleList) -> str:
    """A function ``predict(row)`` that returns the prediction of the whole list, one number per output."""
    lines = ["def predict(row):", f"    total = {[float(x) for x in found.intercept]!r}"]
    for rule in found.rules:
        then, otherwise = ([float(rule.coefficient * x) for x in part] for part in (rule.inside, rule.outside))
        lines += [
            f"    part = {then!r} if {rule_python(rule)} else {otherwise!r}",
            "    total = [a + b for a, b in zip(total, part)]",
        ]
    return "\n".join([*lines, "    return total"])


def condition_python(condition: AnyCondition) -> str:
    """One condition, in parentheses."""
    value = f"row[{condition.feature!r}]"
    missing = f"{value} is None or {value} != {value}"
    if condition.zero_is_missing:
        missing += f" or abs({value}) <= {ZERO!r}"
    if not condition.present:
        return f"({missing})"
    if condition.levels is not None:
        inside = f"{value} in ({', '.join(map(repr, condition.levels))},)"
        return f"({missing} or {inside})" if condition.missing else f"({inside})"
    inside = _compared(value, condition.lower, condition.upper)
    if condition.zero_is_missing and not condition.missing:
        inside += f" and abs({value}) > {ZERO!r}"
    return f"({missing} or {inside})" if condition.missing else f"({value} is not None and {inside})"


def _compared(value: str, lower: float, upper: float) -> str:
    low, high = (_literal(x) for x in (lower, upper))
    if lower == -math.inf:
        return f"{value} == {value}" if upper == math.inf else f"{value} <= {high}"
    return f"{value} > {low}" if upper == math.inf else f"{low} < {value} <= {high}"


def _literal(number: float) -> str:
    return repr(int(number)) if float(number).is_integer() and abs(number) < 2**53 else repr(float(number))
