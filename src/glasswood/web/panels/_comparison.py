"""Comparison panel: two models on the same rows: how far they agree, and where the difference comes from."""

from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import Ensemble, one_output
from glasswood.errors import OptionError
from glasswood.explain.compare import Comparison, columns_for, compare_models, open_model
from glasswood.explain.rules import find_rules, pick_rules
from glasswood.results import Effects, FeatureEffect
from glasswood.tables import CategoryColumn, Columns, Table, read_table, read_weight
from glasswood.web.page._budget import within
from glasswood.web.page._text import many, number, percent, rounded, rows_of, scale_of, shortened, signed
from glasswood.web.panels._axis import axis_of
from glasswood.web.panels._dates import date_text
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._rule_words import rule_words
from glasswood.web.panels._sample import few_rows, few_values, thin_rows
from glasswood.web.panels._scales import scales_of
from glasswood.web.panels._seen_values import Seen
from glasswood.web.panels._subject import Subject

_MAX_CELLS = 60  # per curve
_MAX_BARS = 20
_MAX_VALUES = 4  # columns of the table of rows
_MAX_RULE_ROWS = 20_000  # per output
_BUDGET = 150_000  # bytes of the curves
_NORMAL = 1.959963984540054  # 95 % of a normal distribution lie within this many standard deviations


def build_comparison(subject: Subject) -> dict[str, Any]:
    """Build the comparison of the model with another one."""
    if subject.other is None:
        raise OptionError("no other model was given: pass other to compare with it")
    rows = subject.other.X
    second = open_model(subject.other.model, rows)
    other = Subject(
        "",
        second,
        columns_for(rows, second.features),
        sample_weight=subject.sample_weight,
        n_jobs=subject.n_jobs,
        progress=subject.progress,
    )
    # `_rules` finds rules of every output; those of `compare` would be a search whose result nobody sees
    found = compare_models(
        subject.ensemble(),
        second,
        rows,
        subject.y,
        scale="auto",
        sample_weight=subject.sample_weight,
        n_jobs=subject.n_jobs,
        progress=subject.progress,
        with_rules=False,
    )
    both = subject.effects(), other.effects()
    outputs = found.outputs
    return {
        "lead": f"How this model ({_name(subject.ensemble())}) and the other one ({_name(second)}) differ on "
        f"{many(found.n_rows, 'row')}: this one minus the other.",
        "unit": scale_of(subject.ensemble().link),
        "outputs": list(outputs),
        "words": [_words(found, o, scale_of(subject.ensemble().link)) for o in range(len(outputs))],
        "importance": _importance(found, both),
        "curves": within((_curves(name, both, outputs, subject) for name in found.importance.features), _BUDGET),
        "rows": _rows(found, subject, rows),
        "rules": _rules(found, rows, other, subject.dates()),
    }


def _name(ensemble: Ensemble) -> str:
    source = ensemble.source
    return f"{source.model}, {source.library}, {many(ensemble.n_trees, 'tree')}"


def _words(found: Comparison, o: int, unit: str) -> list[str]:
    """Sentences about one output."""
    low, q25, q75, high = (float(found.quantiles[k, o]) for k in (0, 2, 4, 6))
    bounds = float(found.bounds.low[o]), float(found.bounds.high[o])
    said = [
        f"Their answers correlate {number(float(found.correlation[o]), 3)}. On the scale of the {unit} they differ by "
        f"{signed(float(found.mean[o]))} on average, with a standard deviation of {number(float(found.sd[o]), 3)}.",
        f"For half of the rows the difference is between {signed(q25)} and {signed(q75)}, for all of them between "
        f"{signed(low)} and {signed(high)}. For no row at all, also none that the table lacks, is it outside of "
        f"{signed(bounds[0])} to {signed(bounds[1])}.",
        f"Single features make {percent(float(found.ledger.effects[o]))} of the variance of the difference, pairs "
        f"{percent(float(found.ledger.pairs[o]))}, more features together {percent(float(found.ledger.left_over[o]))}.",
    ]
    if found.class_changes is not None:
        said.append(f"The predicted class differs for {percent(found.class_changes)} of the rows.")
    if found.loss is not None:
        loss = found.loss
        half = _NORMAL * loss.error
        verdict = "this one is closer to the target" if loss.difference < 0 else "the other is closer to the target"
        if abs(loss.difference) <= half:
            verdict = "too close to call"
        said.append(
            f"Mean {loss.name}: {number(loss.first)} for this model, {number(loss.second)} for the other. Difference: "
            f"{signed(loss.difference)} ± {number(half, 2)} (95 %), {verdict}."
        )
    return said


def _importance(found: Comparison, both: tuple[Effects, Effects]) -> list[list[dict[str, Any]]]:
    """Per output: sd of the effects of each feature in both models and in the difference, the most important first."""
    parts = (*(fx.importance() for fx in both), found.importance)
    shown: list[list[dict[str, Any]]] = []
    for o, output in enumerate(found.outputs):
        sds = []
        for part in parts:
            place = list(part.outputs).index(output) if output in part.outputs else o
            sd = part.sd.reshape(len(part.features), -1)[:, place]
            sds.append(dict(zip(part.features, sd.tolist(), strict=True)))
        order = sorted(sds[2], key=lambda name: -max(sds[0].get(name, 0.0), sds[1].get(name, 0.0)))[:_MAX_BARS]
        shown.append(
            [
                {
                    "feature": name,
                    "sd": [rounded(sd.get(name, 0.0)) for sd in sds],
                    "text": [number(sd.get(name, 0.0), 3) for sd in sds],
                }
                for name in order
            ]
        )
    return shown


