"""COMMANDS: the subcommands, in the order of `glasswood --help`. A new one needs a module and a line below."""

from glasswood.cli._app import APP
from glasswood.cli._attributions import ATTRIBUTIONS
from glasswood.cli._command import Command
from glasswood.cli._compare import COMPARE
from glasswood.cli._demo import DEMO
from glasswood.cli._effects import EFFECTS
from glasswood.cli._examples import EXAMPLES
from glasswood.cli._explain import EXPLAIN
from glasswood.cli._export import EXPORT
from glasswood.cli._inspect import INSPECT
from glasswood.cli._interactions import INTERACTIONS
from glasswood.cli._ledger import LEDGER
from glasswood.cli._prove import PROVE
from glasswood.cli._report import REPORT
from glasswood.cli._rules import RULES

COMMANDS: tuple[Command, ...] = (
    DEMO, APP, REPORT, INSPECT, EFFECTS, INTERACTIONS, LEDGER, EXPLAIN, ATTRIBUTIONS, RULES, EXAMPLES, COMPARE, PROVE,
    EXPORT,
)  # fmt: skip
