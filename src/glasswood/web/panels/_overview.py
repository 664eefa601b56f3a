"""Overview panel: what was read, how it was checked, the ledger, and the importance of features."""

from typing import Any

import numpy as np

from glasswood.ensemble import OWN_TABLE, Ensemble, Parity, facts
from glasswood.errors import GlasswoodError
from glasswood.explain.effects import ledger_of
from glasswood.results import Effects, Importance, Ledger
from glasswood.web.page._text import many, number, percent, rounded, scale_of
from glasswood.web.panels._panel import Panel
from glasswood.web.panels._score import score_words
from glasswood.web.panels._subject import Subject
from glasswood.web.panels._terms import term_rows, terms_of

_MAX_FEATURES = 40
_OVERLAP = 0.05  # share of the variance above which overlapping terms are mentioned


def build_overview(subject: Subject) -> dict[str, Any]:
    """Build facts, certificate, ledger and importances; a part that cannot be computed says why."""
    ensemble = subject.ensemble()
    fx: Effects | str
    share: Ledger | str
    try:
        fx = subject.effects()
    except GlasswoodError as error:
        fx = str(error)
    try:
        share = ledger_of(terms_of(subject))
    except GlasswoodError as error:
        share = str(error)
    importance = fx if isinstance(fx, str) else fx.importance()
    return overview_data(
        ensemble,
        subject.rows().n_rows,
        shares=share,
        importance=importance,
        score=score_words(subject),
        thinned=term_rows(subject) is not None,
    )


def overview_data(
    ensemble: Ensemble,
    n_rows: int,
    *,
    shares: Ledger | str,
    importance: Importance | str,
    score: str = "",
    thinned: bool = False,
) -> dict[str, Any]:
    """Lay out what is known about a model; a text instead of a result says why there is none.

    If `thinned`, the shares are those over some of the rows.
    """
    return {
        "lead": f"What was read of the model, how it was checked, and what its answers on {many(n_rows, 'row')} "
        "are made of.",
        "facts": [
            [what, value.replace("-", "−") if what == "baseline" else value]
            for what, value in facts(ensemble)
            if what != "parity"
        ],
        "parity": _parity(ensemble),
        "score": score,
        "ledger": {"refused": shares} if isinstance(shares, str) else _ledger(shares, thinned),
        "importance": {"refused": importance}
        if isinstance(importance, str)
        else _importance(importance, scale_of(ensemble.link)),
    }


def _parity(ensemble: Ensemble) -> dict[str, Any]:
    """The certificate as text; a glasswood model needs none; for an unchecked model the text says so."""
    parity, source = ensemble.source.parity, ensemble.source
    if isinstance(parity, Parity):
        leaves = {
            True: "Every row reaches the same leaf in every tree.",
            None: f"{source.library} gives no leaf numbers to compare.",
            False: "Leaves differ.",
        }[parity.leaves_equal]
        return {
            "state": "checked",
            "title": f"Checked against {source.library} on {many(parity.n_rows, 'row')}",
            "words": f"{leaves} The largest difference between the two raw predictions is "
            f"{number(parity.largest_difference, 3)}; rounding allows {number(parity.bound, 3)}."
            + ("" if parity.asked_with == OWN_TABLE else f" {source.library} predicted {parity.asked_with}."),
        }
    if source.library == "glasswood":
        return {
            "state": "own",
            "title": "glasswood's own model",
            "words": "It predicts with exactly the trees shown here, so there is no other library to compare with.",
        }
    return {
        "state": "unchecked",
        "title": "Not checked",
        "words": f"What was read could not be compared with {source.library}'s own prediction: {source.unchecked}."
        if source.unchecked
        else f"What was read was not compared with {source.library}'s own predictions.",
    }


def _ledger(found: Ledger, thinned: bool) -> dict[str, Any]:
    return {
        "n_rows": many(found.n_rows, "row") + (" of the table, evenly spaced" if thinned else ""),
        "outputs": list(found.outputs),
        "parts": [_shares(found, o) for o in range(len(found.outputs))],
    }


def _shares(found: Ledger, o: int) -> dict[str, Any]:
    shares = np.array([found.effects[o], found.pairs[o], found.left_over[o]])
    names = ("effects of single features", "pairs of features", "three features and more")
    return {
        "shares": [
            {"name": name, "share": rounded(share), "text": percent(share)}
            for name, share in zip(names, shares.tolist(), strict=True)
        ],
        "variance": number(float(found.variance[o])),
        "overlap": _overlap(found, o),
        "words": f"Single features account for {percent(shares[0])} of the variance of what the model says, pairs for "
        f"{percent(shares[1])}; {percent(shares[2])} is left to interactions of three features and more.",
    }


def _overlap(found: Ledger, o: int) -> str:
    """A remark if the terms, added without coefficients, reproduce clearly less than with them."""
    plain = float(found.as_they_stand[o])
    if plain > float(found.effects_and_pairs[o]) - _OVERLAP:
        return ""
    much = f"only {percent(plain)}" if plain > 0 else "none"
    return (
        "Some features move together, so their effects and pairs overlap: added up as they are drawn, they reproduce "
        f"{much} of the variance. The shares above are those of the best multiple of each."
    )


def _importance(importance: Importance, unit: str) -> dict[str, Any]:
    n = len(importance.features)
    sd, size = importance.sd.reshape(n, -1), importance.mean_abs.reshape(n, -1)
    shown = min(n, _MAX_FEATURES)
    return {
        "unit": unit,
        "outputs": list(importance.outputs),
        "features": list(importance.features[:shown]),
        "sd": [[rounded(x) for x in sd[:shown, o]] for o in range(sd.shape[1])],
        "sd_text": [[number(x, 3) for x in sd[:shown, o]] for o in range(sd.shape[1])],
        "mean_abs": [[rounded(x) for x in size[:shown, o]] for o in range(sd.shape[1])],
        "mean_abs_text": [[number(x, 3) for x in size[:shown, o]] for o in range(sd.shape[1])],
        "note": f"the {shown} most important of {n:,} features" if shown < n else "",
    }


OVERVIEW = Panel("overview", "Overview", build_overview, "panels/overview.js")
