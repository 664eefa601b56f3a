"""The demo: train on the Titanic data, explain the model, and write one page about it."""

import dataclasses
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from glasswood._version import __version__
from glasswood.data import titanic_columns
from glasswood.ensemble import Ensemble, load
from glasswood.errors import MissingDependencyError, ModelFileError
from glasswood.explain.effects import effects, interactions, ledger
from glasswood.explain.rules import pick_rules, rules
from glasswood.tables import CategoryColumn, make_frame, read_table
from glasswood.train import training_table
from glasswood.train.boosting import BoostingOptions, BoostingTable, boost

FEATURES = ("pclass", "sex", "age", "sibsp", "parch", "fare", "embarked")
_SHOWN = 3  # features, pairs and rules that are printed; the page has all of them


def demo(say: Callable[[str], None], path: str | Path = "report.html") -> None:
    """Train, save and read back, explain, print the findings, and write the report."""
    from glasswood.web import report

    X, y = passengers()
    say(f"{len(y):,} passengers, {len(FEATURES)} features, {_missing(X):,} values missing\n")
    ensemble = _read_back(_train(X, y), X, say)
    say(f"{ensemble}\n")
    _explain(ensemble, X, y, say)
    page = report(ensemble, X, y, title="Who survived the Titanic?")
    page.save(path)
    say(f"\n{path} ({Path(path).stat().st_size / 1000:,.0f} kB) has it all, offline: open it in a browser.")


def passengers() -> tuple[Any, np.ndarray[Any, np.dtype[Any]]]:
    """Features as they are, with text and missing values, and who survived; an array where no frame can be made."""
    columns = titanic_columns()
    chosen = {name: columns[name] for name in FEATURES}
    survived = np.asarray(columns["survived"]) > 0
    try:
        X = make_frame(chosen)
    except MissingDependencyError:
        X = np.array([list(values) for values in chosen.values()], dtype=object).T
    return X, np.where(survived, "survived", "died")


def _train(X: Any, y: np.ndarray[Any, np.dtype[Any]]) -> Ensemble:
    """The trees of a BoostingClassifier with these options, grown without scikit-learn, which need not be there."""
    table = training_table(read_table(X))
    classes = ("died", "survived")
    boosted = boost(
        BoostingTable(name="train", rows=table.rows, y=(y == classes[1]).astype(np.float64)),
        dataclasses.replace(table.features, names=FEATURES),  # an array has none
        BoostingOptions(loss="logistic", n_estimators=150, max_depth=4, learning_rate=0.1, min_weight_leaf=10),
        outputs=classes[1:],
        model="BoostingClassifier",
        version=__version__,
    )
    return boosted.ensemble._with_source(dataclasses.replace(boosted.ensemble.source, classes=classes))


def _read_back(ensemble: Ensemble, X: Any, say: Callable[[str], None]) -> Ensemble:
    """Save the model, read the file, and compare leaves and raw predictions of every row."""
    with tempfile.TemporaryDirectory() as folder:
        ensemble.save(Path(folder) / "titanic.gw")
        again = load(Path(folder) / "titanic.gw")
    same_leaves = np.array_equal(again.apply(X), ensemble.apply(X))
    if not same_leaves or not np.array_equal(again.predict_raw(X), ensemble.predict_raw(X)):
        raise ModelFileError("the model read back from its file is not the model that was saved")
    say("Saved, and read back from the file: every passenger reaches the same leaf of every tree, to the same bit.\n")
    return again


def _explain(ensemble: Ensemble, X: Any, y: Any, say: Callable[[str], None]) -> None:
    """Print a few lines of what the page shows."""
    importance = effects(ensemble, X).importance()
    named = zip(importance.features[:_SHOWN], importance.sd[:_SHOWN], strict=True)
    say(f"What matters most: {', '.join(f'{name} (sd {sd:.2f} of the log-odds)' for name, sd in named)}")
    share = ledger(ensemble, X)
    say(
        f"What it is made of: single features {share.effects[0]:.1%}, pairs {share.pairs[0]:.1%}, "
        f"more than two together {share.left_over[0]:.1%} of the variance"
    )
    tables = sorted(interactions(ensemble, X).tables, key=lambda table: -float(np.max(table.strength)))
    say(f"What interacts: {', '.join(' × '.join(table.features) for table in tables[:_SHOWN])}")
    say("What most trees agree on:")
    found = rules(ensemble, X, y)
    for one in pick_rules(found, found.explain(X).fired, None, None, _SHOWN):
        rule = found[one.index]
        say(f"  if {rule.to_text()}: {rule.inside[0]:.0%} survived, else {rule.outside[0]:.0%}")


def _missing(X: Any) -> int:
    table = read_table(X)
    columns = (table.column(j) for j in range(table.n_columns))
    lacking = (column.codes < 0 if isinstance(column, CategoryColumn) else np.isnan(column) for column in columns)
    return sum(int(np.count_nonzero(rows)) for rows in lacking)
