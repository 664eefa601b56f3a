"""Descriptions of an Ensemble, as text and as HTML."""

import html

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble._ensemble import Ensemble
from glasswood.ensemble._label import join_names
from glasswood.ensemble._node_depths import node_depths
from glasswood.ensemble._provenance import NOT_CHECKED

_WEIGHTS = {
    "weights": "weight of the training rows",
    "rows": "number of training rows",
    "hessian": "sum of hessians",
    "none": "unknown",
}


def facts(ensemble: Ensemble) -> list[tuple[str, str]]:
    """What a reader wants to know about a model, as (what, value) pairs."""
    e = ensemble
    depth = node_depths(e)
    leaves = np.add.reduceat(e.feature < 0, e.tree_start[:-1]) if e.n_trees else np.zeros(0, dtype=int)
    used = np.unique(e.feature[e.feature >= 0])
    n_categories = int(np.count_nonzero(e.features.is_category))
    kinds = f", {n_categories} of them categories" if n_categories else ""
    rows = [
        ("trees", f"{e.n_trees:,}"),
        (
            "leaves",
            f"{e.n_leaves:,}{_per_tree(leaves)}",
        ),
        ("depth", f"{int(depth.max()) if len(depth) else 0}"),
        ("features", f"{len(e.features):,}{kinds}, {len(used):,} used: {_names(e, used)}"),
        ("outputs", join_names([repr(name) for name in e.outputs])),
        ("baseline", join_names([f"{b:.6g}" for b in e.baseline])),
        ("link", str(e.link)),
        ("source", f"{e.source.library} {e.source.version}, {e.source.model}, {e.source.objective}"),
        ("node weights", _WEIGHTS[e.source.weight_kind]),
        ("parity", e.source.certificate),
    ]
    return rows + [("note", note) for note in e.source.notes]


def describe_text(ensemble: Ensemble) -> str:
    """Several lines with one fact each."""
    width = max(len(what) for what, _ in facts(ensemble))
    return "\n".join(["Ensemble", *(f"  {what:<{width}}  {value}" for what, value in facts(ensemble))])


def describe_features(ensemble: Ensemble) -> str:
    """One line per feature: its name, how often it is split, and whether it is a number or which categories it has."""
    schema = ensemble.features
    splits = np.bincount(ensemble.feature[ensemble.feature >= 0], minlength=len(schema))
    width = max((len(name) for name in schema.names), default=0)
    lines = []
    for j, (name, labels) in enumerate(zip(schema.names, schema.categories, strict=True)):
        kind = "number" if labels is None else f"category: {', '.join(map(str, labels))}"
        lines.append(f"  {name:<{width}}  {splits[j]:>7,} splits  {kind}")
    return "\n".join(["Features", *lines])


def describe_html(ensemble: Ensemble) -> str:
    """A small table for notebooks; works on light and dark backgrounds."""
    cell = "text-align:left;padding:.15em .8em .15em 0;vertical-align:top;border:0;background:none"
    rows = "".join(
        f'<tr><th scope="row" style="{cell};font-weight:500;opacity:.7">{html.escape(what)}</th>'
        f'<td style="{cell}">{_mark(what, value)}{html.escape(value)}</td></tr>'
        for what, value in facts(ensemble)
    )
    return (
        '<div style="font-family:system-ui,sans-serif;font-size:13px;line-height:1.45;border-left:3px solid #009E73;'
        'padding:.2em 0 .2em .9em;max-width:52em">'
        '<div style="font-weight:600;margin-bottom:.2em">Ensemble</div>'
        f'<table style="border-collapse:collapse">{rows}</table></div>'
    )


def _per_tree(leaves: NDArray[np.int64]) -> str:
    """How many leaves trees have; nothing about a single tree."""
    if len(leaves) < 2:
        return ""
    least, most = int(leaves.min()), int(leaves.max())
    return f" ({least:,} in each tree)" if least == most else f" ({least:,} to {most:,} in a tree)"


def _mark(what: str, value: str) -> str:
    if what != "parity":
        return ""
    sign, colour = ("✓", "#009E73") if not value.startswith(NOT_CHECKED) else ("?", "#D55E00")
    return f'<span style="color:{colour};font-weight:700" aria-hidden="true">{sign}</span> '


def _names(ensemble: Ensemble, used: NDArray[np.int32]) -> str:
    splits = np.bincount(ensemble.feature[ensemble.feature >= 0], minlength=len(ensemble.features))
    ranked = sorted(used.tolist(), key=lambda j: (-splits[j], j))
    return join_names([ensemble.features.names[j] or "(no name)" for j in ranked]) or "none"
