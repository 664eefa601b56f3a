"""Words of rules: conditions as the page shows them, with dates as dates and long lists of levels cut."""

from collections.abc import Collection
from dataclasses import replace

from glasswood.results import Condition, Rule
from glasswood.web.page._text import named
from glasswood.web.panels._dates import date_text

_MAX_LEVELS = 8  # levels that a condition lists


def condition_words(condition: Condition, dates: Collection[str] = ()) -> str:
    """The condition as text; `dates` names the features that are dates. SQL and Python contain all levels.

    Examples
    --------
    >>> from glasswood.results import Condition
    >>> from glasswood.web.panels._rule_words import condition_words
    >>> condition_words(Condition(feature="signup", upper=86_400e6), {"signup"})
    'signup <= 1970-01-02'
    """
    if not condition.feature:
        condition, dates = replace(condition, feature=named("")), ({named("")} if "" in dates else ())
    levels = condition.levels
    if levels is not None and len(levels) > _MAX_LEVELS:
        few = (*levels[: _MAX_LEVELS - 1], f"… {len(levels) - _MAX_LEVELS + 1:,} more")
        return replace(condition, levels=few).to_text()
    if condition.feature not in dates or not condition.present:
        return condition.to_text()
    low, high = (None if abs(end) == float("inf") else date_text(end) for end in (condition.lower, condition.upper))
    if low is None and high is None:
        return condition.to_text()
    suffix = " or missing" if condition.missing else ""
    if low is None:
        return f"{condition.feature} <= {high}{suffix}"
    return (f"{condition.feature} > {low}" if high is None else f"{low} < {condition.feature} <= {high}") + suffix


def rule_words(rule: Rule, dates: Collection[str] = ()) -> str:
    """The conditions of a rule, joined by `and`."""
    return rule.joined([condition_words(condition, dates) for condition in rule.conditions])
