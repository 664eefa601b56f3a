"""Texts of the tree panel: rules of nodes and captions of depths."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from glasswood.ensemble import Ensemble, short_number
from glasswood.explain.trees import NodeRows, levels_left
from glasswood.web.page._text import written
from glasswood.web.panels._dates import date_between

CRITERIA = {"gini": "Gini", "entropy": "entropy", "squared_error": "variance"}
_MAX_LEVELS = 4


@dataclass(frozen=True, slots=True)
class Side:
    """Conditions on one feature along a path."""

    lower: str | None = None  # exclusive
    upper: str | None = None  # inclusive
    levels: tuple[int, ...] | None = None  # of a category
    missing: bool = True  # a missing value reaches the node
    asked_missing: bool = False  # some row lacks the value


def threshold_texts(ensemble: Ensemble, seen: NodeRows, dates: Collection[str] = ()) -> list[str]:
    """Text of the threshold of each node; `dates` names the features that are dates. Other nodes have no text."""
    texts = [""] * ensemble.n_nodes
    for node in np.flatnonzero((ensemble.feature >= 0) & (ensemble.category_set < 0)).tolist():
        near = float(ensemble.threshold[node])
        is_date = ensemble.feature_names[int(ensemble.feature[node])] in dates and np.isfinite(near)
        low, high = float(seen.low[node]), float(seen.high[node])
        texts[node] = date_between(low, high, near) if is_date else written(short_number(low, high, near))
    return texts


def rules_of(ensemble: Ensemble, seen: NodeRows, thresholds: Sequence[str]) -> list[str]:
    """For each node, the conditions for its rows, with at most one condition per feature.

    `thresholds` are the texts of `threshold_texts`.
    """
    sides: list[dict[int, Side]] = [{} for _ in range(ensemble.n_nodes)]
    for node in np.flatnonzero(ensemble.feature >= 0).tolist():
        feature, missing_left = int(ensemble.feature[node]), bool(ensemble.missing_left[node])
        before = sides[node].get(feature, Side())
        asked = before.asked_missing or bool(seen.missing[node])
        if ensemble.category_set[node] >= 0:
            known = before.levels
            if known is None:
                known = tuple(range(int(ensemble.features.n_levels[feature])))
            inside = set(levels_left(ensemble, node).tolist())
            left = replace(before, levels=tuple(code for code in known if code in inside))
            right = replace(before, levels=tuple(code for code in known if code not in inside))
        else:
            text = thresholds[node]
            # a split at infinity only tests whether the value is missing, so other conditions stay
            left = replace(before, upper=before.upper or text if text == "∞" else text)
            right = replace(before, lower=text)
        for child, side, goes in (
            (int(ensemble.left[node]), left, missing_left),
            (int(ensemble.right[node]), right, not missing_left),
        ):
            side = replace(side, missing=before.missing and goes, asked_missing=asked)
            sides[child] = {**sides[node], feature: side}
    return [_rule([_condition(ensemble, feature, side) for feature, side in here.items()]) for here in sides]


def _rule(conditions: list[str]) -> str:
    if len(conditions) < 2:
        return conditions[0] if conditions else "every row"
    return " and ".join(f"({text})" if text.endswith(" or missing") else text for text in conditions)


def _condition(ensemble: Ensemble, feature: int, side: Side) -> str:
    name = ensemble.feature_names[feature]
    missing = " or missing" if side.missing and side.asked_missing else ""
    if side.levels is not None:
        labels = ensemble.features.categories[feature] or ()
        listed = [str(labels[code]) for code in side.levels[:_MAX_LEVELS]]
        rest = len(side.levels) - len(listed)
        return f"{name} in {{{', '.join([*listed, *([f'… {rest} more'] if rest else [])])}}}{missing}"
    lower, upper = side.lower, None if side.upper == "∞" else side.upper
    if lower == "∞":
        return f"{name} is missing"
    if lower is None and upper is None:
        return f"any {name}" if missing else f"{name} is not missing"
    if lower is None:
        return f"{name} <= {upper}{missing}"
    return f"{name} > {lower}{missing}" if upper is None else f"{lower} < {name} <= {upper}{missing}"


def depth_captions(
    *,
    regions: Sequence[int],
    impurity: Sequence[str],
    criterion: str,
    score: Sequence[str],
    new: Sequence[int],
    unchanged: Sequence[int],
) -> list[str]:
    """One sentence per depth: number of regions, impurity, share of correct rows, and what changed."""
    last = len(regions) - 1
    captions = []
    for depth in range(last + 1):
        parts = [
            f"Depth {depth} of {last}",
            f"{regions[depth]:,} region{'s' * (regions[depth] > 1)}",
            f"weighted {CRITERIA[criterion]} {impurity[depth]}",
            *([score[depth]] if score else []),
            *([_changes(new[depth], unchanged[depth])] if depth else []),
        ]
        captions.append(" · ".join(parts))
    if last == 0:
        captions[0] += " · nothing to split"
    return captions


def _changes(new: int, unchanged: int) -> str:
    splits = f"{new:,} new split{'s' * (new > 1)}"
    if unchanged == 0:
        return splits
    if unchanged == new:
        who = ", which leaves" if new == 1 else ", both of which leave" if new == 2 else ", all of which leave"
        return f"{splits}{who} the colours unchanged"
    return f"{splits}, {unchanged:,} of which leave{'s' * (unchanged == 1)} the colours unchanged"


def correct_text(correct: int, total: int) -> str:
    """How many rows a cut tree predicts correctly."""
    share = 100 * correct / total
    # 999 of 1000 must not be shown as 100 %
    digits = 0 if correct in (0, total) else 1
    return f"{correct:,} of {total:,} rows correct ({share:.{digits}f} %)"
