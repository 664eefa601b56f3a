"""Explanations: an ensemble and a table → a result."""

from glasswood.explain._credibility import credibility_grid
from glasswood.explain._effects import effects
from glasswood.explain._example_index import ExampleIndex, find_nearest
from glasswood.explain._examples import examples
from glasswood.explain._grid import make_grid
from glasswood.explain._interactions import interactions
from glasswood.explain._ledger import ledger
from glasswood.explain._node_rows import NodeRows, levels_left, node_rows
from glasswood.explain._rule_fit import RuleOptions, fit_rules, warn_if_empty
from glasswood.explain._rule_grid import grown_grid
from glasswood.explain._rule_paths import PathCounts, count_paths
from glasswood.explain._rule_pick import PickedRule, least_rows, pick_rules
from glasswood.explain._rule_prefixes import RulePrefixes, rule_prefixes
from glasswood.explain._rule_set import RuleSet
from glasswood.explain._rule_stability import expected_stability
from glasswood.explain._rule_target import RuleTarget
from glasswood.explain._rules import find_rules, rules
from glasswood.explain._shares import holds_shares, predicted_class
from glasswood.explain._target_rows import TargetRows, target_rows
from glasswood.explain._tree_diagram import make_diagram, tree_diagram
from glasswood.explain._tree_profile import tree_profile
from glasswood.explain._usage import count_usage, usage

__all__ = [
    "ExampleIndex",
    "NodeRows",
    "PathCounts",
    "PickedRule",
    "RuleOptions",
    "RulePrefixes",
    "RuleSet",
    "RuleTarget",
    "TargetRows",
    "count_paths",
    "count_usage",
    "credibility_grid",
    "effects",
    "examples",
    "expected_stability",
    "find_nearest",
    "find_rules",
    "fit_rules",
    "grown_grid",
    "holds_shares",
    "interactions",
    "least_rows",
    "ledger",
    "levels_left",
    "make_diagram",
    "make_grid",
    "node_rows",
    "pick_rules",
    "predicted_class",
    "rule_prefixes",
    "rules",
    "target_rows",
    "tree_diagram",
    "tree_profile",
    "usage",
    "warn_if_empty",
]
