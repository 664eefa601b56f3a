"""The panels of the page, in the order of the navigation."""

from glasswood.web.panels._comparison import COMPARISON
from glasswood.web.panels._credibility import CREDIBILITY
from glasswood.web.panels._effects import EFFECTS
from glasswood.web.panels._examples import EXAMPLES
from glasswood.web.panels._interactions import INTERACTIONS
from glasswood.web.panels._overview import OVERVIEW
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._rules import RULES
from glasswood.web.panels.performance._section import PERFORMANCE
from glasswood.web.panels.prediction._section import PREDICTION
from glasswood.web.panels.tree._section import TREE

PANELS: dict[str, Panel] = {
    panel.kind: panel
    for panel in (
        OVERVIEW,
        PERFORMANCE,
        PREDICTION,
        TREE,
        EFFECTS,
        INTERACTIONS,
        RULES,
        EXAMPLES,
        COMPARISON,
        CREDIBILITY,
    )
}
