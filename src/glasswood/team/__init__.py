"""Team: processes that hold parts of one table and fit one model together, whatever launched them.

Every member calls `join` and then `fit` with its own rows and ``team=``. Each ends with the same model, which has the
bits of a fit of all rows in one process.
"""

from glasswood.team._collective import add_up, agree, gather, gather_arrays, gather_json, largest, memory_of, sum_blocks
from glasswood.team._exchange import ALONE, Alone, Exchange, Part
from glasswood.team._join import TeamTls, join
from glasswood.team._listener import Listener, listen, range_of
from glasswood.team._row_draw import draw_rows
from glasswood.team._row_quantiles import group_quantiles
from glasswood.team._row_sums import team_auc, team_group_sums, team_mean, team_sum, team_total, whole_weights
from glasswood.team._sockets import SocketTeam

__all__ = [
    "ALONE",
    "Alone",
    "Exchange",
    "Listener",
    "Part",
    "SocketTeam",
    "TeamTls",
    "add_up",
    "agree",
    "draw_rows",
    "gather",
    "gather_arrays",
    "gather_json",
    "group_quantiles",
    "join",
    "largest",
    "listen",
    "memory_of",
    "range_of",
    "sum_blocks",
    "team_auc",
    "team_group_sums",
    "team_mean",
    "team_sum",
    "team_total",
    "whole_weights",
]
