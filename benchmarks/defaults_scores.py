"""Scores of the study of defaults: losses by table, library and split, and the tables made of them."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.train.boosting import BoostingOptions
from real_tables import TARGETS
from record import RESULTS

RATE, PATIENCE = 0.05, 50
MAX_ROUNDS = 800
ROWS = {"choose": 6_000, "report": 10_000, "large": 30_000, "more": 10_000}
ROWS_OF_COVERTYPE = {"choose": 4_000, "report": 6_000, "large": 12_000, "more": 6_000}  # seven trees a round
LARGE = ("diamonds", "nycflights13", "fremtpl2", "adult", "covertype")
MORE = ("nycflights13", "fremtpl2", "covertype")  # tables of 100,000 rows and more
MORE_SPLITS = {"boston": 5, "titanic": 5}  # times as many: few test rows make a noisy loss
PEERS = ("LightGBM", "XGBoost", "CatBoost")
SCORES = RESULTS / "defaults.json"
START: dict[str, Any] = {
    "gain": "newton", "max_depth": 6, "max_leaf_nodes": None, "min_samples_leaf": 1, "min_weight_leaf": 1.0,
    "min_gain": 0.0, "l2": 1.0, "max_bins": 255, "subsample": 1.0, "colsample": 1.0, "symmetric": False,
}  # fmt: skip
PAGE = RESULTS.parents[1] / "docs" / "defaults.md"
HEAD = f"""# Everybody's defaults

What happens if you pass nothing? This page says what each library does then, and how accurate it is on real tables.

## What the defaults are

| | glasswood | LightGBM 4.7 | XGBoost 3.2 | CatBoost 1.2 | HistGradientBoosting 1.9 |
|---|---|---|---|---|---|
| trees | 100 | 100 | 100 | 1,000 | 100 |
| learning rate | 0.1 | 0.1 | 0.3 | chosen from the number of rows | 0.1 |
| size of a tree | 6 levels; below 10,000 rows symmetric | 31 leaves | 6 levels | 6 levels, symmetric | 31 leaves |
| least rows in a leaf | 1 | 20 | 1 by the sum of hessians | 1 | 20 |
| ridge of leaf values | 1 | 0 | 1 | 3 | 0 |
| bins | 255 | 255 | 256 | 254 | 255 |
| rows drawn per tree | all | all | all | 80 % (more than two classes: random weights) | all |
| features drawn per tree | 80 % | all | all | all, with noise on the scores | all |
| early stopping | no | no | no | no | above 10,000 rows |
| seed | 0 | fixed | 0 | 0 | none: the rows set aside for early stopping vary |
| categories of a pandas frame | taken | taken | with `enable_categorical=True` | if in `cat_features` | taken |

With `symmetric=None`, our default, trees are symmetric if the table has fewer than 10,000 rows, `max_depth` is at most
8, `max_leaf_nodes` is None and `statistics` is "exact". From four classes on, the symmetric trees of a round ask the
same questions.

## How accurate they are

`python benchmarks/study_defaults.py report` and `more --splits 10` write this table. Every library has its own
defaults, except learning rate {RATE}, at most {MAX_ROUNDS} rounds, and early stopping after {PATIENCE} rounds without a
better loss on the same validation rows, a fifth of the training rows. Tables are cut to {ROWS["report"]:,} rows
(covertype {ROWS_OF_COVERTYPE["report"]:,}); 30 % of them are test rows. Tables of 100,000 rows and more have three
splits of one such draw of rows and ten draws of other rows: three splits say little, with standard errors of 1 %.
Our defaults were chosen on other rows of the same tables (decisions [0159](decisions/0159-defaults-of-boosting.md),
[0260](decisions/0260-symmetric-trees.md) and [0351](decisions/0351-classes-share-their-questions.md)); *before* are the
defaults before them. Boston and titanic are too small for that: there the choice was made within the training rows.
Cells show the mean loss over the splits. The last column shows the ratio of our mean to that of the best peer, ± the
standard error of the ratios per split. The last two lines show the same ratio for every library.