def _curves(name: str, both: tuple[Effects, Effects], outputs: tuple[str, ...], subject: Subject) -> dict[str, Any]:
    """The effect of a feature in both models; None for a model that does not know it."""
    is_date, seen = name in subject.dates(), subject.seen().get(name)
    scales = None if seen is None else scales_of(seen, is_date=is_date)
    return {
        "name": name,
        "scale": None if scales is None or scales.first == "value" else scales.to_dict(),
        "models": [_curve(fx[name], outputs, seen, is_date) if name in fx else None for fx in both],
    }


def _curve(effect: FeatureEffect, outputs: tuple[str, ...], seen: Seen | None, is_date: bool) -> dict[str, Any]:
    n = len(effect.outputs)
    values, weight = effect.effect.reshape(len(effect), n), effect.weight.reshape(len(effect), n).mean(axis=1)
    axis = axis_of(effect.cells, weight, most=_MAX_CELLS, seen=seen, is_date=is_date)
    order = [effect.outputs.index(output) if output in effect.outputs else o for o, output in enumerate(outputs)]
    shown = [axis.cells.merge(values[:, o], weight)[axis.kept] for o in order]
    return {
        "axis": axis.to_dict(),
        "effect": [[rounded(x) for x in part] for part in shown],
        "text": [[signed(x) for x in part] for part in shown],
    }


def _rows(found: Comparison, subject: Subject, both: Table) -> dict[str, Any]:
    """The rows with the largest difference, with the values of the features that matter most to it."""
    names = list(found.importance.features[:_MAX_VALUES])
    table = read_table(both)
    places = [found.difference.feature_names.index(name) for name in names]
    columns = [
        _texts(table, name, place, name in subject.dates(), found.rows.tolist())
        for name, place in zip(names, places, strict=True)
    ]
    lines = []
    for i, row in enumerate(found.rows.tolist()):
        first, second = found.row_raw[:, i, :]
        lines.append(
            {
                "row": subject.row_name(row),
                "first": [number(x) for x in first],
                "second": [number(x) for x in second],
                "difference": [signed(x) for x in first - second],
                "values": [column[i] for column in columns],
            }
        )
    return {"features": names, "lines": lines}


def _texts(table: Columns, name: str, place: int, is_date: bool, rows: list[int]) -> list[str]:
    """Values of a feature in some rows, as text; by its name if the table has names, otherwise by its place."""
    names = table.names
    column = table.column(place if names is None or name not in names else names.index(name))
    if isinstance(column, CategoryColumn):
        codes = [int(column.codes[row]) for row in rows]
        return [shortened(str(column.labels[code]), 40) if code >= 0 else "missing" for code in codes]
    values = [float(column[row]) for row in rows]
    return ["missing" if np.isnan(x) else date_text(x) if is_date else number(x, 6) for x in values]


def _rules(found: Comparison, rows: Table, shared: Subject, dates: Collection[str]) -> list[list[dict[str, str]]]:
    """Where the models differ, per output: conditions under which the mean difference is clearly larger than without.

    Rules with few rows, or that say what another says, are left out as in the panel *Rules*.
    """
    change = found.difference
    table = read_table(columns_for(rows, change.features))
    some = thin_rows(table.n_rows, _MAX_RULE_ROWS)
    few = few_rows(table, some)
    weight = few_values(read_weight(shared.sample_weight, table.n_rows), some)
    moved = change.predict_raw(few, n_jobs=shared.n_jobs).reshape(few.n_rows, -1)
    return [
        _rules_of_output(one_output(change, o), few, moved[:, o], weight, shared, dates) if found.sd[o] > 0 else []
        for o in range(len(found.outputs))
    ]


def _rules_of_output(
    change: Ensemble,
    few: Columns,
    moved: NDArray[np.float64],
    weight: NDArray[np.float64] | None,
    shared: Subject,
    dates: Collection[str],
) -> list[dict[str, str]]:
    listed = find_rules(change, few, moved, sample_weight=weight, n_jobs=shared.n_jobs, progress=shared.progress)
    fired = listed.explain(few, n_jobs=shared.n_jobs).fired
    picked = [listed[one.index] for one in pick_rules(listed, fired, moved, weight)]
    clear = [rule for rule in picked if abs(rule.inside[0]) > abs(rule.outside[0])]
    return [
        {
            "sentence": rule_words(rule, dates),
            "inside": signed(float(rule.inside[0])),
            "outside": signed(float(rule.outside[0])),
            "rows": rows_of(rule.support),
        }
        for rule in sorted(clear, key=lambda rule: -abs(float(rule.inside[0])))
    ]


COMPARISON = Panel(
    "comparison", "Compare", build_comparison, "panels/comparison.js", lambda subject: subject.other is not None
)
