"""The plots room: arrays → matplotlib axes. Every function takes `ax`, returns it and never shows anything."""

from glasswood.plots._bars import draw_bars, draw_shares
from glasswood.plots._cells import DisplayCells, display_cells, merge_pair, total_pair
from glasswood.plots._curve import draw_curve, weight_bars
from glasswood.plots._depths import draw_depths
from glasswood.plots._grid import draw_children, draw_grid
from glasswood.plots._heat import draw_heat
from glasswood.plots._history import draw_history
from glasswood.plots._rule_cv import draw_rule_cv
from glasswood.plots._rules import draw_parts, draw_rules
from glasswood.plots._style import PALETTE, new_axes
from glasswood.plots._tree import draw_tree

__all__ = [
    "PALETTE",
    "DisplayCells",
    "display_cells",
    "draw_bars",
    "draw_children",
    "draw_curve",
    "draw_depths",
    "draw_grid",
    "draw_heat",
    "draw_history",
    "draw_parts",
    "draw_rule_cv",
    "draw_rules",
    "draw_shares",
    "draw_tree",
    "merge_pair",
    "new_axes",
    "total_pair",
    "weight_bars",
]
