"""Rules: a short, stable list of rules from a model or a table."""

from glasswood.explain.rules._extract import find_rules, rules
from glasswood.explain.rules._extract_parts import rules_of_parts
from glasswood.explain.rules._fit import RuleOptions, fit_rules, warn_if_empty
from glasswood.explain.rules._grid import grown_grid
from glasswood.explain.rules._paths import PathCounts, count_paths
from glasswood.explain.rules._pick import PickedRule, least_rows, pick_rules
from glasswood.explain.rules._prefixes import RulePrefixes, rule_prefixes
from glasswood.explain.rules._rule_set import RuleSet
from glasswood.explain.rules._stability import expected_stability
from glasswood.explain.rules._target import RuleTarget

__all__ = [
    "PathCounts",
    "PickedRule",
    "RuleOptions",
    "RulePrefixes",
    "RuleSet",
    "RuleTarget",
    "count_paths",
    "expected_stability",
    "find_rules",
    "fit_rules",
    "grown_grid",
    "least_rows",
    "pick_rules",
    "rule_prefixes",
    "rules",
    "rules_of_parts",
    "warn_if_empty",
]
