"""Objective: XGBoost's objective → Link, and base_score → baseline."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from glasswood.ensemble import IDENTITY, LOG, LOGIT, NO_LINK, OVA, SOFTMAX, Link
from glasswood.errors import ModelFileError
from glasswood.readers.xgboost._document import Part


def _identity(score: NDArray[np.float32]) -> NDArray[np.float32]:
    return score


def _logit(score: NDArray[np.float32]) -> NDArray[np.float32]:
    # a model of one class has the score 0 or 1, which XGBoost moves this far inside
    inside = np.clip(score, np.float32(1e-6), np.float32(1) - np.float32(1e-6))
    # in float32 and in XGBoost's order of operations: near one half the rounding error is larger than the logit
    return np.asarray(-np.log(np.float32(1) / inside - np.float32(1)))


def _log(score: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.log(score)


# objective → link of its prediction, and function that converts base_score from the response scale to raw
_KNOWN: dict[str, tuple[Link, Callable[[NDArray[np.float32]], NDArray[np.float32]]]] = {
    "reg:squarederror": (IDENTITY, _identity),
    "reg:linear": (IDENTITY, _identity),
    "reg:squaredlogerror": (IDENTITY, _identity),
    "reg:pseudohubererror": (IDENTITY, _identity),
    "reg:absoluteerror": (IDENTITY, _identity),
    "reg:quantileerror": (IDENTITY, _identity),
    "rank:ndcg": (IDENTITY, _identity),
    "rank:map": (IDENTITY, _identity),
    "rank:pairwise": (IDENTITY, _identity),
    "reg:logistic": (LOGIT, _logit),
    "binary:logistic": (LOGIT, _logit),
    "binary:logitraw": (IDENTITY, _identity),
    "binary:hinge": (NO_LINK, _identity),
    "multi:softmax": (SOFTMAX, _identity),
    "multi:softprob": (SOFTMAX, _identity),
    "count:poisson": (LOG, _log),
    "reg:gamma": (LOG, _log),
    "reg:tweedie": (LOG, _log),
    "survival:cox": (LOG, _log),
    "survival:aft": (LOG, _log),
}


def is_known(objective: str) -> bool:
    """Whether the link of an objective is known."""
    return objective in _KNOWN


def link_of(objective: str, n_outputs: int) -> Link:
    """Link of an objective; no link if it is not known."""
    link, _ = _KNOWN.get(objective, (NO_LINK, _identity))
    if link is LOGIT and n_outputs > 1:
        return OVA
    return link


def baseline_of(learner: Part, objective: str, n_outputs: int) -> NDArray[np.float64]:
    """Baseline of every output on the raw scale.

    Since XGBoost 3.1 base_score is a list with an entry per output; before, it was one number for all outputs.
    """
    text = learner.part("learner_model_param").text("base_score")
    entries = text.strip("[] ").split(",")
    try:
        with np.errstate(over="ignore"):  # numbers that are too large become infinite and are refused with the ensemble
            score = np.array([float(entry) for entry in entries], dtype=np.float64).astype(np.float32)
    except ValueError as error:
        raise ModelFileError(f"{learner.path}: base_score is garbled") from error
    if len(score) not in (1, n_outputs):
        raise ModelFileError(f"{learner.path}: base_score has {len(score)} entries for {n_outputs} outputs")
    margin = learner.part("learner_model_param").fields.get("base_margin")
    if isinstance(margin, tuple):  # an old binary file: raw already
        return np.full(n_outputs, margin[0])
    to_raw = _KNOWN.get(objective, (NO_LINK, _identity))[1]
    with np.errstate(all="ignore"):
        raw = to_raw(score).astype(np.float64)
    return np.broadcast_to(raw, (n_outputs,)).copy()


def output_names(objective: Part, n_outputs: int) -> tuple[str, ...]:
    """Names of the outputs: classes by number, quantiles by level, targets by position."""
    kind = objective.text("name")
    if n_outputs == 1:
        return ("1",) if kind.startswith("binary:") else ("y",)
    if kind.startswith("multi:"):
        return tuple(str(k) for k in range(n_outputs))
    levels = _quantiles(objective) if kind == "reg:quantileerror" else []
    if len(set(levels)) == n_outputs:
        return tuple(f"quantile {level}" for level in levels)
    return tuple(f"y{k}" for k in range(n_outputs))


def _quantiles(objective: Part) -> list[str]:
    parameters = objective.fields.get("quantile_loss_param")
    text = parameters.get("quantile_alpha", "") if isinstance(parameters, dict) else ""
    try:
        return [f"{float(level):g}" for level in str(text).strip("[]() ").split(",")]
    except ValueError:
        return []