"""


def rows_of(table: str, part: str) -> int:
    """Most rows of a table in a part of the study."""
    return (ROWS_OF_COVERTYPE if table == "covertype" else ROWS)[part]


def rows_before_large(table: str) -> int:
    """Most rows of a table in the first two parts of the study."""
    return rows_of(table, "choose") + rows_of(table, "report")


def rows_before_more(table: str) -> int:
    """Most rows of a table in the other parts of the study."""
    return rows_before_large(table) + rows_of(table, "large")


def rows_to_read(table: str, part: str, splits: int) -> int:
    """Most rows of a table that a part of the study needs."""
    if part == "more":
        return rows_before_more(table) + rows_of(table, "more") * splits
    return rows_before_more(table) if part == "large" else rows_before_large(table)


def label_of(options: dict[str, Any]) -> str:
    """Options by what they change of START, so that scores stay true when defaults change."""
    changed = {name: value for name, value in sorted({**START, **options}.items()) if value != START[name]}
    return "glasswood " + ", ".join(f"{name}={value}" for name, value in changed.items()) if changed else "glasswood"


def our_defaults() -> dict[str, Any]:
    """The defaults as they are now."""
    now = BoostingOptions()
    return {name: getattr(now, name) for name in START}


class Known:
    """Scores on disk: part, table, name, split."""

    def __init__(self, path: Path = SCORES) -> None:
        self.path = path
        self.scores: dict[str, Any] = json.loads(path.read_text()) if path.exists() else {}

    def get(self, part: str, table: str, name: str) -> dict[str, float]:
        """Losses per split."""
        found: dict[str, float] = self.scores.get(part, {}).get(table, {}).get(name, {})
        return found

    def reported(self, table: str, name: str) -> dict[str, float]:
        """Losses per split of all draws that are reported."""
        return {
            f"{part} {split}": loss
            for part in ("report", "more")
            for split, loss in self.get(part, table, name).items()
        }

    def add(self, part: str, table: str, name: str, split: int, loss: float) -> None:
        """Keep a loss, with what others have written meanwhile."""
        self.scores = json.loads(self.path.read_text()) if self.path.exists() else {}
        self.scores.setdefault(part, {}).setdefault(table, {}).setdefault(name, {})[str(split)] = loss
        self.path.write_text(json.dumps(self.scores, indent=1, sort_keys=True) + "\n")

    def ratios(self, part: str, table: str, name: str, other: str) -> NDArray[np.float64]:
        """Loss over that of another, per split that both know."""
        ours, theirs = self.get(part, table, name), self.get(part, table, other)
        return np.array([ours[split] / theirs[split] for split in sorted(ours) if split in theirs])


def choice_table(known: Known, part: str, names: list[str], candidates: dict[str, dict[str, Any]]) -> list[str]:
    """Candidates over START: geometric mean over splits, per table and over all tables."""
    heads = ["candidate", *names, "all", "worst"]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    for candidate, options in candidates.items():
        found = [known.ratios(part, name, label_of(options), label_of(START)) for name in names]
        if not any(len(one) for one in found):
            continue
        logs = np.array([np.log(one).mean() if len(one) else np.nan for one in found])
        cells = [f"{value:.3f}" for value in np.exp([*logs, np.nanmean(logs), np.nanmax(logs)])]
        lines.append(f"| {candidate} | {' | '.join(cells)} |")
    return lines


def defaults_page(known: Known) -> str:
    """The page about everybody's defaults; empty without scores."""
    ours, before = label_of(our_defaults()), label_of(START)
    columns = {"glasswood": ours, **({"glasswood before": before} if before != ours else {}), **{p: p for p in PEERS}}
    lines, to_best = losses_table(known, columns)
    if not to_best["glasswood"]:
        return ""
    overall = [f"{np.exp(np.log(one).mean()):.4f}" for one in to_best.values()]
    worst = [f"{max(one):.4f}" for one in to_best.values()]
    for title, goal, cells in (("geometric mean", "1.00", overall), ("worst table", "1.005", worst)):
        lines.append(f"| **to the best peer, {title}** | | {' | '.join(cells)} | {cells[0]} (goal: {goal}) |")
    return HEAD + "\n".join(lines) + "\n"


def losses_table(known: Known, columns: dict[str, str]) -> tuple[list[str], dict[str, list[float]]]:
    """Mean losses of the tables that all columns know, and the ratios of each column to the best peer's."""
    heads = ["table", "splits", *columns, "glasswood / best peer"]
    lines = [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads)]
    to_best: dict[str, list[float]] = {one: [] for one in columns}
    for name in TARGETS:
        losses = {one: known.reported(name, label) for one, label in columns.items()}
        splits = sorted(set.intersection(*(set(one) for one in losses.values())))
        if not splits:
            continue
        means = {one: float(np.mean([found[split] for split in splits])) for one, found in losses.items()}
        best = min(PEERS, key=means.__getitem__)
        for one in columns:
            to_best[one].append(means[one] / means[best])
        spread = np.array([losses["glasswood"][split] / losses[best][split] for split in splits])
        error = spread.std(ddof=1) / np.sqrt(len(spread)) if len(spread) > 1 else np.nan
        verdict = f"{means['glasswood'] / means[best]:.4f} ± {error:.4f} ({best})"
        cells = [f"{name} ({TARGETS[name][0]})", str(len(splits)), *(f"{mean:.4g}" for mean in means.values()), verdict]
        lines.append(f"| {' | '.join(cells)} |")
    return lines, to_best
