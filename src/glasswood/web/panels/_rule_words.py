"""Words of rules: conditions as the page shows them: its numbers, dates as dates, and long lists of levels cut."""

from collections.abc import Collection
from dataclasses import replace

from glasswood.results import Condition, Rule
from glasswood.web.page._text import edge, named
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
    is_date, width = condition.feature in dates, condition.upper - condition.lower
    low, high = (
        date_text(end) if is_date and abs(end) < float("inf") else edge(end, width)
        for end in (condition.lower, condition.upper)
    )
    return condition.worded(low, high)


def rule_words(rule: Rule, dates: Collection[str] = ()) -> str:
    """The conditions of a rule, joined by `and`."""
    return rule.joined([condition_words(condition, dates) for condition in rule.conditions])
