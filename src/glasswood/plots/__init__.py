"""Plots: arrays → matplotlib axes. Every function takes `ax` and returns it; none shows a figure."""

from glasswood.plots._bars import draw_bars, draw_shares
from glasswood.plots._beeswarm import dots_of, draw_beeswarm
from glasswood.plots._curve import draw_curve, weight_bars
from glasswood.plots._depths import draw_depths
from glasswood.plots._display_cells import DisplayCells, display_cells, merge_pair, total_pair
from glasswood.plots._dot_scatter import DotScatter, draw_dot_scatter
from glasswood.plots._dots import DotColumn, spread_rows
from glasswood.plots._grid import draw_children, draw_grid
from glasswood.plots._heat import draw_heat
from glasswood.plots._history import draw_history
from glasswood.plots._lines import draw_lines
from glasswood.plots._pair_heat import draw_pair_heat
from glasswood.plots._row_heat import draw_row_heat
from glasswood.plots._rule_cv import draw_rule_cv
from glasswood.plots._rules import draw_parts, draw_rules
from glasswood.plots._style import PALETTE, new_axes, shortened
from glasswood.plots._tree import draw_tree
from glasswood.plots._waterfall import Waterfall, draw_waterfall

__all__ = [
    "PALETTE",
    "DisplayCells",
    "DotColumn",
    "DotScatter",
    "Waterfall",
    "display_cells",
    "dots_of",
    "draw_bars",
    "draw_beeswarm",
    "draw_children",
    "draw_curve",
    "draw_depths",
    "draw_dot_scatter",
    "draw_grid",
    "draw_heat",
    "draw_history",
    "draw_lines",
    "draw_pair_heat",
    "draw_parts",
    "draw_row_heat",
    "draw_rule_cv",
    "draw_rules",
    "draw_shares",
    "draw_tree",
    "draw_waterfall",
    "merge_pair",
    "new_axes",
    "shortened",
    "spread_rows",
    "total_pair",
    "weight_bars",
]
