"""Results offer what an export needs."""

from dataclasses import fields

from glasswood.explain.rules import RuleSet
from glasswood.results import Condition, Rule
from glasswood.writers._rule_list import AnyCondition, AnyRule, RuleList


def test_results_have_every_part_of_their_protocol() -> None:
    for result, protocol in ((Condition, AnyCondition), (Rule, AnyRule), (RuleSet, RuleList)):
        wanted = {name for name in vars(protocol) if not name.startswith("_")}
        assert wanted and wanted <= {field.name for field in fields(result)}
