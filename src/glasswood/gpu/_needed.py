"""Needed: the memory of a device that a fit takes in all, known before the first buffer is made."""

from glasswood.gpu._records import CANDIDATE_BYTES, LOSS_SUM, NODE
from glasswood.gpu._tree_program import TreeSetting
from glasswood.train.boosting import BoostingTable, FitPlan


def bytes_of_fit(plan: FitPlan, setting: TreeSetting) -> int:
    """Bytes of what stays on the device during a fit, but for what is small whatever the table."""
    n_outputs, n_features = len(plan.baseline), setting.layout.n_features
    tables = sum(_bytes_of_table(table, n_outputs, setting.n_trees // n_outputs) for table in plan.tables)
    row_of_bins = -(-n_features // 4) * 4
    evaluated = sum(table.rows.n_rows * row_of_bins for table in plan.tables[1:])
    per_row = (
        8 * n_outputs * (1 + setting.hessians)  # slopes
        + setting.stride + n_features  # bins in both orders
        + setting.record_bytes + 2  # what is summed up, and the slot
        + (8 if len(plan.train.row_id) else 0)
    )  # fmt: skip
    lists = min(setting.depth - 1, 2) * setting.n_drawn * setting.record_bytes
    drawn = 4 * setting.n if setting.n_others else 0
    return tables + evaluated + setting.n * per_row + lists + drawn + _bytes_of_nodes(plan, setting)


def _bytes_of_table(table: BoostingTable, n_outputs: int, n_rounds: int) -> int:
    """Raw, targets, weights and losses."""
    per_row = 8 * (n_outputs + 2) + (8 if len(table.weight) else 0)
    return table.rows.n_rows * per_row + LOSS_SUM.itemsize * (n_rounds + 1)


def _bytes_of_nodes(plan: FitPlan, setting: TreeSetting) -> int:
    """Histograms, splits and trees."""
    widest, leaves = 1 << (setting.depth - 1), 1 << setting.depth
    histograms = 8 * setting.layout.node_words * (widest + max(widest // 2, 1))
    counted = not setting.weighted and setting.n_drawn == setting.n  # the cells of the root are counted once
    counts = 8 * setting.layout.n_features * setting.layout.global_cells * int(counted)
    candidates = CANDIDATE_BYTES * widest * setting.layout.n_features
    orders = 260 * widest * int(plan.binning.features.is_category.sum())
    quantiles = 8 * 256 * leaves if setting.quantile is not None else 0
    trees = setting.n_trees * ((leaves - 1) * NODE.itemsize + 16 * leaves)
    return histograms + counts + candidates + orders + quantiles + trees
